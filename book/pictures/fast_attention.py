"""Tiles over a table that is never stored, three numbers that are kept, and what travels."""

import torch

from attn_lib import dot_product_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import DIVIDED, TIMES, Canvas, show
from book.pictures.grammar import step

TILE = 2  # queries and keys of a tile
LEFT, TOP, CELL, ROW = 58, 50, 48, 30  # the table of scores
STATES = (356, 446)  # the columns of what is kept after each tile


def draw() -> Canvas:
    """Draw the picture."""
    words, pages = four_words.keys(), four_words.pages()
    scores = dot_product_scores(words[None], words[None], scaled=False)[0]
    states = _online(scores[3], pages)
    output = states[-1][2] / states[-1][1]
    at_once = masked_softmax(scores[None])[0, 3] @ pages
    assert torch.allclose(torch.tensor(output), at_once)
    shown = [[show(number) for number in state[:3]] for state in states]
    assert shown == [["0", "1.14", "21.35"], ["2.00", "1.29", "46.95"]]
    assert show(output) == "36.42"

    canvas = Canvas(408)
    _tiles(canvas, scores[3].tolist())
    _kept(canvas, states, output)
    canvas.line([(0, 204), (480, 204)], "hair", 1)
    _memory(canvas)
    return canvas


def _online(scores: torch.Tensor, values: torch.Tensor) -> list[tuple[float, float, float, float]]:
    """The largest score, the sum and the weighted sum after each tile, and their rescaling."""
    m, s, o = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    states = []
    for block, page in zip(scores.split(TILE), values.split(TILE), strict=True):
        top = torch.maximum(m, block.max())
        again, exps = (m - top).exp(), (block - top).exp()
        m, s, o = top, s * again + exps.sum(), o * again + exps @ page
        states.append((m.item(), s.item(), o.item(), again.item()))
    return states


def _tiles(canvas: Canvas, row: list[float]) -> None:
    for j in range(4):
        canvas.rect(LEFT + j * CELL, TOP - 32, CELL, 24, "k" if j >= TILE else "k-tint", "k")
        canvas.rect(LEFT - 32, TOP + j * ROW, 24, ROW, "q" if j == 3 else "q-tint", "q")
    canvas.symbol(LEFT + 4 * CELL + 20, TOP - 20, "K", above="T", fill="k", vector=True)
    canvas.symbol(LEFT - 20, TOP - 22, "Q", fill="q", vector=True)
    for i in range(2):
        for j in range(2):
            at = (LEFT + j * TILE * CELL, TOP + i * TILE * ROW, TILE * CELL, TILE * ROW)
            canvas.rect(*at, "page", "line", 1, dash="4 3")
    canvas.rect(*at, "panel", "ink", 2.5)  # the last tile is being computed
    for i in range(2):
        x, y = LEFT + CELL, TOP + (2 * i + 1) * ROW - 14 * i
        canvas.arrow((x + 15, y), (x + TILE * CELL - 13, y))
        for j in range(2):
            step(canvas, x + j * TILE * CELL, y, str(2 * i + j + 1))
    for j, score in enumerate(row):
        canvas.number(LEFT + (j + 0.5) * CELL, TOP + 3.5 * ROW + 2, show(score, 0))


def _kept(canvas: Canvas, states: list[tuple[float, float, float, float]], output: float) -> None:
    for number, (x, state) in enumerate(zip(STATES, states, strict=True), start=3):
        step(canvas, x, 20, str(number))
        for i, value in enumerate(state[:3]):
            y = 52 + 32 * i
            canvas.number(x, y, show(value, 0 if not i else 2))
    for i, letter in enumerate("mso"):
        canvas.symbol(STATES[0] - 50, 51 + 32 * i, letter)
    again = f"{TIMES}{show(states[1][3])}"
    canvas.line([(STATES[0] + 30, 20), (STATES[1] - 32, 20)], "line", 1.5)
    canvas.arrow((STATES[0] + 30, 20), (STATES[1] - 15, 20), "line", 1.5)
    for i in (1, 2):
        y = 52 + 32 * i
        canvas.arrow((STATES[0] + 28, y), (STATES[1] - 28, y), "line", 1.5)
    canvas.number((STATES[0] + STATES[1]) / 2, 68, again, "muted", size=15)
    x = STATES[0] - 50
    canvas.line([(x - 12, 140), (STATES[1] + 26, 140)], "line", 1)
    canvas.symbol(x, 162, "o")
    canvas.number(x + 18, 162, DIVIDED, size=20)
    canvas.symbol(x + 36, 162, "s")
    canvas.number(x + 58, 162, "=", "muted")
    canvas.number(STATES[1], 162, output, bold=True)


def _memory(canvas: Canvas) -> None:
    """Slow memory holds whole matrices; fast memory holds one tile and three numbers."""
    canvas.rect(10, 222, 256, 172, "panel", "line", 1.5, round=8)
    roles = (("Q", "q"), ("K", "k"), ("V", "v"), ("O", "v"))
    for i, (letter, role) in enumerate(roles):
        x = 28 + 60 * i
        canvas.symbol(x + 20, 240, letter, fill="ink" if letter == "O" else role, vector=True)
        for j in range(4):
            here = j >= TILE
            if letter == "O":
                canvas.rect(x, 258 + 30 * j, 40, 30, "page", "ink")
            else:
                canvas.rect(x, 258 + 30 * j, 40, 30, role if here else f"{role}-tint", role)
    canvas.rect(352, 236, 116, 144, "page", "ink", 2.5, round=8)
    for i in range(2):
        for j in range(2):
            canvas.rect(383 + 27 * i, 252 + 27 * j, 27, 27, "panel", "line")
    canvas.rect(383, 252, 54, 54, None, "ink", 2)
    step(canvas, 410, 279, "4")
    for i, letter in enumerate("mso"):
        canvas.symbol(380 + 30 * i, 342, letter)
    for y, role in ((262, "q"), (292, "k"), (322, "v")):
        canvas.arrow((270, y), (348, y), role, 2)
        canvas.rect(288, y - 10, 36, 20, role, "page", 2)
    canvas.arrow((348, 358), (270, 358), "ink", 2)
    canvas.rect(294, 348, 36, 20, "page", "ink", 1.5)
