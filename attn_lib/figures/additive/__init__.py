"""Figure `additive`: does the query decide who gets the weight?"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.explorer.controls import Choice, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight

# The published toy with weights chosen by hand: eight hidden units, features of size 20 and 2.
SIGNS = torch.tensor([1.0, -1] * 4, dtype=torch.float64)
W_Q = (SIGNS / 20)[:, None].expand(8, 20)
W_K = torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]] * 2, dtype=torch.float64)
W_V = torch.tensor([-1.0, 2] * 4, dtype=torch.float64)
VALUES = torch.arange(40, dtype=torch.float64).reshape(1, 10, 4).repeat(2, 1, 1)

Scores = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


def separate_tanh_scores(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    """Score with tanh on each projection: the published fault, kept here to show what it does."""
    return (queries @ W_q.T).tanh() @ w_v.reshape(-1, 1) + ((keys @ W_k.T).tanh() @ w_v)[:, None, :]


def linear_scores(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Score without tanh."""
    return queries @ W_q.T @ w_v.reshape(-1, 1) + (keys @ W_k.T @ w_v)[:, None, :]


def compute(state: State, additive_scores: Scores = scoring.additive_scores) -> View:
    """Compute the figure; `additive_scores` may be the reader's own function."""
    n, q = state["n"], state["q"]
    queries = torch.full((2, 1, 20), q, dtype=torch.float64)
    keys = torch.ones(2, 10, 2, dtype=torch.float64)
    keys[:, n - 1] = torch.tensor(state["k"], dtype=torch.float64)
    score = {"after": additive_scores, "before": separate_tanh_scores, "none": linear_scores}
    scores = score[state["tanh"]](queries, keys, W_Q, W_K, W_V)  # (B, 1, K)
    lens = torch.tensor(state["len"])
    weights = masking.masked_softmax(scores, lens)
    output = torch.bmm(weights, VALUES)

    row = scores[0, 0].tolist()
    w = weights[:, 0, n - 1].tolist()
    slots = {
        "q": format_number(q, 1),
        "n": str(n),
        "k1": format_number(state["k"][0], 1),
        "k2": format_number(state["k"][1], 1),
        "score": format_number(row[n - 1], 1),
        "others": format_number(row[n % 10], 1),
        "w1": format_weight(w[0]),
        "w2": format_weight(w[1]),
        "len1": str(state["len"][0]),
        "len2": str(state["len"][1]),
    }
    summary = (
        f"tanh_{state['tanh']}",
        "vectors",
        _weight_sentence(2, n, state["len"]),
        _weight_sentence(1, n, state["len"]),
    )
    masked = (torch.arange(10) >= lens[:, None]).tolist()
    return View(
        parts={
            "scores": {"rows": [row], "chosen": n - 1},
            "weights": {"rows": weights[:, 0].tolist(), "masked": masked, "chosen": n - 1},
            "output": {"rows": output[:, 0].tolist()},
        },
        slots=slots,
        summary=summary,
        main="w2",
    )


def _weight_sentence(example: int, n: int, lens: tuple[int, int]) -> str:
    length = lens[example - 1]
    return ("empty" if length == 0 else "masked" if n > length else "weight") + str(example)


FIGURE = Figure(
    id="additive",
    controls=(
        Range(key="len", min=0, max=10, step=1, default=(2, 6)),
        Range(key="n", min=1, max=10, step=1, default=3, hue="key"),
        Range(key="k", min=-3, max=3, step=0.5, default=(1.0, 1.0), hue="key"),
        Range(key="q", min=-3, max=3, step=0.5, default=1.0, hue="query"),
        Choice(key="tanh", options=("after", "before", "none"), default="after"),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={"k": (3, 1)}, after={"k": (3, 1), "q": -1}),
    tries=({"k": (3, 1), "q": -1}, {"k": (3, 1), "q": -1, "tanh": "before"}, {"len": (0, 6)}),
    surprise={"k": (3, 1), "q": -1},
)
