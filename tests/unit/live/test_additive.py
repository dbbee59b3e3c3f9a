"""Figure `additive`: the states of its specification."""

from random import Random

import pytest
import torch

import attn_lib
from attn_lib.examples import four_words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host.numbers import format_weight

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
        assert view(t=t, tanh=place).summary == (place,)
        heights = view(t=t, tanh=place).parts["heights"]
        rises = [height - heights["base"][0] for height in heights["rows"][0]]
        step = 2.0 if place == "none" else 0.9640
        assert rises == pytest.approx((step, 0, 0, -step), abs=1e-4)
    assert abs(weights(t=2)[0] - weights(t=0)[0]) > 0.3


def test_the_readers_own_function_makes_the_scores():
    figure = explore("additive", additive_scores=lambda q, k, *_: torch.zeros(1, 1, 4).double())
    assert "0.2500 0.2500 0.2500 0.2500" in figure._repr_mimebundle_()["text/plain"]
    # Nothing is said of curves that it may not read.
    assert figure.view.summary == ("own",)
    ours = explore("additive", additive_scores=attn_lib.additive_scores)
    assert ours.view.summary == ("leads",)


def test_sentences_are_true_of_every_query():
    """Also of those between two steps, which the answer passes."""
    random, said = Random(0), set()
    for t in [-6, 0, 0.5, 1, 7, *(random.uniform(-6, 7) for _ in range(1000))]:
        shown = ADDITIVE.compute({**ADDITIVE.state(), "t": t})
        heights, slots = shown.parts["heights"], shown.slots
        gains = [[h - heights["base"][unit] for h in heights["rows"][unit]] for unit in (0, 1)]
        total = [one + two for one, two in zip(*gains, strict=True)]
        row = shown.parts["weights"]["rows"][0]
        (name,) = shown.summary
        said.add(name)
        best = total.index(max(total))
        assert row[best] == max(row)
        assert slots["w"] == format_weight(max(row))
        if name == "tied":
            assert t == 0.5
            assert heights["base"][0] == heights["base"][1]
            assert total[0] == pytest.approx(total[1])
            continue
        assert slots["top"] == four_words.words()[best]
        if name == "flat":  # it lies there, and gains next to nothing
            assert max(abs(h) for h in heights["rows"][0]) > 0.9
            assert min(abs(h) for unit in heights["rows"][:2] for h in unit) > 0.95
            assert max(abs(gain) for unit in gains for gain in unit) < 0.05
            assert slots["w"] in ("0.25", "0.26")
        else:
            unit = int(slots["unit"]) - 1
            assert heights["runs"][unit][best] == 2
            assert abs(heights["query"][unit]) < abs(heights["query"][1 - unit])
    assert said == {"leads", "tied", "flat"}
