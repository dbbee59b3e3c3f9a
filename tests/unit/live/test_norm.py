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
    query, key_1, key_2 = parts()["plane"]["rows"]
    assert query == key_1 == four_words.keys()[0].tolist()
    assert key_2 == four_words.keys()[1].tolist()


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
    assert NORM.compute(NORM.state(x=3)).summary == ("at", "dot")
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


def test_one_of_two_scorers_is_there():
    off, on = parts(), parts(sub="on")
    assert off["scores_shifted"] is None
    assert off["weights_shifted"] is None
    assert on["scores_dot"] is None
    assert on["weights_dot"] is None


def test_plane_has_what_the_drawing_needs():
    plane = parts(x=4, y=-2)["plane"]
    assert plane["products"] == [2, 2]
    assert plane["distance"] == pytest.approx(math.sqrt(18))
    assert plane["weights"] == pytest.approx([0.5, 0.5])
    assert plane["halves"] is None
    subtracted = parts(x=4, y=-2, sub="on")["plane"]
    assert subtracted["weights"] == pytest.approx([0.9999, 0.0001], abs=1e-4)
    assert subtracted["halves"] == [1, 10]


def test_summary_repeats_what_the_weight_was():
    view = NORM.compute(NORM.state(x=4, y=-2))
    sentences = NORM.sentences(view, was="0.12")
    assert "Key 2 lies at (4,\u00a0−2), 4.24 away" in sentences
    assert "gives it 0.50 (was 0.12), the Gaussian 0.00" in sentences


def test_coordinates_are_written_as_in_the_chapter():
    slots = NORM.compute(NORM.state(x=-3.5, y=2)).slots
    assert (slots["x"], slots["y"]) == ("−3.5", "2")


def test_readers_own_scorer_takes_its_place():
    def cosine(queries, keys, *, scaled):
        assert not scaled
        return torch.nn.functional.cosine_similarity(queries, keys, dim=-1).unsqueeze(1)

    figure = explore("norm", x=2, y=2, dot_product_scores=cosine)
    assert figure.view.parts["weights_dot"]["rows"][0] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    "settings", [{"x": 5}, {"x": 0.25}, {"y": "2"}, {"y": -4.5}, {"sub": "yes"}]
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        NORM.state(**settings)
