"""NaN and inf among the inputs: they stay with the queries that hold them or may see them.

A weight of 0 is not enough, nor is a gradient of 0: 0 times NaN is NaN, and a gradient is a sum
over queries. So these queries get a call of their own, and where a loss leaves all of them out,
nothing goes back through that call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.masking import Visible, sees_any
from attn_lib.validation import has_values

Compute = Callable[[Tensor, Tensor, Tensor], tuple[Tensor | None, ...]]


def each_its_own(
    compute: Compute, queries: Tensor, keys: Tensor, values: Tensor, visible: Visible | None
) -> tuple[Tensor | None, ...]:
    """Compute (..., Q, any), or several of these, so that NaN and inf reach no other query.

    Where all queries see all keys, or no numbers can be read, this is one call.
    """
    if visible is None or not all(map(has_values, (queries, keys, values))):
        return compute(queries, keys, values)
    suspects: tuple[Tensor, ...] = (queries, keys, values)
    if not torch.is_grad_enabled():
        # Gradients sum over queries; an output is of one query and of the keys that it may see.
        suspects = () if visible.pairs.shape[-2] == 1 else (keys, values)
    if all(map(surely_finite, {id(X): X for X in suspects}.values())):
        return compute(queries, keys, values)
    unfit = ~(keys.isfinite().all(-1) & values.isfinite().all(-1))  # (..., K)
    spoilt = sees_any(visible.pairs & unfit.unsqueeze(-2))  # (..., Q, 1)
    spoilt = spoilt | ~queries.isfinite().all(-1, keepdim=True)
    kept = ~unfit.unsqueeze(-1)  # (..., K, 1)
    others = compute(queries.where(~spoilt, 0), keys.where(kept, 0), values.where(kept, 0))
    found = compute(queries.where(spoilt, 0), keys, values)
    return tuple(map(_joined, found, others, [spoilt] * len(found)))


def surely_finite(X: Tensor) -> bool:
    """Tell that a tensor holds neither NaN nor inf, since its sum is neither."""
    return math.isfinite(X.detach().sum().item())


def _joined(found: Tensor | None, others: Tensor | None, spoilt: Tensor) -> Tensor | None:
    if found is None or others is None:
        return None
    if found.ndim > spoilt.ndim:
        spoilt = spoilt.unsqueeze(1)  # the same for all heads
    asked: Tensor = _Asked.apply(found)
    return torch.where(spoilt, asked, others)


class _Asked(torch.autograd.Function):
    """The identity; a gradient of nothing but zeros is none at all, which no NaN can meet."""

    @staticmethod
    def forward(ctx: Any, X: Tensor) -> Tensor:
        return X.view_as(X)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor | None:
        return grad if grad.any() else None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor) -> Tensor:
        return tangent.view_as(tangent)
