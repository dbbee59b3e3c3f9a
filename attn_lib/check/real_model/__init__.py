"""The exercises of the chapter on a real model."""

import math
from typing import Any

from attn_lib.check.verdict import Verdict, came, hint, one_number, right


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


def lead(answer: Any) -> Verdict:
    """Judge the score that gives one of 15 keys the weight 0.99, where the others score 0."""
    value = one_number(answer)
    if value is None:
        return hint("lead", "number", got=came(answer))
    known = {
        "right": math.log(14 * 99),
        "one_other": math.log(99),
        "itself_too": math.log(15 * 99),
        "no_log": 14.0 * 99,
    }
    for name, wrong in known.items():
        if math.isclose(value, wrong, abs_tol=0.006):
            return right("lead") if name == "right" else hint("lead", name)
    return hint("lead", "other", got=f"{value:g}")
