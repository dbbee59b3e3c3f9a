"""Figure `NAME`: how sure is the softmax?"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.live.host.controls import Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight

SCORES = (2.0, 0.0, 0.0, -2.0)


def compute(state: State, masked_softmax: Callable[..., Tensor] = masking.masked_softmax) -> View:
    """Compute the figure; the softmax may be the reader's own."""
    scores = state["t"] * torch.tensor([[SCORES]], dtype=torch.float64)  # (1, 1, K)
    weights = masked_softmax(scores)[0].tolist()
    return View(
        parts={"weights": {"rows": weights}},
        slots={"t": format_number(state["t"], 1), "w": format_weight(weights[0][0])},
        summary=("largest",),
    )


FIGURE = Figure(
    id="NAME",
    chapter="CHAPTER",
    controls=(Range(key="t", min=0.0, max=4.0, step=0.5, default=1.0),),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={},
        after={"t": 2.0},
        # A key, and the weight that it would get.
        places=((0, 0.5), (0, 0.776), (0, 0.964)),
    ),
    tries=({"t": 0.0}, {"t": 4.0}),
    surprise={"t": 2.0},
    hues={"w": "weight"},
)
