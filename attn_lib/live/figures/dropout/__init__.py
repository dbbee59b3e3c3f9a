"""Figure `dropout`: why do my weights not sum to 1?"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import random_stream
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Count, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight

# Of this stream, draw 1 keeps words 1 and 3, as the chapter's picture does. All draws are pieces
# of one stream: streams of neighbouring seeds would resemble each other.
SEED = 16
MOST = 1000
RECENT = 32  # of the last draws the picture knows which they were
# The band that the question asks about.
BETWEEN = (0.5, 1.5)
# Words 2 and 3 have one weight, so rows that differ in these two alone have one sum.
OUTCOMES = tuple((first, both, last) for first in (0, 1) for both in (0, 1, 2) for last in (0, 1))


def row_of_cats() -> Tensor:
    """Return the weights of the four words when *cats* asks, shape (K,)."""
    keys = four_words.keys().double()
    return (keys @ keys[0]).softmax(-1)


def data() -> dict[str, Any]:
    """Return the words and the row of weights."""
    return {
        "words": four_words.words(),
        "weights": row_of_cats().tolist(),
    }


def drop(weights: Tensor, p: float, u: Tensor) -> Tensor:
    """Drop a weight where its uniform number lies below p; divide those that are kept by 1 - p."""
    if p == 1:
        return torch.zeros_like(weights)
    return weights * (u >= p) / (1 - p)


def compute(state: State, drop: Callable[[Tensor, float, Tensor], Tensor] = drop) -> View:
    """Compute the figure; `drop` may be the reader's own function of weights, p and u."""
    train, p, n = state["mode"] == "train", state["p"], state["n"]
    weights = row_of_cats()
    u = random_stream.mulberry32(SEED, 4 * MOST).reshape(MOST, 4)
    kept = torch.stack([drop(weights, p, one) for one in u[:n]])  # (draws, K)
    now = kept[-1] if train else weights
    sums = kept.sum(-1)
    gap = _gap(weights, p)

    # What each weight was multiplied by: 1 / (1 - p) or 0. No weight of the row is 0.
    factors = [_tidy(factor) for factor in now / weights]
    between = int(((sums > BETWEEN[0]) & (sums < BETWEEN[1])).sum())
    slots = {
        "n": str(n),
        "factor": format_factor(math.inf if p == 1 else 1 / (1 - p)),
        # As in the tables, which show three decimals.
        "sum": format_weight(_tidy(now.sum()), 3),
        "mean": format_weight(_tidy(sums.mean()), 3),
        "between": str(between),
        **{name: format_number(gap[i], 2) if gap else "" for i, name in enumerate(("low", "high"))},
    }
    return View(
        parts={
            "weights": {
                "rows": [weights.tolist()],
                "masked": [[False] * 4],
                "notes": ["1"],
                "next": _turned((u >= p) & (p < 1), n) if train else [None] * 4,
            },
            "factors": {
                "rows": [factors],
                "texts": [format_factor(factor) for factor in factors],
                "rule": _rule(train, p),
            },
            "now": {"rows": [[*now.tolist(), _tidy(now.sum())]]},
            "mean": {"rows": [[*kept.mean(0).tolist(), _tidy(sums.mean())]]} if train else None,
            "sums": {
                "rows": _count(kept, weights, p),
                "recent": [_outcome(row) for row in kept[-RECENT:]],
                "next": _next((u >= p) & (p < 1), n),
                "gap": gap,
            }
            if train
            else None,
        },
        slots=slots,
        summary=_summary(state, bool(now[0]), between),
    )


def format_factor(factor: float) -> str:
    """Write what a weight is multiplied by: 2, 2.5 and 1.25 are exact, 3.333 is rounded."""
    if math.isinf(factor):
        return format_number(factor, 0)
    exact = (digits for digits in (0, 1, 2) if abs(factor - round(factor, digits)) < 1e-9)
    return format_number(factor, next(exact, 3))


def _count(kept: Tensor, weights: Tensor, p: float) -> list[list[float]]:
    """Return the sum of each outcome and how many draws had it."""
    first, second, _, last = weights.tolist()
    scale = 0 if p == 1 else 1 / (1 - p)
    found = [_outcome(row) for row in kept]
    # Without the last bits of rounding, so that a whole row reads 1.
    sums = [round(scale * (a * first + b * second + c * last), 12) for a, b, c in OUTCOMES]
    return [[total, found.count(i)] for i, total in enumerate(sums)]


def _next(kept: Tensor, n: int) -> list[int | None]:
    """Return for each outcome the first draw after draw n that has it; None where none has."""
    found: dict[int, int] = {}
    for i in range(n, MOST):
        found.setdefault(_outcome(kept[i]), i + 1)
    return [found.get(outcome) for outcome in range(len(OUTCOMES))]


def _turned(kept: Tensor, n: int) -> list[int | None]:
    """Return for each word the next draw that differs from draw n in this word alone, if one does.

    After the last draw it goes on with the first one, as the button does.
    """
    bits = 2 ** torch.arange(kept.shape[1])
    rows = (kept * bits).sum(-1).tolist()
    wanted = [rows[n - 1] ^ bit for bit in bits.tolist()]
    order = [*range(n, MOST), *range(n)]
    return [next((i + 1 for i in order if rows[i] == row), None) for row in wanted]


def _summary(state: State, has_cats: bool, between: int) -> tuple[str, ...]:
    """Return which sentences say what the last draw was, and where all of them lie."""
    p = state["p"]
    if state["mode"] == "eval":
        return ("eval",)
    if p in (0, 1):
        return ("nothing",) if p == 0 else ("everything",)
    one = "kept" if has_cats else "dropped"
    return (one, "between" if between else "none") if state["n"] > 1 else (one,)


def _rule(train: bool, p: float) -> str:
    """Return which sentence says what becomes of a weight."""
    if not train:
        return "eval"
    return "all" if p == 1 else "train"


def _gap(weights: Tensor, p: float) -> list[float] | None:
    """Return the largest sum without cats and the smallest with it; None where all draws agree."""
    if p in (0, 1):
        return None
    return [_tidy(weights[1:].sum() / (1 - p)), _tidy(weights[0] / (1 - p))]


def _outcome(row: Tensor) -> int:
    """Return which outcome a draw is: cats kept or not, how many of the two, bark kept or not."""
    a, b, c, d = (row != 0).int().tolist()
    return OUTCOMES.index((a, b + c, d))


def _tidy(total: Tensor) -> float:
    """Return a number without the last bits of rounding, so that a right row reads 1."""
    return round(total.item(), 9)


FIGURE = Figure(
    id="dropout",
    chapter="dropout",
    controls=(
        Choice(key="mode", options=("train", "eval"), default="train"),
        Range(key="p", min=0, max=1, step=0.1, default=0.5, idle={"mode": ("eval",)}),
        Count(key="n", min=1, max=MOST, step=1, default=1, idle={"mode": ("eval",)}),
    ),
    compute=compute,
    prediction=Prediction(
        right=0,
        before={},
        after={"n": 200},
        # A sum in the band, and the share of draws that would lie in it.
        places=((0.62, 0), (0.62, 0.5), (0.62, 0.93)),
        ms=2600,
    ),
    tries=({"p": 0.2, "n": 200}, {"p": 0.1, "n": 1000}, {"mode": "eval"}),
    surprise={"n": 200},
    data=data,
    hues={"sum": "weight", "mean": "weight"},
)
