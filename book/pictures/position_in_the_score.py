"""The same two words at two places of a text: both arrows turn on, the angle between them stays."""

import math

import torch

from attn_lib import rotary_scores, rotate
from book.pictures.canvas import Canvas, Point, show

DIALS = ((124, 24, 27), (356, 124, 127))  # the middle of a dial, the place of its key, its query
MIDDLE, RADIUS = 118, 92
LENGTHS = {"q": 84, "k": 62}
SHADE = 40


def draw() -> Canvas:
    """Draw the picture."""
    canvas = Canvas(268)
    word = torch.ones(1, 1, 2)
    for x, j, i in DIALS:
        at_q, at_k = torch.tensor([i]), torch.tensor([j])
        score = rotary_scores(word, word, places_q=at_q, places_k=at_k, scaled=False).item()
        assert show(score, 3) == show(2 * math.cos(3), 3) == "−1.980"
        canvas.circle(x, MIDDLE, RADIUS, "panel", "line")
        query, key = (_direction(word, place) for place in (i, j))
        start, end = (_at(x, way, SHADE) for way in (key, query))
        # Counter-clockwise from the key to the query: three radians.
        canvas.path(
            f"M{x} {MIDDLE}L{start[0]:.1f} {start[1]:.1f}"
            f"A{SHADE} {SHADE} 0 0 0 {end[0]:.1f} {end[1]:.1f}Z",
            "line",
            fill="hair",
        )
        for role, way, place in (("k", key, j), ("q", query, i)):
            canvas.arrow((x, MIDDLE), _at(x, way, LENGTHS[role]), role, 4, 12)
            canvas.number(x - 36 + 72 * (role == "q"), 234, str(place), fill=role, bold=True)
        canvas.number(x, 256, show(score, 3), bold=True)
    return canvas


def _direction(word: torch.Tensor, place: int) -> tuple[float, float]:
    """Return where the arrow (1, 1) points after it was turned by a place."""
    x, y = (rotate(word, torch.tensor([place]))[0, 0] / math.sqrt(2)).tolist()
    return x, y


def _at(middle: float, way: tuple[float, float], length: float) -> Point:
    return middle + length * way[0], MIDDLE - length * way[1]
