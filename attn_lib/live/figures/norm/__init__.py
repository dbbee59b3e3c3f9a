"""Figure `norm`: does the nearest key win?"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight, never_exact

# The query is the word cats, and key 1 equals it; key 2 starts at purr.
QUERY, START = four_words.KEYS[0], four_words.KEYS[1]


def format_place(number: float) -> str:
    """Write a coordinate, as in "(4, −2)" and "(0.5, 1)"."""
    return format_number(number, 0 if number == int(number) else 1)


def compute(
    state: State,
    dot_product_scores: Callable[..., Tensor] = scoring.dot_product_scores,
    gaussian_scores: Callable[..., Tensor] = scoring.gaussian_scores,
) -> View:
    """Compute the figure; both scoring functions may be the reader's own."""
    key_2, subtract = (state["x"], state["y"]), state["sub"] == "on"
    queries = torch.tensor([[QUERY]], dtype=torch.float64)
    keys = torch.tensor([[QUERY, key_2]], dtype=torch.float64)
    dot = dot_product_scores(queries, keys, scaled=False)  # (1, 1, 2)
    gaussian = gaussian_scores(queries, keys)
    halves = keys.square().sum(2) / 2  # (1, 2)
    shifted = dot - halves.unsqueeze(1)
    dot_weights, gaussian_weights, shifted_weights = (
        never_exact(masking.masked_softmax(scores)[0]).tolist()
        for scores in (dot, gaussian, shifted)
    )
    left = shifted_weights if subtract else dot_weights
    distance = math.dist(QUERY, key_2)
    half = queries.square().sum() / 2
    # A reader's own function may differ in another way.
    apart = subtract and torch.allclose(shifted - gaussian, half)
    return View(
        parts={
            "plane": {
                "rows": [list(QUERY), list(QUERY), list(key_2)],
                "products": (keys @ queries[0, 0])[0].tolist(),
                "distance": distance,
                "weights": left[0],
                "halves": halves[0].tolist() if subtract else None,
            },
            "scores_dot": None if subtract else {"rows": dot[0].tolist(), "chosen": 1},
            "weights_dot": None if subtract else {"rows": dot_weights, "chosen": 1},
            "scores_shifted": {"rows": shifted[0].tolist(), "chosen": 1} if subtract else None,
            "weights_shifted": {"rows": shifted_weights, "chosen": 1} if subtract else None,
            "scores_gaussian": {"rows": gaussian[0].tolist(), "chosen": 1},
            "weights_gaussian": {"rows": gaussian_weights, "chosen": 1},
        },
        slots={
            "x": format_place(key_2[0]),
            "y": format_place(key_2[1]),
            "distance": format_number(distance, 2),
            "w": format_weight(left[0][1]),
            "g": format_weight(gaussian_weights[0][1]),
            "half": format_number(half.item(), 0),
        },
        summary=("shifted", *(("apart",) if apart else ())) if subtract else ("at", "dot"),
        main="w",
    )


FIGURE = Figure(
    id="norm",
    chapter="dot-product-attention",
    controls=(
        Range(key="x", min=-4, max=4, step=0.5, default=START[0], hue="key"),
        Range(key="y", min=-4, max=4, step=0.5, default=START[1], hue="key"),
        Choice(key="sub", options=("off", "on"), default="off"),
    ),
    compute=compute,
    # Key 2 reaches the line where it is nearest, and goes along it.
    prediction=Prediction(
        right=2,
        before={},
        after={"x": 4, "y": -2},
        row=("weights_dot", 0),
        by=({"x": 2, "y": 0},),
    ),
    tries=({"x": 2, "y": 2}, {"x": 2, "y": 2, "sub": "on"}, {"x": -2, "y": 4}),
    surprise={"x": 4, "y": -2},
)
