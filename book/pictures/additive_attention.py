"""Two hidden units, each a tanh on which the four keys stand; their sums, and the weights."""

import math

import torch

from attn_lib import additive_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import MINUS, Canvas, show
from book.pictures.grammar import alpha, pill, softmax, step

COLUMNS = (152, 240, 328, 416)
LEFT, RIGHT = 108, 460
PLOTS = (122, 358)  # the middles of the two curves
BASE, UNIT, TOP = 88, 27, 46  # a step along, a step upwards
# Where the name of a key stands beside its dot, so that it keeps off the curve.
LABELS = {-2: (0, -17), -1: (-15, -12), 0: (26, 16), 1: (-36, 0), 2: (3, 19), 3: (-2, 19)}


def draw() -> Canvas:
    """Draw the picture."""
    W_q, W_k, w_v = four_words.additive_parameters()
    keys = four_words.keys()
    query = torch.tensor([1.0, 0.0, 1.0])
    pushed = W_q @ query  # (U,)
    inputs = pushed + keys @ W_k.T  # (K, U)
    scores = additive_scores(query.reshape(1, 1, 3), keys[None], W_q, W_k, w_v)
    assert torch.allclose(inputs.tanh() @ w_v, scores[0, 0])
    weights = masked_softmax(scores)[0, 0].tolist()
    assert pushed.tolist() == [0, 1]
    assert inputs.T.tolist() == [[2, 0, 0, -2], [1, 3, -1, 1]]
    assert [show(a) for a in scores[0, 0].tolist()] == ["1.73", "1.00", "−0.76", "−0.20"]
    assert [show(w) for w in weights] == ["0.58", "0.28", "0.05", "0.09"]

    canvas = Canvas(408)
    for u, x in enumerate(PLOTS):
        _curve(canvas, x, u + 1, pushed[u].item(), inputs[:, u].tolist())
    for j, x in enumerate(COLUMNS):
        canvas.symbol(x, 194, "k", j + 1, fill="k", vector=True)
        for u in range(2):
            value = inputs[j, u].tanh().item()
            canvas.cell(x - 44, 212 + 27 * u, 88, 27, show(value))
        canvas.number(x, 314, scores[0, 0, j].item())
        canvas.weight(x - 38, 364, 76, 28, weights[j])
    for u in range(2):
        step(canvas, 78, 225.5 + 27 * u, str(u + 1))
    middle = (LEFT + RIGHT) / 2
    pill(canvas, middle, 284, RIGHT - LEFT, 24)
    canvas.number(middle, 284, "+", size=20)
    softmax(canvas, middle, 341, RIGHT - LEFT)
    canvas.symbol(78, 314, "a")
    alpha(canvas, 78, 378)
    return canvas


def _curve(canvas: Canvas, x: float, unit: int, pushed: float, inputs: list[float]) -> None:
    """A tanh with its two bounds, the query's push along the axis, and the keys on the curve."""
    left, right = x - 3.7 * UNIT, x + 3.7 * UNIT
    canvas.rect(left, BASE - TOP - 16, right - left, 2 * TOP + 32, "panel", "hair", round=6)
    for number in range(-3, 4):
        tick = x + number * UNIT
        canvas.line([(tick, BASE - 4), (tick, BASE + 4)], "line", 1)
    for bound in (-1, 1):
        y = BASE - bound * TOP
        canvas.line([(left, y), (right, y)], "line", 1, dash="4 3")
    canvas.line([(left, BASE), (right, BASE)], "line", 1)
    canvas.line([(x, BASE - TOP - 16), (x, BASE + TOP + 16)], "hair", 1)
    canvas.number(left + 14, BASE - TOP + 11, "1", "muted", size=15)
    canvas.number(right - 14, BASE + TOP - 10, f"{MINUS}1", "muted", size=15)
    steps = [t / 10 for t in range(-36, 37)]
    canvas.line([(x + UNIT * t, BASE - TOP * math.tanh(t)) for t in steps], "ink", 2)
    if pushed:
        canvas.arrow((x, BASE), (x + UNIT * pushed, BASE), "q", 3.5, 11)
    step(canvas, left + 2, BASE - TOP - 14, str(unit))
    for value in sorted(set(inputs)):
        dot = (x + UNIT * value, BASE - TOP * math.tanh(value))
        canvas.circle(*dot, 5, "k")
        names = [f"k_{j}:k" for j, other in enumerate(inputs, start=1) if other == value]
        pieces = [piece for name in names for piece in (name, " ")][:-1]
        beside = LABELS[round(value)]
        canvas.formula(dot[0] + beside[0], dot[1] + beside[1], *pieces)
