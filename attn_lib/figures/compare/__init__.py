"""Figure `compare`: when do scorers disagree?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.explorer.controls import Choice, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight

SCORERS = ("additive", "dot", "scaled", "cosine", "gauss", "sum")
REACH, STEPS = 8, 128  # the curves have a point at every eighth
FAR = 1e6  # so long a key has nothing more to gain by growing
# Cats in the three numbers of the additive score.
CATS = (1.0, 0.0, 1.0)

Scores = Callable[..., Tensor]


def data() -> dict[str, Any]:
    """Return the words, their keys and the parameters of the additive score."""
    W_q, W_k, w_v = four_words.additive_parameters()
    return {
        "words": four_words.words(),
        "keys": four_words.keys().tolist(),
        "cats": CATS,
        "W_q": W_q.tolist(),
        "W_k": W_k.tolist(),
        "w_v": w_v.tolist(),
    }


def compute(
    state: State,
    dot_product_scores: Scores = scoring.dot_product_scores,
    additive_scores: Scores = scoring.additive_scores,
    cosine_scores: Scores = scoring.cosine_scores,
    gaussian_scores: Scores = scoring.gaussian_scores,
    vector_sum_scores: Scores = scoring.vector_sum_scores,
) -> View:
    """Compute the figure; each scoring function may be the reader's own."""
    s, q = state["s"], state["q"]
    # One example for each norm of key 1: those of the curve, the limits, the state itself.
    grid = torch.linspace(-REACH, REACH, STEPS + 1, dtype=torch.float64)
    norms = torch.cat([grid, torch.tensor([-FAR, FAR, s], dtype=torch.float64)])
    keys = four_words.keys().double().repeat(len(norms), 1, 1)  # (norms, K, 2)
    queries = (q * keys[-1:, :1]).repeat(len(norms), 1, 1)  # cats
    keys[:, 0] *= norms.unsqueeze(1)
    cats = (q * torch.tensor(CATS, dtype=torch.float64)).repeat(len(norms), 1, 1)
    W_q, W_k, w_v = (W.double() for W in four_words.additive_parameters())
    scores = {
        "additive": additive_scores(cats, keys, W_q, W_k, w_v),
        "dot": dot_product_scores(queries, keys, scaled=False),
        "scaled": dot_product_scores(queries, keys),
        "cosine": cosine_scores(queries, keys),
        "gauss": gaussian_scores(queries, keys),
        "sum": vector_sum_scores(queries, keys),
    }
    weights = {name: masking.masked_softmax(scores[name])[:, 0] for name in SCORERS}
    curves = [weights[name][: STEPS + 1, 0].tolist() for name in SCORERS]
    # Where key 1 has no direction, the cosine jumps.
    curves[SCORERS.index("cosine")][STEPS // 2] = None
    on_key_1 = {name: format_weight(weights[name][-1, 0].item()) for name in SCORERS}
    floor, ceiling = weights["additive"][-3:-1, 0].tolist()
    return View(
        parts={
            "weights": {"rows": [weights[name][-1].tolist() for name in SCORERS]},
            "curves": {"lines": curves},
            "limits": {"floor": floor, "ceiling": ceiling},
        },
        slots={
            "s": format_number(s, 1),
            "q": format_number(q, 1),
            "lit": on_key_1[state["f"]],
            "floor": format_weight(floor),
            "ceiling": format_weight(ceiling),
            **on_key_1,
        },
        summary=("at", "least" if s < 0 else "most") if state["f"] == "additive" else ("at",),
        main="additive",
    )


FIGURE = Figure(
    id="compare",
    controls=(
        Range(key="s", min=-REACH, max=REACH, step=0.5, default=1.0, hue="key"),
        Choice(key="f", options=SCORERS, default="additive"),
        Range(key="q", min=-2, max=2, step=0.5, default=1.0, hue="query"),
    ),
    compute=compute,
    prediction=Prediction(right=1, before={}, after={"s": -8.0}, row=("weights", 0)),
    tries=({"s": 8.0, "f": "gauss"}, {"s": 8.0, "f": "dot"}, {"q": -1.0, "f": "sum"}),
    surprise={"s": -8.0},
    data=data,
)
