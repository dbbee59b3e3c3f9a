"""The exercises of the chapter on sinks."""

import math
from collections.abc import Callable
from typing import Any

import torch

from attn_lib import masking
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, shape


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


def with_sink(answer: Callable[..., Any]) -> Verdict:
    """Judge a function (scores, valid_lens, sink) -> weights of the keys."""
    if not callable(answer):
        return hint("with_sink", "function", got=type(answer).__name__)
    g = torch.Generator().manual_seed(0)
    scores = 2 * torch.randn(3, 2, 4, generator=g)
    lens, sink = torch.tensor([4, 2, 0]), 1.5
    try:
        given = numbers(answered := answer(scores.clone(), lens.clone(), sink))
    except Exception as error:  # whatever the reader's function raises
        return hint("with_sink", "raises", error=f"{type(error).__name__}: {error}")
    if given is None or given.shape != scores.shape:
        return hint("with_sink", "shape", got=shape(answered))
    if given.isnan().any():
        return hint("with_sink", "nan")

    def same(expected: torch.Tensor) -> bool:
        return torch.allclose(given, expected.double(), atol=1e-4)

    if same(masking.masked_softmax(scores, lens, sink=sink)):
        return right("with_sink")
    if same(masking.masked_softmax(scores, lens)):
        return hint("with_sink", "no_sink")
    if same(masking.masked_softmax(scores, sink=sink)):
        return hint("with_sink", "no_mask")
    if same(masking.masked_softmax(scores, lens, sink=0.0)):
        return hint("with_sink", "plus_one")
    if same(masking.masked_softmax(scores, lens, sink=math.log(sink))):
        return hint("with_sink", "bare")
    return hint("with_sink", "other")
