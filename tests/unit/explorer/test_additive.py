"""Figure `additive`: the states of its specification."""

import pytest
import torch

import attn_lib
from attn_lib.figures import FIGURES
from attn_lib.figures.additive import VALUES, W_K, W_Q, W_V

ADDITIVE = FIGURES["additive"]


def numbers(**settings):
    """Return the scores of the chosen key and of another, its weights, and the first outputs."""
    state = ADDITIVE.state(**settings)
    parts = ADDITIVE.compute(state).parts
    n = state["n"]
    scores = parts["scores"]["rows"][0]
    weights = [row[n - 1] for row in parts["weights"]["rows"]]
    return scores[n - 1], scores[n % 10], *weights, *(row[0] for row in parts["output"]["rows"])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, (-3.8561, -3.8561, 0, 0.1667, 2, 10)),
        ({"k": (3, 1)}, (-0.0706, -3.8561, 0, 0.8981, 2, 8.2446)),
        ({"k": (3, 1), "q": -1}, (5.9254, 7.7122, 0, 0.0324, 2, 10.3222)),
        ({"k": (3, 1), "tanh": "before"}, (-5.6258, -6.0928, 0, 0.2419, 2, 9.8195)),
        ({"k": (3, 1), "q": -1, "tanh": "before"}, (12.6524, 12.1855, 0, 0.2419, 2, 9.8195)),
        ({"k": (3, 1), "tanh": "none"}, (-4, -8, 0, 0.9161, 2, 8.2013)),
        ({"k": (3, 1), "q": -1, "tanh": "none"}, (20, 16, 0, 0.9161, 2, 8.2013)),
        ({"n": 1, "k": (3, 1)}, (-0.0706, -3.8561, 0.9778, 0.8981, 0.0888, 1.2230)),
        ({"len": (0, 6)}, (-3.8561, -3.8561, 0, 0.1667, 0, 10)),
    ],
)
def test_states_of_the_specification(settings, expected):
    assert numbers(**settings) == pytest.approx(expected, abs=1e-4)


def test_default_is_what_the_module_gives_with_the_same_weights():
    attention = attn_lib.AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1)
    attention.double().eval()
    attention.load_state_dict({"W_q.weight": W_Q, "W_k.weight": W_K, "w_v.weight": W_V[None]})
    queries = torch.ones(2, 1, 20, dtype=torch.float64)
    keys = torch.ones(2, 10, 2, dtype=torch.float64)
    output = attention(queries, keys, VALUES, torch.tensor([2, 6]))
    shown = ADDITIVE.compute(ADDITIVE.state()).parts["output"]["rows"]
    torch.testing.assert_close(output[:, 0], torch.tensor(shown, dtype=torch.float64))


@pytest.mark.parametrize("place", ["before", "none"])
def test_query_is_irrelevant_unless_tanh_follows_the_sum(place):
    moved = {numbers(k=(3, 1), q=q, tanh=place)[3] for q in (-3, 0, 3)}
    assert max(moved) == pytest.approx(min(moved), abs=1e-12)
    right = {numbers(k=(3, 1), q=q)[3] for q in (-3, 0, 3)}
    assert max(right) - min(right) > 0.5


def test_summary_speaks_of_masked_keys_and_of_nothing_to_attend():
    sentences = [
        ADDITIVE.sentences(ADDITIVE.compute(ADDITIVE.state(len=lens))) for lens in ((2, 6), (0, 6))
    ]
    assert "Example 1: key 3 is masked, weight 0." in sentences[0]
    assert "Example 1: nothing to attend, all weights 0, output 0." in sentences[1]


def test_summary_repeats_what_the_weight_was():
    view = ADDITIVE.compute(ADDITIVE.state(k=(3, 1), q=-1))
    assert "weight 0.03 (was 0.90)" in ADDITIVE.sentences(view, was="0.90")
