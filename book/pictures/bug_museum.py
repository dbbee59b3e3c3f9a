"""The published toy, with the right score and with tanh too early: nobody can tell the outputs."""

import torch

from attn_lib import museum
from book.pictures.canvas import Canvas, show
from book.pictures.grammar import flows, hidden_units, right, score_box, wrong

SIDES = (120, 360)
KEYS, CELL = 10, 21
LENS = (2, 6)
ROWS = (154, 278)


def draw() -> Canvas:
    """Draw the picture."""
    queries, keys = torch.ones(2, 1, 3), torch.ones(2, KEYS, 2)
    values = torch.arange(40.0).reshape(1, KEYS, 4).repeat(2, 1, 1)
    canvas = Canvas(394)
    seen = []
    for x, exhibit in zip(SIDES, (museum.Additive, museum.TanhBeforeSum), strict=True):
        attention = exhibit()
        outputs = attention(queries, keys, values, torch.tensor(LENS))[:, 0].tolist()
        seen.append([[show(value, 0) for value in row] for row in outputs])
        early = exhibit is museum.TanhBeforeSum
        left = x - KEYS * CELL / 2
        columns = [left + (j + 0.5) * CELL for j in range(KEYS)]
        score_box(canvas, left, 8, KEYS * CELL, 104, columns, chosen=not early)
        hidden_units(canvas, x + 8, 60, early=early)
        (wrong if early else right)(canvas, left + 22, 30)
        for y, length, row, output in zip(
            ROWS, LENS, attention.attention_weights[:, 0].tolist(), seen[-1], strict=True
        ):
            flows(canvas, columns[:length], y + 24, (x, y + 66), row[:length])
            for j, weight in enumerate(row):
                at = (left + j * CELL, y, CELL, 26)
                if j < length:
                    canvas.weight(*at, weight, "")
                else:
                    canvas.masked(*at, "")
            for j, value in enumerate(output):
                canvas.cell(x - 80 + 40 * j, y + 66, 40, 28, value, "v", bold=True)
    assert seen[0] == seen[1] == [["2", "3", "4", "5"], ["10", "11", "12", "13"]]
    for y in ROWS:
        canvas.number(240, y + 80, "=", size=28)
    return canvas
