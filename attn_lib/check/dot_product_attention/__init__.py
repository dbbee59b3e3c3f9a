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

    Scores that differ from the Gaussian ones by a number for each query are as right.
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
        "length": dot - squares.sqrt() / 2,
        "shrunk": (dot - squares / 2) / math.sqrt(5),
    }
    if _same_weights(scores, gaussian_scores(queries, keys).double()):
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


def score_variance(answer: Callable[[int, float, float], Any]) -> Verdict:
    """Judge a function (d, s, t) -> what to divide q . k by, so that its variance is 1.

    The entries of q have standard deviation s, those of k have t; all are independent, mean 0.
    """
    if not callable(answer):
        return hint("score_variance", "function", got=type(answer).__name__)
    cases = [(64, 1.0, 1.0), (16, 2.0, 1.0), (9, 0.5, 3.0), (50, 1.5, 0.1)]
    given = []
    for case in cases:
        try:
            number = numbers(answered := answer(*case))
        except Exception as error:  # whatever the reader's function raises
            return hint("score_variance", "raises", error=f"{type(error).__name__}: {error}")
        if number is None or number.numel() != 1:
            return hint("score_variance", "number", got=came(answered))
        given.append(number.item())

    def is_given(rule: Callable[[int, float, float], float]) -> bool:
        pairs = zip(given, cases, strict=True)
        return all(math.isclose(number, rule(*case), rel_tol=1e-3) for number, case in pairs)

    if is_given(lambda d, s, t: math.sqrt(d) * s * t):
        return right("score_variance")
    mistakes: dict[str, Callable[[int, float, float], float]] = {
        "variance": lambda d, s, t: d * s**2 * t**2,
        "root_only": lambda d, s, t: math.sqrt(d),
        "d_only": lambda d, s, t: d,
        "d_times": lambda d, s, t: d * s * t,
        "squares": lambda d, s, t: math.sqrt(d) * s**2 * t**2,
        "inverse": lambda d, s, t: 1 / (math.sqrt(d) * s * t),
    }
    for name, rule in mistakes.items():
        if is_given(rule):
            return hint("score_variance", name)
    d, s, t = cases[-1]
    return hint("score_variance", "other", d=d, s=s, t=t, got=f"{given[-1]:g}")


def which_d(answer: Any) -> Verdict:
    """Judge what the scores of one head are divided by: width 768, 12 heads."""
    number = numbers(answer)
    if number is None or number.numel() != 1:
        return hint("which_d", "number", got=came(answer))
    known = {
        "whole": math.sqrt(768),
        "no_root": 64.0,
        "half": 32.0,
        "heads": 12.0,
        "heads_root": math.sqrt(12),
        "width": 768.0,
    }
    value = number.item()
    if math.isclose(value, 8, rel_tol=1e-3):
        return right("which_d")
    for name, wrong in known.items():
        if math.isclose(value, wrong, rel_tol=1e-2):
            return hint("which_d", name)
    return hint("which_d", "other", got=f"{value:g}")


def _same_weights(scores: Tensor, others: Tensor) -> bool:
    return torch.allclose(masked_softmax(scores), masked_softmax(others), atol=1e-5)
