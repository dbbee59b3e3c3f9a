"""Figure `dropout`: why do my weights not sum to 1?"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib import masking, random_stream
from attn_lib.explorer.controls import Choice, Count, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_output, format_weight

# The published toy: equal keys, so the weights are uniform over the valid ones.
LENS = torch.tensor([2, 6])
VALUES = torch.arange(40, dtype=torch.float64).reshape(10, 4)
# Of this stream, draw 1 at p = 0.5 drops what was dropped when a published notebook was saved. All
# draws are pieces of one stream: streams of neighbouring seeds would resemble each other.
SEED = 818


def drop(weights: Tensor, p: float, u: Tensor) -> Tensor:
    """Drop a weight where its uniform number lies below p; divide those that live by 1 - p."""
    if p == 1:
        return torch.zeros_like(weights)
    return weights * (u >= p) / (1 - p)


def compute(state: State, drop: Callable[[Tensor, float, Tensor], Tensor] = drop) -> View:
    """Compute the figure; `drop` may be the reader's own function of weights, p and u."""
    train, p, n = state["mode"] == "train", state["p"], state["n"]
    weights = masking.masked_softmax(torch.zeros(2, 1, 10, dtype=torch.float64), LENS)[:, 0]
    masked = ~masking.visible_keys(LENS, 10)  # (B, K)
    draws = random_stream.mulberry32(SEED, 20 * n).reshape(n, 2, 10)
    kept = torch.stack([drop(weights, p, u) for u in draws])  # (draws, B, K)
    now = kept[-1] if train else weights
    outputs = kept @ VALUES  # (draws, B, V)
    output = now @ VALUES

    sums = [round(total, 9) for total in now.sum(-1).tolist()]
    slots = {
        "n": str(n),
        "p": format_number(p, 1),
        "sum1": format_weight(sums[0]),
        "sum2": format_weight(sums[1]),
        "out1": format_output(output[0, 0].item()),
        "out2": format_output(output[1, 0].item()),
        "zeros": str((kept[:, 0] == 0).all(-1).sum().item()),
    }
    dropped = (now == 0) & ~masked
    return View(
        parts={
            "weights": {
                "rows": weights.tolist(),
                "masked": masked.tolist(),
                "notes": ["1", "1"],
            },
            "kept": {
                "rows": now.tolist(),
                "masked": masked.tolist(),
                "dropped": dropped.tolist(),
                "notes": [slots["sum1"], slots["sum2"]],
            },
            "output": {"rows": output.tolist()},
            "mean": {"rows": outputs.mean(0).tolist()} if train else None,
        },
        slots=slots,
        summary=("train", "zeros") if train else ("eval",),
        main="out1",
    )


FIGURE = Figure(
    id="dropout",
    controls=(
        Choice(key="mode", options=("eval", "train"), default="eval"),
        Range(key="p", min=0, max=1, step=0.1, default=0.5),
        Count(key="n", min=1, max=1000, step=1, default=1),
    ),
    compute=compute,
    prediction=Prediction(right=1, before={"mode": "train"}, after={"mode": "train", "n": 2}),
    tries=({"mode": "train"}, {"mode": "train", "n": 2}, {"mode": "train", "p": 1}),
    surprise={"mode": "train"},
)
