"""Figure `sink`: the numbers of its specification, and that a bin changes the volume alone."""

import json
import math
import random
from itertools import chain
from statistics import median

import pytest
import torch

import attn_lib
from attn_lib import explore
from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.sink import HEADS, data

SINK = FIGURES["sink"]


def view(x=1.5, y=0.5, s=None):
    bin_ = {} if s is None else {"bin": "on", "s": s}
    return SINK.compute(SINK.state(x=x, y=y, **bin_))


def weights(**settings):
    return view(**settings).parts["weights"]["rows"][0]


@pytest.mark.parametrize(
    ("x", "y", "s", "words", "taken", "output"),
    [
        (1.5, 0.5, 0, [0.636409, 0.234122, 0.031685, 0.011656], 0.086129, [0.827189, 0.422316]),
        (1.5, 0.5, 2, [0.410512, 0.151019, 0.020438, 0.007519], 0.410512, [0.533574, 0.272413]),
        (1.5, 0.5, None, [0.696387, 0.256187, 0.034671, 0.012755], 0, [0.905148, 0.462117]),
        (0, 0, None, [0.25] * 4, 0, [0, 0]),
        (0, 0, 0, [0.2] * 4, 0.2, [0, 0]),
        (0, 0, 2, [0.087804] * 4, 0.648786, [0, 0]),
        (0, 0, 5, [0.006561] * 4, 0.973756, [0, 0]),
        (0, 0, -3, [0.246927] * 4, 0.012294, [0, 0]),
        (1, 1, None, [0.775803, 0.104994, 0.104994, 0.014209], 0, [0.761594] * 2),
        (1, 1, 0, [0.702089, 0.095017, 0.095017, 0.012859], 0.095017, [0.689229] * 2),
        (1, 1, 2, [0.436875, 0.059125, 0.059125, 0.008002], 0.436875, [0.428873] * 2),
        (3, 3, 2, [0.977250, 0.002422, 0.002422, 0.000006], 0.017899, [0.977244] * 2),
        (0.5, -2, 2, [0.009160, 0.500134, 0.003370, 0.183989], 0.303347, [0.321935, -0.671593]),
        (-2, 0, 1, [0.007617, 0.007617, 0.415885, 0.415885], 0.152996, [-0.816536, 0]),
        (3, 3, 6, [0.498762, 0.001236, 0.001236, 0.000003], 0.498762, [0.498759] * 2),
    ],
)
def test_states_of_the_specification(x, y, s, words, taken, output):
    shown = view(x, y, s).parts
    assert shown["weights"]["rows"][0] == pytest.approx([*words, taken], abs=1e-6)
    assert shown["output"]["rows"][0] == pytest.approx(output, abs=1e-6)


def test_a_bin_is_a_gate_that_hears_the_scores():
    choose = random.Random(4)
    for _ in range(100):
        x, y = choose.randrange(-12, 13) / 4, choose.randrange(-12, 13) / 4
        s = choose.randrange(-12, 13) / 2
        with_bin, without = view(x, y, s).parts, view(x, y).parts
        *scores, _ = with_bin["scores"]["rows"][0]
        gate = torch.sigmoid(torch.tensor(scores).double().logsumexp(-1) - s).item()
        kept = [gate * weight for weight in without["weights"]["rows"][0][:4]]
        assert with_bin["weights"]["rows"][0] == pytest.approx([*kept, 1 - gate], abs=1e-12)
        # The ghost is where the output is without a bin, and both lie on one line through 0.
        ghost = with_bin["output"]["plain"]
        assert ghost == pytest.approx([math.tanh(x), math.tanh(y)], abs=1e-12)
        assert with_bin["output"]["rows"][0] == pytest.approx([gate * c for c in ghost], abs=1e-9)


def test_no_bin_has_the_score_minus_infinity_and_exactly_no_weight():
    shown = view().parts
    assert shown["scores"]["rows"][0][4] == -math.inf
    assert shown["weights"]["rows"][0][4] == 0


def test_prediction_of_the_specification():
    before, after = (
        SINK.compute(SINK.state(**settings)).parts["weights"]["rows"][0]
        for settings in (SINK.prediction.before, SINK.prediction.after)
    )
    shares = [now / was for now, was in zip(after[:4], before[:4], strict=True)]
    assert shares == pytest.approx([0.589488] * 4, abs=1e-6)
    assert after[4] == pytest.approx(after[0])
    # Where cats ends: it pays alone, all pay alike, the others pay first.
    ends = [before[0] - after[4], before[0] * (1 - after[4]), min(before[0], 1 - after[4])]
    assert [place for (place,) in SINK.prediction.places] == pytest.approx(ends, abs=1e-3)
    assert ends[SINK.prediction.right] == pytest.approx(after[0], abs=1e-3)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "No bin: the four weights sum to 1, as in chapter 1. The largest is 0.70, for cats."),
        ({"x": 2, "y": 0}, "The largest is 0.49, for cats / purr."),
        ({"x": 0, "y": 0}, "still all four speak, with 0.25 each"),
        ({"x": 0, "y": 0, "s": 2}, "The bin scores 2.0 and takes 0.65, so each word keeps 0.09."),
        ({"s": 2}, "The bin takes 0.41, and every word keeps 0.59 of what it had without it."),
        (
            {"x": 3, "y": 3, "s": 2},
            "cats, scores 4.00 more than the bin. So the bin takes only 0.02",
        ),
    ],
)
def test_summary_says_what_the_bin_does(settings, says):
    assert says in SINK.sentences(view(**settings))


def test_the_reader_may_bring_a_softmax():
    def plus_one(scores, valid_lens=None, *, sink=None):
        return scores.exp() / (scores.exp().sum(-1, keepdim=True) + (sink is not None))

    state = {"x": 0, "y": 0, "bin": "on", "s": 5}
    shown = explore("sink", **state, masked_softmax=plus_one).view.parts["weights"]["rows"][0]
    assert shown == pytest.approx([0.2] * 5)


def test_the_reader_may_hand_over_the_answer_to_the_exercise():
    def with_sink(scores, valid_lens, sink):
        return scores.exp() / (scores.exp().sum(-1, keepdim=True) + 1)

    figure = explore("sink", x=0, y=0, bin="on", s=5, with_sink=with_sink)
    assert figure.view.parts["weights"]["rows"][0] == pytest.approx([0.2] * 5)
    with pytest.raises(TypeError, match=r"with_sink must return a torch\.Tensor\. Got list"):
        explore("sink", bin="on", with_sink=lambda *_: [0.2] * 5)


def test_heads_of_the_real_model():
    share, first, others = (list(chain(*HEADS[name])) for name in ("share", "first", "others"))
    assert len(share) == len(first) == len(others) == 72
    assert all(0 < weight < 1 for weight in share)
    assert [round(sum(row) / 12, 2) for row in HEADS["share"]] == [
        0.32,
        0.61,
        0.65,
        0.56,
        0.65,
        0.49,
    ]
    said = data()["facts"]
    assert said["parked"] == str(sum(weight >= 0.5 for weight in share)) == "46"
    assert (said["first"], said["others"]) == (f"{median(first):.2f}", f"{median(others):.2f}")
    # The fullest bin, and the head that has none.
    assert max(share) == share[2 * 12 + 7]
    assert HEADS["first"][2][7] < 0.1 < 3 < HEADS["others"][2][7]
    assert HEADS["share"][3][11] < 0.2 < 2 < HEADS["first"][3][11]


def test_the_figure_speaks_the_language_of_the_reader():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        assert data()["words"][0] in SINK.sentences(view())
        assert "{" not in json.dumps([SINK.sentences(view(s=2)), SINK.sentences(view(0, 0, 2))])
    attn_lib.set_language("en")
