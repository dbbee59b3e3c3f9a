import math

import pytest

from attn_lib.explorer import numbers


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
