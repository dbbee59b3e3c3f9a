"""The exercises of the chapter on batched products."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, came, hint, numbers, right


def batched_dot(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Judge a function (X, Y) -> Z with Z[i] = X[i] @ Y[i] for every example i of the batch."""
    if not callable(answer):
        return hint("batched_dot", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    for B, N, M, K in ((2, 1, 3, 2), (3, 5, 2, 7), (1, 2, 4, 3), (5, 5, 5, 5)):
        X = torch.randn(B, N, M, generator=generator)
        Y = torch.randn(B, M, K, generator=generator)
        shapes = {"X": (B, N, M), "Y": (B, M, K), "wanted": (B, N, K)}
        X_given, Y_given = X.clone(), Y.clone()
        try:
            answered = answer(X_given, Y_given)
        except Exception as error:  # whatever the reader's function raises
            if _is_elementwise(answer):
                return hint("batched_dot", "elementwise", **shapes)
            text = f"{type(error).__name__}: {error}"
            return hint("batched_dot", "raises", **shapes, error=text)
        parts = answered if isinstance(answered, list | tuple) else ()
        several = any(isinstance(part, Tensor) for part in parts)
        Z = None if several else numbers(answered)
        if Z is None:
            given = type(answered).__name__ if several else came(answered)
            return hint("batched_dot", "numbers", got=given)
        expected = torch.bmm(X, Y).double()
        if Z.shape != expected.shape:
            got = tuple(Z.shape)
            # All pairs of examples, as tensordot gives; or one product for the whole batch.
            crossed = Z.numel() == B * expected.numel() != expected.numel()
            summed = got == (N, K) and torch.allclose(Z, expected.sum(0), atol=1e-4)
            squeezed = got == tuple(expected.squeeze().shape)
            name = "summed" if summed else "squeezed" if squeezed else "shape"
            return hint("batched_dot", "crossed" if crossed else name, **shapes, got=got)
        if not torch.allclose(Z, expected, atol=1e-5):
            first_only = torch.allclose(Z, (X @ Y[0]).double(), atol=1e-5)
            return hint("batched_dot", "first_only" if first_only else "values", **shapes)
        if not (torch.equal(X, X_given) and torch.equal(Y, Y_given)):
            return hint("batched_dot", "changed")
    return right("batched_dot")


def _is_elementwise(answer: Callable[[Tensor, Tensor], Any]) -> bool:
    """Say whether the function multiplies number by number, where the shapes allow it."""
    X, Y = torch.tensor([[[1.0, 2], [3, 4]]]), torch.tensor([[[5.0, 6], [7, 8]]])
    try:
        Z = numbers(answer(X, Y))
    except Exception:  # it stops here, too
        return False
    return Z is not None and Z.shape == X.shape and torch.equal(Z, (X * Y).double())


def one_batch(answer: Any, *more: Any) -> Verdict:
    """Judge what the published toy holds: how many batches, examples in it, queries in each."""
    answer = (answer, *more) if more else answer  # one_batch(1, 2, 1) says the same
    given = numbers(answer)
    if given is None or given.numel() != 3:
        return hint("one_batch", "three", got=came(answer))
    batches, examples, queries = given.reshape(-1).tolist()
    if (batches, examples, queries) == (1, 2, 1):
        return right("one_batch")
    if batches == 2:
        return hint("one_batch", "batches")
    if queries == 2:
        return hint("one_batch", "queries")
    return hint("one_batch", "read")
