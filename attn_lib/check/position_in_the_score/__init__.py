"""The exercises of the chapter on places in the score."""

import math
import unicodedata

from attn_lib.check.quantity import Numbers, quantity


def _page(slope: float) -> float:
    scores = zip((2, 0, 0, -2), (4, 3, 2, 1), strict=True)
    powers = [math.exp(score - slope * distance) for score, distance in scores]
    pages = zip(powers, (10, 20, 30, 40), strict=True)
    return sum(power * page for power, page in pages) / sum(powers)


# Slopes below the chapter's, which is ½.
SLOPES = {unicodedata.numeric(fraction): fraction for fraction in "¼⅛⅖⅕⅜"}


@quantity(numbers=SLOPES, shown=lambda slope: {"slope": SLOPES[slope]}, within=1e-3)
def alibi_page(slope: float) -> Numbers:
    """Judge the page of cats at place 5, with the slope `slope`."""
    return {
        "right": _page(slope),
        "half": _page(0.5),
        "none": _page(0.0),
        "gain": _page(-slope),
    }


@quantity(
    numbers=((64, 10**6), (32, 10_000), (64, 10_000), (64, 500_000), (40, 10_000), (32, 500_000)),
    shown=lambda pairs, base: {"last": pairs - 1, "size": 2 * pairs},
    within=1e-3,
)
def slowest_turn(pairs: int, base: float) -> Numbers:
    """Judge after how many words the slowest of `pairs` dials of `base` has turned once."""
    slowest = base ** ((pairs - 1) / pairs)
    return {
        "right": 2 * math.pi * slowest,
        "radian": slowest,
        "beyond": 2 * math.pi * base,
        "features": 2 * math.pi * base ** ((2 * pairs - 1) / (2 * pairs)),
        "fastest": 2 * math.pi,
        "half_turn": math.pi * slowest,
    }
