"""Figure `norm`: the states of the chapter and of its prediction."""

import math

import pytest
import torch

from attn_lib.examples import four_words
from attn_lib.live.figures import FIGURES, explore

NORM = FIGURES["norm"]


def parts(**settings):
    return NORM.compute(NORM.state(**settings)).parts


def shown(name, **settings):
    """Return scores and weights of one scorer."""
    view = parts(**settings)
    return (*view[f"scores_{name}"]["rows"][0], *view[f"weights_{name}"]["rows"][0])


@pytest.mark.parametrize(
    ("settings", "dot", "shifted", "gaussian"),
    [
        ({}, (2, 0, 0.8808, 0.1192), (1, -1, 0.8808, 0.1192), (0, -2, 0.8808, 0.1192)),
        (
            {"x": 4, "y": -2},
            (2, 2, 0.5, 0.5),
            (1, -8, 0.9999, 0.0001),
            (0, -9, 0.9999, 0.0001),
        ),
        (
            {"x": 2, "y": 2},
            (2, 4, 0.1192, 0.8808),
            (1, 0, 0.7311, 0.2689),
            (0, -1, 0.7311, 0.2689),
        ),
        ({"x": 1, "y": 1}, (2, 2, 0.5, 0.5), (1, 1, 0.5, 0.5), (0, 0, 0.5, 0.5)),
        ({"x": 0, "y": 0}, (2, 0, 0.8808, 0.1192), (1, 0, 0.7311, 0.2689), (0, -1, 0.7311, 0.2689)),
    ],
)
def test_states_of_the_chapter(settings, dot, shifted, gaussian):
    assert shown("dot", **settings) == pytest.approx(dot, abs=1e-4)
    assert shown("shifted", **settings, sub="on") == pytest.approx(shifted, abs=1e-4)
    for sub in ("off", "on"):
        assert shown("gaussian", **settings, sub=sub) == pytest.approx(gaussian, abs=1e-4)


def test_figure_begins_with_two_of_the_four_words():
    plane = parts()["plane"]
    assert plane["query"] == four_words.keys()[0].tolist()
    assert plane["key"] == four_words.keys()[1].tolist()


@pytest.mark.parametrize("x", [-4, -1.5, 0, 0.5, 4])
@pytest.mark.parametrize("y", [-4, -1, 0, 2.5, 4])
def test_subtracting_half_the_squared_norm_gives_the_gaussian_weights(x, y):
    shifted = shown("shifted", x=x, y=y, sub="on")
    assert shifted[2:] == pytest.approx(shown("gaussian", x=x, y=y)[2:], abs=1e-12)


def test_scores_are_said_to_differ_alike_where_they_do():
    view = NORM.compute(NORM.state(sub="on", x=3))
    assert view.summary == ("shifted", "apart")
    assert view.slots["half"] == "1"
    (dot,), (gaussian,) = (view.parts[f"scores_{name}"]["rows"] for name in ("shifted", "gaussian"))
    assert [a - b for a, b in zip(dot, gaussian, strict=True)] == pytest.approx([1, 1])
    assert NORM.compute(NORM.state(x=2)).summary == ("at", "gaussian")
    wrong = NORM.compute(
        NORM.state(sub="on", x=3), dot_product_scores=lambda q, k, **_: 2 * q @ k.mT
    )
    assert wrong.summary == ("shifted",)


def test_ties_lie_on_a_straight_line():
    steps = [step / 2 for step in range(-8, 9)]
    ties = {
        (x, y)
        for x in steps
        for y in steps
        if shown("dot", x=x, y=y)[2:] == pytest.approx((0.5, 0.5), abs=1e-12)
    }
    assert ties == {(x, 2 - x) for x in steps if -4 <= 2 - x <= 4}
    whole = {(x, y) for x, y in ties if x == int(x)}
    assert len(whole) == 7  # the exercise that reads them off


def test_each_bet_has_the_place_that_it_means():
    here, ring, line = NORM.prediction.places
    (by,) = NORM.prediction.by
    query = parts()["plane"]["query"]
    assert list(here) == query == [by["x"], by["y"]]
    assert math.hypot(*ring) == pytest.approx(math.hypot(*query), abs=1e-3)
    assert NORM.prediction.after == dict(zip("xy", line, strict=True))
    # Neither opening nor ring ties.
    assert shown("dot", **NORM.prediction.before)[3] == pytest.approx(0.9526, abs=1e-4)
    assert math.fsum(ring) == pytest.approx(1, abs=1e-3)


def test_scores_are_made_of_shadows_and_lengths():
    view = parts(x=4, y=-2, sub="on")
    long = math.sqrt(2)
    assert view["shadows"]["rows"][0] == pytest.approx([long, long])
    assert view["distances"]["rows"][0] == pytest.approx([0, math.sqrt(18)])
    assert view["halves"]["rows"][0] == [1, 10]
    assert view["plane"]["weights"] == view["weights_shifted"]["rows"][0]
    off = parts(x=4, y=-2)
    assert off["plane"]["weights"] == off["weights_dot"]["rows"][0]
    assert [off[name] for name in ("halves", "scores_shifted", "weights_shifted")] == [None] * 3


def test_a_tie_of_shadows_is_said_of_ties_alone():
    def summary(**settings):
        return NORM.sentences(NORM.compute(NORM.state(**settings)))

    assert summary(x=4, y=-2) == (
        "At (4,\u00a0−2) key 2’s shadow on q is as long as key 1’s: 0.50 each, although it lies "
        "4.24 away. The Gaussian would give it 0.00."
    )
    assert summary(x=2, y=3).startswith("Key 2 lies at (2,\u00a03), 2.24 from the query, and the")
    steps = [step / 2 for step in range(-8, 9)]
    said = {
        (x, y)
        for x in steps
        for y in steps
        if NORM.compute(NORM.state(x=x, y=y)).summary[0] == "tie"
    }
    # On the query itself no distance is to be wondered at.
    assert said == {(x, 2 - x) for x in steps if -4 <= 2 - x <= 4} - {(1, 1)}


def test_coordinates_are_written_as_in_the_chapter():
    slots = NORM.compute(NORM.state(x=-3.5, y=2)).slots
    assert (slots["x"], slots["y"]) == ("−3.5", "2")


def test_readers_own_scorer_takes_its_place():
    def cosine(queries, keys, *, scaled):
        assert not scaled
        return torch.nn.functional.cosine_similarity(queries, keys, dim=-1).unsqueeze(1)

    figure = explore("norm", x=2, y=2, dot_product_scores=cosine)
    assert figure.view.parts["weights_dot"]["rows"][0] == pytest.approx([0.5, 0.5])
    # Shadows tie, its scores don't.
    assert explore("norm", x=4, y=-2, dot_product_scores=cosine).view.summary[0] == "at"


@pytest.mark.parametrize(
    "settings", [{"x": 5}, {"x": 0.25}, {"y": "2"}, {"y": -4.5}, {"sub": "yes"}]
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        NORM.state(**settings)
