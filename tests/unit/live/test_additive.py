"""Figure `additive`: the states of its specification."""

import pytest
import torch

import attn_lib
from attn_lib.examples import four_words
from attn_lib.live.figures import FIGURES, explore

ADDITIVE = FIGURES["additive"]


def view(**settings):
    return ADDITIVE.compute(ADDITIVE.state(**settings))


def weights(**settings):
    return view(**settings).parts["weights"]["rows"][0]


@pytest.mark.parametrize(
    ("t", "scores", "expected"),
    [
        (1, (1.7256, 0.9951, -0.7616, -0.2024), (0.5847, 0.2816, 0.0486, 0.0850)),
        (0, (0.9951, 1.7256, -0.2024, -0.7616), (0.2816, 0.5847, 0.0850, 0.0486)),
        (0.5, (1.4487, 1.4487, -0.4430, -0.4430), (0.4345, 0.4345, 0.0655, 0.0655)),
        (2, (1.7256, 0.2377, -0.7616, -0.0310), (0.6749, 0.1524, 0.0561, 0.1165)),
        (6, (0.0049, 0.0001, -0.0006, 0), (0.2510, 0.2497, 0.2496, 0.2497)),
    ],
)
def test_states_of_the_specification(t, scores, expected):
    parts = view(t=t).parts
    assert parts["heights"]["rows"][2] == pytest.approx(scores, abs=1e-4)
    assert parts["weights"]["rows"][0] == pytest.approx(expected, abs=1e-4)


def test_default_is_the_calculation_by_hand():
    heights = view().parts["heights"]
    assert heights["query"] == [0, 1]
    assert heights["runs"] == [[2, 0, 0, -2], [0, 2, -2, 0]]
    assert heights["rows"][0] == pytest.approx((0.9640, 0, 0, -0.9640), abs=1e-4)
    assert heights["rows"][1] == pytest.approx((0.7616, 0.9951, -0.7616, 0.7616), abs=1e-4)
    assert view().slots["page"] == "16.34"


def test_scores_are_those_of_the_module_with_the_same_weights():
    W_q, W_k, w_v = four_words.additive_parameters()
    layer = attn_lib.AdditiveAttention(key_size=2, query_size=3, num_hiddens=2, dropout=0.0)
    layer.load_state_dict({"W_q.weight": W_q, "W_k.weight": W_k, "w_v.weight": w_v[None]})
    for t in (-6.0, 1.0, 3.5, 7.0):
        layer(torch.tensor([[[1.0, 0.0, t]]]), four_words.keys()[None], torch.ones(1, 4, 1))
        expected = layer.attention_weights[0, 0].tolist()
        assert weights(t=t) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("place", "tied"), [("before", 0.4365), ("none", 0.4910)])
def test_query_is_irrelevant_unless_tanh_follows_the_sum(place, tied):
    for t in (-6, 0, 1, 7):
        shown = weights(t=t, tanh=place)
        assert shown == pytest.approx((tied, tied, 0.5 - tied, 0.5 - tied), abs=1e-4)
        heights = view(t=t, tanh=place).parts["heights"]
        rises = [height - heights["base"][0] for height in heights["rows"][0]]
        step = 2.0 if place == "none" else 0.9640
        assert rises == pytest.approx((step, 0, 0, -step), abs=1e-4)
    assert abs(weights(t=2)[0] - weights(t=0)[0]) > 0.3


def test_the_readers_own_function_makes_the_scores():
    figure = explore("additive", additive_scores=lambda q, k, *_: torch.zeros(1, 1, 4).double())
    assert "0.2500 0.2500 0.2500 0.2500" in figure._repr_mimebundle_()["text/plain"]


def test_summary_repeats_what_the_weight_was():
    text = ADDITIVE.sentences(view(t=2), was="0.58")
    assert "Weights: cats 0.67 (was 0.58), purr 0.15, dogs 0.06, bark 0.12." in text
    assert "stands at −1.0 in unit 1 and at 2.0 in unit 2" in text
