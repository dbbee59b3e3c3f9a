"""The exercises of the chapter on scaling."""

import math
from collections.abc import Callable
from typing import Any

from attn_lib.check.judging import raised
from attn_lib.check.quantity import Numbers, quantity
from attn_lib.check.verdict import Verdict, came, hint, one_number, right


def score_variance(answer: Callable[[int, float, float], Any]) -> Verdict:
    """Judge a function (d, s, t) -> what to divide q . k by, so that its variance is 1.

    The entries of q have standard deviation s, those of k have t; all are independent, mean 0.
    """
    if not callable(answer):
        return hint("score_variance", "function", got=type(answer).__name__)
    cases = [(64, 1.0, 1.0), (16, 2.0, 1.0), (9, 0.5, 3.0), (50, 1.5, 0.1)]
    given = []
    for case in cases:
        try:
            number = one_number(answered := answer(*case))
        except Exception as error:  # whatever the reader's function raises
            return hint("score_variance", "raises", error=raised(error))
        if number is None:
            return hint("score_variance", "number", got=came(answered))
        given.append(number)

    def is_given(rule: Callable[[int, float, float], float]) -> bool:
        pairs = zip(given, cases, strict=True)
        return all(math.isclose(number, rule(*case), rel_tol=1e-3) for number, case in pairs)

    # A sign makes no difference to a variance.
    roots = [math.sqrt(d) * s * t for d, s, t in cases]
    pairs = zip(given, roots, strict=True)
    if all(math.isclose(abs(number), root, rel_tol=1e-3) for number, root in pairs):
        return right("score_variance")
    mistakes: dict[str, Callable[[int, float, float], float]] = {
        "variance": lambda d, s, t: d * s**2 * t**2,
        "root_only": lambda d, s, t: math.sqrt(d),
        "d_only": lambda d, s, t: d,
        "d_times": lambda d, s, t: d * s * t,
        "squares": lambda d, s, t: math.sqrt(d) * s**2 * t**2,
        "inverse": lambda d, s, t: 1 / (math.sqrt(d) * s * t),
    }
    for name, rule in mistakes.items():
        if is_given(rule):
            return hint("score_variance", name)
    d, s, t = cases[-1]
    return hint("score_variance", "other", d=d, s=s, t=t, got=f"{given[-1]:g}")


@quantity(numbers=((768, 12), (576, 4), (1200, 12), (900, 4), (784, 16), (1296, 16)))
def which_d(width: int, heads: int) -> Numbers:
    """Judge what the scores of one head are divided by, of `heads` heads in the width `width`."""
    size = width / heads
    return {
        "right": math.sqrt(size),
        "whole": math.sqrt(width),
        "no_root": size,
        "half": size / 2,
        "heads": heads,
        "heads_root": math.sqrt(heads),
        "width": width,
    }
