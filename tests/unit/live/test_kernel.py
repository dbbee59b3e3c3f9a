"""Figure `kernel`: the states of its specification."""

import math

import pytest
import torch

import attn_lib
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.figures.kernel import POINTS, WIDTHS
from attn_lib.live.host.numbers import format_weight

KERNEL = FIGURES["kernel"]
THIRD = 1 / 3


def numbers(**settings):
    """Return the weights and the fit."""
    parts = KERNEL.compute(KERNEL.state(**settings)).parts
    return parts["weights"]["rows"][0], parts["curve"]["fit"]


@pytest.mark.parametrize(
    ("settings", "weights", "fit"),
    [
        ({}, [0.1345, 0.3655, 0.3655, 0.1345, 0, 0], 2.5),
        ({"x": 2}, [0.0576, 0.2583, 0.4258, 0.2583, 0, 0], 2.7172),
        ({"x": 5, "s": 0.1}, [0, 0, 0, 0.5, 0.5, 0], 5.0),
        ({"x": 5}, [0, 0.0011, 0.0379, 0.4615, 0.4615, 0.0379], 4.8840),
        ({"x": 5, "s": 2}, [0.0215, 0.0663, 0.1590, 0.2971, 0.2971, 0.1590], 4.3043),
        ({"x": 2, "s": 10}, [0.1723, 0.1749, 0.1758, 0.1749, 0.1552, 0.1468], 3.4136),
        ({"x": 2, "s": 5}, [0.1855, 0.1970, 0.2009, 0.1970, 0.1219, 0.0978], 3.1863),
        ({"x": 2, "s": 0.25}, [0, 0.0003, 0.9993, 0.0003, 0, 0], 2.0010),
        ({"x": 2, "s": 1.5, "k": "boxcar"}, [0, THIRD, THIRD, THIRD, 0, 0], 3.0),
        ({"x": 2, "s": 1.5, "k": "triangular"}, [0, 0.2, 0.6, 0.2, 0, 0], 2.6),
        ({"x": 2, "s": 1.5, "k": "epanechnikov"}, [0, 0.2632, 0.4737, 0.2632, 0, 0], 2.7895),
        ({"x": 5, "s": 2.5, "k": "boxcar"}, [0, 0, 0, 0.5, 0.5, 0], 5.0),
        ({"x": 5, "s": 2.5, "k": "triangular"}, [0, 0, 0, 0.5, 0.5, 0], 5.0),
    ],
)
def test_states_of_the_specification(settings, weights, fit):
    shown = numbers(**settings)
    assert shown[0] == pytest.approx(weights, abs=1e-4)
    assert shown[1] == pytest.approx(fit, abs=1e-4)


@pytest.mark.parametrize("kernel", ["boxcar", "triangular", "epanechnikov"])
def test_a_key_exactly_one_width_away_is_outside(kernel):
    assert numbers(x=5, s=2, k=kernel) == ([0] * 6, None)
    assert numbers(x=2, s=1, k=kernel) == ([0, 0, 1, 0, 0, 0], 2)
    assert numbers(x=0.25, s=0.25, k=kernel) == ([0] * 6, None)


def test_the_curve_breaks_in_the_gap_and_nowhere_else():
    curve = KERNEL.compute(KERNEL.state(x=5, k="boxcar")).parts["curve"]
    assert len(curve["line"]) == 1001
    # From -1 to 9 in steps of 0.01; a point reaches less than 1 to each side.
    for step, fit in enumerate(curve["line"]):
        near = any(abs(step - 100 - 100 * x) < 100 for x, _ in POINTS)
        assert (fit is not None) == near
    assert curve["rows"][0] == curve["line"][::100]
    assert curve["rows"][0][5] is None


def test_the_gaussian_has_no_gap_at_any_width():
    for s in (0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 5, 10):
        line = KERNEL.compute(KERNEL.state(x=9, s=s)).parts["curve"]["line"]
        assert None not in line
        assert min(line) >= 1
        assert max(line) <= 6


def test_the_library_answers_zero_where_the_figure_shows_a_dash():
    x = torch.tensor([[[float(x)] for x, _ in POINTS]])
    y = torch.tensor([[[float(y)] for _, y in POINTS]])
    attention = attn_lib.KernelAttention("boxcar", width=1.0)
    assert attention(torch.tensor([[[5.0]]]), x, y).item() == 0
    assert "—" in explore("kernel", x=5, k="boxcar")._repr_mimebundle_()["text/plain"]


def test_the_share_of_a_stem_is_the_weight():
    for settings in ({}, {"x": 3.25, "s": 2.5, "k": "triangular"}, {"x": 7.5, "k": "epanechnikov"}):
        parts = KERNEL.compute(KERNEL.state(**settings)).parts
        heights = parts["bump"]["heights"]
        shares = [height / sum(heights) for height in heights]
        assert parts["weights"]["rows"][0] == pytest.approx(shares, abs=1e-9)


@pytest.mark.parametrize("k", ["gaussian", "boxcar", "triangular", "epanechnikov"])
def test_the_bump_is_one_high_at_the_query_and_ends_where_the_kernel_ends(k):
    bump = KERNEL.compute(KERNEL.state(s=2, k=k)).parts["bump"]
    is_bell = k == "gaussian"
    assert (len(bump["line"]), bump["reach"]) == (121, 8 if is_bell else 2)
    assert (bump["line"][60], bump["line"][0] > 0) == (1, is_bell)
    assert min(bump["line"][1:-1]) > 0


def test_prediction_of_the_plan():
    asked = KERNEL.prediction
    weights, fit = numbers(**asked.after)
    assert weights == pytest.approx([0, 0, 0, 0.5, 0.5, 0])
    assert fit == pytest.approx(5)
    heights = KERNEL.compute(KERNEL.state(**asked.after)).parts["bump"]["heights"]
    assert heights[3] == heights[4] == pytest.approx(math.exp(-200))
    assert numbers(x=5.25, s=0.1)[1] == pytest.approx(6)


def view(**settings):
    return KERNEL.compute(KERNEL.state(**settings))


def test_sentence_says_how_the_weights_come_about_and_ends_with_the_fit():
    def said(**settings):
        return KERNEL.sentences(view(**settings)).replace("\u00a0", " ")

    assert said(x=2) == (
        "Query 2.00, width 1: a key counts by the bell’s height over it. The fit is 2.72."
    )
    assert "no key within the width" in said(x=5, k="boxcar")
    told = said(x=5, s=0.1)
    assert "the two tallest stems 10⁸⁷ times as tall" in told
    assert told.endswith("Only their ratio counts: 0.50 · 4 + 0.50 · 6 ≈ 5.00.")


def test_a_bell_is_called_narrow_or_wide_only_where_it_is():
    for x in range(-4, 37):
        for s in WIDTHS:
            shown = view(x=x / 4, s=s)
            weights = shown.parts["weights"]["rows"][0]
            if "narrow" in shown.summary:
                assert "1.00" in [format_weight(weight) for weight in weights]
            assert ("wide" in shown.summary) == (min(weights) >= 0.8 * max(weights))
    assert "narrow" in view(x=2, s=0.25).summary
    assert "wide" in view(s=10).summary
    # Of keys in a box all have the same weight, or the only one has all.
    assert view(x=0, k="boxcar").summary == view(s=10, k="boxcar").summary == ("boxcar", "fit")


def test_the_sum_says_whether_it_is_exact():
    def written(**settings):
        slots = view(**settings).slots
        return f"{slots['sum']} {slots['equals']} {slots['y']}".replace("\u00a0", " ")

    assert written(x=2) == "0.06 · 1 + 0.26 · 3 + 0.43 · 2 + 0.26 · 4 ≈ 2.72"
    assert written(x=2, k="boxcar", s=1.5).count("0.33") == 3
    assert written(x=3, k="boxcar") == "1 · 4 = 4.00"
    assert written(x=1.5, k="boxcar") == "0.50 · 3 + 0.50 · 2 = 2.50"
    assert written(x=5, k="boxcar").split() == ["—"]


def test_only_what_is_exact_is_written_as_exact():
    def written(**settings):
        return [format_weight(weight) for weight in numbers(**settings)[0]]

    # A bell is nowhere 0, however small its weights are.
    assert written(x=5, s=0.1) == ["0.00", "0.00", "0.00", "0.50", "0.50", "0.00"]
    assert written(x=8, s=0.1) == ["0.00"] * 5 + ["1.00"]
    assert written(x=8, s=0.25, k="boxcar") == ["0"] * 5 + ["1"]


def test_only_a_boxcar_jumps_and_only_one_width_from_a_key():
    def jumps(**settings):
        return KERNEL.compute(KERNEL.state(**settings)).parts["curve"]["jumps"]

    assert [-1 + step / 100 for step in jumps(k="boxcar", s=2.5)] == pytest.approx(
        [-0.5, 0.5, 2.5, 3.5, 4.5, 5.5]
    )
    for k in ("gaussian", "triangular", "epanechnikov"):
        assert jumps(k=k, s=2.5) == []


@pytest.mark.parametrize("settings", [{"x": 9.5}, {"x": 0.1}, {"s": 3}, {"k": "cosine"}])
def test_invalid_settings_are_refused(settings):
    (name,) = settings
    with pytest.raises(ValueError, match=f"^{name} must"):
        explore("kernel", **settings)


def test_the_reader_may_bring_another_kernel():
    class Average(attn_lib.KernelAttention):
        def weigh(self, queries, keys, visible, score_bias):
            return torch.full((1, queries.shape[1], keys.shape[1]), 1 / 6, dtype=keys.dtype)

    shown = explore("kernel", KernelAttention=Average).view
    assert shown.parts["curve"]["fit"] == pytest.approx(3.5)
