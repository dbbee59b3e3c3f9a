"""The exercises of the chapter on places in the score."""

import math
from typing import Any

from attn_lib.check.quantity import Numbers, Quantity
from attn_lib.check.verdict import Verdict, came, hint, one_number, right


def alibi_page(answer: Any) -> Verdict:
    """Judge the page of cats at place 5, with slope 1/4."""
    value = one_number(answer)
    if value is None:
        return hint("alibi_page", "number", got=came(answer))
    # The scores of the words at 1 to 4 are 2, 0, 0, -2, their pages 10, 20, 30, 40.
    known = {"half": 0.5, "none": 0.0, "gain": -0.25}
    if math.isclose(value, _page(0.25), abs_tol=0.01):
        return right("alibi_page")
    for name, slope in known.items():
        if math.isclose(value, _page(slope), abs_tol=0.01):
            return hint("alibi_page", name)
    return hint("alibi_page", "other", got=f"{value:g}")


def _turns(pairs: float, base: float) -> Numbers:
    slowest = base ** ((pairs - 1) / pairs)
    return {
        "right": 2 * math.pi * slowest,
        "radian": slowest,
        "beyond": 2 * math.pi * base,
        "features": 2 * math.pi * base ** ((2 * pairs - 1) / (2 * pairs)),
        "fastest": 2 * math.pi,
        "half_turn": math.pi * slowest,
    }


TURN = Quantity(
    "slowest_turn",
    _turns,
    (
        {"pairs": 64, "base": 1_000_000},
        {"pairs": 32, "base": 10_000},
        {"pairs": 64, "base": 10_000},
        {"pairs": 64, "base": 500_000},
        {"pairs": 40, "base": 10_000},
        {"pairs": 32, "base": 500_000},
    ),
    shown=lambda pairs, base: {"last": pairs - 1, "size": 2 * pairs},
    within=1e-3,
)


def slowest_turn(answer: Any) -> Verdict:
    """Judge after how many words the slowest of 64 dials of base 1,000,000 has turned once.

    A function (pairs, base) is tried on other heads as well.

    >>> slowest_turn(lambda pairs, base: 2 * math.pi * base ** ((pairs - 1) / pairs)).right
    True
    """
    return TURN.judge(answer)


def _page(slope: float) -> float:
    scores = zip((2, 0, 0, -2), (4, 3, 2, 1), strict=True)
    powers = [math.exp(score - slope * distance) for score, distance in scores]
    pages = zip(powers, (10, 20, 30, 40), strict=True)
    return sum(power * page for power, page in pages) / sum(powers)
