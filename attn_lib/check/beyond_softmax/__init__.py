"""The exercises of the chapter on other weights than softmax's."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import kernels, masking, weights
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, shape
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


def sparsemax(answer: Callable[[Tensor], Any]) -> Verdict:
    """Judge a function scores (B, Q, K) -> sparsemax weights."""
    if not callable(answer):
        return hint("sparsemax", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    ordinary = torch.randn(5, 4, 7, generator=generator)
    cases = {"": ordinary, "large": ordinary[..., :2].round() + 2.0**27}
    for case, scores in cases.items():
        try:
            given = numbers(answered := answer(scores.clone()))
        except Exception as error:  # whatever the reader's function raises
            return hint("sparsemax", "raises", error=f"{type(error).__name__}: {error}")
        if given is None or given.shape != scores.shape:
            wanted = tuple(scores.shape)
            return hint("sparsemax", "shape", wanted=wanted, got=shape(answered))
        if torch.allclose(given, weights.sparsemax(scores).double(), atol=1e-5):
            continue
        return hint("sparsemax", case or _known_mistake(given, scores))
    return right("sparsemax")


def _known_mistake(given: Tensor, scores: Tensor) -> str:
    """Name the misconception that these weights come from, if it is a known one."""

    def same(expected: Tensor) -> bool:
        return torch.allclose(given, expected.double(), atol=1e-4)

    if same(masking.masked_softmax(scores)):
        return "softmax"
    if same(weights.sparsemax(scores.mT).mT):
        return "axis"
    if same(weights.sparsemax(scores.reshape(1, 1, -1)).reshape(scores.shape)):
        return "all_rows"
    if same(scores + (1 - scores.sum(-1, keepdim=True)) / scores.shape[-1]):
        return "all_keys"
    positive = scores.clamp(min=0)
    if same(positive / positive.sum(-1, keepdim=True).clamp(min=1e-9)):
        return "divided"
    if not torch.allclose(given.sum(-1), torch.ones(()).double(), atol=1e-4):
        return "sum"
    return "other"
