"""The figure `shapes`: the shapes of each line, the forgotten axis, and refused settings."""

import itertools
from dataclasses import replace

import pytest

from attn_lib.live.figures import explore
from attn_lib.live.figures.shapes import FIGURE

ADDITIVE = [
    "(2, 3, 8)",
    "(2, 3, 1, 8)",
    "(2, 1, 10, 8)",
    "(2, 3, 10, 8)",
    "(2, 3, 10, 8)",
    "(2, 3, 10, 1)",
    "(2, 3, 10)",
    "(2, 3, 4)",
]


def view(**settings):
    """Return the view of some settings, the spaces in its texts as one writes them."""
    found = FIGURE.compute(FIGURE.state(**settings))
    slots = {name: text.replace("\u00a0", " ") for name, text in found.slots.items()}
    return replace(found, slots=slots)


def test_no_shape_and_no_product_is_broken_across_lines():
    said = FIGURE.compute(FIGURE.state(p="bmm", i=3)).slots
    assert said["output"] == "(2,\u00a01,\u00a04)"
    assert " " not in said["sum1"]


def test_a_factor_with_a_sign_is_in_brackets():
    assert view(p="bmm", i=3, z="3").slots["sum2"] == "(−1) · (−1) + (−1) · (−1) = 2"


def tensors(**settings):
    """Return what goes in and comes out of a line, by name: letters and sizes."""
    line = view(**settings).parts["line"]
    all_of_them = [*line["operands"], *([line["result"]] if line["result"] else [])]
    return {one["name"]: (one["letters"], one["sizes"]) for one in all_of_them}


def test_line_of_the_sum_takes_two_axes_of_size_1_and_makes_none():
    assert view().slots["inputs"] == "(2, 3, 1, 8) + (2, 1, 10, 8)"
    assert view().slots["count"] == "480"
    assert tensors() == {
        "q": (["B", "Q", "·", "U"], [2, 3, 1, 8]),
        "k": (["B", "·", "K", "U"], [2, 1, 10, 8]),
        "total": (["B", "Q", "K", "U"], [2, 3, 10, 8]),
    }


@pytest.mark.parametrize(
    ("Q", "K", "name"),
    [(10, 10, "diagonal"), (1, 10, "short_one"), (3, 1, "short_one"), (1, 1, "short_none")],
)
def test_sum_without_unsqueeze_runs(Q, K, name):
    forgotten = view(un="0", n=(2, Q, K, 8))
    assert forgotten.summary == ("step", name)
    assert forgotten.slots["output"] == f"(2, {max(Q, K)}, 8)"


# How many axes a sentence says are stretched.
STRETCHED = {
    "additive4": 2,
    "stretched_one": 1,
    "stretched_none": 0,
    "short_one": 1,
    "short_none": 0,
    "diagonal": 0,
}


@pytest.mark.parametrize("un", ["0", "1"])
@pytest.mark.parametrize("n", list(itertools.product((1, 2), (1, 2, 3), (1, 2, 3), (1, 2))))
def test_sentence_of_the_sum_says_which_axes_are_stretched(n, un):
    found = view(un=un, n=n)
    kind, name = found.summary
    operands, total = found.parts["line"]["operands"], found.parts["line"]["result"]
    stretched = [
        one["name"]
        for one in operands
        for size, to in zip(one["sizes"], total["sizes"] if total else one["sizes"], strict=True)
        if size < to
    ]
    _, Q, K, _ = n
    if kind == "failed":
        assert un == "0"
        assert 1 not in (Q, K)
        assert Q != K
        return
    assert len(stretched) == STRETCHED[name]
    if name == "stretched_one":
        assert stretched == [found.slots["stretched"]]
    assert (name in ("short_one", "short_none", "diagonal")) == (un == "0")
    right = found.slots["sums"] == found.slots["wanted"]
    assert right == (name != "diagonal")
    assert int(found.slots["wanted"]) == Q * K


@pytest.mark.parametrize(
    ("settings", "made", "lost"),
    [
        ({}, ["Q", "K"], []),
        ({"i": 2}, ["·"], []),
        ({"i": 5}, [], []),
        ({"i": 7}, [], []),
        ({"i": 7, "sq": "all", "n": (2, 1, 10, 8)}, [], ["Q"]),
        ({"i": 8}, ["V"], []),
        ({"p": "dot", "i": 1}, ["D", "K"], []),
        ({"p": "dot", "i": 2}, ["K"], []),
        ({"p": "bmm"}, ["K"], []),
        ({"un": "0", "i": 2, "n": (2, 10, 10, 8)}, [], []),
        ({"un": "0", "n": (2, 10, 10, 8)}, ["Q,K"], []),
    ],
)
def test_drawing_knows_the_axes_that_a_line_made_and_lost(settings, made, lost):
    line = view(**settings).parts["line"]
    assert (line["made"], line["lost"]) == (made, lost)


@pytest.mark.parametrize("line", range(1, 9))
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"sq": "all"},
        {"sq": "all", "n": (2, 1, 10, 8)},
        {"un": "0"},
        {"un": "0", "n": (2, 5, 5, 3)},
    ],
)
def test_drawing_shows_what_the_table_shows(line, settings):
    found = view(i=line, **settings).parts
    at = found["additive"]["at"]
    result, marks = found["line"]["result"], found["additive"]["marks"][at]
    kept = [axis for axis, mark in enumerate(marks) if mark not in ("removed", "lost")]
    shown = [
        (found["additive"]["letters"][at][axis], found["additive"]["rows"][at][axis])
        for axis in kept
        if found["additive"]["rows"][at][axis] is not None
    ]
    if result is None:
        assert found["additive"]["failed"]
        assert shown == []
        return
    assert list(zip(result["letters"], result["sizes"], strict=True)) == shown
    changed = [found["additive"]["letters"][at][a] for a in kept if marks[a] == "changed"]
    assert found["line"]["made"] == changed


def test_sum_without_unsqueeze_stops_where_the_sizes_differ():
    stopped = view(un="0")
    assert stopped.summary == ("failed", "mismatch")
    assert stopped.slots["error"] == (
        "The size of tensor a (3) must match the size of tensor b (10) at non-singleton dimension 1"
    )
    assert stopped.parts["line"]["result"] is None
    assert view(un="0", i=8).parts["additive"]["at"] == 3  # no later line is reached


def test_prediction_and_its_reply():
    before, after = (view(**getattr(FIGURE.prediction, end)) for end in ("before", "after"))
    assert after.slots["output"] == "(2, 10, 8)"
    assert (after.slots["sums"], after.slots["wanted"]) == ("10", "100")
    assert before.summary == ("failed", "mismatch")
    # Query 6 meets key 6 alone: the place of the right bet is on the diagonal, the others are not.
    query, key, _ = FIGURE.prediction.places[FIGURE.prediction.right]
    assert query == key
    assert [place[0] == place[1] for place in FIGURE.prediction.places].count(True) == 1


def test_strict_product_stops_what_the_sum_let_pass():
    failed = view(un="0", n=(2, 10, 10, 8), i=8)
    assert failed.summary == ("failed", "shared")
    assert failed.slots["error"] == "batch1 must be a 3D tensor"
    assert failed.slots["got"] == "(2, 10)"


def test_two_axes_that_are_summed_as_one_share_their_name():
    assert tensors(un="0", n=(2, 10, 10, 8))["total"] == (["B", "Q,K", "U"], [2, 10, 8])
    later = view(un="0", n=(2, 10, 10, 8), i=5).parts["additive"]
    assert [line[1] for line in later["letters"][2:5]] == ["K", "Q,K", "Q,K"]
    # One query: the other axis is stretched over it, and the numbers are right.
    assert tensors(un="0", n=(2, 1, 10, 8))["total"][0] == ["B", "K", "U"]


def test_one_number_is_told_in_the_singular():
    assert view(p="dot", i=2, n=(1, 1, 1)).summary == ("step_one", "dot2")
    scalar = view(i=7, sq="all", n=(1, 1, 1, 1))
    assert scalar.summary == ("step_scalar", "squeezed_more")
    assert scalar.parts["line"]["result"]["letters"] == []


def test_first_line_of_bmm_computes_cats_only():
    parts = view(p="bmm").parts
    assert parts["X1"]["rows"] == [[1, 1]]
    assert parts["Z1"]["rows"] == [[2, 0, 0, 0]]
    assert parts["Z2"] is None
    assert parts["X1"]["marked"] == [[True] * 2]
    assert not any(parts["X2"]["marked"][0])


def test_last_line_of_bmm_computes_both():
    bmm = view(p="bmm", i=3)
    assert bmm.slots["inputs"] == "(2, 1, 2) × (2, 2, 4)"
    assert bmm.slots["output"] == "(2, 1, 4)"
    assert bmm.parts["Z1"]["rows"] == [[2, 0, 0, 0]]
    assert bmm.parts["Z2"]["rows"] == [[0, 0, 2, 0]]


def test_marked_row_times_marked_column_is_the_marked_number():
    for column in range(4):
        parts = view(p="bmm", i=3, z=column + 1).parts
        for example in (1, 2):
            x, y, z = (parts[f"{name}{example}"] for name in "XYZ")
            assert [row[column] for row in y["marked"]] == [True] * 2
            product = sum(a * row[column] for a, row in zip(x["rows"][0], y["rows"], strict=True))
            assert z["rows"][0][column] == product
            assert z["marked"][0][column]


@pytest.mark.parametrize(("i", "shape"), list(enumerate(ADDITIVE, 1)))
def test_lines_of_additive(i, shape):
    assert view(i=i).slots["output"] == shape


@pytest.mark.parametrize(
    ("i", "inputs", "shape"),
    [
        (1, "(2, 10, 2)", "(2, 2, 10)"),
        (2, "(2, 3, 2) × (2, 2, 10)", "(2, 3, 10)"),
        (3, "(2, 3, 10)", "(2, 3, 10)"),
        (4, "(2, 3, 10)", "(2, 3, 10)"),
        (5, "(2, 3, 10) × (2, 10, 4)", "(2, 3, 4)"),
    ],
)
def test_lines_of_dot_product(i, inputs, shape):
    slots = view(p="dot", i=i).slots
    assert (slots["inputs"], slots["output"]) == (inputs, shape)


def test_sum_holds_a_number_for_every_query_key_and_hidden_unit():
    part = view(n=(2, 3, 5, 7)).parts["additive"]
    assert part["rows"][3] == [2, 3, 5, 7]
    assert part["counts"] == [42, 42, 70, 210, None, None, None, None]
    assert part["marks"][3] == ["", "changed", "changed", ""]


def test_squeeze_without_an_axis_stops_with_one_query():
    failed = view(i=8, sq="all", n=(2, 1, 10, 8))
    assert failed.summary == ("failed", "lost")
    assert failed.slots["lost"] == "Q"
    assert failed.slots["error"] == "batch1 must be a 3D tensor"
    assert failed.slots["got"] == "(2, 10)"
    assert failed.parts["additive"]["failed"]
    assert failed.parts["additive"]["rows"][7] == [None] * 4
    # The keys' axis has number 1 now, and stands there; behind it is what is gone.
    assert failed.parts["additive"]["rows"][6] == [2, 10, 1, 1]
    assert failed.parts["additive"]["letters"][6] == ["B", "K", "Q", ""]
    assert failed.parts["additive"]["marks"][6] == ["", "", "lost", "removed"]
    assert tensors(i=7, sq="all", n=(2, 1, 10, 8))["weights"] == (["B", "K"], [2, 10])


@pytest.mark.parametrize(
    ("n", "got"), [((1, 3, 10, 8), "(3, 10)"), ((2, 3, 1, 8), "(2, 3)"), ((1, 1, 1, 1), "()")]
)
def test_squeeze_without_an_axis_stops_with_any_other_single_axis(n, got):
    slots = view(i=8, sq="all", n=n).slots
    assert slots["error"] == "batch1 must be a 3D tensor"
    assert slots["got"] == got


@pytest.mark.parametrize(
    ("n", "un", "lost"),
    [
        ((2, 1, 10, 8), "1", ["Q"]),
        ((1, 3, 1, 8), "1", ["B", "K"]),
        ((1, 1, 1, 8), "1", ["B", "Q", "K"]),
        ((2, 1, 1, 8), "0", ["Q,K"]),
        ((2, 3, 10, 8), "1", []),
    ],
)
def test_squeeze_without_an_axis_is_wrong_where_it_takes_another(n, un, lost):
    squeezed = view(i=7, sq="all", n=n, un=un)
    assert squeezed.parts["line"]["lost"] == lost
    assert squeezed.slots["lost"] == ", ".join(lost)
    assert squeezed.parts["additive"]["marks"][6].count("lost") == len(lost)
    # The product that stops says which axes are missing.
    assert view(i=8, sq="all", n=n, un=un).parts["line"]["lost"] == lost
    assert view(i=7, n=n, un=un).parts["line"]["lost"] == []


def test_squeeze_without_an_axis_is_hidden_by_three_queries():
    right = view(i=8, sq="all")
    assert right.slots["output"] == "(2, 3, 4)"
    assert right.summary == ("step", "additive8")
    assert view(i=7, sq="all").summary[1] == "squeezed_one"
    assert view(i=7, sq="all", n=(2, 1, 10, 8)).summary[1] == "squeezed_more"


def test_later_lines_show_their_code_only():
    part = view(p="dot", i=2).parts["dot"]
    assert part["rows"][2:] == [[None] * 4] * 3
    assert all(part["code"])


@pytest.mark.parametrize(
    "settings",
    [
        {"i": 4, "p": "bmm"},
        {"i": 6, "p": "dot"},
        {"i": 9},
        {"n": (2, 1, 11), "p": "dot"},
        {"n": (2, 1, 10)},
        {"sq": "all", "p": "bmm"},
        {"un": "0", "p": "dot"},
        {"z": 5, "p": "bmm"},
    ],
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)


def test_changing_the_path_in_jupyter_keeps_within_its_lines():
    explorer = explore("shapes", i=8)
    explorer.controls[0].items[0].value = "bmm"
    assert explorer.state["i"] == 1
    assert explorer.view == FIGURE.compute(explorer.state)
