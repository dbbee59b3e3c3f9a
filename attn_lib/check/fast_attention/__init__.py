"""The exercises of the chapter on fast attention."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.fast_attention import judge
from attn_lib.check.judging import RIGHT, raised
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, said
from attn_lib.memory import LargestTensor
from attn_lib.scoring import direct_scores

# Queries, keys, hidden units, and the largest number of queries whose block is no larger than the
# scores. In the last case even one query is too many, and one it must be.
BLOCKS = (
    (4096, 4096, 64, 64),
    (4096, 77, 64, 64),
    (512, 512, 64, 8),
    (1000, 300, 8, 125),
    (100, 50, 8, 12),
    (95, 50, 8, 11),
    (16, 16, 64, 1),
)


def block_size(answer: Callable[[int, int, int], int]) -> Verdict:
    """Judge a function (Q, K, U) -> the largest block of queries that is no larger than the scores.

    A number is taken as the answer for 4096 queries, 4096 keys and 64 hidden units.
    """
    cases = BLOCKS if callable(answer) else BLOCKS[:1]
    for Q, K, U, best in cases:
        slots: dict[str, object] = {"Q": Q, "K": K, "U": U}
        try:
            answered = answer(Q, K, U) if callable(answer) else answer
        except Exception as error:  # whatever the reader's function raises
            return hint("block_size", "raises", **slots, error=raised(error))
        chosen = one_number(answered)
        if chosen is None or not math.isfinite(chosen):
            return hint("block_size", "number", **slots, got=came(answered))
        if chosen == best:
            continue
        slots |= {"T": f"{chosen:g}"}
        if chosen < 1:
            return hint("block_size", "none", **slots)
        if not chosen.is_integer():
            return hint("block_size", "whole", **slots)
        block, scores = f"{4 * chosen * K * U:,.0f}", f"{4 * Q * K:,}"
        name = "large" if chosen > best else "small"
        return hint("block_size", name, **slots, block=block, scores=scores, best=best)
    return right("block_size")


def count_bytes(answer: Callable[[int, int, int, int], Any]) -> Verdict:
    """Judge (Q, K, U, T) -> bytes of the largest tensor: direct, in blocks, by dot products.

    The right numbers are not computed from a formula: attention is run and its tensors counted.
    """
    if not callable(answer):
        return hint("count_bytes", "function", got=type(answer).__name__)
    for Q, K, U, T in ((7, 11, 5, 3), (7, 11, 5, 100), (13, 3, 2, 1), (64, 5, 3, 8)):
        slots = {"Q": Q, "K": K, "U": U, "T": T}
        try:
            given = numbers(answered := answer(Q, K, U, T))
        except Exception as error:  # whatever the reader's function raises
            return hint("count_bytes", "raises", **slots, error=raised(error))
        if given is None or given.numel() != 3:
            return hint("count_bytes", "three", **slots, got=came(answered))
        given = given.flatten()
        measured = measure(Q, K, U, T)
        if given.tolist() == list(measured):
            continue
        if (4 * given).tolist() == list(measured):
            return hint("count_bytes", "numbers", **slots)
        direct, blocked, dot = given.tolist()
        slots |= {"direct": measured[0], "blocked": measured[1], "dot": measured[2]}
        if direct != measured[0]:
            return hint("count_bytes", "direct", **slots)
        if dot != measured[2]:
            return hint("count_bytes", "product", **slots)
        if T > Q:
            return hint("count_bytes", "last", **slots)
        name = "scores" if blocked == 4 * T * K * U else "blocked"
        return hint("count_bytes", name, **slots)
    return right("count_bytes")


def online_softmax(
    answer: Callable[[Iterator[tuple[Tensor, Tensor]]], Any], seed: int = 0
) -> Verdict:
    """Judge (blocks) -> output, where blocks yields the scores (K,) and values (K,) of some keys.

    The blocks come once, one after another, and nothing as large as all of them may be made.
    """
    found = judge.online_softmax(answer, seed)
    if found == RIGHT:
        *_, blocks = judge.cases(seed)
        with LargestTensor() as largest:
            answer((a.clone(), v.clone()) for a, v in blocks)
        if largest.bytes > blocks[0][0].nbytes:
            found = "joined", {"bytes": largest.bytes}, None
    return said("online_softmax", found)


def measure(Q: int, K: int, U: int, T: int) -> tuple[int, int, int]:
    """Count the bytes of the largest tensor: scored directly, in blocks of T, by dot products."""
    queries, keys, v = torch.zeros(1, Q, U), torch.zeros(1, K, U), torch.zeros(U)
    with LargestTensor() as direct:
        direct_scores(queries, keys, v)
    with LargestTensor() as blocked:
        scores = torch.empty(1, Q, K)
        for start in range(0, Q, T):
            block = slice(start, start + T)
            scores[:, block] = direct_scores(queries[:, block], keys, v)
    with LargestTensor() as dot:
        torch.bmm(queries, keys.transpose(1, 2))
    return direct.bytes, blocked.bytes, dot.bytes
