"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import RIGHT, Draws, close, column, numbers, raised, shape, wrong_row


def sparsemax(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function scores (B, Q, K) -> sparsemax weights."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    ordinary, large = draws.normal(5, 4, 7), draws.whole(-2, 2, 5, 4, 2) * 2.0**40 + 2.0**60
    for case, scores in (("", ordinary), ("large", large)):
        try:
            answered = answer(scores.clone())
        except Exception as error:  # whatever the reader's function raises
            return "raises", {"error": raised(error)}, None
        given = numbers(answered)
        if given is None or given.shape != scores.shape:
            return "shape", {"wanted": tuple(scores.shape), "got": shape(answered)}, None
        expected = _sparsemax(scores)
        if close(given, expected):
            continue
        b, q = wrong_row(given, expected)
        rows = (("scores", scores[b, q]), ("got", given[b, q]), ("wanted", expected[b, q]))
        shown = {
            "caption": ("example", ""),
            "columns": [(name, column(row)) for name, row in rows],
        }
        return case or _known_mistake(given, scores), {}, shown
    return RIGHT


def _sparsemax(scores: Tensor) -> Tensor:
    """Lift each row until what stands above the ground sums to 1: as many keys as come up."""
    K = scores.shape[-1]
    rows = []
    for row in scores.double().reshape(-1, K).tolist():
        ranked = sorted(row, reverse=True)
        # Differences, since the scores may be large.
        size = max(n for n in range(1, K + 1) if sum(a - ranked[n - 1] for a in ranked[:n]) < 1)
        lift = (1 - sum(a - ranked[0] for a in ranked[:size])) / size
        rows.append([max(0.0, (a - ranked[0]) + lift) for a in row])
    return torch.tensor(rows, dtype=torch.float64).reshape(scores.shape)


def _known_mistake(given: Tensor, scores: Tensor) -> str:
    """Name the misconception that these weights come from, if it is a known one."""
    scores = scores.double()
    if close(given, scores.softmax(-1), 1e-4):
        return "softmax"
    if close(given, _sparsemax(scores.mT).mT, 1e-4):
        return "axis"
    if close(given, _sparsemax(scores.reshape(1, 1, -1)).reshape(scores.shape), 1e-4):
        return "all_rows"
    if close(given, scores + (1 - scores.sum(-1, keepdim=True)) / scores.shape[-1], 1e-4):
        return "all_keys"
    positive = scores.clamp(min=0)
    if close(given, positive / positive.sum(-1, keepdim=True).clamp(min=1e-9), 1e-4):
        return "divided"
    sums = given.sum(-1)
    return "other" if close(sums, torch.ones_like(sums), 1e-4) else "sum"
