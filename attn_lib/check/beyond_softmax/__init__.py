"""The exercises of the chapter on other weights than softmax's."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, weights
from attn_lib.check.beyond_softmax import judge
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, numbers, said
from attn_lib.examples.six_points import POINTS
from attn_lib.scoring import gaussian_scores

KEYS = torch.tensor([[[x] for x, _ in POINTS]], dtype=torch.float64)


def _not_lifted(answered: Any, query: float) -> Found:
    row = numbers(answered)
    if row is None or row.numel() != len(POINTS):
        return "number", {"got": came(answered)}
    if (row < 0).any():
        return "negative", {}
    if abs(row.sum().item() - 1) > 0.01:
        return "sum", {"sum": f"{row.sum().item():.2f}"}
    kept = row[row > 0]
    return "equal" if len(kept) > 1 and (kept == kept[0]).all() else "other", {}


@quantity(numbers=(1.5, 1.25, 2.75, 0.75, 2.25, 1.75), within=0.015, unknown=_not_lifted)
def lifted(query: float) -> Numbers:
    """Judge the sparsemax weights of the six points at `query`."""
    scores = gaussian_scores(torch.tensor([[[query]]], dtype=torch.float64), KEYS)
    rules = {"right": weights.sparsemax, "softmax": masking.masked_softmax}
    return {name: rule(scores).flatten().tolist() for name, rule in rules.items()}


def _shares(score: float) -> Numbers:
    """Return what the best key keeps with the rivals before the last, and with all."""
    enough, best = math.floor(math.exp(score)) + 1, math.exp(score)
    return {"kept": f"{best / (best + enough - 1):.2f}", "left": f"{best / (best + enough):.2f}"}


@quantity(numbers=(2, 1.5, 2.5, 1.7, 3, 2.7), shown=_shares)
def rivals(score: float) -> Numbers:
    """Judge with how many rivals at 0 a key that scores `score` falls below 1/2."""
    enough = math.floor(math.exp(score)) + 1
    return {
        "right": enough,
        "whole": math.exp(score),
        "before": enough - 1,
        "itself": enough + 1,
        "log": math.floor(score) + 1,
        "score": score,
    }


def sparsemax(answer: Callable[[Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function scores (B, Q, K) -> sparsemax weights."""
    return said("sparsemax", judge.sparsemax(answer, seed))
