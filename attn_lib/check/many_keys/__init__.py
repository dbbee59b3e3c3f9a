"""The exercises of the chapter on many keys."""

import math
from typing import Any

from attn_lib.check.verdict import Verdict, came, hint, one_number, right

# The text: one *cats*, and so many of each other word.
COPIES = 333


def crowd_gain(answer: Any) -> Verdict:
    """Judge the factor g with which *cats* gets half of the weight among 1,000 words."""
    value = one_number(answer)
    if value is None:
        return hint("crowd_gain", "number", got=came(answer))
    right_gain = math.log(COPIES + math.sqrt(COPIES**2 + COPIES))
    known = {
        "all": math.log(3 * COPIES),
        "one": math.log(COPIES),
        "nine": math.log(9 * 2 * COPIES),
        "no_logarithm": 2 * COPIES,
        "base": math.log10(2 * COPIES),
    }
    if math.isclose(value, right_gain, abs_tol=0.02):
        return right("crowd_gain")
    for name, wrong in known.items():
        if math.isclose(value, wrong, rel_tol=5e-3):
            return hint("crowd_gain", name)
    if not -700 < value < 700:
        return hint("crowd_gain", "far")
    weight = math.exp(value) / (math.exp(value) + COPIES * (2 + math.exp(-value)))
    return hint("crowd_gain", "other", weight=f"{weight:.4f}")


def capped_leak(answer: Any) -> Verdict:
    """Judge what two masked keys get beside scores 16 and 0, with a cap of 2 after the mask."""
    value = one_number(answer)
    if value is None:
        return hint("capped_leak", "number", got=came(answer))
    cats, hidden = math.exp(2), math.exp(-2)
    total = cats + 1 + 2 * hidden
    known = {
        "right": 2 * hidden / total,
        "one": hidden / total,
        "as_zero": 2 / (cats + 3),
        "minus_one": 2 * math.exp(-1) / (cats + 1 + 2 * math.exp(-1)),
    }
    if value == 0:
        return hint("capped_leak", "nothing")
    for name, wrong in known.items():
        if math.isclose(value, wrong, rel_tol=5e-3):
            return right("capped_leak") if name == "right" else hint("capped_leak", name)
    return hint("capped_leak", "other", got=f"{value:g}")
