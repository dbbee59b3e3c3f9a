"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch

from attn_lib.check.judging import RIGHT, Draws, close, numbers, raised, shape
from attn_lib.examples.six_points import POINTS

KEYS = [float(x) for x, _ in POINTS]
# Query 5 lies in the gap, and query -1 has one key within the width; two more are drawn from where
# keys are near. At width 1 the neighbours of query 2 lie exactly on the edge.
ASKED, GAP, ALONE, WIDTH = (2.0, 5.0, -1.0), 1, 2, 1.5
ON_EDGE, EDGE = (2.0,), 1.0


def kernel_gap(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (queries, keys, width) -> boxcar weights (Q, K), all 0 in a gap."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    every = ASKED + (3 * draws.uniform(), 7 + draws.uniform())  # noqa: RUF005 - MicroPython
    given = []
    for asked, width in ((every, WIDTH), (ON_EDGE, EDGE)):
        expected = (len(asked), len(KEYS))
        try:
            answered = answer(torch.tensor(asked), torch.tensor(KEYS), width)
        except Exception as error:  # whatever the reader's function raises
            return "raises", {"error": raised(error)}, None
        rows = numbers(answered)
        if rows is None or rows.shape != expected:
            return "shape", {"expected": expected, "got": shape(answered)}, None
        given.append(rows)
    weights, edge = given
    gap = weights[GAP]
    others = [i for i in range(len(every)) if i != GAP]
    if torch.isnan(gap).any():
        return "nan", {}, None
    if (gap != 0).any():
        name = "mean" if close(gap, gap.mean().expand_as(gap), 1e-4) else "invented"
        return name, {"sum": f"{gap.sum().item():.2f}"}, None
    sums = weights.sum(1)
    if not all(abs(sums[i].item() - 1) <= 6e-4 for i in others):  # float16 rounds so much
        return "sums", {"sum": f"{sums[0].item():.4f}"}, None
    # One key alone gets exactly 1, however few digits the numbers have.
    if sums[ALONE].item() != 1:
        return "epsilon", {"weight": f"{sums[ALONE].item():.7f}"}, None
    for i in others:
        if not close(weights[i], _boxcar(every[i], WIDTH), 1e-4):
            return "kernel", {}, None
    return RIGHT if close(edge[0], _boxcar(*ON_EDGE, EDGE), 1e-4) else ("edge", {}, None)


def _boxcar(query: float, width: float) -> Any:
    near = [float(abs(query - key) < width) for key in KEYS]
    return torch.tensor([n / sum(near) for n in near], dtype=torch.float64)
