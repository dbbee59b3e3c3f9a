"""A soft look-up along a line: a bell over the query gives each measurement its weight."""

import math

import torch

from attn_lib import KernelAttention
from attn_lib.examples.six_points import POINTS
from book.pictures.canvas import DIVIDED, SIGMA, Canvas, short, show
from book.pictures.grammar import alpha, flow, flows, pill

QUERY = 2.0
LEFT, UNIT = 64, 47
BASE, TOP = 136, 98  # the line, and the height of the bell
VALUES, OUTPUT = 262, 350


def draw() -> Canvas:
    """Draw the picture."""
    points = torch.tensor(POINTS, dtype=torch.float32)
    query = torch.tensor([[[QUERY]]])
    attention = KernelAttention("gaussian", width=1.0)
    output = attention(query, points[None, :, :1], points[None, :, 1:]).item()
    weights = attention.weights(query, points[None, :, :1], None)[0, 0].tolist()
    assert [show(w) for w in weights] == ["0.06", "0.26", "0.43", "0.26", "0.00", "0.00"]
    assert show(output) == "2.72"

    canvas = Canvas(400)
    columns = [_across(x) for x, _ in POINTS]
    end = (_across(QUERY), OUTPUT)
    for x, weight in zip(columns, weights, strict=True):
        flow(canvas, (x, 250), (x, VALUES), weight)
    flows(canvas, columns, VALUES + 24, end, weights)

    left, right = _across(-0.75), _across(8.6)
    canvas.line([(left, BASE), (right, BASE)], "line", 1.5)
    steps = [QUERY + t / 12 for t in range(-32, 57)]
    bell = [(_across(x), BASE - TOP * math.exp(-((x - QUERY) ** 2) / 2)) for x in steps]
    canvas.line(bell, "ink", 2)
    canvas.arrow((end[0], 6), (end[0], BASE - TOP - 7), "q", 2.5, 10)
    canvas.symbol(end[0] + 16, 14, "q", fill="q", vector=True)
    for j, (x, (place, value)) in enumerate(zip(columns, POINTS, strict=True), start=1):
        height = TOP * math.exp(-((place - QUERY) ** 2) / 2)
        canvas.line([(x, BASE), (x, BASE - height)], "k", 2)
        canvas.circle(x, BASE - height, 5, "k")
        canvas.number(x, BASE + 16, str(place), "k")
        canvas.symbol(x, BASE + 38, "k", j, fill="k", vector=True)
        canvas.weight(x - 21, 224, 42, 28, weights[j - 1], short(weights[j - 1]))
        canvas.rect(x - 17, VALUES, 34, 26, "v-tint", "v", 1.5, round=6)
        canvas.number(x, VALUES + 13, str(value), "v")
    pill(canvas, (left + right) / 2, 203, right - left, 26)
    canvas.number((left + right) / 2 - 9, 203, DIVIDED, size=20)
    canvas.symbol((left + right) / 2 + 9, 203, SIGMA, upright=True)
    alpha(canvas, 16, 238)
    canvas.symbol(16, VALUES + 13, "v", fill="v", vector=True)
    canvas.rect(end[0] - 34, OUTPUT, 68, 32, "page", "ink", 2.5)
    canvas.number(end[0], OUTPUT + 16, output, bold=True, size=18)
    canvas.symbol(end[0] - 52, OUTPUT + 15, "o", vector=True)
    return canvas


def _across(x: float) -> float:
    """Where a place on the line lies on the canvas."""
    return LEFT + UNIT * x
