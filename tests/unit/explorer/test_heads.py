"""The figure `heads`: published numbers, masks, and refused settings."""

import pytest
import torch

from attn_lib import masking
from attn_lib.figures.heads import FIGURE

HEADS = ["one1", "two1", "two2", "four1", "four2", "four3", "four4"]
NAMES = [f"weights_{head}" for head in HEADS]


def heads(**settings):
    """The heatmaps that the figure shows, in order."""
    parts = FIGURE.compute(FIGURE.state(**settings)).parts
    return [parts[name]["rows"] for name in NAMES if parts[name] is not None]


UNIFORM = [0.25] * 4


@pytest.mark.parametrize(
    ("settings", "first_rows"),
    [
        ({}, [[0.7758, 0.1050, 0.1050, 0.0142]]),
        ({"h": 2}, [[0.4721, 0.0279, 0.4721, 0.0279], [0.4721, 0.4721, 0.0279, 0.0279]]),
        (
            {"h": 4},
            [[0.4910, 0.0090, 0.4910, 0.0090], UNIFORM, [0.4910, 0.4910, 0.0090, 0.0090], UNIFORM],
        ),
        ({"h": 2, "m": 1}, [[1, 0, 0, 0], [1, 0, 0, 0]]),
        ({"h": 2, "len": 3}, [[0.4856, 0.0287, 0.4856, 0], [0.4856, 0.4856, 0.0287, 0]]),
        ({"c": 0}, [UNIFORM]),
        ({"h": 2, "len": 0}, [[0] * 4, [0] * 4]),
    ],
)
def test_row_of_the_first_word(settings, first_rows):
    got = torch.tensor([rows[0] for rows in heads(**settings)])
    torch.testing.assert_close(got, torch.tensor(first_rows).float(), atol=1e-4, rtol=0)


def test_causal_rows_of_the_second_word():
    first, second = heads(h=2, m=1)
    assert first[1] == pytest.approx([0.0558, 0.9442, 0, 0], abs=1e-4)
    assert second[1] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-4)


@pytest.mark.parametrize("h", [1, 2, 4])
@pytest.mark.parametrize("m", [0, 1])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_weights_stay_on_visible_words(h, m, length):
    parts = FIGURE.compute(FIGURE.state(h=h, m=m, len=length)).parts
    shown = [parts[name] for name in NAMES if parts[name] is not None]
    assert len(shown) == h
    for part in shown:
        weights, masked = torch.tensor(part["rows"]), torch.tensor(part["masked"])
        assert not weights[masked].any()
        sums = torch.full((4,), 1.0 if length else 0.0)
        torch.testing.assert_close(weights.sum(-1), sums)


def test_causal_and_valid_length_together():
    rows = FIGURE.compute(FIGURE.state(m=1, len=2)).parts["weights_one1"]["masked"]
    assert [row.count(False) for row in rows] == [1, 2, 2, 2]


@pytest.mark.parametrize(
    ("settings", "summary"),
    [
        ({}, ("one",)),
        ({"h": 4, "m": 1}, ("four", "causal")),
        ({"c": 0, "h": 2}, ("flat",)),
        ({"len": 0, "c": 0}, ("empty",)),
    ],
)
def test_summary_names_what_matters(settings, summary):
    assert FIGURE.compute(FIGURE.state(**settings)).summary == summary


def test_readers_functions_take_the_place():
    state = FIGURE.state()
    ones = FIGURE.compute(state, dot_product_scores=lambda q, k: torch.zeros(1, 4, 4).double())
    assert ones.parts["weights_one1"]["rows"][0] == UNIFORM
    halves = FIGURE.compute(state, masked_softmax=lambda X, lens: masking.masked_softmax(X) / 2)
    assert sum(halves.parts["weights_one1"]["rows"][0]) == pytest.approx(0.5)


@pytest.mark.parametrize("settings", [{"h": 3}, {"c": 4.5}, {"c": 0.3}, {"len": 5}, {"m": 2}])
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)
