"""Features cut into heads and joined again; beside it the view that cuts through the words."""

import torch

from attn_lib import dot_product_scores, masked_softmax
from attn_lib.examples import four_words
from attn_lib.multihead import join_heads, split_heads
from book.pictures.canvas import Canvas, short, show
from book.pictures.grammar import alpha, axis, right, wrong

HEADS, CELL, ROW = 2, 33, 24
SIDES = (116, 364)  # the middles of the right and the wrong way


def draw() -> Canvas:
    """Draw the picture."""
    X = four_words.features()[None]  # (B, tokens, D)
    good = split_heads(X, HEADS)  # (B * H, tokens, D / H)
    bad = X.view(HEADS, 4, 2)  # the view that forgets to transpose
    assert bad[0].tolist() == [[2, 0], [2, 0], [0, 2], [2, 0]]

    canvas = Canvas(412)
    x, y = 240 - 2 * CELL, 34
    # Which head a feature belongs to goes wherever its number goes.
    owner = (torch.arange(4) // 2).repeat(1, 4, 1)
    _cells(canvas, x, y, X[0], owner[0])
    axis(canvas, (x, y - 14), (x + 4 * CELL, y - 14), "D")
    axis(canvas, (x - 16, y), (x - 16, y + 4 * ROW), "K")
    for side, heads, owners, mark in zip(
        SIDES,
        (good, bad),
        (split_heads(owner.float(), HEADS), owner.reshape(HEADS, 4, 2)),
        (right, wrong),
        strict=True,
    ):
        out = -1 if side < 240 else 1
        canvas.arrow((240 + out * (2 * CELL + 6), 100), (side + out * 20, 152))
        mark(canvas, side + out * 58, 118)
        _side(canvas, side, heads, owners)
    alpha(canvas, 240, 316)
    return canvas


def _side(canvas: Canvas, x: float, heads: torch.Tensor, owners: torch.Tensor) -> None:
    weights = masked_softmax(dot_product_scores(heads, heads))[:, 0]  # the row of cats
    outputs = join_heads(masked_softmax(dot_product_scores(heads, heads)) @ heads, HEADS)[0, 0]
    if x < 240:
        rows = [[show(w) for w in row] for row in weights.tolist()]
        assert rows == [["0.47", "0.03", "0.47", "0.03"], ["0.47", "0.47", "0.03", "0.03"]]
    for h in range(HEADS):
        left = x - 108 + h * 112
        middle = left + 52
        canvas.number(middle, 170, str(h + 1), "muted", bold=True)
        _cells(canvas, middle - CELL, 184, heads[h], owners[h])
        canvas.arrow((middle, 283), (middle, 300))
        for j, weight in enumerate(weights[h].tolist()):
            canvas.weight(left + 26 * j, 304, 26, 26, weight, short(weight), size=15)
        canvas.arrow((middle, 332), (middle + (0.5 - h) * 22, 352))
    for j, value in enumerate(outputs.tolist()):
        head = j // 2
        role = "k" if head == 0 else "k-tint"
        canvas.rect(x - 92 + 46 * j, 356, 46, 28, role, "k")
        canvas.number(x - 69 + 46 * j, 370, value, "ink" if head else "on-k", bold=True)


def _cells(canvas: Canvas, x: float, y: float, rows: torch.Tensor, owners: torch.Tensor) -> None:
    """Numbers: filled for features of head 1, light for those of head 2."""
    for i, row in enumerate(rows.tolist()):
        for j, value in enumerate(row):
            light = bool(owners[i, j])
            at = (x + j * CELL, y + i * ROW, CELL, ROW)
            canvas.rect(*at, "k-tint" if light else "k", "k" if light else "k-tint")
            middle = (x + (j + 0.5) * CELL, y + (i + 0.5) * ROW)
            canvas.number(*middle, show(value, 0), "ink" if light else "on-k", bold=not light)
