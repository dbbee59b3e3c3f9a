"""Figure `mask`: the states of its specification."""

import pytest
import torch

from attn_lib.figures import FIGURES, explore

MASK = FIGURES["mask"]
THIRD = 1 / 3


def weights(**settings):
    return torch.tensor(MASK.compute(MASK.state(**settings)).parts["weights"]["rows"])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {},
            [
                [0.2689, 0.7311, 0, 0],
                [0.7311, 0.2689, 0, 0],
                [THIRD, THIRD, THIRD, 0],
                [0.4683, 0.0634, 0.4683, 0],
            ],
        ),
        (
            {"len": (0, 3), "fill": "1e6"},
            [[0.25] * 4, [0.25] * 4, [THIRD, THIRD, THIRD, 0], [0.4683, 0.0634, 0.4683, 0]],
        ),
        (
            {"len": (0, 3)},
            [[0] * 4, [0] * 4, [THIRD, THIRD, THIRD, 0], [0.4683, 0.0634, 0.4683, 0]],
        ),
        (
            {"fill": "zero"},
            [
                [0.2245, 0.6103, 0.0826, 0.0826],
                [0.7120, 0.2619, 0.0130, 0.0130],
                [0.25] * 4,
                [0.4404, 0.0596, 0.4404, 0.0596],
            ],
        ),
        (
            {"fill": "after"},
            [
                [0.0321, 0.0871, 0, 0],
                [0.6439, 0.2369, 0, 0],
                [0.25, 0.25, 0.25, 0],
                [0.4404, 0.0596, 0.4404, 0],
            ],
        ),
        (
            {"dim": 2},
            [
                [1, 0, 0, 0],
                [0.6652, 0.2447, 0.0900, 0],
                [0.5, 0.5, 0, 0],
                [0.4404, 0.0596, 0.4404, 0.0596],
            ],
        ),
        (
            {"dim": 2, "len": (1, 2, 1, 2)},
            [[1, 0, 0, 0], [0.7311, 0.2689, 0, 0], [1, 0, 0, 0], [0.8808, 0.1192, 0, 0]],
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


def test_masked_weights_are_exactly_zero_under_the_right_fill():
    assert weights()[0, 2:].tolist() == [0.0, 0.0]


def test_summary_names_the_row_that_leaks_most():
    view = MASK.compute(MASK.state(fill="zero"))
    assert MASK.sentences(view) == (
        "Example 1, query 1: length 2, the weights sum to 1, padding gets 0.17. "
        "Example 2, query 1: length 3, the weights sum to 1, padding gets 0.25."
    )


def test_summary_says_when_the_sum_is_not_one():
    view = MASK.compute(MASK.state(fill="after"))
    assert "query 1: length 2, the weights sum to 0.12" in MASK.sentences(view)


def test_length_zero_has_nothing_to_attend():
    view = MASK.compute(MASK.state(len=(0, 3)))
    assert MASK.sentences(view).startswith("Example 1, query 1: length 0, nothing to attend")


def test_reader_can_put_a_masked_softmax_of_their_own_into_the_figure():
    def wrong(X, valid_lens):
        return X.softmax(-1)

    assert explore("mask", masked_softmax=wrong).view.parts["weights"]["rows"][0][3] > 0.6


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


def test_unknown_figure_is_refused():
    with pytest.raises(ValueError, match=r"figure must be one of .*mask, .*Got 'masks'\."):
        explore("masks")
