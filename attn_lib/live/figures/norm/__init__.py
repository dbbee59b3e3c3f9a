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
# What differs by less is equal.
SAME = 1e-9


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
    left = (shifted_weights if subtract else dot_weights)[0]
    distances = [math.dist(QUERY, key) for key in (QUERY, key_2)]
    shadows = ((keys @ queries[0, 0])[0] / math.hypot(*QUERY)).tolist()
    half = queries.square().sum() / 2
    # A reader's own function may judge in another way.
    if subtract:
        apart = torch.allclose(shifted - gaussian, half)
        summary: tuple[str, ...] = ("shifted", *(("apart",) if apart else ()))
    else:
        is_tie = abs(shadows[1] - shadows[0]) < SAME and abs(left[1] - left[0]) < SAME
        summary = ("tie" if is_tie and distances[1] else "at", "gaussian")
    return View(
        parts={
            "plane": {"query": list(QUERY), "key": list(key_2), "weights": left},
            "shadows": {"rows": [shadows]},
            "scores_dot": {"rows": dot[0].tolist()},
            "weights_dot": {"rows": dot_weights},
            "halves": {"rows": halves.tolist()} if subtract else None,
            "scores_shifted": {"rows": shifted[0].tolist()} if subtract else None,
            "weights_shifted": {"rows": shifted_weights} if subtract else None,
            "distances": {"rows": [distances]},
            "scores_gaussian": {"rows": gaussian[0].tolist()},
            "weights_gaussian": {"rows": gaussian_weights},
        },
        slots={
            "x": format_place(key_2[0]),
            "y": format_place(key_2[1]),
            "distance": format_number(distances[1], 2),
            "w": format_weight(left[1]),
            "g": format_weight(gaussian_weights[0][1]),
            "half": format_number(half.item(), 0),
        },
        summary=summary,
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
    prediction=Prediction(
        right=2,
        before={"x": 2, "y": 3},
        after={"x": 4, "y": -2},
        # Key 2 goes back to the query, where it ties, and from there along the line of ties.
        by=({"x": 1, "y": 1},),
        # On the query; as long as key 1, on a ring around 0; where key 2 ends, on the line.
        places=(QUERY, (1.366, -0.366), (4, -2)),
        ms=1400,
    ),
    tries=({"x": 4, "y": -4}, {"x": 2, "y": 2, "sub": "on"}, {"x": -2, "y": 4}),
    surprise={"x": 4, "y": -2},
    hues={"w": "weight"},
)
