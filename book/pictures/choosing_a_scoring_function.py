"""Three scores for one key that grows: the dot product rises, tanh stays, the Gaussian falls."""

from collections.abc import Callable

import torch

from attn_lib import additive_scores, dot_product_scores, gaussian_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import WIDTH, Canvas, short
from book.pictures.grammar import bell, dot_product, flows, hidden_units, score_box

GROWN = (1, 2, 8)
LEFT, PITCH, CELL = 50, 143, 33
TOP, ROW = 132, 94

BOXES: tuple[Callable[[Canvas, float, float], None], ...] = (dot_product, hidden_units, bell)


def draw() -> Canvas:
    """Draw the picture."""
    rows = [_weights(float(s)) for s in GROWN]
    first = [[short(row[0]) for row in scorers] for scorers in zip(*rows, strict=True)]
    assert first == [[".78", ".96", "1.00"], [".58", ".59", ".59"], [".78", ".56", ".00"]]

    canvas = Canvas(412)
    for i, inside in enumerate(BOXES):
        x = LEFT + i * PITCH
        columns = [x + (j + 0.5) * CELL for j in range(4)]
        middle = x + 2 * CELL
        score_box(canvas, x - 2, 8, 4 * CELL + 4, 96, columns)
        inside(canvas, middle, 56)
        for r, row in enumerate(rows):
            y = TOP + r * ROW
            flows(canvas, columns, y + 24, (middle, y + 64), row[i])
            for j, weight in enumerate(row[i]):
                canvas.weight(x + j * CELL, y, CELL, 26, weight, short(weight), size=15)
            canvas.rect(middle - 17, y + 63, 34, 5, "ink", None, round=2)
    canvas.symbol(24, 96, "k", 1, fill="k", vector=True)
    for r, s in enumerate(GROWN):
        y = TOP + r * ROW
        if r:
            canvas.line([(8, y - 12), (WIDTH - 8, y - 12)], "hair", 1)
        full, reach = 4.6 * GROWN[-1], 4.6 * s
        canvas.line([(6, y + 62), (6 + full, y + 62 - full)], "hair", 2.5)
        canvas.arrow((6, y + 62), (6 + reach, y + 62 - reach), "k", 2.5, min(10, 5 + reach / 5))
        canvas.symbol(24, y + 13, f'<tspan class="u">×{s}</tspan>')
    return canvas


def _weights(s: float) -> list[list[float]]:
    """The weights (scorer, key) of the four words, the key *cats* being s times as long."""
    keys = four_words.keys()
    query = keys[:1].clone()
    keys[0] *= s
    W_q, W_k, w_v = four_words.additive_parameters()
    scores = (
        dot_product_scores(query[None], keys[None], scaled=False),
        additive_scores(torch.tensor([[[1.0, 0.0, 1.0]]]), keys[None], W_q, W_k, w_v),
        gaussian_scores(query[None], keys[None]),
    )
    return [masked_softmax(a)[0, 0].tolist() for a in scores]
