"""Broadcasting as blocks, and below it a batched product of the two padded sentences."""

import torch

from attn_lib import batched_dot
from attn_lib.examples import four_words
from book.pictures.canvas import TIMES, Canvas, show
from book.pictures.grammar import axis

B, Q, K, U = 2, 2, 3, 2
CELL, DEPTH = 29, 9  # a step along U goes so far back
BLOCKS = (48, 200, 352)
TOP, PITCH = 32, 88


def draw() -> Canvas:
    """Draw the picture."""
    canvas = Canvas(408)
    _broadcast(canvas)
    canvas.line([(0, 240), (480, 240)], "hair", 1)
    _batched(canvas)
    return canvas


def _broadcast(canvas: Canvas) -> None:
    queries = torch.tensor([[1, 2], [3, 4]]).reshape(B, Q, 1, 1).expand(B, Q, 1, U)
    keys = torch.tensor([[10, 20, 30], [40, 50, 60]]).reshape(B, 1, K, 1).expand(B, 1, K, U)
    sums = queries + keys
    assert sums.shape == (B, Q, K, U)
    for b in range(B):
        y = TOP + b * PITCH
        _ghost(canvas, BLOCKS[0] + CELL, y, Q, K - 1)
        _block(canvas, BLOCKS[0], y, queries[b, :, :, 0].tolist(), "q")
        _ghost(canvas, BLOCKS[1], y + CELL, Q - 1, K)
        _block(canvas, BLOCKS[1], y, keys[b, :, :, 0].tolist(), "k")
        _block(canvas, BLOCKS[2], y, sums[b, :, :, 0].tolist(), "")
        canvas.number(BLOCKS[1] - 22, y + CELL, "+", size=24)
        canvas.number(BLOCKS[2] - 22, y + CELL, "=", size=24)
        axis(canvas, (BLOCKS[0] - 13, y), (BLOCKS[0] - 13, y + Q * CELL), "Q")
    bottom = TOP + PITCH + Q * CELL
    axis(canvas, (12, TOP), (12, bottom), "B")
    for x, shape in zip(BLOCKS, ("B, Q, 1, U", "B, 1, K, U", "B, Q, K, U"), strict=True):
        canvas.number(x - 2, TOP - 12, "U", "muted")
        axis(canvas, (x, bottom + 13), (x + K * CELL, bottom + 13), "K")
        canvas.number(x + K * CELL / 2, bottom + 36, f"({shape})")


def _outline(
    canvas: Canvas, x: float, y: float, rows: int, cols: int, fill: str, edge: str, dash: str | None
) -> None:
    width, height, back = cols * CELL, rows * CELL, U * DEPTH
    top = [(x, y), (x + back, y - back), (x + width + back, y - back), (x + width, y)]
    side = [(x + width, y), top[2], (x + width + back, y + height - back), (x + width, y + height)]
    for face in (top, side):
        canvas.line(face, edge, 1.25, closed=True, fill=fill, dash=dash)
    canvas.rect(x, y, width, height, fill, edge, 1.25, dash=dash)


def _ghost(canvas: Canvas, x: float, y: float, rows: int, cols: int) -> None:
    """What broadcasting repeats without a copy."""
    _outline(canvas, x, y, rows, cols, "page", "line", "4 3")


def _block(canvas: Canvas, x: float, y: float, values: list[list[int]], role: str) -> None:
    """Cells that are stored, U of them one behind the other."""
    rows, cols, back = len(values), len(values[0]), U * DEPTH
    edge = role or "ink"
    _outline(canvas, x, y, rows, cols, f"{role}-tint" if role else "panel", edge, None)
    width, height = cols * CELL, rows * CELL
    for u in range(1, U):
        corner = (x + width + u * DEPTH, y - u * DEPTH)
        ends = [(x + u * DEPTH, corner[1]), corner, (corner[0], corner[1] + height)]
        canvas.line(ends, edge, 0.75)
    for j in range(1, cols):
        at = x + j * CELL
        canvas.line([(at, y + height), (at, y), (at + back, y - back)], edge, 0.75)
    for i in range(1, rows):
        at = y + i * CELL
        canvas.line([(x, at), (x + width, at), (x + width + back, at - back)], edge, 0.75)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            canvas.number(x + (j + 0.5) * CELL, y + (i + 0.5) * CELL, str(value))


def _batched(canvas: Canvas) -> None:
    words = four_words.keys()
    queries = torch.stack([words[:1], words[3:]])  # cats and bark: (B, 1, D)
    keys = four_words.padded_keys().mT  # (B, D, K)
    scores = batched_dot(queries, keys)
    assert scores.tolist() == [[[2, 0, 0, 0]], [[0, 0, 2, 0]]]
    for b, x in enumerate((14, 252)):
        columns = x + 82
        canvas.matrix(columns, 262, keys[b].tolist(), "k", width=33, height=27)
        canvas.matrix(x, 328, queries[b].tolist(), "q", width=37, height=30)
        for j, score in enumerate(scores[b, 0].tolist()):
            canvas.cell(columns + 33 * j, 328, 33, 30, show(score, 0), bold=True)
        canvas.rect(columns, 328, 4 * 33, 30, None, "ink", 2)
        canvas.symbol(x + 54, 289, "K", above="T", fill="k", vector=True)
        canvas.symbol(x + 14, 314, "Q", fill="q", vector=True)
    canvas.number(240, 384, f"(B, Q, D) {TIMES} (B, D, K) = (B, Q, K)")
