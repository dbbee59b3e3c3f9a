"""Two padded sentences; and one row of scores on its way to weights, without and with a mask."""

import torch

from attn_lib import dot_product_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import DIVIDED, INFINITY, MINUS, SIGMA, Canvas, show
from book.pictures.grammar import alpha, axis, bracket, exponential, pill, right, word, wrong

TABLE, CELL = 120, 60  # the padded rectangle: its left edge, the width of a cell
BLOCKS, NARROW = (48, 280), 46
LETTERS = ((4, 4), (3, 4, 4))


def draw() -> Canvas:
    """Draw the picture."""
    lens = four_words.valid_lens()
    cats = four_words.keys()[:1].expand(2, 1, 2)
    scores = dot_product_scores(cats, four_words.padded_keys(), scaled=False)
    rows = [masked_softmax(scores)[0, 0], masked_softmax(scores, lens)[0, 0]]
    row = scores[0, 0].tolist()
    assert row == [2, 0, 0, 0]
    assert lens.tolist() == [2, 3]
    assert [show(w) for w in rows[0].tolist()] == ["0.71", "0.10", "0.10", "0.10"]
    assert [show(w) for w in rows[1].tolist()] == ["0.88", "0.12", "0", "0"]

    canvas = Canvas(386)
    for b, y in enumerate((28, 92)):
        length = len(LETTERS[b])
        assert length == lens[b]
        bracket(canvas, TABLE, TABLE + length * CELL, y - 12, str(length))
        for j in range(4):
            x = TABLE + j * CELL
            if j < length:
                canvas.rect(x, y, CELL, 30)
                word(canvas, x + CELL / 2, y + 15, LETTERS[b][j])
            else:
                canvas.masked(x, y, CELL, 30, "")
    axis(canvas, (TABLE - 22, 28), (TABLE - 22, 122), "B")
    axis(canvas, (TABLE, 138), (TABLE + 4 * CELL, 138), "K")

    exps = torch.tensor(row).exp().tolist()
    for masks, x0 in zip((False, True), BLOCKS, strict=True):
        middle = x0 + 2 * NARROW
        (right if masks else wrong)(canvas, middle + 2 * NARROW - 8, 172)
        weights = rows[masks].tolist()
        pill(canvas, middle, 250, 4 * NARROW, 26)
        exponential(canvas, middle, 250, over_sum=False)
        pill(canvas, middle, 320, 4 * NARROW, 26)
        canvas.number(middle - 9, 320, DIVIDED, size=20)
        canvas.symbol(middle + 9, 320, SIGMA, upright=True)
        for j in range(4):
            x = x0 + j * NARROW
            padding = j >= len(LETTERS[0])
            if padding:
                canvas.masked(x, 188, NARROW, 14, "")
            else:
                canvas.rect(x, 188, NARROW, 14)
                canvas.rect(x + 10, 193, NARROW - 20, 4, "muted", None, round=2)
            if padding and masks:
                canvas.masked(x, 202, NARROW, 26, MINUS + INFINITY)
                canvas.masked(x, 272, NARROW, 26)
                canvas.masked(x, 342, NARROW, 30)
            else:
                canvas.cell(x, 202, NARROW, 26, show(row[j], 0))
                canvas.cell(x, 272, NARROW, 26, show(exps[j]))
                canvas.weight(x, 342, NARROW, 30, weights[j])
    canvas.symbol(24, 215, "a")
    alpha(canvas, 24, 357)
    return canvas
