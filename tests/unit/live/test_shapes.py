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


def axes(**settings):
    """Return the axes of each tensor in the drawing, by its name."""
    tensors = view(**settings).parts["blocks"]["tensors"]
    return {tensor["name"]: tensor["axes"] for tensor in tensors}


def test_opens_on_the_sum_with_both_axes_stretched():
    opened = view()
    assert opened.slots["inputs"] == "(2, 3, 1, 8) + (2, 1, 10, 8)"
    assert opened.slots["count"] == "480"
    assert axes()["q"][2] == ["·", 1, 10, 2]
    assert axes()["k"][1] == ["·", 1, 3, 1]


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
    tensors = found.parts["blocks"]["tensors"]
    stretched = [
        tensor["name"] for tensor in tensors[:2] for _, size, to, _ in tensor["axes"] if size < to
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


def test_drawing_marks_the_axes_that_a_line_made_and_those_that_go_away():
    def columns(**settings):
        blocks = view(**settings).parts["blocks"]
        return blocks["made"], blocks["gone"]

    assert columns() == ([1, 2], [])
    assert columns(i=2) == ([2], [])
    assert columns(i=5) == ([], [])
    assert columns(i=7) == ([], [3])
    assert columns(i=7, sq="all", n=(2, 1, 10, 8)) == ([], [1, 3])
    assert columns(i=8) == ([3], [2])
    assert columns(p="dot", i=1) == ([2, 3], [])
    assert columns(p="dot", i=2) == ([3], [2])
    assert columns(p="bmm", i=1) == ([3], [2])
    assert columns(un="0") == ([], [])  # what stops has no result
    assert columns(un="0", i=2, n=(2, 10, 10, 8)) == ([], [])


@pytest.mark.parametrize("line", range(1, 9))
@pytest.mark.parametrize(
    "settings", [{}, {"sq": "all"}, {"sq": "all", "n": (2, 1, 10, 8)}, {"un": "0"}]
)
def test_drawing_marks_what_the_table_marks(line, settings):
    found = view(i=line, **settings).parts
    at = found["additive"]["at"]
    letters = {c: letter for letter, *_, c in found["blocks"]["tensors"][-1]["axes"]}
    changed = [
        letter
        for letter, mark in zip(
            found["additive"]["letters"][at], found["additive"]["marks"][at], strict=True
        )
        if mark == "changed"
    ]
    assert [letters[c] for c in found["blocks"]["made"]] == changed


def test_sum_without_unsqueeze_stops_where_the_sizes_differ():
    stopped = view(un="0")
    assert stopped.summary == ("failed", "mismatch")
    assert stopped.slots["error"] == (
        "The size of tensor a (3) must match the size of tensor b (10) at non-singleton dimension 1"
    )
    assert stopped.parts["blocks"]["wrong"] == [2]
    assert view(un="0", i=8).parts["additive"]["at"] == 3  # no later line is reached


def test_prediction_and_its_reply():
    right = FIGURE.prediction.right
    after = view(**FIGURE.prediction.after)
    assert after.slots["output"] == "(2, 10, 8)"
    assert (after.slots["sums"], after.slots["wanted"]) == ("10", "100")
    assert view(**FIGURE.prediction.before).slots["output"] == "(2, 10, 10, 8)"
    assert right == 2


def test_strict_product_stops_what_the_sum_let_pass():
    failed = view(un="0", n=(2, 10, 10, 8), i=8)
    assert failed.summary == ("failed", "shared")
    assert failed.slots["error"] == "batch1 must be a 3D tensor"
    assert failed.slots["got"] == "(2, 10)"


def test_two_axes_that_are_summed_as_one_are_wrong_though_nothing_stops():
    blocks = view(un="0", n=(2, 10, 10, 8)).parts["blocks"]
    assert blocks["wrong"] == [2]
    assert not blocks["stops"]
    assert axes(un="0", n=(2, 10, 10, 8))["total"][1] == ["Q,K", 10, 10, 2]
    later = view(un="0", n=(2, 10, 10, 8), i=5).parts["additive"]
    assert [line[1] for line in later["letters"][2:5]] == ["K", "Q,K", "Q,K"]
    # One query: the other axis is stretched over it, and the numbers are right.
    assert view(un="0", n=(2, 1, 10, 8)).parts["blocks"]["wrong"] == []
    assert view(n=(2, 10, 10, 8)).parts["blocks"]["wrong"] == []


def test_one_number_is_told_in_the_singular():
    assert view(p="dot", i=2, n=(1, 1, 1)).summary == ("step_one", "dot2")
    scalar = view(i=7, sq="all", n=(1, 1, 1, 1))
    assert scalar.summary == ("step_scalar", "squeezed_more")
    assert scalar.parts["blocks"]["tensors"][-1]["axes"] == []


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


def test_axes_that_meet_stand_in_one_column():
    product = axes(p="dot", i=2)
    columns = {name: {letter: c for letter, _, _, c in found} for name, found in product.items()}
    assert columns["queries"]["D"] == columns["keys_T"]["D"]
    assert columns["keys_T"]["K"] == columns["scores"]["K"]
    assert len({found["B"] for found in columns.values()}) == 1
    without = axes(un="0", n=(2, 10, 10, 8))
    assert without["q"][1][0::3] == ["Q", 2]
    assert without["k"][1][0::3] == ["K", 2]


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
    assert [letter for letter, *_ in axes(i=7, sq="all", n=(2, 1, 10, 8))["weights"]] == ["B", "K"]


@pytest.mark.parametrize(
    ("n", "lost"),
    [
        ((2, 1, 10, 8), [["Q", 1]]),
        ((1, 3, 1, 8), [["B", 0], ["K", 2]]),
        ((2, 3, 10, 8), []),
    ],
)
def test_product_that_stops_says_which_axes_are_missing(n, lost):
    assert view(i=8, sq="all", n=n).parts["blocks"]["lost"] == lost
    assert view(i=8, n=n).parts["blocks"]["lost"] == []
    assert view(i=7, sq="all", n=n).parts["blocks"]["lost"] == []


@pytest.mark.parametrize(
    ("n", "got"), [((1, 3, 10, 8), "(3, 10)"), ((2, 3, 1, 8), "(2, 3)"), ((1, 1, 1, 1), "()")]
)
def test_squeeze_without_an_axis_stops_with_any_other_single_axis(n, got):
    slots = view(i=8, sq="all", n=n).slots
    assert slots["error"] == "batch1 must be a 3D tensor"
    assert slots["got"] == got


@pytest.mark.parametrize(
    ("n", "un", "wrong", "said"),
    [
        ((2, 1, 10, 8), "1", [1], "Q"),
        ((1, 1, 1, 8), "1", [0, 1, 2], "B, Q, K"),
        ((2, 1, 1, 8), "0", [2], "Q,K"),
        ((2, 3, 10, 8), "1", [], ""),
    ],
)
def test_squeeze_without_an_axis_is_wrong_where_it_takes_another(n, un, wrong, said):
    squeezed = view(i=7, sq="all", n=n, un=un)
    assert squeezed.parts["blocks"]["wrong"] == wrong
    assert squeezed.slots["lost"] == said
    assert squeezed.parts["additive"]["marks"][6].count("lost") == len(wrong)
    assert view(i=7, n=n, un=un).parts["blocks"]["wrong"] == []


def test_squeeze_without_an_axis_is_hidden_by_three_queries():
    right = view(i=8, sq="all")
    assert right.slots["output"] == "(2, 3, 4)"
    assert right.summary == ("step", "additive8")
    assert view(i=7, sq="all").summary[1] == "squeezed_one"
    assert view(i=7, sq="all", n=(2, 1, 10, 8)).summary[1] == "squeezed_more"


def test_summary_never_compares_shapes_of_different_lines():
    assert "was" not in FIGURE.sentences(view(i=5), was="(2, 3, 10, 8)")


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
