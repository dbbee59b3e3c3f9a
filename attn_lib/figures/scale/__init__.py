"""Figure `scale`: which d breaks the softmax, and why the square root of d?

A trial draws one query q = m + z and ten keys k_j = m + rho z + sqrt(1 - rho^2) e_j from normal
numbers. Given q, the product q . e_j is normal with standard deviation |q|, so one number for each
key is enough where d were needed: exact in distribution, and d times as cheap.
"""

import math
from functools import lru_cache

import torch
from torch import Tensor

from attn_lib.explorer.controls import Choice, Listed, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight
from attn_lib.random_stream import normals

SIZES = (1, 4, 16, 64, 256, 512)
DIVISORS = ("none", "sqrt", "d")
TRIALS, KEYS = 200, 10
BINS, REACH = 31, 30.0


def compute(state: State) -> View:
    """Compute the figure."""
    d, m, rho = state["d"], state["m"], state["rho"]
    divisor = _divisor(state["c"], d)
    scores = _scores(d, m, rho) / divisor  # (trials, keys)
    centred = scores - scores.mean(1, keepdim=True)
    weights = scores.softmax(1)
    entropy = torch.special.entr(weights).sum(1).median().item()
    jacobian = _jacobian_norms(weights).median().item()
    largest = [[_typical_largest(size, m, rho, c) for size in SIZES] for c in DIVISORS]
    at, row = SIZES.index(d), DIVISORS.index(state["c"])

    mean = d * (m**2 + rho) / divisor
    variance = d * (1 + rho**2 + 2 * m**2 * (1 + rho)) / divisor**2
    # Ten numbers vary around their own mean by nine tenths of their variance.
    across = (1 - 1 / KEYS) * (1 - rho**2) * d * (1 + m**2) / divisor**2
    counts = [_counts(scores), _counts(centred)]
    top = max(max(series) for series in counts)
    return View(
        parts={
            "histogram": {
                "rows": counts,
                "top": top,
                "spread": [_on_axis(mean + side * math.sqrt(variance)) for side in (-1, 0, 1)],
            },
            "moments": {
                "rows": [
                    [
                        scores.mean().item(),
                        scores.var(correction=0).item(),
                        centred.square().mean().item(),
                    ],
                    [mean, variance, across],
                ]
            },
            "weights": {"rows": [weights[_typical_trial(weights)].tolist()]},
            "softmax": {"rows": [[largest[row][at], entropy, jacobian]]},
            "largest": {"rows": largest, "chosen": at},
        },
        slots={
            "d": str(d),
            "top": str(top),
            "w": format_weight(largest[row][at]),
            "J": format_number(jacobian, 4),
        },
        summary=(state["c"], "equal") if rho == 1 else (state["c"],),
        main="w",
    )


@lru_cache
def _draws(d: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return what a trial's numbers amount to: the sum of z, the sum of its squares, and e."""
    noise = normals(1, TRIALS * (d + KEYS)).reshape(TRIALS, d + KEYS)
    z, e = noise[:, :d], noise[:, d:]
    return z.sum(1, keepdim=True), z.square().sum(1, keepdim=True), e


def _scores(d: int, m: float, rho: float) -> Tensor:
    """Return the dot products of each trial, undivided: (trials, keys)."""
    total, squares, e = _draws(d)
    query_total = m * d + total
    query_dot_z = m * total + squares
    query_norm = (m * m * d + 2 * m * total + squares).sqrt()
    return m * query_total + rho * query_dot_z + math.sqrt(1 - rho**2) * query_norm * e


def _divisor(name: str, d: int) -> float:
    return {"none": 1.0, "sqrt": math.sqrt(d), "d": float(d)}[name]


def _typical_largest(d: int, m: float, rho: float, c: str) -> float:
    weights = (_scores(d, m, rho) / _divisor(c, d)).softmax(1)
    return weights[_typical_trial(weights)].max().item()


def _typical_trial(weights: Tensor) -> int:
    """Return the trial with the median largest weight; of equal ones, the first."""
    rounded = weights.amax(1).mul(1e9).round()  # the last bits differ between processors
    return int(rounded.sort(stable=True).indices[(TRIALS - 1) // 2])


def _jacobian_norms(weights: Tensor) -> Tensor:
    """Return the Frobenius norm of diag(w) - w w^T for each row w."""
    diagonal = torch.diag_embed(weights)
    return (diagonal - weights.unsqueeze(2) * weights.unsqueeze(1)).flatten(1).norm(dim=1)


def _counts(scores: Tensor) -> list[int]:
    """Count scores in equal bins from -30 to 30; the outer bins take the rest."""
    bins = ((scores + REACH) * (BINS / (2 * REACH))).floor().clamp(0, BINS - 1)
    return torch.bincount(bins.long().flatten(), minlength=BINS).tolist()


def _on_axis(score: float) -> float:
    return min(max(score, -REACH), REACH)


FIGURE = Figure(
    id="scale",
    controls=(
        Listed(key="d", values=SIZES, default=4),
        Choice(key="c", options=DIVISORS, default="none"),
        Range(key="m", min=0, max=2, step=0.5, default=0.0),
        Range(key="rho", min=0, max=1, step=0.25, default=0.0),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={}, after={"d": 512}),
    tries=({"d": 512}, {"d": 512, "c": "sqrt"}, {"d": 64, "m": 2, "c": "sqrt"}),
    surprise={"d": 512},
)
