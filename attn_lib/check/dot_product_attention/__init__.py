"""The exercises of the chapter on dot-product attention."""

import math
from collections.abc import Callable
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, came, hint, numbers, right, shape
from attn_lib.masking import masked_softmax
from attn_lib.scoring import dot_product_scores, gaussian_scores

# The scorers whose weights stay when one vector is added to all keys, and those whose weights move.
UNMOVED = {"dot", "scaled"}
MOVED = {"gaussian", "cosine", "additive"}


def gaussian_from_dot(answer: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Judge a function (queries, keys) -> scores whose softmax is that of Gaussian scores.

    The term of the query alone is to be left out, so the Gaussian scores themselves are not right.
    """
    if not callable(answer):
        return hint("gaussian_from_dot", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(2, 3, 5, generator=generator)
    keys = torch.randn(2, 7, 5, generator=generator)
    try:
        answered = answer(queries.clone(), keys.clone())
    except Exception as error:  # whatever the reader's function raises
        return hint("gaussian_from_dot", "raises", error=f"{type(error).__name__}: {error}")
    scores = numbers(answered)
    if scores is None or scores.shape != (2, 3, 7):
        return hint("gaussian_from_dot", "shape", wanted=(2, 3, 7), got=shape(answered))

    dot = dot_product_scores(queries, keys, scaled=False).double()
    squares = keys.double().square().sum(2).unsqueeze(1)
    mistakes = {
        "plain": dot,
        "scaled": dot / math.sqrt(5),
        "plus": dot + squares / 2,
        "whole": dot - squares,
        "norm": dot - squares.sqrt() / 2,
        "shrunk": (dot - squares / 2) / math.sqrt(5),
    }
    gaussian = gaussian_scores(queries, keys).double()
    if torch.allclose(scores, gaussian, atol=1e-4):
        return hint("gaussian_from_dot", "distance")
    if _same_weights(scores, gaussian):
        return right("gaussian_from_dot")
    for name, mistake in mistakes.items():
        if _same_weights(scores, mistake):
            return hint("gaussian_from_dot", name)
    return hint("gaussian_from_dot", "other")


def shifted_keys(answer: Any) -> Verdict:
    """Judge which weights stay when one vector is added to all keys: the scorers' names."""
    names = answer.replace(",", " ").split() if isinstance(answer, str) else answer
    try:
        chosen = {str(name).strip().lower() for name in islice(names, 100)}  # it may be endless
    except Exception:  # whatever iterating over it raises
        return hint("shifted_keys", "names", got=came(answer))
    if not chosen <= UNMOVED | MOVED:
        return hint("shifted_keys", "names", got=came(answer))
    for name in sorted(chosen & MOVED):
        return hint("shifted_keys", name)
    if not chosen:
        return hint("shifted_keys", "none")
    if chosen != UNMOVED:
        return hint("shifted_keys", "both")
    return right("shifted_keys")


def _same_weights(scores: Tensor, others: Tensor) -> bool:
    return torch.allclose(masked_softmax(scores), masked_softmax(others), atol=1e-5)
