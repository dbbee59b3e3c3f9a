"""The exercises of the chapter on sinks."""

import math
from collections.abc import Callable
from typing import Any

from attn_lib.check.attention_sinks import judge
from attn_lib.check.quantity import Numbers, quantity
from attn_lib.check.verdict import Verdict, said


@quantity(numbers=(4, 7, 5, 9, 6, 12), shown=lambda words: {"parts": words + 1})
def sink_half(words: int) -> Numbers:
    """Judge the score with which a sink leaves `words` keys of score 0 one half."""
    return {
        "right": math.log(words),
        "plus_one": 0.0,
        "exponential": words,
        "half": 0.5,
        "sign": -math.log(words),
    }


def with_sink(answer: Callable[..., Any], seed: int = 0) -> Verdict:
    """Judge a function (scores, valid_lens, sink) -> weights of the keys."""
    return said("with_sink", judge.with_sink(answer, seed))
