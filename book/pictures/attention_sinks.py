"""One row of scores, its softmax, and the softmax with a sink that scores as much as the best."""

import torch

from attn_lib import masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import SIGMA, Canvas, show
from book.pictures.grammar import alpha, softmax

SINK = 2.0
LEFT, CELL = 52, 66
SCORES, PLAIN, SUNK = 62, 132, 262  # the middles of the scores and of both rows of weights


def draw() -> Canvas:
    """Draw the picture."""
    keys = four_words.keys()
    scored = (keys @ keys[0]).reshape(1, 1, 4)
    plain, sunk = masked_softmax(scored)[0, 0], masked_softmax(scored, sink=SINK)[0, 0]
    taken = 1 - sunk.sum().item()
    assert [show(w) for w in sunk.tolist()] == ["0.44", "0.06", "0.06", "0.01"]
    assert show(taken) == "0.44"
    assert torch.allclose(sunk / plain, sunk.sum().expand(4))  # every word keeps the same share

    canvas = Canvas(300)
    columns = [LEFT + (j + 0.5) * CELL for j in range(5)]
    canvas.symbol(30, 20, "a")
    for x, score in zip(columns, [*scored[0, 0].tolist(), SINK], strict=True):
        canvas.number(x, 20, show(score, 0), bold=x == columns[-1])
    for y, row, width in ((PLAIN, plain, 4 * CELL), (SUNK, sunk, 5 * CELL)):
        softmax(canvas, LEFT + width / 2, y - SCORES, width)
        alpha(canvas, 30, y - 1)
        for j, weight in enumerate(row.tolist()):
            canvas.weight(LEFT + j * CELL, y - 16, CELL, 32, weight)
        end = LEFT + 5 * CELL + 14
        canvas.symbol(end, y, SIGMA, upright=True)
        canvas.number(end + 12, y - 1, f"= {show(round(row.sum().item(), 6))}", anchor="start")
    canvas.weight(LEFT + 4 * CELL, SUNK - 16, CELL, 32, taken)
    canvas.rect(LEFT + 4 * CELL, SUNK - 16, CELL, 32, None, "ink", 2)
    return canvas
