"""Figure `norm`: the states of its specification, and what the plane draws."""

import math

import pytest
import torch

from attn_lib.figures import FIGURES, explore

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
        ({}, (1, 1, 0.5, 0.5), (0.5, 0.5, 0.5, 0.5), (0, 0, 0.5, 0.5)),
        (
            {"r": 2},
            (1, 2, 0.2689, 0.7311),
            (0.5, 0, 0.6225, 0.3775),
            (0, -0.5, 0.6225, 0.3775),
        ),
        ({"r": 4}, (1, 4, 0.0474, 0.9526), (0.5, -4, 0.9890, 0.0110), (0, -4.5, 0.9890, 0.0110)),
        ({"r": 0}, (1, 0, 0.7311, 0.2689), (0.5, 0, 0.6225, 0.3775), (0, -0.5, 0.6225, 0.3775)),
        (
            {"r": 2, "a": 60},
            (1, 1, 0.5, 0.5),
            (0.5, -1, 0.8176, 0.1824),
            (0, -1.5, 0.8176, 0.1824),
        ),
        ({"a": 90}, (1, 0, 0.7311, 0.2689), (0.5, -0.5, 0.7311, 0.2689), (0, -1, 0.7311, 0.2689)),
    ],
)
def test_states_of_the_specification(settings, dot, shifted, gaussian):
    assert shown("dot", **settings) == pytest.approx(dot, abs=1e-4)
    assert shown("shifted", **settings, sub="on") == pytest.approx(shifted, abs=1e-4)
    for sub in ("off", "on"):
        assert shown("gaussian", **settings, sub=sub) == pytest.approx(gaussian, abs=1e-4)


@pytest.mark.parametrize("length", [0, 0.25, 1, 2.5, 4])
@pytest.mark.parametrize("angle", [-180, -75, 0, 15, 90])
def test_subtracting_half_the_squared_length_gives_the_gaussian_weights(length, angle):
    shifted = shown("shifted", r=length, a=angle, sub="on")
    assert shifted[2:] == pytest.approx(shown("gaussian", r=length, a=angle)[2:], abs=1e-12)


def test_one_of_two_scorers_is_there():
    off, on = parts(), parts(sub="on")
    assert off["scores_shifted"] is None
    assert off["weights_shifted"] is None
    assert on["scores_dot"] is None
    assert on["weights_dot"] is None


def test_plane_shows_where_the_arrows_end_and_the_equal_scores():
    plane = parts(r=2, a=-90)["plane"]
    assert plane["rows"] == [[1, 0], [1, 0], [0, -2]]
    assert plane["circle"] == pytest.approx(math.sqrt(5))
    assert plane["line"]
    assert not parts(sub="on")["plane"]["line"]


def test_a_key_without_length_has_no_direction():
    turned = [NORM.compute(NORM.state(r=0, a=angle)) for angle in (-180, 45, 180)]
    assert {str(view.parts["weights_dot"]["rows"]) for view in turned} == {
        str(turned[0].parts["weights_dot"]["rows"])
    }
    assert all("no direction" in NORM.sentences(view) for view in turned)


def test_summary_repeats_what_the_weight_was():
    view = NORM.compute(NORM.state(r=2))
    assert "gives it 0.73 (was 0.50), the Gaussian 0.38" in NORM.sentences(view, was="0.50")


def test_readers_own_scorer_takes_its_place():
    def cosine(queries, keys, *, scaled):
        assert not scaled
        return torch.nn.functional.cosine_similarity(queries, keys, dim=-1).unsqueeze(1)

    figure = explore("norm", r=2, dot_product_scores=cosine)
    assert figure.view.parts["weights_dot"]["rows"] == [[0.5, 0.5]]


@pytest.mark.parametrize(
    "settings", [{"r": 5}, {"r": 0.1}, {"r": "2"}, {"a": 20}, {"a": 195}, {"sub": "yes"}]
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        NORM.state(**settings)
