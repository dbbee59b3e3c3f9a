"""Figure `compare`: the states of its specification, scorer by scorer."""

import pytest
import torch

import attn_lib
from attn_lib.figures import FIGURES, explore
from attn_lib.figures.compare import SCORERS

COMPARE = FIGURES["compare"]


def shown(name, **settings):
    """Return the score of key 1, its weight and the weight of another key."""
    parts = COMPARE.compute(COMPARE.state(f=(name, "none", "none"), **settings)).parts
    weights = parts[f"weights_{name}"]["rows"][0]
    assert weights[1:] == pytest.approx([(1 - weights[0]) / 3] * 3)
    return parts[f"scores_{name}"]["rows"][0][0], weights[0]


@pytest.mark.parametrize(
    ("settings", "weights"),
    [
        ({}, (0.25, 0.25, 0.25, 0.25, 0.25)),
        ({"s": 8}, (0.9998, 0.2637, 0.0000, 0.9973, 1.0000)),
        ({"s": 2}, (0.5783, 0.2618, 0.1092, 0.4754, 0.7112)),
        ({"s": 2, "q": -1}, (0.0750, 0.6046, 0.0022, 0.1092, 0.7112)),
        ({"s": 8, "q": 0}, (0.25, 0.3494, 0.0000, 0.25, 1.0000)),
    ],
)
def test_states_of_the_specification(settings, weights):
    found = [shown(name, **settings)[1] for name in SCORERS]
    assert found == pytest.approx(weights, abs=1e-4)


@pytest.mark.parametrize(
    ("size", "scores"),
    [
        (0, (0, 1.5232, -1, 0, 2)),
        (4, (5.6569, 1.9998, -9, 4, 10)),
        (64, (90.5097, 2, -3969, 64, 130)),
        (-1, (-1.4142, 0, -4, -1, 0)),
    ],
)
def test_scores_of_key_1(size, scores):
    found = [shown(name, s=size)[0] for name in SCORERS]
    assert found == pytest.approx(scores, abs=1e-4)


def test_additive_weight_has_a_ceiling_and_the_dot_product_none():
    sizes = (1, 2, 4, 8, 64)
    additive = [shown("additive", s=size)[1] for size in sizes]
    assert additive == sorted(additive)
    assert additive[-1] < 0.264
    assert shown("scaled", s=64)[1] > 1 - 1e-9


def test_vector_sum_ignores_the_query():
    weights = {round(shown("sum", s=2, q=q)[1], 12) for q in (-2, -0.5, 0, 1.5)}
    assert len(weights) == 1


def test_only_chosen_scorers_are_there_and_each_once():
    view = COMPARE.compute(COMPARE.state(f=("sum", "sum", "gauss"), s=2))
    there = [name for name in SCORERS if view.parts[f"weights_{name}"] is not None]
    assert there == ["gauss", "sum"]
    assert view.summary == ("at", "gauss", "sum")
    nothing = COMPARE.compute(COMPARE.state(f=("none", "none", "none")))
    assert set(nothing.parts.values()) == {None}
    assert COMPARE.sentences(nothing) == "No scorer is chosen."


def test_summary_says_what_the_additive_weight_was_and_why_equal_keys_are_uniform():
    view = COMPARE.compute(COMPARE.state(s=8))
    assert "additive score gives it 0.26 (was 0.25)" in COMPARE.sentences(view, was="0.25")
    assert "Identical keys" in COMPARE.sentences(COMPARE.compute(COMPARE.state()))


def test_readers_own_scorer_takes_its_place():
    def first_features_only(queries, keys):
        return attn_lib.vector_sum_scores(queries[..., :1], keys[..., :1])

    figure = explore(
        "compare", f=["sum", "none", "none"], s=2, vector_sum_scores=first_features_only
    )
    expected = torch.softmax(torch.tensor([2.0, 1, 1, 1], dtype=torch.float64), 0)
    assert figure.view.parts["weights_sum"]["rows"][0] == pytest.approx(expected.tolist())


@pytest.mark.parametrize(
    "settings",
    [{"s": 3}, {"q": 2.5}, {"q": 0.25}, {"f": "scaled"}, {"f": ("scaled", "dot", "none")}],
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        COMPARE.state(**settings)
