"""The exercises of the chapter on fast attention."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right
from attn_lib.examples import four_words
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
            return hint("block_size", "raises", **slots, error=f"{type(error).__name__}: {error}")
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
            return hint("count_bytes", "raises", **slots, error=f"{type(error).__name__}: {error}")
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


Blocks = Sequence[tuple[Tensor, Tensor]]


def online_softmax(answer: Callable[[Iterator[tuple[Tensor, Tensor]]], Any]) -> Verdict:
    """Judge (blocks) -> output, where blocks yields the scores (K,) and values (K,) of some keys.

    The blocks come once, one after another, and nothing as large as all of them may be made.
    """
    if not callable(answer):
        return hint("online_softmax", "function", got=type(answer).__name__)
    for blocks in _online_cases():
        slots: dict[str, object] = {"scores": _shown(blocks)}
        try:
            with LargestTensor() as largest:
                got = one_number(answered := answer((a.clone(), v.clone()) for a, v in blocks))
        except Exception as error:  # whatever the reader's function raises
            return hint(
                "online_softmax", "raises", **slots, error=f"{type(error).__name__}: {error}"
            )
        if got is None:
            return hint("online_softmax", "number", **slots, got=came(answered))
        wanted = _at_once(blocks)
        slots |= {"got": f"{got:.4f}", "wanted": f"{wanted:.4f}"}
        if not abs(got - wanted) <= 1e-3:  # NaN is no match
            return hint("online_softmax", _online_fault(blocks, got), **slots)
        if len(blocks) > 10 and largest.bytes > 4 * blocks[0][0].numel():
            return hint("online_softmax", "joined", bytes=largest.bytes)
    return right("online_softmax")


def _online_cases() -> Iterator[Blocks]:
    keys, pages = four_words.keys(), four_words.pages()
    scores = keys @ keys[3]  # of bark: -2, 0, 0, 2
    yield [(scores, pages)]
    yield _in_pairs(scores.flip(0), pages.flip(0))  # the largest score comes first
    yield _in_pairs(scores, pages)
    yield _in_pairs(scores + 1000, pages)
    yield _in_pairs(scores - 1000, pages)
    generator = torch.Generator().manual_seed(0)
    yield [tuple(torch.randn(2, 8, generator=generator)) for _ in range(32)]


def _in_pairs(scores: Tensor, values: Tensor) -> Blocks:
    return list(zip(scores.split(2), values.split(2), strict=True))


def _at_once(blocks: Blocks) -> float:
    scores, values = (torch.cat(parts) for parts in zip(*blocks, strict=True))
    return (scores.softmax(0) @ values).item()


def _shown(blocks: Blocks) -> str:
    rows = [", ".join(f"{a:g}" for a in scores.tolist()[:2]) for scores, _ in blocks[:2]]
    return " | ".join(rows) + (" | …" if len(blocks) > 2 else "")


def _online_fault(blocks: Blocks, got: float) -> str:
    """Name the mistake that leads to this output."""
    if got != got or abs(got) == float("inf"):
        return "overflow" if blocks[0][0][0] > 0 else "underflow"
    for name, again in (("rescale", (0, 0)), ("only_s", (1, 0)), ("only_o", (0, 1))):
        if abs(got - _forgetful(blocks, *again)) < 1e-3:
            return name
    if abs(got - _forgetful(blocks, 1, 1) * _kept_sum(blocks)) < 1e-2:
        return "undivided"
    means = [(scores.softmax(0) @ values).item() for scores, values in blocks]
    if abs(got - sum(means) / len(means)) < 1e-3:
        return "average"
    return "last" if abs(got - means[-1]) < 1e-3 else "other"


def _forgetful(blocks: Blocks, again_s: int, again_o: int) -> float:
    """Go through the blocks with the old s and the old o rescaled only where told."""
    m, s, o = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for scores, values in blocks:
        top = torch.maximum(m, scores.max())
        factor, e = (m - top).exp(), (scores - top).exp()
        s = (factor if again_s else 1) * s + e.sum()
        o = (factor if again_o else 1) * o + e @ values
        m = top
    return (o / s).item()


def _kept_sum(blocks: Blocks) -> float:
    scores = torch.cat([scores for scores, _ in blocks])
    return (scores - scores.max()).exp().sum().item()


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
