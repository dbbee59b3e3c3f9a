"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import RIGHT, Draws, numbers, raised, shape


def query_cancels(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a scorer (queries, keys) -> (B, Q, K) whose scores, not weights, follow the query."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    queries, keys = draws.normal(2, 5, 3), draws.normal(2, 7, 3)
    scores = _scores(answer, queries, keys)
    if isinstance(scores, tuple):
        return scores
    if not torch.isfinite(scores).all():
        return "not_finite", {}, None
    if _spread(scores, 1) < 1e-4:
        return "constant", {}, None
    if _spread(scores, 2) < 1e-4:
        return "uniform", {}, None
    # In float32 a common summand leaves a trace of rounding in the weights, a large one a larger.
    largest = scores.abs().max().item()
    change = _spread(scores.softmax(2), 1)
    if change > min(1e-4 + 1e-6 * largest, 0.01):
        return "weights", {"change": f"{change:.2g}"}, None
    # Example 2 alone, its rows turned round, must get the same scores.
    rows, columns = list(range(4, -1, -1)), list(range(6, -1, -1))
    alone = _scores(answer, queries[1:, rows], keys[1:, columns])
    if isinstance(alone, tuple):
        return alone
    turned = scores[1:][:, rows][:, :, columns]
    if not torch.allclose(alone, turned, atol=1e-4 + 1e-6 * largest):
        return "places", {}, None
    return RIGHT


def _scores(answer: Any, queries: Tensor, keys: Tensor) -> Any:
    """Return the reader's scores (B, Q, K), or a finding if they are none."""
    wanted = (len(queries), queries.shape[1], keys.shape[1])
    shapes = {"queries": tuple(queries.shape), "keys": tuple(keys.shape)}
    try:
        answered = answer(queries.clone(), keys.clone())
    except Exception as error:  # whatever the reader's function raises
        return "raises", dict(shapes, error=raised(error)), None
    scores = numbers(answered)
    if scores is None or scores.shape != wanted:
        return "shape", dict(shapes, wanted=wanted, got=shape(answered)), None
    return scores


def _spread(given: Tensor, dim: int) -> float:
    """The largest difference between two numbers along one axis."""
    return (given.amax(dim) + (-given).amax(dim)).max().item()
