"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

import math
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import RIGHT, Draws, close, column, numbers, raised, shape, wrong_row


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


def additive_scores(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (queries, keys, W_q, W_k, w_v) -> additive scores (B, Q, K)."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    # Queries and keys differ in size.
    queries, keys = draws.normal(2, 3, 5), draws.normal(2, 4, 2)
    W_q, W_k, w_v = draws.normal(6, 5), draws.normal(6, 2), draws.normal(6)
    scores = _scores(answer, queries, keys, W_q, W_k, w_v)
    if isinstance(scores, tuple):
        return scores
    q, k = (queries @ W_q.T).unsqueeze(2), (keys @ W_k.T).unsqueeze(1)  # (2, 3, 1, 6), (2, 1, 4, 6)
    linear, expected = (q + k) @ w_v, (q + k).tanh() @ w_v
    ways = (
        ("right", expected),
        ("linear", linear),
        ("before", (q.tanh() + k.tanh()) @ w_v),
        ("outside", linear.tanh()),
        ("weights", expected.softmax(2)),
        ("unweighed", (q + k).tanh().sum(3)),
        ("scaled", expected / math.sqrt(len(w_v))),
    )
    name = next((name for name, made in ways if close(scores, made.double(), 1e-4)), "other")
    if name == "right":
        return RIGHT
    b, i = wrong_row(scores, expected.double())
    rows = (("got", scores[b, i]), ("wanted", expected[b, i]))
    columns = [(label, column(row)) for label, row in rows]
    return name, {}, {"caption": ("example", ""), "columns": columns}


def _scores(answer: Any, *given: Tensor) -> Any:
    """Return the reader's scores (B, Q, K), or a finding if they are none."""
    queries, keys = given[:2]
    wanted = (len(queries), queries.shape[1], keys.shape[1])
    shapes = {"queries": tuple(queries.shape), "keys": tuple(keys.shape)}
    try:
        answered = answer(*(one.clone() for one in given))
    except Exception as error:  # whatever the reader's function raises
        return "raises", dict(shapes, error=raised(error)), None
    scores = numbers(answered)
    if scores is None or scores.shape != wanted:
        return "shape", dict(shapes, wanted=wanted, got=shape(answered)), None
    return scores


def _spread(given: Tensor, dim: int) -> float:
    """The largest difference between two numbers along one axis."""
    return (given.amax(dim) + (-given).amax(dim)).max().item()
