"""Figure `arrows`: the numbers of its chapter, and the check by tanh."""

import math
import random
import re

import pytest
import torch

import attn_lib
from attn_lib.examples import four_words
from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.figures.arrows import data

ARROWS = FIGURES["arrows"]


def numbers(**settings):
    """Return the scores, the weights and the output."""
    parts = ARROWS.compute(ARROWS.state(**settings)).parts
    return tuple(parts[name]["rows"][0] for name in ("scores", "weights", "output"))


@pytest.mark.parametrize(
    ("settings", "scores", "weights", "output"),
    [
        ({}, [0.5, 0, 0, -0.5], [0.3875, 0.2350, 0.2350, 0.1425], [0.2449, 0.2449]),
        ({"x": 2.5, "y": 2.5}, [5, 0, 0, -5], [0.9867, 0.0066, 0.0066, 0.0000], [0.9866, 0.9866]),
        # A temperature of a tenth does what a query ten times as long does.
        ({"t": 0.1}, [0.5, 0, 0, -0.5], [0.9867, 0.0066, 0.0066, 0.0000], [0.9866, 0.9866]),
        (
            {"x": 1.5, "y": 0.5},
            [2, 1, -1, -2],
            [0.6964, 0.2562, 0.0347, 0.0128],
            [0.9051, 0.4621],
        ),
        ({"x": 1, "y": 1}, [2, 0, 0, -2], [0.7758, 0.1050, 0.1050, 0.0142], [0.7616, 0.7616]),
        ({"x": 0, "y": 0}, [0, 0, 0, 0], [0.25] * 4, [0, 0]),
        ({"x": 3, "y": 3}, [6, 0, 0, -6], [0.9951, 0.0025, 0.0025, 0.0000], [0.9951, 0.9951]),
        ({"x": 1, "y": -1}, [0, 2, -2, 0], [0.1050, 0.7758, 0.0142, 0.1050], [0.7616, -0.7616]),
        (
            {"x": 1, "y": 1, "t": 100},
            [2, 0, 0, -2],
            [0.2550, 0.2500, 0.2500, 0.2450],
            [0.0100, 0.0100],
        ),
    ],
)
def test_states_of_the_chapter(settings, scores, weights, output):
    for shown, expected in zip(numbers(**settings), (scores, weights, output), strict=True):
        assert shown == pytest.approx(expected, abs=1e-4)


def test_scores_are_divided_by_the_temperature():
    view = ARROWS.compute(ARROWS.state(x=-0.25, y=0, t=0.1))
    assert view.parts["scores"]["rows"][0] == [-0.25, -0.25, 0.25, 0.25]
    assert view.parts["divided"]["rows"][0] == pytest.approx([-2.5, -2.5, 2.5, 2.5])


@pytest.mark.parametrize(
    ("keys", "t", "digits"), [(4, 0.1, 2), (8, 1, 1), (8, 0.2, 1), (8, 0.1, 0)]
)
def test_long_numbers_in_narrow_columns_have_no_decimals(keys, t, digits):
    own = [[2.5, 2.5]] * keys
    view = ARROWS.compute(ARROWS.state(x=3, y=3, t=t, own=own))
    assert view.parts["divided"]["digits"] == digits


def test_every_output_is_the_tanh_of_the_query():
    choose = random.Random(1)
    for _ in range(50):
        x, y = (choose.randrange(-12, 13) / 4 for _ in range(2))
        t = choose.choice((0.1, 0.2, 0.5, 1, 2, 5, 100))
        assert numbers(x=x, y=y, t=t)[2] == pytest.approx([math.tanh(x / t), math.tanh(y / t)])


def test_prediction_of_the_plan():
    before, after = ARROWS.prediction.before, ARROWS.prediction.after
    out, there, here = ARROWS.prediction.places
    assert round(numbers(**before)[1][0], 2) == 0.68
    assert round(numbers(**after)[1][0], 2) == 0.92
    assert here == pytest.approx(numbers(**before)[2], abs=1e-3)
    assert there == pytest.approx(numbers(**after)[2], abs=1e-3)
    # As the query goes: 2.4 times as far.
    assert out == pytest.approx([2.4 * one for one in here], abs=2e-3)
    assert after["x"] == 2.4 * before["x"]
    assert ARROWS.prediction.right == 1


def test_weights_sum_to_1_wherever_the_query_stands():
    for settings in ({}, {"x": 0, "y": 0}, {"x": -3, "y": 0.25, "t": 0.1}):
        assert ARROWS.compute(ARROWS.state(**settings)).slots["sum"] == "1"


def test_summary_says_who_pulls_hardest_and_where_the_output_is():
    def summary(**settings):
        return ARROWS.sentences(ARROWS.compute(ARROWS.state(**settings)))

    assert summary(x=1.25, y=0.5) == (
        "The query fits cats best, which pulls with 0.68 of the weight. "
        "Output: (0.848,\u00a00.462)."
    )
    assert summary(x=3, y=3, t=2).startswith("At T\u00a0=\u00a02, cats pulls hardest, with 0.91 of")
    # Equal scores have no order.
    assert "cats / purr best, and equally well: each pulls with 0.44 of" in summary(x=1, y=0)
    assert "each pulls with 0.25 of the weight. The output is the mean" in summary(x=0, y=0, t=5)


def test_what_has_a_role_is_bold_in_the_sentence():
    view = ARROWS.compute(ARROWS.state(x=1.25, y=0.5))
    html = ARROWS.marked(view)
    assert '<b class="attn-hue-weight">0.68</b> of the weight' in html
    assert re.sub("<[^>]*>", "", html) == ARROWS.sentences(view)


def test_the_figure_speaks_the_language_of_the_reader():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        assert data()["words"] == four_words.words()
        assert four_words.words()[0] in ARROWS.sentences(ARROWS.compute(ARROWS.state()))
    attn_lib.set_language("en")


def test_the_reader_may_bring_another_score():
    def distance(queries, keys, scaled):
        return -torch.cdist(queries, keys)

    scores = explore("arrows", x=1, y=1, dot_product_scores=distance).view.parts["scores"]["rows"][
        0
    ]
    assert scores == pytest.approx([0, -2, -2, -math.sqrt(8)])


@pytest.mark.parametrize("settings", [{"x": 3.25}, {"y": 0.1}, {"t": 3}])
def test_invalid_settings_are_refused(settings):
    (name,) = settings
    with pytest.raises(ValueError, match=f"^{name} must"):
        explore("arrows", **settings)
