"""Figure `heads`: what can two heads see that one cannot?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.explorer.controls import Choice, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_weight
from attn_lib.multihead import split_heads

# Four words, each with two of four properties: noun or verb, about cats or about dogs.
FEATURES = torch.tensor(
    [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]], dtype=torch.float64
)
COUNTS = {"one": 1, "two": 2, "four": 4}


def compute(
    state: State,
    dot_product_scores: Callable[[Tensor, Tensor], Tensor] = scoring.dot_product_scores,
    masked_softmax: Callable[[Tensor, Tensor], Tensor] = masking.masked_softmax,
) -> View:
    """Compute the figure; both functions may be the reader's own."""
    num_heads = int(state["h"])
    X = (state["c"] * FEATURES).unsqueeze(0)  # (B=1, 4, 4)
    heads = split_heads(X, num_heads)  # (B*H, 4, 4 / H)
    scores = dot_product_scores(heads, heads).unsqueeze(0)  # (B, H, Q, K)
    lens = torch.tensor([state["len"]])
    if state["m"] == "1":
        lens = masking.causal_lens(1, 4, lens)
    weights = masked_softmax(scores, lens)[0]  # (H, Q, K)
    masked = (~masking.visible_keys(masking.per_query(lens)[0], 4)).expand(4, 4)

    parts: dict[str, Any] = {"features": {"rows": X[0].tolist()}}
    for name, count in COUNTS.items():
        for head in range(count):
            parts[f"weights_{name}{head + 1}"] = (
                {"rows": weights[head].tolist(), "masked": masked.tolist()}
                if count == num_heads
                else None
            )

    names = {"a": 0, "b": num_heads // 2}  # the first head of each half
    slots = {
        f"{letter}{key + 1}": format_weight(weights[head, 0, key].item())
        for letter, head in names.items()
        for key in range(4)
    }
    slots |= {f"p{key + 1}": format_weight(weights[0, 1, key].item()) for key in (0, 1)}
    return View(parts=parts, slots=slots, summary=_summary(state), main="a3")


def _summary(state: State) -> tuple[str, ...]:
    if state["len"] == 0:
        return ("empty",)
    if state["c"] == 0:
        return ("flat",)
    count = next(name for name, count in COUNTS.items() if state["h"] == str(count))
    return (count, "causal") if state["m"] == "1" else (count,)


FIGURE = Figure(
    id="heads",
    controls=(
        Choice(key="h", options=("1", "2", "4"), default="1"),
        Range(key="c", min=0, max=4, step=0.5, default=2.0),
        Choice(key="m", options=("0", "1"), default="0", look="checkbox"),
        Range(key="len", min=0, max=4, step=1, default=4),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={}, after={"h": 2}),
    tries=({"h": 2}, {"h": 4}, {"h": 2, "m": 1}),
    surprise={"h": 2},
)
