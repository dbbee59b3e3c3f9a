"""Figure `tame`: the weights of its specification, where every key is written out."""

import math

import pytest
import torch

import attn_lib
from attn_lib.examples import four_words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.figures.tame import SCORES, SIZES

TAME = FIGURES["tame"]


def view(**settings):
    return TAME.compute(TAME.state(**settings))


def weights_of_cats(**settings):
    return [row[0] for row in view(**settings).parts["weights"]["rows"]]


# The weight of cats under each score, by another program, with NumPy and all n keys.
@pytest.mark.parametrize(
    ("n", "s", "c", "expected"),
    [
        (4, 1, 2, (0.775803, 0.534447, 0.775803, 0.674053, 0.775803)),
        (4, 8, 2, (1.000000, 0.534447, 0.775803, 0.775803, 0.775803)),
        (1000, 1, 2, (0.010285, 0.003436, 0.010285, 0.006172, 0.969660)),
        (1000, 1, 6, (0.010285, 0.003436, 0.376947, 0.009543, 1.000000)),
        (1000, 1, 8, (0.010285, 0.003436, 0.817357, 0.009853, 1.000000)),
        (1000, 1, 10, (0.010285, 0.003436, 0.970650, 0.010004, 1.000000)),
        (10000, 1, 10, (0.001037, 0.000344, 0.767670, 0.001009, 1.000000)),
        (100, 1, 4, (0.094908, 0.033618, 0.450470, 0.081887, 0.999888)),
        (1000, 8, 2, (0.999925, 0.003436, 0.010285, 0.010285, 0.969660)),
        (1000, 3.5, 2, (0.622049, 0.003436, 0.010285, 0.010245, 0.969660)),
        (4, 8, 50, (1.000000, 0.534447, 1.000000, 1.000000, 1.000000)),
        (1000, 5, 50, (0.970650, 0.003436, 1.000000, 0.966672, 1.000000)),
        (4, 0.5, 2, (0.534447, 0.534447, 0.775803, 0.512519, 0.775803)),
        (10000, 10, 10, (0.999986, 0.000344, 0.767670, 0.697510, 1.000000)),
    ],
)
def test_states_of_the_specification(n, s, c, expected):
    assert weights_of_cats(n=n, s=float(s), c=c) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n", SIZES)
def test_four_scores_stand_for_a_text_written_out(n):
    keys = four_words.keys().double()
    text = torch.cat([keys[:1], *(key.repeat((n - 1) // 3, 1) for key in keys[1:])])
    assert len(text) == n
    cosine = attn_lib.cosine_scores(keys[None, :1], text[None])
    grown = attn_lib.length_scaled(2 * cosine, n, trained_keys=4)
    dot = attn_lib.dot_product_scores(3 * keys[None, :1], text[None], scaled=False)
    capped = attn_lib.soft_cap(dot, 2.0)
    for name, scores in zip(SCORES, (dot, cosine, 2 * cosine, capped, grown), strict=True):
        weight = scores.softmax(2)[0, 0, 0].item()
        assert weights_of_cats(n=n, s=3.0)[SCORES.index(name)] == pytest.approx(weight, rel=1e-9)


def test_lines_pass_through_what_the_table_says():
    for settings in ({}, {"s": 3.5, "n": 1000, "c": 10}, {"s": 10.0, "n": SIZES[-1]}):
        state = TAME.state(**settings)
        parts = view(**settings).parts
        at = [line[4 * SIZES.index(state["n"])] for line in parts["crowd"]["lines"]]
        assert at == pytest.approx([row[0] for row in parts["weights"]["rows"]], abs=1e-12)


def test_the_gain_that_is_named_gives_nine_tenths():
    for n in SIZES:
        gain = float(view(f="gain", n=n).slots["need"])
        m = (n - 1) / 3
        weight = math.exp(gain) / (math.exp(gain) + m * (2 + math.exp(-gain)))
        assert weight == pytest.approx(0.9, abs=0.006)  # it has one decimal


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "first"),
        ({"s": 8.0}, "raw_loud"),
        ({"n": 1000}, "raw_drowned"),
        ({"s": 3.5, "n": 1000}, "raw"),
        ({"f": "cosine"}, "cosine"),
        ({"f": "cosine", "n": 1000}, "cosine_crowd"),
        ({"f": "gain", "s": 8.0}, "gain_first"),
        ({"f": "gain", "n": 1000, "c": 10}, "gain"),
        ({"f": "cap", "s": 8.0}, "cap_first"),
        ({"f": "cap", "s": 2.0}, "cap"),
        ({"f": "cap", "s": 8.0, "c": 50}, "cap_belt"),
        ({"f": "cap", "s": 10.0, "c": 30}, "cap"),  # 20 becomes 17.48
        ({"f": "cap", "s": 4.0, "c": 30}, "cap_belt"),
        ({"f": "length"}, "length_first"),
        ({"f": "length", "n": 131071}, "length"),
    ],
)
def test_summary_says_what_became_of_cats(settings, said):
    assert view(**settings).summary == (said,)


def test_less_than_one_percent_answers_the_question():
    after = view(**TAME.prediction.after)
    assert after.parts["weights"]["rows"][1][0] < 0.01
    assert after.slots["w"] == "0.0034"
    assert TAME.prediction.right == 2
    place, weight = TAME.prediction.places[2]
    assert SIZES[int(place)] == 1000
    assert weight == pytest.approx(after.parts["weights"]["rows"][1][0], abs=1e-4)


def test_counts_above_9999_stand_apart():
    assert [view(n=n).slots["n"] for n in (1000, 5623, 10000, 131071)] == [
        "1000",
        "5623",
        "10\u00a0000",
        "131\u00a0071",
    ]


def test_a_readers_own_cap_is_shown():
    explorer = explore("tame", f="cap", s=8.0, soft_cap=lambda scores, cap: scores.clamp(-cap, cap))
    rows = explorer.view.parts["weights"]["rows"]
    assert rows[SCORES.index("cap")] == pytest.approx(rows[SCORES.index("gain")], abs=1e-12)
