"""The weight of a perfect match among ever more keys, under three bounded scores."""

import torch

from attn_lib import cosine_scores, length_scaled, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import Canvas, short

SIZES = (4, 100, 1000, 10_000)
GAIN = 10  # of the second row
LEFT, PITCH, WIDE = 118, 92, 64
TOP, ROW, HIGH = 36, 118, 76


def draw() -> Canvas:
    """Draw the picture."""
    columns = [_weights(n) for n in SIZES]
    rows = [[short(w) for w in row] for row in zip(*columns, strict=True)]
    assert rows == [
        [".53", ".03", ".00", ".00"],
        ["1.00", "1.00", ".97", ".77"],
        [".78", ".92", ".97", ".99"],
    ]

    canvas = Canvas(394)
    for i, n in enumerate(SIZES):
        x = LEFT + i * PITCH
        canvas.number(x + WIDE / 2, 16, str(n), size=16)
        for r, weight in enumerate(columns[i]):
            base = TOP + r * ROW + HIGH
            canvas.rect(x, base - HIGH, WIDE, HIGH, "panel", "hair")
            tall = max(1.5, HIGH * weight)
            canvas.rect(x, base - tall, WIDE, tall, f"w{round(100 * weight)}", "line")
            canvas.number(x + WIDE / 2, base + 14, rows[r][i], size=16)
    canvas.symbol(LEFT - 12, 16, "n", anchor="end", size=18)
    for r, name in enumerate(("cos", f"{GAIN} · cos", "g(n) · cos")):
        canvas.number(LEFT - 12, TOP + r * ROW + HIGH / 2, name, size=16, anchor="end")
    return canvas


def _weights(n: int) -> list[float]:
    """The weight of *cats*, which asks, among n words: one *cats*, the others over and over."""
    keys = four_words.keys().double()
    text = torch.cat([keys[:1], keys[1:].repeat((n - 1) // 3, 1)])
    cosine = cosine_scores(keys[None, :1], text[None])
    grown = length_scaled(2 * cosine, n, trained_keys=4)
    scores = (cosine, GAIN * cosine, grown)
    return [masked_softmax(a)[0, 0, 0].item() for a in scores]
