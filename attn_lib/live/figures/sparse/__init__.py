"""Figure `sparse`: must every key get some weight?"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring, weights
from attn_lib.examples.six_points import POINTS
from attn_lib.language import words
from attn_lib.live.host.controls import Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight, never_exact

KEYS = torch.tensor([[[x] for x, _ in POINTS]], dtype=torch.float64)  # (1, K, 1)

# How far softmax's bell is drawn, which ends nowhere, and in how many steps a curve is, to each
# side of the query.
FAR, STEPS = 10, 80
# The sea's floor below the top of the hill: the water never sinks so far.
DEEP = 3.45
# Keys farther away than this make the water sink.
NEAR = 1
HALVINGS, LEAST = 60, 1e-12
SAME = 1e-4  # weights that differ by less are equal

RIVALS = (1, 2, 4, 8, 16, 32, 64)
BEST = 2.0  # the score of the best key; its rivals score 0

Weigh = Callable[[Tensor], Tensor]


def compute(
    state: State,
    sparsemax: Weigh = weights.sparsemax,
    entmax15: Weigh = weights.entmax15,
    masked_softmax: Weigh = masking.masked_softmax,
    sigmoid_weights: Callable[..., Tensor] = weights.sigmoid_weights,
) -> View:
    """Compute the figure; what turns scores into weights may be the reader's own."""
    x, alpha = state["x"], state["a"]
    known = {1.0: masked_softmax, 1.5: entmax15, 2.0: sparsemax}
    weigh = known.get(alpha, lambda scores: _entmax(scores, alpha))
    ours = {2.0: weights.sparsemax}.get(alpha, lambda scores: _entmax(scores, alpha))

    scores = scoring.gaussian_scores(torch.tensor([[[x]]], dtype=torch.float64), KEYS)
    soft = never_exact(masked_softmax(scores))[0, 0].tolist()
    row = soft if alpha == 1 else weigh(scores)[0, 0].tolist()
    # The hill and the water are attn_lib's; the reader's own weights may be others.
    hill = soft if alpha == 1 else ours(scores)[0, 0].tolist()
    values = [y for _, y in POINTS]
    fits = [sum(w * y for w, y in zip(row, values, strict=True)) for row in (row, soft)]
    distances = [abs(key - x) for key, _ in POINTS]
    best = row.index(max(row))
    top = hill.index(max(hill))
    width = None if alpha == 1 else _width(distances[top], hill[top], alpha)

    alive = [key for (key, _), w in zip(POINTS, row, strict=True) if w > 0]
    near = min(distances)

    def alone(scores: Tensor) -> Tensor:
        return sigmoid_weights(scores, bias=0.0)

    def biased(scores: Tensor) -> Tensor:
        return sigmoid_weights(scores, bias=-math.log(scores.shape[-1] - 1))

    ways = (masked_softmax, sparsemax, alone, biased)
    crowd = [[way(_one_and_rivals(n))[0, 0].tolist() for way in ways] for n in RIVALS]
    now = crowd[RIVALS.index(state["n"])]
    return View(
        parts={
            "weights": {"rows": [row, soft]},
            "lift": {
                "query": x,
                "width": width,
                "line": _bell(distances) if width is None else _lifted(width, alpha),
                "bell": _bell(distances),
            },
            "crowd": {
                "rows": [[one[0], one[-1]] for one in now],
                "masked": [[False, False] for _ in now],
                "notes": [format_number(sum(one), 2) for one in now],
            },
            "rivals": {
                "lines": [[at[i][0] for at in crowd] for i in (0, 1, 2)],
                "at": RIVALS.index(state["n"]),
            },
        },
        slots={
            "x": format_number(x, None),
            "a": format_number(alpha, None),
            "sum": format_number(sum(row), 2),
            "keys": words("sparse")["comma"].join(str(key) for key in alive),
            "count": str(len(alive)),
            "near": format_number(near, None),
            "width": "" if width is None else format_number(width, 2),
            "fit": format_number(fits[0], 2),
            "soft": format_number(fits[1], 2),
            "w": format_weight(row[best]),
            "best": str(POINTS[best][0]),
            "n": str(state["n"]),
            "c_soft": format_weight(now[0][0]),
            "c_sigmoid": format_weight(now[2][0]),
            "c_sum": format_number(sum(now[2]), 2),
            "c_bias": format_weight(now[3][0]),
        },
        summary=_summary(alpha, len(alive), near) if _alike(row, hill) else ("own",),
    )


def _alike(row: list[float], other: list[float]) -> bool:
    return all(abs(a - b) < SAME for a, b in zip(row, other, strict=True))


def _entmax(scores: Tensor, alpha: float) -> Tensor:
    """Return max((alpha - 1) a - t, 0) ** (1 / (alpha - 1)), with the t that makes the sum 1."""
    scaled = (alpha - 1) * scores
    power = 1 / (alpha - 1)
    high = scaled.amax(-1, keepdim=True)
    low = high - 1
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = (scaled - middle).clamp(min=0).pow(power).sum(-1, keepdim=True) > 1
        low, high = torch.where(above, middle, low), torch.where(above, high, middle)
    over = scaled - low
    heights = torch.where(over > LEAST, over, 0).pow(power)
    return heights / heights.sum(-1, keepdim=True)


def _width(distance: float, weight: float, alpha: float) -> float:
    """Return how far from the query the hill meets the water, from one key that has weight."""
    return math.sqrt(distance**2 + 2 * weight ** (alpha - 1) / (alpha - 1))


def _lifted(width: float, alpha: float) -> list[float]:
    """Return the hill from shore to shore: at each key it is as high as the key's weight."""
    tall = ((alpha - 1) * width**2 / 2) ** (1 / (alpha - 1))
    places = [i / STEPS for i in range(-STEPS, STEPS + 1)]
    return [tall * (1 - u * u) ** (1 / (alpha - 1)) for u in places]


def _bell(distances: list[float]) -> list[float]:
    """Return softmax's curve, `FAR` to each side of the query."""
    total = sum(math.exp(-(d**2) / 2) for d in distances)
    places = [FAR * i / STEPS for i in range(-STEPS, STEPS + 1)]
    return [math.exp(-(d**2) / 2) / total for d in places]


def _one_and_rivals(n: int) -> Tensor:
    """Return the scores of the best key and of n equal rivals, (1, 1, n + 1)."""
    scores = torch.zeros(1, 1, n + 1, dtype=torch.float64)
    scores[..., 0] = BEST
    return scores


def _summary(alpha: float, count: int, near: float) -> tuple[str, ...]:
    if alpha == 1:
        return ("softmax",)
    name = "sparsemax" if alpha == 2 else "entmax"
    who = "one" if count == 1 else "all" if count == len(POINTS) else "some"
    return name, who, "gap" if near > NEAR else "shore"


def data() -> dict[str, Any]:
    """Return the points, the sizes of the drawing, the numbers of rivals, and the comma."""
    return {
        "points": POINTS,
        "far": FAR,
        "deep": DEEP,
        "rivals": RIVALS,
        "comma": words("sparse")["comma"],
    }


FIGURE = Figure(
    id="sparse",
    chapter="beyond-softmax",
    controls=(
        Range(key="x", min=-1, max=9, step=0.25, default=2, hue="query"),
        Range(key="a", min=1, max=2, step=0.05, default=2),
        Listed(key="n", values=RIVALS, default=1),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={},
        after={"x": 5.25},
        # Where the water would lie under the query, so far below the top of the hill: where it was
        # at 2, at the top of the key at 3, and below that.
        places=((5.25, 2 / 3), (5.25, 2.53125), (5.25, 3.1)),
        ms=2600,
    ),
    tries=({"a": 1.5}, {"a": 1}, {"x": 9}, {"x": 5}),
    surprise={"x": 5.25},
    data=data,
    hues={"x": "query", "keys": "key"},
)
