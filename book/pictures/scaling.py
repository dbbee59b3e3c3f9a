"""Three sizes: scores spread, a typical row of weights collapses, and no gradient is left."""

import math

import torch

from attn_lib import dot_product_scores, masked_softmax, normals
from book.pictures.canvas import ALPHA, MINUS, Canvas

SIZES = (4, 64, 512)
SEED, TRIALS, KEYS = 4, 2000, 10
WIDTH, GAP = 148, 10
REACH, BINS = 66, 45  # scores from -REACH to REACH
TOP, BASE = 48, 128  # of the histograms


def draw() -> Canvas:
    """Draw the picture."""
    canvas = Canvas(386)
    largest = []
    for panel, d in enumerate(SIZES):
        scores = _scores(d)
        weights = masked_softmax(scores[:, None])[:, 0]  # (trials, keys)
        tops = weights.max(1).values
        typical = weights[(tops - tops.median()).abs().argmin()]
        largest.append(f"{typical.max().item():.2f}")
        x = 8 + panel * (WIDTH + GAP)
        canvas.symbol(x + WIDTH / 2, 18, f'd<tspan class="u"> = {d}</tspan>')
        _histogram(canvas, x, scores.flatten())
        _row(canvas, x, typical.tolist(), largest[-1])
        _meter(canvas, x, typical.max().item())
    assert largest == ["0.45", "0.95", "1.00"]
    return canvas


def _scores(d: int) -> torch.Tensor:
    """Scores (trials, keys) of random queries and keys of d features, undivided.

    Given the query, its product with a random key is normal with standard deviation ||q||, so one
    number stands for the d of a key: exact in distribution, and d times as cheap.
    """
    queries = normals(SEED, TRIALS * d).reshape(TRIALS, 1, d).norm(dim=2, keepdim=True)
    keys = normals(SEED + 1, TRIALS * KEYS).reshape(TRIALS, KEYS, 1)
    return dot_product_scores(queries, keys, scaled=False)[:, 0]


def _histogram(canvas: Canvas, x: float, scores: torch.Tensor) -> None:
    counts = torch.histc(scores, BINS, -REACH, REACH)
    heights = ((BASE - TOP) * counts / counts.max()).tolist()
    step = WIDTH / BINS
    points = [(x, float(BASE))]
    for i, height in enumerate(heights):
        points += [(x + i * step, BASE - height), (x + (i + 1) * step, BASE - height)]
    canvas.line([*points, (x + WIDTH, BASE)], "line", 1, closed=True, fill="panel")
    canvas.line([(x, BASE), (x + WIDTH, BASE)], "line", 1.5)
    spread = WIDTH / 2 * scores.std().item() / REACH
    middle, y = x + WIDTH / 2, BASE + 12
    canvas.line([(middle, BASE), (middle, BASE + 5)], "line", 1.5)
    for side in (-1, 1):
        canvas.line([(middle, y), (middle + side * spread, y)], "ink", 3)
        canvas.line([(middle + side * spread, y - 4), (middle + side * spread, y + 4)], "ink", 2)

    canvas.number(middle, y + 18, f"±{scores.std().item():.1f}")


def _row(canvas: Canvas, x: float, weights: list[float], largest: str) -> None:
    """Ten keys of one query, as bars on the scale from 0 to 1."""
    base, high, step = 278, 76, WIDTH / KEYS
    canvas.line([(x, base - high), (x + WIDTH, base - high)], "hair", 1, dash="4 3")
    for j, weight in enumerate(weights):
        left = x + j * step
        if weight >= 0.005:
            canvas.rect(left + 2, base - high * weight, step - 4, high * weight, "flow", None)
        if weight == max(weights):
            middle = min(max(left + step / 2, x + 18), x + WIDTH - 18)
            canvas.number(middle, base - high * weight - 12, largest)
    canvas.line([(x, base), (x + WIDTH, base)], "line", 1.5)


def _meter(canvas: Canvas, x: float, weight: float) -> None:
    """What a gradient can pass: the slope of the softmax at the largest weight, at most 1/4."""
    slope = weight * (1 - weight)
    middle, base, radius = x + WIDTH / 2, 352, 44
    arc = f"M{middle - radius} {base}A{radius} {radius} 0 0 1 {middle + radius} {base}"
    canvas.path(arc, "line", 2)
    for tick in range(5):
        cos, sin = math.cos(math.pi * tick / 4), math.sin(math.pi * tick / 4)
        ends = [(middle + r * cos, base - r * sin) for r in (radius - 6, radius)]
        canvas.line(ends, "line", 1.5)
    angle = math.pi * (1 - 4 * slope)
    tip = (middle + (radius - 9) * math.cos(angle), base - (radius - 9) * math.sin(angle))
    canvas.arrow((middle, base), tip, "ink", 3, 11)
    canvas.circle(middle, base, 4.5, "ink")
    text = f"(1 {MINUS} {ALPHA}) = {slope:.2f}"
    canvas.symbol(middle, base + 20, f'{ALPHA}<tspan class="u">{text}</tspan>')
