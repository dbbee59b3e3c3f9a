"""Eight heads of queries above their keys: nobody shares, GQA, MQA, and GQA with other partners."""

import torch

from book.pictures.canvas import Canvas
from book.pictures.grammar import right, wrong

HEADS, STEP = 8, 25
LEFT, RIGHT = 36, 288
TOP, DEPTH, ROW = 14, 62, 114  # of the heads of queries; to those of keys; to the next row


def draw() -> Canvas:
    """Draw the picture."""
    two = torch.arange(2)
    groups, others = two.repeat_interleave(HEADS // 2), two.repeat(HEADS // 2)
    # The same shape, and other partners for half of the heads.
    assert groups.shape == others.shape
    assert (groups != others).sum() == HEADS // 2
    assert groups.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]

    canvas = Canvas(TOP + ROW + DEPTH + 14)
    middle = RIGHT + (HEADS - 1) * STEP / 2
    _layer(canvas, LEFT, TOP, torch.arange(HEADS), 8)
    _layer(canvas, RIGHT, TOP, groups, 2)
    right(canvas, middle, TOP + DEPTH)
    _layer(canvas, LEFT, TOP + ROW, torch.zeros(HEADS, dtype=torch.long), 1)
    _layer(canvas, RIGHT, TOP + ROW, others, 2)
    wrong(canvas, middle, TOP + ROW + DEPTH)
    return canvas


def _layer(canvas: Canvas, x: float, y: float, key_of: torch.Tensor, keys: int) -> None:
    """Draw a layer: the heads of queries, the keys, and who looks at which."""
    own = HEADS // keys
    middles = [x + STEP * (own * key + (own - 1) / 2) for key in range(keys)]
    for head, key in enumerate(key_of.tolist()):
        canvas.line([(x + STEP * head, y), (middles[key], y + DEPTH)], "line", 1.5)
    for head in range(HEADS):
        canvas.circle(x + STEP * head, y, 9, "q")
    for middle in middles:
        canvas.rect(middle - 9, y + DEPTH - 9, 18, 18, "k", None, round=3)
    canvas.number(x - 24, y, str(HEADS), "q", bold=True)
    canvas.number(x - 24, y + DEPTH, str(keys), "k", bold=True)
