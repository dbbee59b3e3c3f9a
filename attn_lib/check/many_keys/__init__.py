"""The exercises of the chapter on many keys."""

import math
from typing import Any

from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import came, one_number


def _other_gain(answered: Any, copies: int) -> Found:
    value = one_number(answered)
    if value is None:
        return "number", {"got": came(answered)}
    if not -700 < value < 700:
        return "far", {}
    weight = math.exp(value) / (math.exp(value) + copies * (2 + math.exp(-value)))
    return "other", {"weight": f"{weight:.4f}"}


@quantity(
    numbers=(333, 100, 500, 250, 1000, 150),
    shown=lambda copies: {"all_words": 1 + 3 * copies, "others": 3 * copies, "twice": 2 * copies},
    within=3e-3,
    unknown=_other_gain,
)
def crowd_gain(copies: int) -> Numbers:
    """Judge the factor g that gives *cats* half the weight beside `copies` of each other word."""
    return {
        "right": math.log(copies + math.sqrt(copies**2 + copies)),
        "all": math.log(3 * copies),
        "one": math.log(copies),
        "nine": math.log(9 * 2 * copies),
        "no_logarithm": 2 * copies,
        "base": math.log10(2 * copies),
    }


@quantity(numbers=(2, 3.5, 1.5, 4, 2.5), within=5e-3)
def capped_leak(cap: float) -> Numbers:
    """Judge what two masked keys get beside scores 16 and 0, all capped at `cap` after the mask."""
    seen, hidden = math.exp(cap * math.tanh(16 / cap)) + 1, math.exp(-cap)
    return {
        "right": 2 * hidden / (seen + 2 * hidden),
        "one": hidden / (seen + 2 * hidden),
        "as_zero": 2 / (seen + 2),
        "minus_one": 2 * math.exp(-1) / (seen + 2 * math.exp(-1)),
        "nothing": 0.0,
    }
