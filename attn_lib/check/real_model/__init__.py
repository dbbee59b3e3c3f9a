"""The exercises of the chapter on a real model."""

import math
from typing import Any

from attn_lib.check.quantity import Numbers, quantity
from attn_lib.check.verdict import Verdict, came, hint, right


def two_back(answer: Any) -> Verdict:
    """Judge which head looks at the piece two places before, such as ``"3.7"``."""
    text = str(answer).strip() if isinstance(answer, str | int | float) else ""
    parts = text.split(".")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        return hint("two_back", "form", got=came(answer))
    if text == "4.7":
        return right("two_back")
    mistakes = {"3.6": "from_zero", "7.4": "exchanged", "1.3": "one_back", "3.7": "ahead"}
    return hint("two_back", mistakes.get(text, "other"), got=text)


def _odds(weight: float) -> float:
    return weight / (1 - weight)


@quantity(
    numbers=((15, 0.99), (21, 0.95), (11, 0.9), (32, 0.99), (9, 0.95), (26, 0.9)),
    shown=lambda keys, weight: {"others": keys - 1, "odds": _odds(weight)},
    within=1e-3,
)
def lead(keys: int, weight: float) -> Numbers:
    """Judge the score that gives one of `keys` keys the weight `weight`, the others scoring 0."""
    return {
        "right": math.log((keys - 1) * _odds(weight)),
        "one_other": math.log(_odds(weight)),
        "itself_too": math.log(keys * _odds(weight)),
        "no_log": (keys - 1) * _odds(weight),
    }
