"""The exercises of the chapter on additive attention."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, hint, numbers, right
from attn_lib.masking import masked_softmax, visible_keys
from attn_lib.scoring import additive_scores, dot_product_scores

LENS = torch.tensor([2, 6])  # the valid lengths of the published example


def query_cancels(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Judge a scorer (queries, keys) -> (B, Q, K) whose scores, not weights, follow the query."""
    if not callable(answer):
        return hint("query_cancels", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(2, 5, 3, generator=generator)
    keys = torch.randn(2, 7, 3, generator=generator)
    shapes = {"queries": (2, 5, 3), "keys": (2, 7, 3), "wanted": (2, 5, 7)}
    try:
        scores = numbers(answer(queries.clone(), keys.clone()))
    except Exception as error:  # whatever the reader's function raises
        text = f"{type(error).__name__}: {error}"
        return hint("query_cancels", "raises", **shapes, error=text)
    if scores is None or scores.shape != shapes["wanted"]:
        got = None if scores is None else tuple(scores.shape)
        return hint("query_cancels", "shape", **shapes, got=got)
    if not scores.isfinite().all():
        return hint("query_cancels", "not_finite")
    if _spread(scores, 1) < 1e-4:
        return hint("query_cancels", "constant")
    if _spread(scores, 2) < 1e-4:
        return hint("query_cancels", "uniform")
    # In float32 a common summand leaves a trace of rounding in the weights.
    change = _spread(scores.softmax(2), 1)
    if change > 1e-4:
        return hint("query_cancels", "weights", change=f"{change:.2f}")
    return right("query_cancels")


def _spread(numbers: Tensor, dim: int) -> float:
    """The largest difference between two numbers along one axis."""
    return (numbers.amax(dim) - numbers.amin(dim)).max().item()


def modified_keys(answer: Any) -> Verdict:
    """Judge keys (2, 10, 2) for the published example: do two scorers give different weights?"""
    keys = numbers(answer)
    if keys is None or not keys.isfinite().all():
        return hint("modified_keys", "numbers")
    if keys.shape != (2, 10, 2):
        return hint("modified_keys", "shape", got=tuple(keys.shape))
    visible = visible_keys(LENS, 10)  # (2, 10)
    counted = [row[seen] for row, seen in zip(keys, visible, strict=True)]
    same = [bool((rows == rows[0]).all()) for rows in counted]
    hidden = keys[~visible]
    if all(same) and torch.equal(counted[0][0], counted[1][0]) and not (hidden == hidden[0]).all():
        return hint("modified_keys", "masked")
    if any(same):
        return hint("modified_keys", "identical", example=same.index(True) + 1)

    differences = _differences(keys)
    if differences.min() < 0.005:
        return hint("modified_keys", "close", example=int(differences.argmin()) + 1)
    return right("modified_keys")


def _differences(keys: Tensor) -> Tensor:
    """For each example, how far a weight of the two scorers is apart, over a few queries."""
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(2, 20, 2, generator=generator).double()
    W_q, W_k = torch.randn(2, 8, 2, generator=generator).double()
    w_v = torch.randn(8, generator=generator).double()
    additive = masked_softmax(additive_scores(queries, keys, W_q, W_k, w_v), LENS)
    dot_product = masked_softmax(dot_product_scores(queries, keys), LENS)
    return (additive - dot_product).abs().amax((1, 2))
