"""The exercises of the chapter on shared keys."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import close, numbers, raised, shape
from attn_lib.check.verdict import Verdict, hint, right
from attn_lib.memory import LargestTensor

BATCH, HEADS, GROUPS = 2, 6, 2
QUERIES, KEYS, SIZE, VALUE_SIZE = 2, 200, 8, 6


def grouped_heads(answer: Callable[[Tensor, Tensor, Tensor], Any]) -> Verdict:
    """Judge grouped-query attention: (B, H, Q, D), (B, G, K, D), (B, G, K, V) -> (B, H, Q, V).

    It has to come without a copy of the keys or the values for each head.
    """
    if not callable(answer):
        return hint("grouped_heads", "function", got=type(answer).__name__)
    draw = torch.Generator().manual_seed(0)
    queries = torch.randn(BATCH, HEADS, QUERIES, SIZE, generator=draw)
    keys = 2 * torch.randn(BATCH, GROUPS, KEYS, SIZE, generator=draw)
    values = torch.randn(BATCH, GROUPS, KEYS, VALUE_SIZE, generator=draw)
    try:
        with LargestTensor() as largest:
            answered = answer(queries.clone(), keys.clone(), values.clone())
    except Exception as error:  # whatever the reader's function raises
        return hint("grouped_heads", "raises", error=raised(error))
    given, wanted = numbers(answered), (BATCH, HEADS, QUERIES, VALUE_SIZE)
    if given is None or tuple(given.shape) != wanted:
        return hint("grouped_heads", "shape", wanted=wanted, got=shape(answered))
    neighbours = torch.arange(HEADS) // (HEADS // GROUPS)
    mistakes = {
        "repeat": _attention(queries, keys, values, torch.arange(HEADS) % GROUPS),
        "first": _attention(queries, keys, values, torch.zeros(HEADS, dtype=torch.long)),
        "scale": _attention(queries * SIZE**0.5, keys, values, neighbours),
    }
    if not close(given, _attention(queries, keys, values, neighbours), 1e-4):
        for name, wrong in mistakes.items():
            if close(given, wrong, 1e-4):
                return hint("grouped_heads", name)
        return hint("grouped_heads", "other")
    copied = values.element_size() * BATCH * HEADS * KEYS * VALUE_SIZE
    if largest.bytes >= copied:
        return hint("grouped_heads", "copied")
    return right("grouped_heads")


def _attention(queries: Tensor, keys: Tensor, values: Tensor, key_of: Tensor) -> Tensor:
    """Let head h look at head key_of[h] of the keys."""
    scores = queries @ keys[:, key_of].transpose(2, 3) / SIZE**0.5
    return (scores.softmax(-1) @ values[:, key_of]).double()
