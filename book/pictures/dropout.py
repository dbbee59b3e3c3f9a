"""One row of weights, one draw of dropout, and the mean of all sixteen draws."""

from itertools import product

import torch

from attn_lib import dot_product_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import DIVIDED, SIGMA, TIMES, Canvas, show
from book.pictures.grammar import alpha, flow, pill

P = 0.5
KEPT = (1.0, 0.0, 1.0, 0.0)  # the draw that is shown
LEFT, CELL = 44, 84
STRIP, LINE = 222, 6.5  # all draws: their top, the height of one


def draw() -> Canvas:
    """Draw the picture."""
    words = four_words.keys()[None]
    weights = masked_softmax(dot_product_scores(words[:, :1], words, scaled=False))[0, 0]
    draws = torch.tensor(list(product((1.0, 0.0), repeat=4))) * weights / (1 - P)
    mean = draws.mean(0)
    drawn = torch.tensor(KEPT) * weights / (1 - P)
    assert [show(w) for w in drawn.tolist()] == ["1.55", "0", "0.21", "0"]
    assert torch.allclose(mean, weights)

    canvas = Canvas(418)
    columns = [LEFT + (j + 0.5) * CELL for j in range(4)]
    for x, weight, kept in zip(columns, weights.tolist(), KEPT, strict=True):
        flow(canvas, (x, 42), (x, 82), weight)
        if kept:
            flow(canvas, (x, 106), (x, 150), weight / (1 - P))
            pill(canvas, x, 94, 58, 28)
            canvas.number(x, 94, f"{TIMES}{1 / (1 - P):.0f}")
        else:
            canvas.masked(x - 29, 80, 58, 28, f"{TIMES}0")
    for y, row in ((14, weights), (148, drawn), (376, mean)):
        for j, weight in enumerate(row.tolist()):
            x = LEFT + j * CELL
            if weight:
                canvas.weight(x, y, CELL, 30, min(1, weight), show(weight))
            else:
                canvas.masked(x, y, CELL, 30)
        canvas.symbol(LEFT + 4 * CELL + 18, y + 16, SIGMA, upright=True)
        total = row.sum().item()
        text = f"= {show(1 if abs(total - 1) < 1e-6 else total)}"
        canvas.number(LEFT + 4 * CELL + 30, y + 15, text, anchor="start", bold=row is drawn)
    alpha(canvas, 22, 29)
    shown: float = STRIP
    for i, row in enumerate(draws.tolist()):
        top = STRIP + i * LINE
        for j, weight in enumerate(row):
            tint = f"w{round(100 * min(1, weight))}" if weight else "page"
            canvas.rect(LEFT + j * CELL, top, CELL, LINE, tint, "line", 0.5)
        if row == drawn.tolist():
            shown = top
    canvas.rect(LEFT - 3, shown - 1.5, 4 * CELL + 6, LINE + 3, None, "ink", 2)
    turn = LEFT - 16
    canvas.line([(LEFT - 3, shown + 3), (turn, shown + 3), (turn, 163)], "ink", 1.5)
    canvas.arrow((turn, 163), (LEFT - 1, 163), "ink", 1.5)
    canvas.number(LEFT + 4 * CELL + 30, STRIP + 8 * LINE, f"{TIMES}{len(draws)}", anchor="start")
    pill(canvas, LEFT + 2 * CELL, 350, 4 * CELL, 26)
    canvas.symbol(LEFT + 2 * CELL - 20, 350, SIGMA, upright=True)
    canvas.number(LEFT + 2 * CELL + 12, 350, f"{DIVIDED} {len(draws)}", size=18)
    return canvas
