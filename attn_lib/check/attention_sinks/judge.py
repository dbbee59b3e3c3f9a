"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

import math
from typing import Any

import torch

from attn_lib.check.judging import RIGHT, Draws, close, masked_weights, numbers, raised, shape


def with_sink(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (scores, valid_lens, sink) -> weights of the keys."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    scores = 2 * draws.normal(3, 2, 4)
    lens, sink = torch.tensor([4, 2, 0]), 1 + draws.uniform()
    try:
        answered = answer(scores.clone(), lens.clone(), sink)
    except Exception as error:  # whatever the reader's function raises
        return "raises", {"error": raised(error)}, None
    given = numbers(answered)
    if given is None or given.shape != scores.shape:
        return "shape", {"got": shape(answered)}, None
    if torch.isnan(given).any():
        return "nan", {}, None
    if close(given, masked_weights(scores, lens, sink), 1e-4):
        return RIGHT
    mistakes = (
        ("no_sink", masked_weights(scores, lens)),
        ("no_mask", masked_weights(scores, torch.tensor([4, 4, 4]), sink)),
        ("plus_one", masked_weights(scores, lens, 0.0)),
        ("bare", masked_weights(scores, lens, math.log(sink))),
    )
    for name, wrong in mistakes:
        if close(given, wrong, 1e-4):
            return name, {}, None
    return "other", {}, None
