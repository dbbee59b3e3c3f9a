"""The figure `shapes`: the shapes of each line, the published error, and refused settings."""

import pytest

from attn_lib.figures import explore
from attn_lib.figures.shapes import FIGURE

ADDITIVE = [
    "(2, 1, 8)",
    "(2, 1, 1, 8)",
    "(2, 1, 10, 8)",
    "(2, 1, 10, 8)",
    "(2, 1, 10, 8)",
    "(2, 1, 10, 1)",
    "(2, 1, 10)",
    "(2, 1, 4)",
]


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def test_first_line_of_bmm_computes_example_1_only():
    parts = view().parts
    assert parts["Z1"]["rows"] == [[4, 5]]
    assert parts["Z2"] is None
    assert parts["X1"]["marked"] == [[True] * 3]
    assert not any(parts["X2"]["marked"][0])


def test_last_line_of_bmm_computes_both():
    bmm = view(i=3)
    assert bmm.slots["inputs"] == "(2, 1, 3) × (2, 3, 2)"
    assert bmm.slots["output"] == "(2, 1, 2)"
    assert bmm.parts["Z1"]["rows"] == [[4, 5]]
    assert bmm.parts["Z2"]["rows"] == [[10, 11]]


def test_marked_row_times_marked_column_is_the_marked_number():
    for column in (0, 1):
        parts = view(i=3, z=column + 1).parts
        for example in (1, 2):
            x, y, z = (parts[f"{name}{example}"] for name in "XYZ")
            assert [row[column] for row in y["marked"]] == [True] * 3
            product = sum(a * row[column] for a, row in zip(x["rows"][0], y["rows"], strict=True))
            assert z["rows"][0][column] == product
            assert z["marked"][0][column]


@pytest.mark.parametrize(("i", "shape"), list(enumerate(ADDITIVE, 1)))
def test_lines_of_additive(i, shape):
    assert view(p="additive", i=i).slots["output"] == shape


@pytest.mark.parametrize(
    ("i", "inputs", "shape"),
    [
        (1, "(2, 10, 2)", "(2, 2, 10)"),
        (2, "(2, 1, 2) × (2, 2, 10)", "(2, 1, 10)"),
        (3, "(2, 1, 10)", "(2, 1, 10)"),
        (4, "(2, 1, 10)", "(2, 1, 10)"),
        (5, "(2, 1, 10) × (2, 10, 4)", "(2, 1, 4)"),
    ],
)
def test_lines_of_dot_product(i, inputs, shape):
    slots = view(p="dot", i=i).slots
    assert (slots["inputs"], slots["output"]) == (inputs, shape)


def test_sum_holds_a_number_for_every_query_key_and_hidden_unit():
    part = view(p="additive", i=4, n=(2, 3, 5, 7)).parts["additive"]
    assert part["rows"][3] == [2, 3, 5, 7]
    assert part["counts"] == [42, 42, 70, 210, None, None, None, None]
    assert part["marks"][3] == ["", "changed", "changed", ""]


def test_squeeze_without_an_axis_stops_with_one_query():
    failed = view(p="additive", i=8, sq="all")
    assert failed.summary == ("failed",)
    assert failed.slots["error"] == "weights must have shape (B, Q, K)=(2, 1, 10). Got (2, 10)."
    assert failed.parts["additive"]["failed"]
    assert failed.parts["additive"]["rows"][7] == [None] * 4
    assert failed.parts["additive"]["marks"][6] == ["", "removed", "", "removed"]


@pytest.mark.parametrize(
    ("n", "got"), [((1, 3, 10, 8), "(3, 10)"), ((2, 3, 1, 8), "(2, 3)"), ((1, 1, 1, 1), "()")]
)
def test_squeeze_without_an_axis_stops_with_any_other_single_axis(n, got):
    assert view(p="additive", i=8, sq="all", n=n).slots["error"].endswith(f"Got {got}.")


def test_squeeze_without_an_axis_is_hidden_by_three_queries():
    right = view(p="additive", i=8, sq="all", n=(2, 3, 10, 8))
    assert right.slots["output"] == "(2, 3, 4)"
    assert right.summary == ("step", "additive8")
    assert view(p="additive", i=7, sq="all", n=(2, 3, 10, 8)).summary[1] == "squeezed_one"
    assert view(p="additive", i=7, sq="all").summary[1] == "squeezed_more"


def test_later_lines_show_their_code_only():
    part = view(p="dot", i=2).parts["dot"]
    assert part["rows"][2:] == [[None] * 4] * 3
    assert all(part["code"])


@pytest.mark.parametrize(
    "settings",
    [
        {"i": 4},
        {"i": 6, "p": "dot"},
        {"i": 9, "p": "additive"},
        {"n": (2, 1, 11), "p": "dot"},
        {"n": (2, 1, 10), "p": "additive"},
        {"sq": "all"},
        {"z": 3},
    ],
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)


def test_changing_the_path_in_jupyter_keeps_within_its_lines():
    explorer = explore("shapes", p="additive", i=8)
    explorer.controls[0].items[0].value = "bmm"
    assert explorer.state["i"] == 1
    assert explorer.view == FIGURE.compute(explorer.state)
