"""Figure `arrows`: can the output go wherever the query goes?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Listed, Numbers, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_point, format_weight, never_exact
from attn_lib.live.host.typed import numbers_of

# The words of the example. More keys have narrower columns.
FEW = 4
# A narrow column has no room for a decimal beside three digits and a sign.
LONG = 100
# Scores that differ by less are equal.
SAME = 1e-9


def data() -> dict[str, Any]:
    """Return the four words with their vectors, and the names of the four directions."""
    return {
        "words": four_words.words(),
        "keys": four_words.keys().tolist(),
        "directions": four_words.directions(),
    }


def compute(
    state: State, dot_product_scores: Callable[..., Tensor] = scoring.dot_product_scores
) -> View:
    """Compute the figure; `dot_product_scores` may be the reader's own function."""
    query = [state["x"], state["y"]]
    queries = torch.tensor([[query]], dtype=torch.float64)
    words, points = four_words.words(), four_words.keys().tolist()
    if state["own"]:
        points = numbers_of(state["own"])
        words = [f"k{place}" for place in range(1, len(points) + 1)]
    keys = torch.tensor([points], dtype=torch.float64)
    scores = dot_product_scores(queries, keys, scaled=False)  # (1, 1, K)
    divided = scores / state["t"]
    weights = never_exact(masking.masked_softmax(divided))
    # A word's value is its own vector.
    output = (weights @ keys)[0].tolist()

    row = scores[0, 0].tolist()
    largest = max(row)
    first = [word for word, score in zip(words, row, strict=True) if score > largest - SAME]
    many = len(words) > FEW
    return View(
        parts={
            "scores": {"rows": scores[0].tolist(), "digits": 1 if many else 2},
            "divided": {
                "rows": divided[0].tolist(),
                "digits": (0 if divided.abs().max() >= LONG else 1) if many else 2,
            },
            "weights": {"rows": weights[0].tolist()},
            "output": {"rows": output, "query": query},
            "keys": {"points": points, "words": words},
        },
        slots={
            "q": format_point(query, 2),
            "t": format_number(state["t"], None),
            "o": format_point(output[0], 3),
            "top": " / ".join(first),
            "w": format_weight(weights.max().item()),
            "sum": format_weight(round(weights.sum().item(), 9)),
            **{f"w{place}": word for place, word in enumerate(words, 1)},
        },
        summary=(_reason(len(first), len(words), state["t"]),),
    )


def _reason(first: int, keys: int, t: float) -> str:
    """Return which sentence says why the output lies where it does."""
    if first == keys:
        return "equal"
    return ("leads" if first == 1 else "lead") + ("" if t == 1 else "_at")


FIGURE = Figure(
    id="arrows",
    chapter="queries-keys-values",
    controls=(
        Range(key="x", min=-3, max=3, step=0.25, default=0.25, hue="query"),
        Range(key="y", min=-3, max=3, step=0.25, default=0.25, hue="query"),
        Listed(key="t", values=(0.1, 0.2, 0.5, 1, 2, 5, 100), default=1),
        Numbers(
            key="own",
            rows=8,
            fewest=2,
            columns=2,
            limit=2.5,
            example="[[1, 0], [0, 2], [-1.5, 0], [0, -1]]",
        ),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"x": 1.25, "y": 0.5},
        after={"x": 3, "y": 1.25},
        # 2.4 times as far as before, as the query goes; where it ends; where it was.
        places=((2.036, 1.109), (0.995, 0.848), (0.848, 0.462)),
    ),
    tries=({"x": 1, "y": 1}, {"x": 0, "y": 0}, {"x": 2.5, "y": 2.5, "t": 100}, {"t": 0.1}),
    surprise={"x": 3, "y": 1.25},
    data=data,
    hues={"top": "key", "w": "weight", "o": "value"},
)
