"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

import math
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import RIGHT, Draws, close, numbers, raised, shape


def gaussian_from_dot(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (queries, keys) -> scores whose softmax is that of Gaussian scores.

    The term of the query alone is to be left out, so the Gaussian scores themselves are not right.
    """
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    queries, keys = draws.normal(2, 3, 5), draws.normal(2, 7, 5)
    try:
        answered = answer(queries.clone(), keys.clone())
    except Exception as error:  # whatever the reader's function raises
        return "raises", {"error": raised(error)}, None
    scores = numbers(answered)
    if scores is None or scores.shape != (2, 3, 7):
        return "shape", {"wanted": (2, 3, 7), "got": shape(answered)}, None

    queries, keys = queries.double(), keys.double()
    dot = torch.stack([q @ k.T for q, k in zip(queries, keys)])  # noqa: B905 - MicroPython
    squares = (keys * keys).sum(2).unsqueeze(1)
    gaussian = dot - squares / 2
    if close(scores, gaussian - (queries * queries).sum(2).unsqueeze(2) / 2, 1e-4):
        return "distance", {}, None
    if _same_weights(scores, gaussian):
        return RIGHT
    mistakes = (
        ("plain", dot),
        ("scaled", dot / math.sqrt(5)),
        ("plus", dot + squares / 2),
        ("whole", dot - squares),
        ("norm", dot - squares.sqrt() / 2),
        ("shrunk", gaussian / math.sqrt(5)),
    )
    for name, mistake in mistakes:
        if _same_weights(scores, mistake):
            return name, {}, None
    return "other", {}, None


def _same_weights(scores: Tensor, others: Tensor) -> bool:
    return close(scores.softmax(-1), others.softmax(-1))
