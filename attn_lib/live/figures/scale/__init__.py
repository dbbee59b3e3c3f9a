"""Figure `scale`: which d breaks the softmax, and why the square root of d?

A trial draws one query q = m + z and ten keys k_j = m + e_j from normal numbers; the first key may
be correlated with the query, k_1 = m + rho z + sqrt(1 - rho^2) e_1. Given q, the product q . e_j is
normal with standard deviation `|q|`, so one number for each key is enough where d were needed:
exact in distribution, and d times as cheap.
"""

import math
from functools import lru_cache

import torch
from torch import Tensor

from attn_lib.live.host.controls import Choice, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight, never_exact, relation
from attn_lib.random_stream import normals

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
DIVISORS = ("none", "sqrt", "d")
TRIALS, KEYS = 200, 10
BINS, REACH = 31, 30.0
ALL = 0.95 * TRIALS * KEYS  # so many scores in one column are nearly all of them
SATURATED = 0.1  # of equal weights the norm is 0.3
WIDE = 99.95  # what is larger has no decimals


def compute(state: State) -> View:
    """Compute the figure."""
    d, m, rho = state["d"], state["m"], state["rho"]
    watched = "fits" if rho > 0 else "largest"  # the weight to watch
    at, row = SIZES.index(d), DIVISORS.index(state["c"])
    medians = [[_typical(size, m, rho, c) for size in SIZES] for c in DIVISORS]
    typical = [[weight for weight, _, _ in line] for line in medians]
    norms = [[norm for _, _, norm in line] for line in medians]

    weights, gaps, fits, readings = [], [], [], []
    for i, c in enumerate(DIVISORS):
        divided = _scores(d, m, rho) / _divisor(c, d)
        all_weights = never_exact(divided.softmax(1))
        trial = medians[i][at][1]
        order = all_weights[trial].sort(descending=True, stable=True)
        weights.append(order.values.tolist())
        gaps.append((divided[trial].max() - divided[trial][order.indices]).tolist())
        fits.append(order.indices.tolist().index(0) if rho > 0 else None)
        entropy = torch.special.entr(all_weights).sum(1).median().item()
        readings.append([typical[i][at], entropy, norms[i][at]])

    scores = _scores(d, m, rho) / _divisor(state["c"], d)
    centred = scores - scores.mean(1, keepdim=True)
    mean, variance, across = _theory(d, m, rho, _divisor(state["c"], d))
    counts = [_counts(scores), _counts(centred)]
    highest = [max(series) for series in counts]
    reading = _reading(d, state["c"], rho, typical[row][at])
    return View(
        parts={
            "typical": {"rows": typical, "chosen": at, "lit": row, "fits": rho > 0},
            "norms": {"rows": norms},
            "weights": {"rows": weights, "fits": fits},
            # Three digits at most, so that ten of them stand side by side on a phone.
            "gaps": {"rows": gaps, "digits": int(max(map(max, gaps)) < WIDE)},
            "softmax": {"rows": readings},
            "histogram": {
                "rows": counts,
                "top": max(highest),
                "sentence": "histogram" if min(highest) < ALL else "histogram_one",
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
        },
        slots={
            "d": str(d),
            "m": format_number(m, 1),
            "root": format_number(math.sqrt(d), 1),
            "root_is": relation(math.sqrt(d), 1),
            "w": format_weight(typical[row][at]),
            "w1": format_weight(typical[0][at]),
            "w2": format_weight(typical[1][at]),
            "w3": format_weight(typical[2][at]),
        },
        summary=(
            state["c"],
            watched,
            # What a mean does is the news, where there is one.
            *(["mean"] if m else [reading, *_outcome(reading, norms[row][at])]),
        ),
    )


def _reading(d: int, c: str, rho: float, weight: float) -> str:
    """Return which sentence says why the weight is what it is."""
    if d == 1:
        return "alike"
    if rho == 0:
        return f"noise_{c}"
    return "below" if weight < 1 / KEYS - 0.005 else f"match_{c}"  # also when written


def _outcome(reading: str, norm: float) -> list[str]:
    """Return the sentence, if any, that says what comes of it."""
    if norm < SATURATED:
        return ["saturated"]
    return ["favoured"] if reading == "noise_none" else []


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
    correlation = torch.zeros(KEYS, dtype=e.dtype)
    correlation[0] = rho
    noise = query_norm * (1 - correlation.square()).sqrt() * e
    return m * query_total + correlation * query_dot_z + noise


def _theory(d: int, m: float, rho: float, divisor: float) -> tuple[float, float, float]:
    """Return what mean, variance and variance across the keys of a trial are in theory."""
    first = 1 / KEYS  # the share of the key that may fit
    others = 1 - first
    mean = d * (m**2 + first * rho)
    spread = others * (1 + 2 * m**2) + first * (1 + rho**2 + 2 * m**2 * (1 + rho))
    variance = d * spread + first * others * (d * rho) ** 2
    # Ten numbers vary around their own mean by nine tenths of their variance.
    noise = others * d * (1 + m**2) * (1 - first * rho**2)
    across = noise + first * others * rho**2 * (d**2 + 2 * d + m**2 * d)
    return mean / divisor, variance / divisor**2, across / divisor**2


def _divisor(name: str, d: int) -> float:
    return {"none": 1.0, "sqrt": math.sqrt(d), "d": float(d)}[name]


def _typical(d: int, m: float, rho: float, c: str) -> tuple[float, int, float]:
    """Return two medians over the trials and, between them, a trial that has the first.

    The weight to watch, which is that of the key that fits, or, where all keys are noise, the
    largest; the first trial that has it; and the norm of the Jacobian.
    """
    weights = (_scores(d, m, rho) / _divisor(c, d)).softmax(1)
    watched = weights[:, 0] if rho > 0 else weights.amax(1)
    rounded = watched.mul(1e9).round()  # the last bits differ between processors
    trial = rounded.tolist().index(rounded.median().item())
    row = never_exact(weights[trial])
    weight = row[0] if rho > 0 else row.max()
    return weight.item(), trial, _jacobian_norms(weights).median().item()


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
    chapter="scaling",
    controls=(
        Listed(key="d", values=SIZES, default=4),
        Choice(key="c", options=DIVISORS, default="none"),
        Range(key="rho", min=0, max=1, step=0.05, default=0.0, hue="key"),
        Range(key="m", min=0, max=2, step=0.5, default=0.0),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={"d": 16, "rho": 0.2},
        after={"d": 512, "rho": 0.2},
        # The place of 512 among the sizes, and a weight.
        places=((9, 0.0), (9, 0.5), (9, 1.0)),
        ms=2600,
    ),
    tries=(
        {"d": 512},
        {"d": 512, "c": "sqrt"},
        {"d": 512, "c": "sqrt", "rho": 0.5},
        {"d": 64, "c": "sqrt", "rho": 0.3},
    ),
    surprise={"d": 512, "rho": 0.2},
    hues={"w": "weight"},
)
