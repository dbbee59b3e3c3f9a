"""What the pictures are put together from. Computation flows down, keys stand side by side."""

import math
from collections.abc import Sequence

from book.pictures.canvas import ALPHA, SIGMA, Canvas, Point

UNIT = 30  # thickness of a flow of weight 1

# Flows


def flow(canvas: Canvas, start: Point, end: Point, weight: float) -> None:
    """Draw a ribbon as thick as its weight; none where the weight prints as 0.00."""
    if weight < 0.005:
        return
    (x1, y1), (x2, y2) = start, end
    middle = (y1 + y2) / 2
    d = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {y2:.1f}"
    # A seam of the ground, so that neighbours that meet can be counted.
    canvas.path(d, "page", UNIT * weight + 1.5)
    canvas.path(d, "flow", max(1, UNIT * weight - 0.5))


def flows(
    canvas: Canvas, starts: Sequence[float], top: float, end: Point, weights: Sequence[float]
) -> None:
    """Draw all ribbons of one query. They arrive side by side, since weights sum to 1."""
    x, y = end
    edge = x - UNIT * sum(weights) / 2
    for start, weight in zip(starts, weights, strict=True):
        flow(canvas, (start, top), (edge + UNIT * weight / 2, y), weight)
        edge += UNIT * weight


# Operators


def pill(canvas: Canvas, x: float, y: float, width: float, height: float = 30) -> None:
    """Draw the outline of an operator, centred."""
    left, top = x - width / 2, y - height / 2
    canvas.rect(left, top, width, height, "panel", "line", 1.5, round=min(height / 2, 15))


def exponential(canvas: Canvas, x: float, y: float, *, over_sum: bool = True) -> None:
    """Write e to the a, or that over its sum: what a softmax does."""
    canvas.symbol(x - 15 * over_sum, y + 2, "e", above="a")
    if over_sum:
        canvas.line([(x + 3, y + 10), (x + 11, y - 10)], "ink", 1.25)
        canvas.symbol(x + 22, y + 1, SIGMA, upright=True)


def softmax(canvas: Canvas, x: float, y: float, width: float) -> None:
    """Draw a softmax as wide as what it sums over."""
    pill(canvas, x, y, width)
    exponential(canvas, x, y)


def root(canvas: Canvas, x: float, y: float, letter: str = "d", *, digits: bool = False) -> None:
    """Draw a square root with its bar, so that no font has to."""
    bar = 13 if len(letter) == 1 else 6 + 9 * len(letter)
    points = [(x - 14, y + 1), (x - 10, y - 1), (x - 6, y + 8), (x - 1, y - 11), (x + bar, y - 11)]
    canvas.line(points, "ink", 1.5)
    if digits:
        canvas.number(x + bar / 2, y + 0.5, letter)
    else:
        canvas.symbol(x + 6, y + 1, letter)


# The score


def score_box(
    canvas: Canvas,
    x: float,
    y: float,
    width: float,
    height: float,
    contacts: Sequence[float],
    *,
    chosen: bool = True,
) -> None:
    """Draw the box of a score; whatever has the same contacts below fits in its place."""
    edge = "ink" if chosen else "line"
    canvas.rect(x, y, width, height, "panel", edge, 2 if chosen else 1.5, round=8)
    for contact in contacts:
        canvas.rect(contact - 5, y + height - 1, 10, 7, edge, None)


def dot_product(canvas: Canvas, x: float, y: float) -> None:
    """Draw the shadow of a key on the direction of the query, inside a score box."""
    unit, (x0, y0) = 50, (x - 28, y + 34)

    def at(point: Point) -> Point:
        return x0 + unit * point[0], y0 - unit * point[1]

    query, key = (1.2, 0.9), (0.15, 1.35)
    shadow = (query[0] * key[0] + query[1] * key[1]) / (query[0] ** 2 + query[1] ** 2)
    foot = at((shadow * query[0], shadow * query[1]))
    canvas.line([at(key), foot], "line", 1.5, dash="4 3")
    canvas.arrow((x0, y0), at(query), "q", 2.5, 10)
    canvas.line([(x0, y0), foot], "ink", 5)
    canvas.arrow((x0, y0), at(key), "k", 2.5, 10)


def bell(
    canvas: Canvas, x: float, y: float, distances: Sequence[float] = (-1.6, -0.8, 1.1, 2.3)
) -> None:
    """Draw a bell over the query with keys below it, inside a score box."""
    unit, base, top = 24.0, y + 30, 62.0
    canvas.line([(x - 66, base), (x + 66, base)], "line", 1)
    steps = [t / 10 for t in range(-27, 28)]
    canvas.line([(x + unit * t, base - top * math.exp(-t * t / 2)) for t in steps], "ink", 1.75)
    canvas.line([(x, base), (x, base - top)], "q", 1.75, dash="3 3")
    canvas.circle(x, base, 4.5, "q")
    for t in distances:
        curve = (x + unit * t, base - top * math.exp(-t * t / 2))
        canvas.line([(curve[0], base), curve], "k", 1.5)
        canvas.circle(*curve, 4, "k")


def hidden_units(canvas: Canvas, x: float, y: float, *, early: bool = False) -> None:
    """Draw query and key, two hidden units and their sum; `early` bends before the sum."""
    inputs = {"q": (x - 52, y - 22.0), "k": (x - 52, y + 22.0)}
    units = [(x, y - 23.0), (x, y + 23.0)]
    end = (x + 50, y)
    for (role, start), own in zip(inputs.items(), units, strict=True):
        for unit in [own] if early else units:
            canvas.line([start, unit], role, 1.5)
    for unit in units:
        canvas.line([unit, end], "ink", 1.5)
    for role, start in inputs.items():
        canvas.rect(start[0] - 13, start[1] - 13, 26, 26, "page", role, 1.5, round=5)
        canvas.symbol(*start, role, fill=role, vector=True)
    for unit in units:
        canvas.circle(*unit, 17, "page", "ink")
        curve(canvas, *unit, 12, 9)
    canvas.circle(*end, 13, "page", "ink")
    canvas.number(*end, "+", size=20)


def curve(canvas: Canvas, x: float, y: float, half_width: float, half_height: float) -> None:
    """Draw a small tanh."""
    steps = [t / 5 for t in range(-12, 13)]
    points = [(x + half_width * t / 2.4, y - half_height * math.tanh(t)) for t in steps]
    canvas.line(points, "ink", 1.75)


# The plane


class Plane:
    """A tinted square with a hairline at each unit, in which vectors are arrows."""

    def __init__(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        half: float,
        unit: float,
        tint: str = "page",
        shift: Point = (0, 0),
    ) -> None:
        """Draw the square around (x, y); the origin lies there, or shifted from there."""
        self.canvas, self.unit = canvas, unit
        self.x, self.y = x + shift[0], y + shift[1]
        canvas.rect(x - half, y - half, 2 * half, 2 * half, tint, "hair", 1, round=4)
        reach = math.ceil(2 * half / unit)
        for number in range(-reach, reach + 1):
            width = 0.75 if number else 1.75
            across, down = self.x + number * unit, self.y + number * unit
            if abs(across - x) < half:
                canvas.line([(across, y - half), (across, y + half)], "hair", width)
            if abs(down - y) < half:
                canvas.line([(x - half, down), (x + half, down)], "hair", width)

    def at(self, point: Sequence[float]) -> Point:
        """Where a point of the plane lies on the canvas."""
        return self.x + self.unit * float(point[0]), self.y - self.unit * float(point[1])

    def vector(
        self,
        end: Sequence[float],
        role: str,
        width: float = 2.5,
        *,
        start: Sequence[float] = (0, 0),
        head: float = 10,
    ) -> None:
        """Draw a vector."""
        self.canvas.arrow(self.at(start), self.at(end), role, width, head)


# Marks


def bracket(canvas: Canvas, left: float, right: float, y: float, text: str) -> None:
    """Draw the valid length: a bracket above the real tokens, their count in its middle."""
    canvas.line([(left, y + 6), (left, y), (right, y), (right, y + 6)], "ink", 1.5)
    middle, width = (left + right) / 2, 10 * len(text) + 8
    canvas.rect(middle - width / 2, y - 10, width, 20, "page", None)
    canvas.number(middle, y, text, bold=True)


def axis(canvas: Canvas, start: Point, end: Point, letter: str) -> None:
    """Draw the extent of an axis, with its letter in the middle."""
    upright = start[0] == end[0]
    canvas.line([start, end], "muted", 1)
    for x, y in (start, end):
        ends = [(x - 4, y), (x + 4, y)] if upright else [(x, y - 4), (x, y + 4)]
        canvas.line(ends, "muted", 1)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    width = 9 * len(letter) + 9
    canvas.rect(x - width / 2, y - 10, width, 20, "page", None)
    canvas.number(x, y, letter, "muted")


def step(canvas: Canvas, x: float, y: float, text: str, *, to_come: bool = False) -> None:
    """Draw the number of a step on a disc, outlined if the step is still to come."""
    canvas.circle(x, y, 11, "page" if to_come else "ink", "line" if to_come else None)
    canvas.number(x, y, text, "muted" if to_come else "page", size=15, bold=True)


def right(canvas: Canvas, x: float, y: float) -> None:
    """Draw a tick."""
    canvas.line([(x - 8, y), (x - 2, y + 7), (x + 9, y - 8)], "ok", 3.5)


def wrong(canvas: Canvas, x: float, y: float) -> None:
    """Draw a cross."""
    canvas.line([(x - 7, y - 7), (x + 7, y + 7)], "bad", 3.5)
    canvas.line([(x - 7, y + 7), (x + 7, y - 7)], "bad", 3.5)


def word(canvas: Canvas, x: float, y: float, letters: int) -> None:
    """Draw a word: a grey stroke, since the picture serves four languages."""
    width = 7 * letters
    canvas.rect(x - width / 2, y - 3, width, 6, "muted", None, round=3)


def alpha(canvas: Canvas, x: float, y: float) -> None:
    """Write the letter of the weights."""
    canvas.symbol(x, y, ALPHA)
