"""Figure `scale`: the states of its specification, recomputed from the draws themselves."""

import math
import re

import pytest
import torch

import attn_lib
from attn_lib import normals
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.scale import DIVISORS, SIZES, _scores

SCALE = FIGURES["scale"]


def parts(**settings):
    return SCALE.compute(SCALE.state(**settings)).parts


def readings(**settings):
    """Return mean, variance, variance across keys; largest weight, entropy, Jacobian norm."""
    view = parts(**settings)
    divisor = DIVISORS.index(SCALE.state(**settings)["c"])
    return *view["moments"]["rows"][0], *view["softmax"]["rows"][divisor]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, (0.0008, 4.0410, 3.6273, 0.4418, 1.5069, 0.3592)),
        ({"c": "sqrt"}, (0.0004, 1.0102, 0.9068, 0.2622, 2.0213, 0.3390)),
        ({"d": 1}, (-0.0329, 1.0405, 0.9497, 0.2400, 2.0812, 0.3295)),
        ({"d": 64}, (0.2186, 63.416, 56.2885, 0.9588, 0.1847, 0.0662)),
        ({"d": 64, "c": "sqrt"}, (0.0273, 0.9909, 0.8795, 0.2936, 1.9674, 0.3446)),
        ({"d": 64, "c": "d"}, (0.0034, 0.0155, 0.0137, 0.1193, 2.2966, 0.3012)),
        ({"d": 512}, (-0.0789, 539.2818, 482.1067, 0.9999, 0.0013, 0.0002)),
        ({"d": 512, "c": "sqrt"}, (-0.0035, 1.0533, 0.9416, 0.2992, 1.9606, 0.3471)),
        ({"d": 512, "c": "d"}, (-0.0002, 0.0021, 0.0018, 0.1068, 2.3017, 0.3002)),
        (
            {"d": 64, "m": 2, "c": "sqrt"},
            (31.8994, 8.3994, 4.3948, 0.5379, 1.2807, 0.3688),
        ),
    ],
)
def test_states_of_the_specification(settings, expected):
    assert readings(**settings) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("d", "largest", "jacobian"),
    [(2, 0.3072, 0.3399), (8, 0.5710, 0.3691), (32, 0.8632, 0.1917), (128, 0.9864, 0.0201)],
)
def test_sizes_between(d, largest, jacobian):
    reading = readings(d=d)
    assert (reading[3], reading[5]) == pytest.approx((largest, jacobian), abs=1e-4)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, (0, 4)),
        ({"d": 512, "c": "sqrt"}, (0, 1)),
        ({"d": 512, "c": "d"}, (0, 1 / 512)),
        ({"d": 64, "m": 2, "c": "sqrt"}, (32, 9)),
        ({"d": 64, "rho": 1, "c": "sqrt"}, (0.8, 6.86)),
    ],
)
def test_theory_of_the_specification(settings, expected):
    assert parts(**settings)["moments"]["rows"][1][:2] == pytest.approx(expected)


@pytest.mark.parametrize(("m", "rho"), [(0, 0), (0, 0.75), (1.5, 0), (1, 0.5), (2, 1)])
def test_theory_holds_for_queries_and_keys_drawn_entry_by_entry(m, rho):
    """The figure draws one number for each key; here keys have all their d entries."""
    d, trials, keys = 16, 4000, 10
    z = normals(7, trials * d).reshape(trials, 1, d)
    e = normals(8, trials * keys * d).reshape(trials, keys, d)
    correlation = torch.zeros(keys, 1, dtype=z.dtype)
    correlation[0] = rho
    drawn = m + correlation * z + (1 - correlation.square()).sqrt() * e
    scores = ((m + z) * drawn).sum(2)
    mean, variance, across = parts(d=d, m=m, rho=rho)["moments"]["rows"][1]
    assert scores.mean().item() == pytest.approx(mean, abs=0.05 * math.sqrt(variance))
    assert scores.var().item() == pytest.approx(variance, rel=0.1)
    assert scores.var(1, correction=0).mean().item() == pytest.approx(across, rel=0.05)


@pytest.mark.parametrize(
    ("settings", "reading"),
    [
        ({"d": 1, "rho": 0.5}, "alike"),
        ({"d": 64, "rho": 0}, "noise_none"),
        ({"d": 64, "rho": 0, "c": "sqrt"}, "noise_sqrt"),
        ({"d": 16, "rho": 0.2}, "below"),
        ({"d": 512, "rho": 0.2}, "match_none"),
        ({"d": 512, "rho": 0.2, "c": "d"}, "match_d"),
    ],
)
def test_the_sentence_says_why(settings, reading):
    view = SCALE.compute(SCALE.state(**settings))
    assert view.summary[2] == reading
    if reading == "below":
        assert float(view.slots["w"]) < 0.1


def test_histogram_counts_every_score_and_collects_the_rest_at_its_ends():
    for settings in ({}, {"d": 512}, {"d": 64, "m": 2, "c": "sqrt"}, {"d": 512, "m": 2, "rho": 1}):
        histogram = parts(**settings)["histogram"]
        assert [sum(row) for row in histogram["rows"]] == [2000, 2000]
        assert histogram["top"] == max(map(max, histogram["rows"]))
        assert all(-30 <= end <= 30 for end in histogram["spread"])
    raw, centred = parts(d=512, m=2)["histogram"]["rows"]
    assert raw[-1] == 2000  # mean 2048: everything is beyond the axis
    assert centred[-1] < 1000


def test_a_histogram_of_one_column_says_so():
    for settings, said in (
        ({}, "histogram"),
        ({"d": 512}, "histogram"),
        ({"d": 512, "c": "sqrt"}, "histogram"),
        ({"d": 64, "c": "d"}, "histogram_one"),
        ({"d": 512, "c": "d"}, "histogram_one"),
    ):
        assert parts(**settings)["histogram"]["sentence"] == said


def test_a_weak_match_wins_undivided():
    """The bet, in the words of every language."""
    before, after = (
        SCALE.compute(SCALE.state(**settings))
        for settings in (SCALE.prediction.before, SCALE.prediction.after)
    )
    assert (before.summary[-1], after.slots["w"]) == ("below", "1.00")
    place, weight = SCALE.prediction.places[SCALE.prediction.right]
    typical = after.parts["typical"]
    assert place == typical["chosen"]
    assert typical["rows"][0][place] == pytest.approx(weight, abs=1e-4)
    weights = _scores(**SCALE.prediction.after, m=0.0).softmax(1)
    found = (weights.argmax(1) == 0).sum().item()
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        own = words("scale")
        assert {before.slots["w"], "0.2", "16"} <= set(re.findall(r"[\d.]*\d", own["predict"]))
        assert {str(found), str(len(weights))} <= set(re.findall(r"\d+", own["replies"][1]))
    attn_lib.set_language("en")


def test_key_that_fits_little_needs_128_entries_for_half_of_the_weight():
    rows = dict(zip(DIVISORS, parts(rho=0.3)["typical"]["rows"], strict=True))
    assert [d for d, w in zip(SIZES, rows["sqrt"], strict=True) if w > 0.5] == [128, 256, 512]
    assert next(d for d, w in zip(SIZES, rows["none"], strict=True) if w > 0.5) == 32
    assert max(rows["d"]) < 0.14


def test_typical_draw_is_sorted_and_says_where_the_key_that_fits_stands():
    for rho in (0.0, 0.5):
        view = parts(d=16, rho=rho)
        for row, place, reading in zip(
            view["weights"]["rows"], view["weights"]["fits"], view["softmax"]["rows"], strict=True
        ):
            assert row == sorted(row, reverse=True)
            assert sum(row) == pytest.approx(1)
            assert (place is None) == (rho == 0)
            assert row[place or 0] == reading[0]


def test_table_repeats_the_reading_of_every_d_and_divisor():
    table = parts(d=256, c="sqrt", m=1)["typical"]
    assert (table["chosen"], table["lit"]) == (SIZES.index(256), DIVISORS.index("sqrt"))
    for i, row in enumerate(table["rows"]):
        single = [parts(d=d, m=1)["softmax"]["rows"][i][0] for d in SIZES]
        assert row == pytest.approx(single, abs=1e-12)


def test_only_the_square_root_keeps_the_largest_weight_where_it_is():
    rows = dict(zip(DIVISORS, torch.tensor(parts()["typical"]["rows"]), strict=True))
    assert rows["none"].diff().min() > -1e-3
    assert rows["none"][-1] > 0.99
    assert rows["d"].diff().max() < 0
    assert rows["d"][-1] < 0.11
    assert rows["sqrt"].max() - rows["sqrt"].min() < 0.06


@pytest.mark.parametrize(
    "settings",
    [{"d": 3}, {"d": 1024}, {"m": 2.5}, {"m": 0.25}, {"rho": 0.33}, {"rho": -0.25}, {"c": "log"}],
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        SCALE.state(**settings)


@pytest.mark.parametrize("settings", [{}, {"d": 64, "c": "sqrt"}, {"d": 16, "rho": 0.5, "m": 1}])
def test_levels_of_the_scores_are_those_of_the_weights(settings):
    weights, gaps = (torch.tensor(parts(**settings)[name]["rows"]) for name in ("weights", "gaps"))
    torch.testing.assert_close(gaps, (weights[:, :1] / weights).log(), rtol=1e-4, atol=1e-4)


def test_gaps_keep_to_three_digits():
    assert [parts(**s)["gaps"]["digits"] for s in ({}, {"d": 512, "c": "sqrt"})] == [1, 0]


def test_norms_over_d_are_those_of_each_d():
    for rho in (0.0, 0.5):
        norms = parts(rho=rho)["norms"]["rows"]
        for i, d in enumerate(SIZES):
            readings = parts(d=d, rho=rho)["softmax"]["rows"]
            assert [row[i] for row in norms] == [row[2] for row in readings]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, ("favoured",)),
        ({"d": 1}, ()),
        ({"d": 4, "c": "d"}, ()),
        ({"d": 512}, ("saturated",)),
        ({"d": 512, "c": "sqrt"}, ()),
    ],
)
def test_summary_says_what_comes_of_it(settings, said):
    view = SCALE.compute(SCALE.state(**settings))
    assert view.summary[3:] == said
    assert (
        max(view.parts["weights"]["rows"][DIVISORS.index(SCALE.state(**settings)["c"])]) > 0.9
    ) == ("saturated" in said)


def test_summary_says_what_a_mean_does_instead():
    view = SCALE.compute(SCALE.state(d=512, m=2.0))
    assert view.summary == ("none", "largest", "mean")
