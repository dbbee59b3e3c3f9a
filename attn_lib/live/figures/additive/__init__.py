"""Figure `additive`: does the query decide who gets the weight?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_output, format_weight

Scores = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]

# What a hidden unit makes of the projected query and the projected word. "before" is the published
# fault, kept here to show what it does.
HEIGHTS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "after": lambda query, word: (query + word).tanh(),
    "before": lambda query, word: query.tanh() + word.tanh(),
    "none": lambda query, word: query + word,
}
LEVEL = 0.01  # weights that are all so near to a quarter have come from the flat ends
SAME = 1e-9  # weights that differ by less are equal


def data() -> dict[str, Any]:
    """Return the words and numbers of the example."""
    W_q, W_k, w_v = four_words.additive_parameters()
    return {
        "words": four_words.words(),
        "keys": four_words.keys().tolist(),
        "pages": four_words.pages().tolist(),
        "W_q": W_q.tolist(),
        "W_k": W_k.tolist(),
        "w_v": w_v.tolist(),
    }


def compute(state: State, additive_scores: Scores = scoring.additive_scores) -> View:
    """Compute the figure; `additive_scores` may be the reader's own function."""
    keys, pages = four_words.keys().double(), four_words.pages().double()
    W_q, W_k, w_v = (parameter.double() for parameter in four_words.additive_parameters())
    query = torch.tensor([1.0, 0.0, state["t"]], dtype=torch.float64)
    alone = W_q @ query  # (U,)
    runs = W_k @ keys.T  # (U, K): what each word adds to the query
    height = HEIGHTS[state["tanh"]]
    heights = w_v.unsqueeze(1) * height(alone.unsqueeze(1), runs)  # (U, K)
    base = w_v * height(alone, torch.zeros_like(alone))
    scores = heights.sum(0)
    if state["tanh"] == "after":
        scores = additive_scores(query[None, None], keys[None], W_q, W_k, w_v)[0, 0]
    weights = masking.softmax(scores)

    # Without the sign that 0 has from a multiplication by -1.
    rows = (torch.cat([heights, scores.unsqueeze(0)]) + 0.0).tolist()
    words = four_words.words()
    row = weights.tolist()
    top = row.index(max(row))
    slots = {
        "t": format_number(round(state["t"], 1), None),
        "page": format_output((weights @ pages).item()),
        "top": words[top],
        "w": format_weight(row[top]),
        # The unit in which the word on top takes its step to the right.
        "unit": format_number(top + 1, 0),
    }
    for j, (word, weight) in enumerate(zip(words, row, strict=True), 1):
        slots |= {f"word{j}": word, f"w{j}": format_weight(weight)}
    told = state["tanh"]
    if not scores.allclose(heights.sum(0)):
        told = "own"  # what the reader's function makes of the words, the curves do not show
    elif told == "after":
        told = _told(row)
    return View(
        parts={
            "heights": {
                "rows": rows,
                "query": alone.tolist(),
                "runs": runs.tolist(),
                "base": base.tolist(),
            },
            "weights": {"rows": [row]},
        },
        slots=slots,
        summary=(told,),
    )


def _told(weights: list[float]) -> str:
    """Return which sentence says what the curves have made of the words."""
    if max(abs(weight - 1 / len(weights)) for weight in weights) < LEVEL:
        return "flat"
    return "tied" if abs(weights[0] - weights[1]) < SAME else "leads"


FIGURE = Figure(
    id="additive",
    chapter="additive-attention",
    controls=(
        Range(key="t", min=-6, max=7, step=0.5, default=1.0, hue="query"),
        Choice(key="tanh", options=("after", "before", "none"), default="after"),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={},
        after={"t": 6},
        places=((0.95,), (0.25,), (0.58,)),  # weights of the first word
        ms=2400,
    ),
    tries=({"t": 0}, {"t": 2}, {"tanh": "before"}),
    surprise={"t": 6},
    data=data,
    hues={"t": "query", "top": "key", "w": "weight"},
)
