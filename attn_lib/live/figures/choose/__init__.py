"""Figure `choose`: which keys can each score find?"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.language import words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_weight, never_exact

SCORES = ("dot", "gauss", "cosine", "additive")
# What the maps show of the plane, and where a query and a key can lie.
WINDOW = (3.6, 2.5)
REACH = (3.25, 2.25)
# Scores that differ by less are equal; so are places, which a matrix has moved.
SAME = 1e-9
NEAR = 1e-7
# An additive score has no rule for what it can find: it is tried on so many queries of the window.
GRID = (144, 100)
DIRECTIONS = 720

Scores = Callable[..., Tensor]
Point = tuple[float, float]


def data() -> dict[str, Any]:
    """Return the six words with their keys, the matrices of the additive score, and the comma."""
    W_q, W_k, w_v = four_words.additive_parameters()
    return {
        "words": four_words.more_words(),
        "keys": four_words.more_keys().tolist(),
        "W_q": W_q[:, ::2].tolist(),
        "W_k": W_k.tolist(),
        "w_v": w_v.tolist(),
        "comma": words("choose")["comma"],
    }


def compute(
    state: State,
    bilinear_scores: Scores = scoring.bilinear_scores,
    additive_scores: Scores = scoring.additive_scores,
    cosine_scores: Scores = scoring.cosine_scores,
    gaussian_scores: Scores = scoring.gaussian_scores,
) -> View:
    """Compute the figure; each scoring function may be the reader's own."""
    names, front = four_words.more_words(), state["f"]
    query = (state["x"], state["y"])
    keys = tuple(zip(state["kx"], state["ky"], strict=True))
    M = look_along(state["theta"], state["rho"])
    seen = [_seen(M, key) for key in keys]
    W_q, W_k, w_v = (W.double() for W in four_words.additive_parameters())

    def scores_of(name: str, queries: Tensor) -> Tensor:
        K = torch.tensor(keys, dtype=torch.float64).unsqueeze(0)
        if name == "dot":
            return bilinear_scores(queries, K, torch.tensor(M, dtype=torch.float64))
        if name == "gauss":
            return gaussian_scores(queries, K)
        if name == "cosine":
            return cosine_scores(queries, K)
        # Its queries have three numbers, the middle one 0.
        three = torch.stack([queries[..., 0], torch.zeros(queries.shape[:2]), queries[..., 1]], 2)
        return additive_scores(three.double(), K, W_q, W_k, w_v)

    asked = torch.tensor([[query]], dtype=torch.float64)
    scores = [scores_of(name, asked)[0, 0] for name in SCORES]
    weights = [never_exact(masking.masked_softmax(row[None, None]))[0, 0] for row in scores]
    first = [[i for i, a in enumerate(row.tolist()) if a >= row.max() - SAME] for row in scores]
    tried = scores_of("additive", _grid())[0]
    owners = {
        "dot": corners(seen),
        "gauss": _distinct(keys),
        "cosine": _directed(keys),
        "additive": sorted(
            set((tried >= tried.amax(1, keepdim=True) - SAME).int().argmax(1).tolist())
        ),
    }
    largest = {
        "cosine": masking.masked_softmax(scores_of("cosine", _directions())).max().item(),
        "additive": masking.masked_softmax(tried[None]).max().item(),
    }
    front_first = first[SCORES.index(front)]
    never = [name for i, name in enumerate(names) if i not in owners[front]]
    asks = keys.index(query) if query in keys else -1
    comma = words("choose")["comma"]
    heads = {
        name: _head([names[i] for i in best], row[best[0]].item())
        for name, best, row in zip(SCORES, first, weights, strict=True)
    }
    return View(
        parts={
            "weights": {"rows": [row.tolist() for row in weights]},
            "plane": {
                "query": list(query),
                "keys": [list(key) for key in keys],
                "seen": [list(point) for point in seen],
                "outline": [list(seen[i]) for i in owners["dot"]],
                "never": [[i not in owners[name] for i in range(len(names))] for name in SCORES],
            },
        },
        slots={
            **heads,
            "who": comma.join(names[i] for i in front_first),
            "w": format_weight(weights[SCORES.index(front)][front_first[0]].item()),
            "asks": names[asks] if asks >= 0 else "",
            "never": comma.join(never),
            "ends": comma.join(names[i] for i in sorted(owners["dot"])),
            "most": format_weight(largest.get(front, 1.0)),
        },
        summary=_summary(state, first, asks, bool(never)),
    )


def _summary(state: State, first: list[list[int]], asks: int, some_never: bool) -> tuple[str, ...]:
    """Return which sentences say who wins here, and what the score in front can find at all."""
    front = state["f"]
    best = first[SCORES.index(front)]
    through = front == "dot" and state["rho"] < 1
    if len(best) == len(state["kx"]):
        lead = "nobody"
    elif all(len(row) == 1 and row == best for row in first):
        lead = "all"
    elif asks >= 0 and len(best) == 1 and best[0] != asks and not through:
        lead = f"own_{front}"
    else:
        lead = "at_matrix" if through else f"at_{front}"
    if front == "dot":
        return lead, "line" if state["rho"] == 0 else "inside" if some_never else "corners"
    return lead, "additive_never" if front == "additive" and some_never else front


def _head(winners: list[str], weight: float) -> str:
    """Write who wins under a score, and with which weight; of several, how many tie."""
    who = winners[0] if len(winners) == 1 else " = ".join(winners[:2])
    return f"{who if len(winners) < 3 else '–'} {format_weight(weight)}"


def look_along(theta: float, rho: float) -> tuple[Point, Point]:
    """Return the matrix that sees one direction, at `theta` degrees, and `rho` times the rest."""
    if rho == 1:
        return (1.0, 0.0), (0.0, 1.0)
    c, s = math.cos(math.radians(theta)), math.sin(math.radians(theta))
    across = (1 - rho) * c * s
    return (c * c + rho * s * s, across), (across, s * s + rho * c * c)


def _seen(M: tuple[Point, Point], key: Point) -> Point:
    return (M[0][0] * key[0] + M[0][1] * key[1], M[1][0] * key[0] + M[1][1] * key[1])


def corners(points: Sequence[Point]) -> list[int]:
    """Return which points are corners of the outline around all, in order; of equal ones the first.

    >>> corners([(1, 1), (1, -1), (-1, 1), (-1, -1), (0.5, 0.25), (-2, 0.5)])
    [5, 3, 1, 0, 2]
    """
    different: list[int] = []
    for i, point in enumerate(points):
        if all(math.dist(point, points[j]) > NEAR for j in different):
            different.append(i)
    if len(different) < 3:
        return different
    rounded = {i: (round(points[i][0], 8), round(points[i][1], 8)) for i in different}
    ordered = sorted(different, key=lambda i: (*rounded[i], i))

    def side(order: list[int]) -> list[int]:
        edge: list[int] = []
        for i in order:
            while len(edge) > 1 and _turn(*(points[j] for j in (*edge[-2:], i))) <= NEAR:
                edge.pop()
            edge.append(i)
        return edge[:-1]

    return side(ordered) + side(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _distinct(keys: Sequence[Point]) -> list[int]:
    """Return the keys that equal none before them: each is the nearest to itself."""
    return [i for i, key in enumerate(keys) if key not in keys[:i]]


def _directed(keys: Sequence[Point]) -> list[int]:
    """Return the keys that win a cosine: the first in each direction.

    A key at 0 scores 0 everywhere, so it needs a query from which all others point away.
    """
    owners = []
    for i, (x, y) in enumerate(keys):
        before = [key for key in keys[:i] if abs(x * key[1] - y * key[0]) < SAME]
        if (x, y) == (0, 0):
            if (0.0, 0.0) not in keys[:i] and _leaves_half([key for key in keys if any(key)]):
                owners.append(i)
        elif not any(x * u + y * v > 0 for u, v in before):
            owners.append(i)
    return owners


def _leaves_half(points: Sequence[Point]) -> bool:
    """Say whether more than half of all directions lie between two neighbours."""
    angles = sorted(math.atan2(y, x) for x, y in points)
    around = [*angles, angles[0] + 2 * math.pi] if angles else []
    return not around or max(b - a for a, b in pairwise(around)) > math.pi + SAME


def _grid() -> Tensor:
    """Return the queries in the middles of a grid over the window, shape (1, queries, 2)."""
    (columns, rows), (across, upwards) = GRID, WINDOW
    x = (torch.arange(columns, dtype=torch.float64) + 0.5) / columns * 2 * across - across
    y = upwards - (torch.arange(rows, dtype=torch.float64) + 0.5) / rows * 2 * upwards
    return torch.cartesian_prod(x, y).unsqueeze(0)


def _directions() -> Tensor:
    """Return queries in all directions, shape (1, queries, 2)."""
    angles = torch.arange(DIRECTIONS, dtype=torch.float64) * (2 * math.pi / DIRECTIONS)
    return torch.stack([angles.cos(), angles.sin()], 1).unsqueeze(0)


KX, KY = (tuple(key[i] for key in (*four_words.KEYS, *four_words.MORE_KEYS)) for i in (0, 1))

FIGURE = Figure(
    id="choose",
    chapter="choosing-a-scoring-function",
    controls=(
        Choice(key="f", options=SCORES, default="dot"),
        Range(key="x", min=-REACH[0], max=REACH[0], step=0.25, default=1.0, hue="query"),
        Range(key="y", min=-REACH[1], max=REACH[1], step=0.25, default=1.0, hue="query"),
        Range(key="theta", min=0, max=165, step=15, default=45),
        Range(key="rho", min=0.0, max=1.0, step=0.1, default=1.0),
        Range(key="kx", min=-REACH[0], max=REACH[0], step=0.25, default=KX, hue="key"),
        Range(key="ky", min=-REACH[1], max=REACH[1], step=0.25, default=KY, hue="key"),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"x": -0.25, "y": -2.0},
        # Past the edge from purr to bark, and still shorter than any other word.
        after={"x": -0.25, "y": -2.0, "ky": (*KY[:4], -1.25, KY[5])},
        # Off the ground of cats; where fish ends; as far from 0 as wolf.
        places=((0.5, -0.5), (0.5, -1.25), (0.5, -2.0)),
        ms=2400,
    ),
    tries=(
        {"x": -1.0, "y": 1.0, "kx": (*KX[:5], -3.25), "ky": (*KY[:5], 1.25)},
        {"x": 0.5, "y": 0.25, "kx": (*KX[:4], 1.5, KX[5])},
        {"x": 0.5, "y": 0.25, "rho": 0.0},
        {"x": 0.5, "y": 0.5, "f": "cosine", "ky": (*KY[:4], 0.5, KY[5])},
    ),
    surprise={"x": -0.25, "y": -2.0, "ky": (*KY[:4], -1.25, KY[5])},
    data=data,
    hues={"w": "weight"},
)
