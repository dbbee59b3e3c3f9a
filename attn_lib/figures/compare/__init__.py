"""Figure `compare`: when do two scorers disagree?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.explorer.controls import Choice, Listed, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight

SCORERS = ("scaled", "additive", "gauss", "bilinear", "sum")
EYE = torch.eye(2, dtype=torch.float64)
ONES = torch.ones(2, dtype=torch.float64)
# The bilinear scorer looks at the first feature only.
M = torch.diag(torch.tensor([1.0, 0], dtype=torch.float64))

Scores = Callable[..., Tensor]


def compute(
    state: State,
    dot_product_scores: Scores = scoring.dot_product_scores,
    additive_scores: Scores = scoring.additive_scores,
    gaussian_scores: Scores = scoring.gaussian_scores,
    bilinear_scores: Scores = scoring.bilinear_scores,
    vector_sum_scores: Scores = scoring.vector_sum_scores,
) -> View:
    """Compute the figure; each scoring function may be the reader's own."""
    queries = torch.full((1, 1, 2), state["q"], dtype=torch.float64)
    keys = torch.ones(1, 4, 2, dtype=torch.float64)
    keys[:, 0] = state["s"]
    scores = {
        "scaled": dot_product_scores(queries, keys),
        "additive": additive_scores(queries, keys, EYE, EYE, ONES),
        "gauss": gaussian_scores(queries, keys),
        "bilinear": bilinear_scores(queries, keys, M),
        "sum": vector_sum_scores(queries, keys),
    }
    weights = {name: masking.masked_softmax(scores[name]) for name in SCORERS}
    chosen = [name for name in SCORERS if name in state["f"]]
    parts: dict[str, Any] = {}
    for name in SCORERS:
        shown = name in chosen
        parts[f"scores_{name}"] = _part(scores[name]) if shown else None
        parts[f"weights_{name}"] = _part(weights[name]) if shown else None

    on_key_1 = {name: format_weight(weights[name][0, 0, 0].item()) for name in SCORERS}
    summary = ("at", *chosen) if chosen else ("none",)
    if chosen and state["s"] == 1:
        summary += ("identical",)
    return View(
        parts=parts,
        slots={
            "s": format_number(state["s"], 1),
            "q": format_number(state["q"], 1),
            "first": on_key_1[chosen[0]] if chosen else format_number(None, 2),
            **on_key_1,
        },
        summary=summary,
        main="additive",
    )


def _part(numbers: Tensor) -> dict[str, Any]:
    return {"rows": numbers[0].tolist(), "chosen": 0}


FIGURE = Figure(
    id="compare",
    controls=(
        Choice(
            key="f",
            options=(*SCORERS, "none"),
            default=("scaled", "additive", "none"),
            look="select",
        ),
        Listed(key="s", values=(-8, -4, -2, -1, 0, 0.5, 1, 2, 4, 8, 64), default=1, hue="key"),
        Range(key="q", min=-2, max=2, step=0.5, default=1.0, hue="query"),
    ),
    compute=compute,
    prediction=Prediction(right=1, before={}, after={"s": 8}),
    tries=(
        {"s": 8},
        {"s": 2, "q": -1},
        {"f": ("sum", "scaled", "none"), "s": 2, "q": -1},
    ),
    surprise={"s": 8},
)
