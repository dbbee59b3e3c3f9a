"""Where a trained reader of dates looks: one row of weights for each digit that it writes."""

from attn_lib.examples import dates
from book.pictures.canvas import Canvas

TEXT = "15 May 2024"
LEFT, TOP = 44, 24
WIDE, HIGH = 39, 16


def draw() -> Canvas:
    """Draw the picture."""
    reading = dates.read(TEXT)
    assert reading.iso == "2024-05-15"
    digits = [(t, symbol) for t, symbol in enumerate(reading.iso) if symbol != "-"]

    canvas = Canvas(TOP + len(digits) * HIGH + 2)
    for j, letter in enumerate(TEXT):
        if letter != " ":
            canvas.number(LEFT + (j + 0.5) * WIDE, TOP - 11, letter, bold=True)
    for i, (t, symbol) in enumerate(digits):
        y = TOP + i * HIGH
        canvas.number(LEFT - 14, y + HIGH / 2, symbol, size=15, bold=True)
        for j, weight in enumerate(reading.weights[t].tolist()):
            canvas.weight(LEFT + j * WIDE, y, WIDE, HIGH, weight, "")
    # The digits of the year come from the year, those of the day from the day.
    spans = {0: (7, 11), 1: (7, 11), 2: (7, 11), 3: (7, 11), 8: (0, 2), 9: (0, 2)}
    for t, (start, end) in spans.items():
        assert reading.weights[t, start:end].sum() > 0.9
    return canvas
