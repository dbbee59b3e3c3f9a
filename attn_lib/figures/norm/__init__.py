"""Figure `norm`: does the nearest key win?"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.explorer.controls import Choice, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight

QUERY = (1.0, 0.0)
KEY_1 = (1.0, 0.0)


def compute(
    state: State,
    dot_product_scores: Callable[..., Tensor] = scoring.dot_product_scores,
    gaussian_scores: Callable[..., Tensor] = scoring.gaussian_scores,
) -> View:
    """Compute the figure; both scoring functions may be the reader's own."""
    length, angle, subtract = state["r"], state["a"], state["sub"] == "on"
    key_2 = _point(length, angle)
    queries = torch.tensor([[QUERY]], dtype=torch.float64)
    keys = torch.tensor([[KEY_1, key_2]], dtype=torch.float64)
    dot = dot_product_scores(queries, keys, scaled=False)  # (1, 1, 2)
    gaussian = gaussian_scores(queries, keys)
    shifted = dot - keys.square().sum(2).unsqueeze(1) / 2
    dot_weights, gaussian_weights, shifted_weights = (
        masking.masked_softmax(scores)[0].tolist() for scores in (dot, gaussian, shifted)
    )
    left = shifted_weights if subtract else dot_weights
    return View(
        parts={
            "plane": {
                "rows": [list(QUERY), list(KEY_1), list(key_2)],
                "lengths": [1.0, 1.0, length],
                "angles": [0, 0, angle],
                "circle": math.dist(QUERY, key_2),
                "line": not subtract,
            },
            "scores_dot": None if subtract else {"rows": dot[0].tolist(), "chosen": 1},
            "weights_dot": None if subtract else {"rows": dot_weights, "chosen": 1},
            "scores_shifted": {"rows": shifted[0].tolist(), "chosen": 1} if subtract else None,
            "weights_shifted": {"rows": shifted_weights, "chosen": 1} if subtract else None,
            "scores_gaussian": {"rows": gaussian[0].tolist(), "chosen": 1},
            "weights_gaussian": {"rows": gaussian_weights, "chosen": 1},
        },
        slots={
            "r": format_number(length, 2),
            "w": format_weight(left[0][1]),
            "g": format_weight(gaussian_weights[0][1]),
        },
        summary=("no_direction" if length == 0 else "at", "shifted" if subtract else "dot"),
        main="w",
    )


def _point(length: float, angle: int) -> tuple[float, float]:
    """Return a point of the plane, without the last bits that sine and cosine leave at 0."""
    turn = math.radians(angle)
    return round(length * math.cos(turn), 12), round(length * math.sin(turn), 12)


FIGURE = Figure(
    id="norm",
    controls=(
        Range(key="r", min=0, max=4, step=0.25, default=1.0, hue="key"),
        Range(key="a", min=-180, max=180, step=15, default=0, hue="key"),
        Choice(key="sub", options=("off", "on"), default="off"),
    ),
    compute=compute,
    prediction=Prediction(right=0, before={}, after={"r": 2}),
    tries=({"r": 2}, {"r": 2, "sub": "on"}, {"r": 2, "a": 60}),
    surprise={"r": 2},
)
