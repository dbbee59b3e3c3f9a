"""The exercises of the chapter on batched products."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from attn_lib.check.batched_products import judge
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, numbers, said


def batched_dot(answer: Callable[[Tensor, Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function (X, Y) -> Z with Z[i] = X[i] @ Y[i] for every example i of the batch."""
    return said("batched_dot", judge.batched_dot(answer, seed))


def _misread(answered: Any, examples: int, queries: int) -> Found:
    given = numbers(answered)
    if given is None or given.numel() != 3:
        return "number", {"got": came(answered)}
    batches, _, asking = given.reshape(-1).tolist()
    return "batches" if batches == examples else "queries" if asking == examples else "read", {}


@quantity(
    numbers=((2, 1), (3, 2), (5, 1), (2, 3), (4, 2), (3, 5)),
    within=0,
    unknown=_misread,
)
def one_batch(examples: int, queries: int) -> Numbers:
    """Judge the numbers of batches, examples and queries in queries (`examples`, `queries`, 20)."""
    return {"right": [1, examples, queries]}
