"""The exercises of the chapter on sinks."""

import math
from collections.abc import Callable
from typing import Any

from attn_lib.check.attention_sinks import judge
from attn_lib.check.verdict import Verdict, came, hint, one_number, right, said


def sink_half(answer: Any) -> Verdict:
    """Judge the score of a sink that leaves four keys of score 0 half of the weight."""
    value = one_number(answer)
    if value is None:
        return hint("sink_half", "number", got=came(answer))
    if math.isclose(value, math.log(4), abs_tol=0.005):
        return right("sink_half")
    known = {"plus_one": 0.0, "exponential": 4.0, "half": 0.5, "sign": -math.log(4)}
    for name, wrong in known.items():
        if math.isclose(value, wrong, abs_tol=0.005):
            return hint("sink_half", name)
    return hint("sink_half", "other", got=f"{value:g}")


def with_sink(answer: Callable[..., Any], seed: int = 0) -> Verdict:
    """Judge a function (scores, valid_lens, sink) -> weights of the keys."""
    return said("with_sink", judge.with_sink(answer, seed))
