"""The score lifted until its stems sum to 1: where keys are near, and in the gap between keys."""

import torch

from attn_lib import gaussian_scores, sparsemax
from attn_lib.examples.six_points import POINTS
from book.pictures.canvas import Canvas, show

LEFT, UNIT, TALL = 64, 46, 52  # key 0, a step along the line, a weight of 1
PANELS = ((2.0, 52), (5.0, 302))  # the query, and the line
CELL = 40


def draw() -> Canvas:
    """Draw the picture."""
    canvas = Canvas(398)
    keys = torch.tensor([[[float(x)] for x, _ in POINTS]])
    for query, base in PANELS:
        weights = sparsemax(gaussian_scores(torch.tensor([[[query]]]), keys))[0, 0]
        lift = (weights + (keys[0, :, 0] - query) ** 2 / 2)[weights > 0][0].item()
        width = (2 * lift) ** 0.5
        wanted = {2.0: ("1.15", "0.17 0.67 0.17"), 5.0: ("2.24", "0.50 0.50")}[query]
        above = [show(w) for w in weights.tolist() if w > 0]
        assert (f"{width:.2f}", " ".join(above)) == wanted
        _panel(canvas, base, query, width, weights.tolist())
    return canvas


def _panel(canvas: Canvas, base: float, query: float, width: float, weights: list[float]) -> None:
    def across(x: float) -> float:
        return LEFT + UNIT * x

    steps = [query + width * i / 30 for i in range(-30, 31)]
    arch = [(across(x), base - TALL * (width**2 - (x - query) ** 2) / 2) for x in steps]
    canvas.line([(across(-0.7), base), (across(8.7), base)], "line", 1.5)
    canvas.line(arch, "q", 2.5)
    for (key, _), weight in zip(POINTS, weights, strict=True):
        x = across(key)
        canvas.line([(x, base), (x, base - TALL * weight)], "k", 3)
        canvas.circle(x, base - TALL * weight, 4, "k")
        canvas.number(x, base + 17, str(key), "k")
        if weight > 0:
            canvas.weight(x - CELL / 2, base + 58, CELL, 28, weight)
        else:
            canvas.masked(x - CELL / 2, base + 58, CELL, 28)
    tip = across(query + width)
    canvas.arrow((across(query), base + 40), (tip, base + 40), "q", 2, 8)
    canvas.number(tip + 6, base + 40, f"{width:.2f}", "q", anchor="start")
