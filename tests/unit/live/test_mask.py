"""Figure `mask`: the states of its specification."""

from random import Random

import pytest
import torch

from attn_lib import masking
from attn_lib.language import words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host.numbers import format_weight

MASK = FIGURES["mask"]


def weights(**settings):
    return torch.tensor(MASK.compute(MASK.state(**settings)).parts["weights"]["rows"])


# A row with the scores 2 and 0, and one with 0 and -2, which differ by the same 2.
HIGH, LOW = 0.8808, 0.1192


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {},
            [
                [HIGH, LOW, 0, 0],
                [LOW, HIGH, 0, 0],
                [0.4683, 0.4683, 0.0634, 0],
                [0.1065, 0.1065, 0.7870, 0],
            ],
        ),
        (
            {"len": (0, 3), "fill": "1e6"},
            [
                [0.25] * 4,
                [0.25] * 4,
                [0.4683, 0.4683, 0.0634, 0],
                [0.1065, 0.1065, 0.7870, 0],
            ],
        ),
        (
            {"len": (0, 3)},
            [
                [0] * 4,
                [0] * 4,
                [0.4683, 0.4683, 0.0634, 0],
                [0.1065, 0.1065, 0.7870, 0],
            ],
        ),
        (
            {"fill": "zero"},
            [
                [0.7112, 0.0963, 0.0963, 0.0963],
                [0.0432, 0.3189, 0.3189, 0.3189],
                [0.3189, 0.3189, 0.0432, 0.3189],
                [0.0963, 0.0963, 0.7112, 0.0963],
            ],
        ),
        (
            {"fill": "after"},
            [
                [0.7112, 0.0963, 0, 0],
                [0.0432, 0.3189, 0, 0],
                [0.3189, 0.3189, 0.0432, 0],
                [0.0963, 0.0963, 0.7112, 0],
            ],
        ),
        (
            {"dim": 2},
            [
                [1, 0, 0, 0],
                [0.0634, 0.4683, 0.4683, 0],
                [0.5, 0.5, 0, 0],
                [0.0963, 0.0963, 0.7112, 0.0963],
            ],
        ),
        (
            {"dim": 2, "len": (1, 2, 1, 2)},
            [[1, 0, 0, 0], [LOW, HIGH, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0]],
        ),
        (
            {"s": "huge", "fill": "1e6"},
            [[0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5], [0, 0, 1, 0], [0, 0, 1, 0]],
        ),
        (
            {"s": "huge"},
            [[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]],
        ),
    ],
)
def test_states_of_the_specification(settings, expected):
    torch.testing.assert_close(weights(**settings), torch.tensor(expected), atol=1e-4, rtol=0)


def test_scores_are_those_of_cats_and_bark_in_the_padded_sentences():
    view = MASK.compute(MASK.state(fill="after"))
    assert view.parts["scores"]["rows"] == [
        [2, 0, 0, 0],
        [-2, 0, 0, 0],
        [0, 0, -2, 0],
        [0, 0, 2, 0],
    ]


def test_exponentials_over_their_sum_are_the_weights():
    for fill in ("inf", "1e6", "zero"):
        parts = MASK.compute(MASK.state(fill=fill)).parts
        exps = torch.tensor(parts["exps"]["rows"])
        torch.testing.assert_close(exps / exps.sum(-1, keepdim=True), weights(fill=fill))
        assert exps.max(-1).values.tolist() == [1.0] * 4


def test_row_without_a_key_has_no_exponential_or_four_ones():
    assert MASK.compute(MASK.state(len=(0, 3))).parts["exps"]["rows"][0] == [0.0] * 4
    assert MASK.compute(MASK.state(len=(0, 3), fill="1e6")).parts["exps"]["rows"][0] == [1.0] * 4


@pytest.mark.parametrize(
    ("settings", "totals"),
    [
        ({}, ["1.14", "1.14", "2.14", "1.27"]),
        ({"len": (0, 0)}, ["0"] * 4),
        ({"dim": "2", "len": (1, 2, 1, 2)}, ["1", "1.14", "1", "2"]),
        ({"s": "equal", "fill": "zero"}, ["4"] * 4),
        # Nearly 1, as the exp of −30 is not 0.
        ({"own": "30,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0", "len": (2, 3)}, ["1.00", "2", "3", "3"]),
    ],
)
def test_sum_of_exponentials_has_decimals_only_where_it_is_rounded(settings, totals):
    assert MASK.compute(MASK.state(**settings)).parts["exps"]["notes"] == totals


def test_weights_deleted_after_the_softmax_are_what_is_missing():
    parts = MASK.compute(MASK.state(fill="after")).parts["weights"]
    deleted, rows = (torch.tensor(parts[name]) for name in ("deleted", "rows"))
    torch.testing.assert_close(deleted[1], torch.tensor([0, 0, 0.3189, 0.3189]), atol=1e-4, rtol=0)
    torch.testing.assert_close((deleted + rows).sum(-1), torch.ones(4))
    for fill in ("inf", "1e6", "zero"):
        assert MASK.compute(MASK.state(fill=fill)).parts["weights"]["deleted"] == [[0] * 4] * 4


def test_prediction_asks_for_the_row_that_leaks_more():
    asked = MASK.prediction
    leaks = weights(**asked.after)[:2, 2:].sum(-1)
    cats, bark = leaks.tolist()
    assert bark > cats > 0
    assert words("mask")["options"][asked.right].startswith("bark")


def test_masked_weights_are_exactly_zero_under_the_right_fill():
    assert weights()[0, 2:].tolist() == [0.0, 0.0]


def said(**settings):
    return MASK.sentences(MASK.compute(MASK.state(**settings)))


def test_sentence_tells_of_the_example_that_leaks_most():
    counts = "A score of 0 counts like any other. In example "
    assert said(fill="zero") == counts + "1 masked keys get 0.19 from cats and 0.64 from bark."
    assert said(fill="zero", len=(4, 2)) == (
        counts + "2 masked keys get 0.50 from cats and 0.50 from bark."
    )


def test_sentence_says_why_a_large_negative_fill_leaks():
    assert said(s="huge", fill="1e6") == (
        "In example 1, \N{MINUS SIGN}1e6 exceeds the highest real score of cats / bark, "
        "\N{MINUS SIGN}3e6: masked keys share 1.00."
    )
    assert said(len=(0, 3), fill="1e6") == (
        "Length 0 in example 1: all four scores of cats / bark are \N{MINUS SIGN}1e6, "
        "so each key gets 0.25."
    )


def test_sentence_says_when_the_sum_is_not_one():
    view = MASK.compute(MASK.state(fill="after"))
    assert MASK.sentences(view) == (
        "What the softmax gave masked keys was deleted: "
        "in example 1 the row of bark sums to 0.36, so 0.64 is missing."
    )
    assert [view.slots[f"missing{row}"] for row in range(1, 5)] == [
        "\N{MINUS SIGN}0.19",
        "\N{MINUS SIGN}0.64",
        "\N{MINUS SIGN}0.32",
        "\N{MINUS SIGN}0.10",
    ]


def test_sentence_names_both_rows_only_where_they_are_alike():
    assert "row of cats / bark sums to 0.50" in said(s="equal", fill="after")
    assert "row of bark sums to 0.36" in said(fill="after")
    assert "Length 0 in example 2: bark can" in said(dim="2", len=(1, 1, 4, 0))


@pytest.mark.parametrize(
    "settings", [{}, {"fill": "zero"}, {"len": (0, 3)}, {"len": (0, 4), "fill": "after"}]
)
def test_nothing_is_missing_where_the_sum_is_1_or_no_key_is_valid(settings):
    view = MASK.compute(MASK.state(**settings))
    assert not any(view.slots[f"missing{row}"] for row in range(1, 5))


def test_length_zero_has_nothing_to_attend():
    assert said(len=(0, 3)) == (
        "Length 0 in example 1: cats / bark can attend to nothing, and every weight is 0."
    )


def test_sentence_speaks_of_masked_keys_only_where_there_are_any():
    assert said(len=(4, 4)) == "No key is masked, and each row of weights sums to 1."
    assert said(len=(4, 3)) == (
        "Behind the wall every score is \N{MINUS SIGN}\N{INFINITY}, "
        "so masked keys get 0 and each row of weights sums to 1."
    )


def test_sentence_is_true_in_every_state():
    """What it asserts of all rows holds of all, and what it calls 0 is 0."""
    control = MASK.control("len_query")
    seen = set()
    choose = Random(0)
    for _ in range(300):
        lens = tuple(choose.randint(control.min, control.max) for _ in range(4))
        typed = ";".join(
            ",".join(str(choose.choice((-99, -3, 0, 0, 2, 99))) for _ in range(4)) for _ in range(4)
        )
        scores = choose.choice(({"own": typed}, {"s": "hand"}, {"s": "equal"}, {"s": "huge"}))
        fill = choose.choice(MASK.control("fill").options)
        view = MASK.compute(MASK.state(dim="2", len=lens, fill=fill, **scores))
        part = view.parts["weights"]
        rows, masked = torch.tensor(part["rows"]), torch.tensor(part["masked"])
        leaks, sums, deleted = (rows * masked).sum(-1), rows.sum(-1), torch.tensor(part["deleted"])
        said = set(view.summary)
        seen |= said
        if said & {"right", "whole"}:
            assert leaks.tolist() == [0] * 4
            torch.testing.assert_close(sums, torch.ones(4))
        assert ("whole" in said) == (not masked.any() and 0 not in lens)
        if "zero" in said:
            assert fill == "zero"
        if "above" in said:
            assert fill == "1e6"
            assert view.slots["best"] == "\N{MINUS SIGN}3e6"
        if "even" in said:
            assert fill in ("1e6", "zero")
            assert 0 in lens
        if "empty" in said:
            assert fill in ("inf", "after")
            assert leaks.sum() == deleted[[length > 0 for length in lens]].sum() == 0
            assert 0 in lens
        if "short" in said:
            assert fill == "after"
            assert deleted.sum() > 0
        assert "wrong" not in said
    assert seen == {"right", "whole", "zero", "leak", "above", "even", "empty", "short"}


def test_reader_can_put_a_masked_softmax_of_their_own_into_the_figure():
    def wrong(X, valid_lens):
        return X.softmax(-1)

    assert explore("mask", masked_softmax=wrong).view.parts["weights"]["rows"][1][3] > 0.3

    def twice(X, valid_lens):
        return 2 * masking.masked_softmax(X, valid_lens)

    assert MASK.sentences(explore("mask", masked_softmax=twice).view) == (
        "In example 1 the row of cats / bark sums to 2.00."
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"len": (2, 5)}, r"len must lie in 0\.\.\.4 in steps of 1\. Got 5\."),
        ({"len": (2, 2.5)}, r"len must lie in 0\.\.\.4 in steps of 1\. Got 2\.5\."),
        ({"len": (2, True)}, r"len must lie in 0\.\.\.4 in steps of 1\. Got True\."),
        ({"len": (2,)}, r"len must have 2 value\(s\)\. Got \(2,\)\."),
        ({"len": "23"}, r"len must have 2 value\(s\)\. Got '23'\."),
        ({"fill": "-inf"}, r"fill must be one of inf, 1e6, zero, after\. Got '-inf'\."),
        ({"dim": 2, "len": (2, 3)}, r"len must have 4 value\(s\)\. Got \(2, 3\)\."),
    ],
)
def test_wrong_settings_are_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=message):
        explore("mask", **settings)


def test_function_that_stops_is_said_in_the_figure():
    def stops_at_zero(X, valid_lens):
        if 0 in valid_lens:
            raise RuntimeError("no key")
        return X.softmax(-1)

    explorer = explore("mask", masked_softmax=stops_at_zero)
    before = explorer.view
    explorer.set(len=(0, 3))
    message = explorer._figure_view.view
    assert message["note"].endswith("RuntimeError: no key")
    assert explorer.view == before
    assert explorer.state["len"] == (0, 3)
    explorer.set(len=(1, 3))
    assert explorer._figure_view.view["note"] is None


def test_values_that_are_no_number_are_said_and_shown_as_a_dash():
    explorer = explore("mask", masked_softmax=lambda X, valid_lens: X * torch.nan)
    message = explorer._figure_view.view
    assert message["note"] == words("frame")["function_not_a_number"]
    assert message["parts"]["weights"]["rows"][0] == [None] * 4
    assert message["parts"]["weights"]["notes"][0] == "\N{EM DASH}"
    assert 'data-weight="null"' in explorer._figure_view.html


def test_unknown_figure_is_refused():
    with pytest.raises(ValueError, match=r"figure must be one of .*mask, .*Got 'masks'\."):
        explore("masks")


def test_a_rows_only_word_that_drowns_in_padding_reads_as_rounded():
    """Masked keys with −1e6 take part, so its weight is no exact 0."""
    shown = MASK.compute(MASK.state(s="huge", fill="1e6", dim="2", len=(0, 2, 1, 3)))
    rows = shown.parts["weights"]["rows"]
    assert [format_weight(rows[1][0]), format_weight(rows[2][0])] == ["0.00", "0.00"]
    right = MASK.compute(MASK.state(dim="2", len=(0, 2, 1, 3))).parts["weights"]["rows"][2]
    assert [format_weight(weight) for weight in right] == ["1", "0", "0", "0"]
