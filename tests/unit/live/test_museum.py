"""The figure `museum`: real verdicts, hidden until their test is run, in both hosts."""

import itertools
import re

import pytest

from attn_lib import museum
from attn_lib.live.figures import explore
from attn_lib.live.figures.museum import BUGS, FIGURE, TESTS, _printed, exhibits, fewest, pieces


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def listing(shown):
    return [["".join(cut), kind] for cut, kind in shown.parts["code"]["lines"]]


def test_starts_with_the_toy_that_the_first_exhibit_passes():
    start = view()
    assert start.parts["findings"]["rows"] == [[0]] + [[None]] * 9
    assert (start.slots["failed"], start.slots["run"]) == ("0", "1")
    assert start.summary == ("suite_one", "tanh", "unnoticed_one")
    # Of the others it catches two.
    first = [row[0] for row in start.parts["matrix"]["rows"]]
    assert (first, start.slots["caught"]) == ([0, 1, 0, 0, 0, 1, 0, 0, 0], "2")


def test_gives_no_verdict_of_another_exhibit_away():
    rows = view(bug="dropout", on="one", t=list(TESTS)).parts["matrix"]["rows"]
    assert None not in rows[1]
    assert rows[:1] + rows[2:] == [[None] * 10] * 8


def test_surprise_seven_tests_are_still_green():
    surprise = view(**FIGURE.surprise)
    assert (surprise.slots["failed"], surprise.slots["run"]) == ("0", "7")
    assert surprise.summary == ("suite", "tanh", "unnoticed")
    for test in (3, 4):
        caught = view(t=[test])
        assert caught.slots["failed"] == "1"
        assert caught.slots["last"] == f"T{test}"
        assert caught.summary == ("suite_one", "tanh", "by_only")


def test_matrix_holds_what_the_tests_find_when_they_are_run_again():
    rows = view(t=list(TESTS)).parts["matrix"]["rows"]
    tests = [*museum.TESTS.values(), museum.agrees_with_torch]
    for row, exhibit in zip(rows, museum.EXHIBITS.values(), strict=True):
        again = [int(not museum.run(test, exhibit)) for test in tests]
        assert row == ([*again[:-1], None] if issubclass(exhibit, museum.Additive) else again)


@pytest.mark.parametrize(
    ("tests", "caught"),
    [
        ([1], "2"),
        ([3], "2"),
        ([4], "4"),
        ([10], "4"),
        ([4, 5, 7, 8], "8"),
        ([4, 5, 7, 8, 9], "9"),
    ],
)
def test_counts_the_exhibits_that_a_suite_catches(tests, caught):
    assert view(t=tests).slots["caught"] == caught


def test_a_matrix_counts_only_what_was_run():
    for nothing in (view(t=[]), view(on="one", t=[]), view(bug="tanh", on="one", t=[10])):
        assert nothing.slots["of"] == "0"


@pytest.mark.parametrize("bug", museum.EXHIBITS)
@pytest.mark.parametrize("tests", [[n] for n in TESTS] + [[1, 10], [4, 5, 7, 8]])
def test_the_sentence_accounts_for_all_nine_and_the_matrix_counts_alike(bug, tests):
    found = view(bug=bug, t=tests)
    caught, missed = int(found.slots["caught"]), int(found.slots["missed"])
    # R alone is not run on one exhibit: the sentence says so, and the matrix does not count it.
    assert caught + missed == (8 if found.summary[0] == "suite_reference" else 9)
    assert (found.slots["counted"], found.slots["of"]) == (str(caught), str(caught + missed))
    alone = view(bug=bug, t=tests, on="one")
    assert alone.slots["counted"] == str(int(1 in alone.parts["matrix"]["rows"][BUGS.index(bug)]))
    assert alone.slots["of"] == ("0" if alone.summary == ("no_reference",) else "1")


def test_evidence_is_what_was_published():
    got = {bug: view(bug=bug).parts["findings"]["got"] for bug in museum.EXHIBITS}
    assert got["fill"][4] == "0.25 0.25 0.25 0.25"
    assert got["inplace"][5] == "1.4142 1.4142 −1e6 −1e6"
    assert got["nosqrt"][3].startswith("0.7758")
    assert got["squeeze"][6] == "(2,)"
    assert got["repeat"][7] == "1 3 1 / 3 1 3"
    assert got["tanh"][2] == "0.4365 = 0.4365"
    # Which is all that there is, so it is said once; beside four decimals all have four.
    assert got["nan"][8].split("\u00a0") == ["8", "×", "nan"]
    expected = view(bug="tanh").parts["findings"]["expected"]
    assert expected[3] == "0.5847 0.2816 0.0486 0.0850"


def test_no_test_no_news():
    for none in ("none", []):
        nothing = view(t=none)
        assert nothing.summary == ("none",)
        assert view(t=none, on="one").summary == ("none_one",)
        assert nothing.parts["findings"]["rows"] == [[None]] * 10
    assert FIGURE.fragment({"t": []}) == "#museum?t=none"


def test_every_exhibit_is_shown_in_twelve_lines_at_most():
    for name in museum.EXHIBITS:
        code = listing(view(bug=name, t="none"))
        assert len(code) <= 12
        assert {kind for _, kind in code} == {"same"}
        assert not any("Tensor" in line or '"""' in line for line, _ in code)


@pytest.mark.parametrize(
    "tests", [[2, 1], [1, 1], [0], [11], "1,2", [None], [1.5], {"a": 1}, ["none"], True]
)
def test_invalid_lists_are_refused(tests):
    with pytest.raises(ValueError, match="t must be an ascending list"):
        FIGURE.state(t=tests)


def test_the_prediction_r_catches_four_of_eight():
    before, after = (view(**state) for state in (FIGURE.prediction.before, FIGURE.prediction.after))
    # T1 alone, which misses what R then catches.
    assert before.summary == ("suite_one", "nosqrt", "unnoticed_one")
    assert (before.slots["last"], before.slots["caught"]) == ("T1", "2")
    rows = dict(zip(museum.EXHIBITS, after.parts["matrix"]["rows"], strict=True))
    eight = [name for name in rows if name != "tanh"]
    assert [name for name in eight if rows[name][9]] == ["dropout", "nosqrt", "dim", "repeat"]
    assert after.slots["caught"] == "4"
    assert rows["tanh"] == [None] * 10  # torch has no additive attention
    # It ends on one of the four that R catches, so that its line is marked.
    assert after.summary == ("suite_reference", "nosqrt", "by_only")
    on_tanh = view(**FIGURE.prediction.after | {"bug": "tanh"})
    assert on_tanh.summary == ("suite_reference", "no_reference")


def test_the_right_line_stands_below_the_faulty_one_once_the_fault_is_caught():
    assert all(kind == "same" for _, kind in view(t=[1, 2]).parts["code"]["lines"])
    caught = listing(view(t=[1, 3]))
    assert caught[4:6] == [
        ["        hidden = torch.tanh(q) + torch.tanh(k)", "faulty"],
        ["        hidden = torch.tanh(q + k)", "right"],
    ]


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        (
            "    q = (queries @ self.W_q.T).unsqueeze(2)",
            "    q = (queries @ self.W_q.T)|.unsqueeze[(2)]",
        ),
        (
            "torch.softmax(rows, dim=-1).nan_to_num(0.0)",
            "torch.softmax[(rows, dim=-1)]|.nan_to_num[(0.0)]",
        ),
        ("rows.masked_fill(hidden, -math.inf)", "rows.masked_fill(hidden, [-math.inf])"),
        ("output.reshape(2, -1), 1e-4)", "output.reshape[(2, -1)], [1e-4])"),
        ("return scores.shape", "return scores.shape"),
    ],
)
def test_code_may_be_broken_at_spaces_and_before_a_further_call(line, cut):
    """Square brackets: what stays whole; a bar: where the line may be broken."""
    marked = ""
    for i, piece in enumerate(pieces(line)):
        marked += f"[{piece}]" if i % 2 and piece else "|" * piece.startswith(".") + piece
    assert marked == cut
    assert "".join(pieces(line)) == line


@pytest.mark.parametrize("bug", museum.EXHIBITS)
def test_every_fault_is_marked_where_it_stands(bug):
    everything = listing(view(bug=bug, t=list(TESTS)))
    for kind, lines in zip(("faulty", "right"), museum.REPAIRS[bug], strict=True):
        marked = [line.strip() for line, what in everything if what == kind]
        assert marked == lines.splitlines()
    uncaught = listing(view(bug=bug, t="none"))
    assert uncaught == [[line, "same"] for line, kind in everything if kind != "right"]
    kinds = "".join(kind[0] for _, kind in everything)
    assert re.fullmatch("s*f+r+s*", kinds)  # the repair stands below its fault


def test_says_how_many_tests_fail_and_names_them():
    def said(**settings):
        return FIGURE.sentences(view(on="one", **settings))

    assert said(bug="squeeze", t=[7]) == "“squeeze()”: T7 fails, so it is caught."
    assert said(bug="repeat", t=[1, 8, 10]) == "“repeat”: T8 and R catch it, 2 of 3 tests."
    assert said(bug="repeat", t=[1, 2]).endswith("the 2 tests pass, so it goes unnoticed.")
    assert said(bug="repeat", t=[2, 8]).endswith("T8 alone catches it, of 2 tests.")
    assert said(bug="squeeze", t=[10]).endswith("R passes, so it goes unnoticed.")


def test_says_that_r_was_not_run_beside_tests_that_were():
    for tests, outcome in (([1, 10], "unnoticed_one"), ([3, 5, 10], "by_one")):
        assert view(t=tests).summary[1:] == ("tanh", outcome, "without_reference")
        assert "without_reference" not in view(bug="dropout", t=tests).summary
    assert view(t=[1, 10]).parts["findings"]["at"] == 0  # what T1 found


@pytest.mark.parametrize(
    ("tests", "shown"), [([1, 2, 7, 9], 7), ([1, 2], 2), ([7, 9], 7), ("none", None)]
)
def test_where_there_is_room_for_one_finding_the_first_failure_is_shown(tests, shown):
    # T7 fails on squeeze(), T1, T2 and T9 pass.
    at = view(bug="squeeze", t=tests).parts["findings"]["at"]
    assert at == (-1 if shown is None else shown - 1)


def test_the_lines_shown_of_a_test_are_the_test():
    """Run as they stand, they find what the test found."""
    assert len(FIGURE.sources) == len(TESTS)
    for n, lines in zip(TESTS, FIGURE.sources, strict=True):
        source = "\n".join("".join(cut) for cut in lines)
        made = {}
        exec(source, vars(museum.tests) | made, made)
        (shown,) = made.values()
        for name, exhibit in museum.EXHIBITS.items():
            if exhibits()[name]["verdicts"][n - 1] is None:
                continue
            found = museum.run(shown, exhibit)
            assert int(not found) == exhibits()[name]["verdicts"][n - 1], (name, n)
            assert _printed(found.got) == exhibits()[name]["got"][n - 1]
            assert _printed(found.expected) == exhibits()[name]["expected"][n - 1]


def test_a_tick_counts_at_once():
    explorer = explore("museum")
    ticks = explorer.controls[2].items[0]
    box = ticks.children[3]
    assert box.description == "T3 the query matters"
    box.value = True
    assert explorer.state["t"] == (1, 3)
    ticks.children[1].value = False
    explorer.controls[0].items[0].value = "dim"
    assert explorer.state["t"] == (3,)
    assert explorer.view == FIGURE.compute(explorer.state)
    explorer.set()
    assert ticks.value == (1,)


def test_asks_for_fewer_tests_until_no_fewer_catch_all():
    assert view(t=[4, 5, 7, 8]).summary[0] == "suite"  # eight
    assert view(t=[4, 5, 7, 8, 9, 10]).summary[0] == "suite_all"
    least = FIGURE.sentences(view(t=[4, 5, 7, 8, 9]))
    assert least.startswith("These 5 tests catch all nine faults, and no 4 do.")
    # Of one exhibit alone nothing is asked.
    assert view(t=list(TESTS), on="one").summary == ("tanh", "by", "without_reference")


def test_no_fewer_than_five_tests_catch_all_nine():
    def catch_all(tests):
        return all(any(verdicts[n - 1] for n in tests) for verdicts in found)

    found = [exhibit["verdicts"] for exhibit in exhibits().values()]
    assert not any(catch_all(tests) for tests in itertools.combinations(TESTS, fewest() - 1))
    assert fewest() == 5
    assert view(t=[4, 5, 7, 8, 9]).summary[0] == "suite_least"
    assert view(t=[3, 4, 5, 7, 8, 9]).summary[0] == "suite_all"
    missed = view(t=[1, 2, 5, 6, 7, 8, 9])
    assert (missed.summary[0], missed.slots["missed"]) == ("suite", "2")
