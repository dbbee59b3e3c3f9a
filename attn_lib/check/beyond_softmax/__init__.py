"""The exercises of the chapter on other weights than softmax's."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, weights
from attn_lib.check.beyond_softmax import judge
from attn_lib.check.quantity import Found, Numbers, Quantity
from attn_lib.check.verdict import Verdict, came, numbers, said
from attn_lib.examples.six_points import POINTS
from attn_lib.scoring import gaussian_scores

KEYS = torch.tensor([[[x] for x, _ in POINTS]], dtype=torch.float64)


def _scores(query: float) -> Tensor:
    return gaussian_scores(torch.tensor([[[query]]], dtype=torch.float64), KEYS)


def _lifted(query: float) -> Numbers:
    rules = {"right": weights.sparsemax, "softmax": masking.masked_softmax}
    return {name: rule(_scores(query)).flatten().tolist() for name, rule in rules.items()}


def _above(query: float) -> Numbers:
    """Return by how much scores are lifted, and where the two keys that come up stand then."""
    row, scores = weights.sparsemax(_scores(query)).flatten(), _scores(query).flatten()
    top, next_one = row.topk(2).values.tolist()
    lift = (row - scores)[row.argmax()].item()
    named = {"lift": lift, "top": top, "next": next_one}
    return {name: f"{Fraction(value).limit_denominator(99)}" for name, value in named.items()}


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


LIFT = Quantity(
    "lifted",
    _lifted,
    tuple({"query": query} for query in (1.5, 1.25, 2.75, 0.75, 2.25, 1.75)),
    shown=_above,
    within=0.015,
    unknown=_not_lifted,
)


def lifted(answer: Any, **asked: Any) -> Verdict:
    """Judge the sparsemax weights of the six points at `query`, by default 1.5."""
    return LIFT.judge(answer, **asked)


def _rivals(score: float) -> Numbers:
    enough = math.floor(math.exp(score)) + 1
    return {
        "right": enough,
        "whole": math.exp(score),
        "before": enough - 1,
        "itself": enough + 1,
        "log": math.floor(score) + 1,
        "score": score,
    }


RIVALS = Quantity(
    "rivals",
    _rivals,
    tuple({"score": score} for score in (2, 1.5, 2.5, 1.7, 3, 2.7)),
    shown=lambda score: {
        name: f"{1 / (1 + _rivals(score)[count] / math.exp(score)):.2f}"
        for name, count in (("kept", "before"), ("left", "right"))
    },
)


def rivals(answer: Any, **asked: Any) -> Verdict:
    """Judge with how many rivals at 0 a key that scores `score`, by default 2, falls below 1/2."""
    return RIVALS.judge(answer, **asked)


def sparsemax(answer: Callable[[Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function scores (B, Q, K) -> sparsemax weights."""
    return said("sparsemax", judge.sparsemax(answer, seed))
