"""The exercises of the chapter on batched products."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from attn_lib.check.batched_products import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, said


def batched_dot(answer: Callable[[Tensor, Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function (X, Y) -> Z with Z[i] = X[i] @ Y[i] for every example i of the batch."""
    return said("batched_dot", judge.batched_dot(answer, seed))


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
