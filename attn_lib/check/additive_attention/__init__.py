"""The exercises of the chapter on additive attention."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import scoring
from attn_lib.check.additive_attention import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, said
from attn_lib.masking import masked_softmax, visible_keys

LENS = torch.tensor([2, 6])  # the valid lengths of the published example


def query_cancels(answer: Callable[[Tensor, Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a scorer (queries, keys) -> (B, Q, K) whose scores, not weights, follow the query."""
    return said("query_cancels", judge.query_cancels(answer, seed))


def additive_scores(answer: Callable[..., Any], seed: int = 0) -> Verdict:
    """Judge a function (queries, keys, W_q, W_k, w_v) -> additive scores (B, Q, K)."""
    return said("additive_scores", judge.additive_scores(answer, seed))


def modified_keys(answer: Any) -> Verdict:
    """Judge keys (2, 10, 2) for the published example: do two scorers give different weights?"""
    keys = numbers(answer)
    if keys is None:
        return hint("modified_keys", "numbers", got=came(answer))
    if not keys.isfinite().all():
        return hint("modified_keys", "numbers", got=f"{keys[~keys.isfinite()][0].item():g}")
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
    additive = masked_softmax(scoring.additive_scores(queries, keys, W_q, W_k, w_v), LENS)
    dot_product = masked_softmax(scoring.dot_product_scores(queries, keys), LENS)
    return (additive - dot_product).abs().amax((1, 2))
