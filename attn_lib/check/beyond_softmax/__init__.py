"""The exercises of the chapter on other weights than softmax's."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import kernels, masking, weights
from attn_lib.check.beyond_softmax import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, said
from attn_lib.examples.six_points import POINTS
from attn_lib.scoring import gaussian_scores

QUERY = torch.tensor([[[1.5]]], dtype=torch.float64)
KEYS = torch.tensor([[[x] for x, _ in POINTS]], dtype=torch.float64)


def lifted(answer: Any) -> Verdict:
    """Judge the sparsemax weights of the six points at the query 1.5."""
    given = numbers(answer)
    if given is None or given.numel() != len(POINTS):
        return hint("lifted", "numbers", got=came(answer))
    row = given.flatten()
    scores = gaussian_scores(QUERY, KEYS)

    def same(expected: Tensor) -> bool:
        return torch.allclose(row, expected.flatten(), atol=0.005)

    if same(weights.sparsemax(scores)):
        return right("lifted")
    if same(masking.masked_softmax(scores)):
        return hint("lifted", "softmax")
    if same(kernels.KernelAttention("boxcar", width=1.6).weights(QUERY, KEYS, None)):
        return hint("lifted", "equal")
    if (row < 0).any():
        return hint("lifted", "negative")
    if abs(row.sum().item() - 1) > 0.01:
        return hint("lifted", "sum", sum=f"{row.sum().item():.2f}")
    return hint("lifted", "other")


def rivals(answer: Any) -> Verdict:
    """Judge with how many rivals at 0 a key that scores 2 first falls below 1/2."""
    value = one_number(answer)
    if value is None:
        return hint("rivals", "number", got=came(answer))
    if value == 8:
        return right("rivals")
    if 7.3 < value < 7.5:
        return hint("rivals", "whole")
    known: dict[float, str] = {7: "before", 9: "itself", 3: "log", 2: "score"}
    return hint("rivals", known.get(value, "other"), got=f"{value:g}")


def sparsemax(answer: Callable[[Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function scores (B, Q, K) -> sparsemax weights."""
    return said("sparsemax", judge.sparsemax(answer, seed))
