"""The figure `museum`: real verdicts, hidden until their test is run, in both hosts."""

import pytest

from attn_lib import museum
from attn_lib.figures import explore
from attn_lib.figures.museum import FIGURE


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def test_starts_with_the_toy_that_the_first_exhibit_passes():
    start = view()
    assert start.parts["findings"]["rows"] == [[0]] + [[None]] * 7
    assert start.slots["passed"] == start.slots["run"] == "1"
    assert start.summary == ("tanh", "unnoticed")


def test_gives_no_verdict_of_another_exhibit_away():
    rows = view(t=list(museum.TESTS)).parts["matrix"]["rows"]
    assert None not in rows[0]
    assert rows[1:] == [[None] * 8] * 7


def test_surprise_six_more_tests_are_still_green():
    surprise = view(**FIGURE.surprise)
    assert surprise.slots["passed"] == surprise.slots["run"] == "6"
    assert surprise.summary == ("tanh", "unnoticed")
    for test in (3, 4):
        caught = view(t=[test])
        assert caught.slots["passed"] == "0"
        assert caught.slots["list"] == f"T{test}"


def test_matrix_holds_what_the_tests_find_when_they_are_run_again():
    rows = view(on="all", t=list(museum.TESTS)).parts["matrix"]["rows"]
    for row, exhibit in zip(rows, museum.EXHIBITS.values(), strict=True):
        again = [int(not museum.run(test, exhibit)) for test in museum.TESTS.values()]
        assert row == again


@pytest.mark.parametrize(
    ("tests", "caught"), [([1], "2"), ([3], "2"), ([4], "4"), ([4, 5, 7, 8], "8"), ([4, 5, 7], "7")]
)
def test_counts_the_exhibits_that_a_suite_catches(tests, caught):
    assert view(on="all", t=tests).slots["caught"] == caught


def test_evidence_is_what_was_published():
    got = {bug: view(bug=bug).parts["findings"]["got"] for bug in museum.EXHIBITS}
    assert got["fill"][4] == "0.25 0.25 0.25 0.25"
    assert got["inplace"][5] == "1.4142 1.4142 −1e6 −1e6"
    assert got["nosqrt"][3].split(" / ")[1].startswith("0.5964")
    assert got["squeeze"][6] == "(2,)"
    assert got["repeat"][7] == "1 3 1 / 3 1 3"
    assert got["tanh"][2] == "0.2419 = 0.2419"


def test_no_test_no_news():
    for none in ("none", []):
        nothing = view(t=none)
        assert nothing.summary == ("none",)
        assert nothing.parts["findings"]["rows"] == [[None]] * 8
    assert FIGURE.fragment({"t": []}) == "#museum?t=none"


def test_every_exhibit_is_shown_in_twelve_lines_at_most():
    for name in museum.EXHIBITS:
        code = view(bug=name).parts["code"]["text"]
        assert len(code.splitlines()) <= 12
        assert "Tensor" not in code
        assert '"""' not in code


@pytest.mark.parametrize(
    "tests", [[2, 1], [1, 1], [0], [9], "1,2", [None], [1.5], {"a": 1}, ["none"], True]
)
def test_invalid_lists_are_refused(tests):
    with pytest.raises(ValueError, match="t must be an ascending list"):
        FIGURE.state(t=tests)


def test_ticking_counts_when_run_is_pressed_or_another_control_moves():
    explorer = explore("museum")
    ticks = explorer.controls[2].items[0]
    *_, run = ticks.children
    box = ticks.children[3]
    assert box.description == "T3 the query matters"
    box.value = True
    assert explorer.state["t"] == (1,)
    run.click()
    assert explorer.state["t"] == (1, 3)
    ticks.children[1].value = False
    explorer.controls[0].items[0].value = "dim"
    assert explorer.state["t"] == (3,)
    assert explorer.view == FIGURE.compute(explorer.state)
    explorer.set()
    assert ticks.ticked == (1,)
