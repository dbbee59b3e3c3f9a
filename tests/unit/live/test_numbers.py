import math

import pytest
from node import call

from attn_lib.live.figures import FIGURES
from attn_lib.live.host import numbers
from attn_lib.live.host.controls import Listed


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (None, 2, "—"),
        (-3.8561, 1, "−3.9"),
        (0.125, 2, "0.13"),
        (-0.125, 2, "−0.13"),
        (-0.04, 1, "0.0"),
        (0.0, 0, "0"),
        (99999.0, 1, "99999.0"),
        (-3e6, 1, "−3e6"),
        (-739154.4, 1, "−7.391544e5"),
        (math.inf, 1, "∞"),
        (-math.inf, 1, "−∞"),
    ],
)
def test_format_number(value, digits, text):
    assert numbers.format_number(value, digits) == text


@pytest.mark.parametrize(
    ("weight", "text"), [(0.0, "0"), (1.0, "1"), (1e-9, "0.00"), (1 - 1e-9, "1.00"), (0.17, "0.17")]
)
def test_only_exact_weights_are_bare(weight, text):
    assert numbers.format_weight(weight) == text


@pytest.mark.parametrize(("weight", "name"), [(0.475, "low"), (0.476, "middle"), (0.63, "high")])
def test_tone_turns_where_contrast_was_measured(weight, name):
    assert numbers.tone(weight) == name


@pytest.mark.parametrize(
    ("value", "digits", "sign"),
    [
        (1.25, 3, "="),
        (-0.375, 3, "="),
        (1.82421875, 3, "≈"),
        (2 * math.cos(3), 3, "≈"),
        (2, 0, "="),
    ],
)
def test_only_an_exact_number_stands_behind_an_equals_sign(value, digits, sign):
    assert numbers.relation(value, digits) == sign
    assert call("front/numbers", "relation", [value, digits]) == [sign]


def test_a_slider_parts_the_thousands_of_what_it_shows():
    listed = {
        f"{name} {control.key}": [control.written(value) for value in control.values]
        for name, figure in FIGURES.items()
        for control in figure.controls
        if isinstance(control, Listed)
    }
    assert listed["position base"] == ["10\u00a0000", "500\u00a0000", "1\u00a0000\u00a0000"]
    assert listed["tame n"][-1] == "131\u00a0071"
    assert [text for texts in listed.values() for text in texts if "e" in text] == []
    for name, figure in FIGURES.items():
        for control in figure.controls:
            if isinstance(control, Listed):
                shown = call("front/numbers", "formatSetting", *([v, None] for v in control.values))
                assert shown == listed[f"{name} {control.key}"]
