"""Figure `tame`: can one word be heard among many?

The text is one *cats* and m each of *purr*, *dogs* and *bark*, and *cats* asks. A key that stands
there m times gets what a single one with a score higher by ln m would get, so four scores are
enough for any number of words.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scales, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import TINY, format_count, format_number, format_small, never_exact

SCORES = ("raw", "cosine", "gain", "cap", "length")
# Each is 1 + 3m, and about 1.7 times the one before it.
SIZES = (
    *(4, 7, 13, 22, 37, 61, 100, 178, 316, 562, 1000),
    *(1777, 3163, 5623, 10000, 17785, 31624, 56236, 131071),
)
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)
FIRST = SIZES[0]  # so many words are the first chapter's text
DETAIL = 4  # points of a line for each of these sizes
CROWD = 50  # more words than this are a crowd
# Which sentence says what became of cats: weights, stretches, a cap.
DROWNED, DEAF, LOUD, BELT = 0.05, 0.95, 4.0, 30
HARDLY = 0.94  # what a cap leaves of a score that it hardly bends

Scores = Callable[..., Tensor]


def compute(
    state: State,
    dot_product_scores: Scores = scoring.dot_product_scores,
    cosine_scores: Scores = scoring.cosine_scores,
    soft_cap: Scores = scales.soft_cap,
) -> View:
    """Compute the figure; the scores and the cap may be the reader's own."""
    f, s, n, c = (state[key] for key in ("f", "s", "n", "c"))

    def scores_at(stretches: Tensor, sizes: Tensor) -> Tensor:
        """Return what each score says of the four words: (scores, places, words)."""
        keys = four_words.keys().double().unsqueeze(0)
        queries = (stretches.unsqueeze(1) * keys[0, 0]).unsqueeze(0)
        dot, cosine = dot_product_scores(queries, keys, scaled=False), cosine_scores(queries, keys)
        # Between the listed sizes a line has places that no count of words has.
        grown = (c * sizes.log() / math.log(FIRST)).unsqueeze(1)
        return torch.cat([dot, cosine, c * cosine, soft_cap(dot, float(c)), grown * cosine])

    sizes = torch.cat([torch.tensor([n]), _lengths()])
    scores = scores_at(torch.full_like(sizes, s), sizes)
    weights = never_exact(masking.masked_softmax(scores + _copies(sizes).log()))
    now = weights[:, 0]
    lit = SCORES.index(f)
    w = now[lit, 0].item()
    return View(
        parts={
            "weights": {"rows": now.tolist()},
            "crowd": {"lines": weights[:, 1:, 0].tolist()},
        },
        slots={
            "s": format_number(s, None),
            "n": format_count(n),
            "m": format_count((n - 1) // 3),
            "c": str(c),
            "w": format_small(w),
            **{f"w{i}": format_small(row[0].item()) for i, row in enumerate(now, 1)},
            "raw": format_number(scores[0, 0, 0].item(), None),
            "score": format_number(scores[lit, 0, 0].item(), 2),
            "need": format_number(_gain_for(0.9, n), 1),
            "best": format_small(1 / (1 + (n - 1) * math.exp(-2))),
            "grown": format_number(c * math.log(n) / math.log(FIRST), 1),
        },
        summary=_summary(state, now.tolist(), (scores[lit, 0, 0] / scores[0, 0, 0]).item()),
    )


def _summary(state: State, rows: list[list[float]], left: float) -> tuple[str, ...]:
    """Return which sentence says what became of cats; `left` of its score is left."""
    f, s, n, c = (state[key] for key in ("f", "s", "n", "c"))
    w = rows[SCORES.index(f)][0]
    is_crowd, is_first = n > CROWD, _as_in_chapter_1(state, rows[SCORES.index(f)])
    if f == "raw":
        if s >= LOUD and w > DEAF:
            return ("raw_loud",)
        if is_first:
            return ("first",)
        return ("raw_drowned" if is_crowd and w < DROWNED else "raw",)
    if f == "cosine":
        return ("cosine_crowd" if is_crowd else "cosine",)
    if f == "gain":
        return ("gain_first" if is_first else "gain",)
    if f == "cap":
        if is_first:
            return ("cap_first",)
        is_belt = c >= BELT and s >= LOUD and left >= HARDLY
        return ("cap_belt" if is_belt else "cap",)
    return ("length" if n > FIRST else "length_first",)


def _gain_for(weight: float, n: int) -> float:
    """Return the g with which cats gets this weight: e^g = r m (2 + e^-g) with r = w / (1 - w)."""
    half = weight / (1 - weight) * (n - 1) / 3
    return math.log(half + math.sqrt(half * half + half))


def _as_in_chapter_1(state: State, row: list[float]) -> bool:
    """Whether four words have the weights of the first chapter, to the digits that are shown."""
    keys = four_words.keys().double()
    first = (keys @ keys[0]).softmax(0).tolist()
    return state["n"] == FIRST and all(
        abs(w - weight) < TINY for w, weight in zip(row, first, strict=True)
    )


def _lengths() -> Tensor:
    """Return the places of the line over the number of words."""
    shares = torch.arange(DETAIL, dtype=torch.float64) / DETAIL
    parts = [size * (after / size) ** shares for size, after in pairwise(SIZES)]
    return torch.cat([*parts, torch.tensor(SIZES[-1:], dtype=torch.float64)])


def _copies(sizes: Tensor) -> Tensor:
    """Return how often each of the four words stands in texts of these sizes: (places, words)."""
    others = (sizes - 1) / 3
    return torch.stack([torch.ones_like(others), others, others, others], dim=1)


def data() -> dict[str, Any]:
    """Return the four words and their keys."""
    return {"words": four_words.words(), "keys": four_words.keys().tolist()}


FIGURE = Figure(
    id="tame",
    chapter="many-keys",
    controls=(
        Choice(key="f", options=SCORES, default="raw"),
        Range(key="s", min=0.5, max=10, step=0.5, default=1.0, hue="query"),
        Listed(key="n", values=SIZES, default=FIRST),
        Listed(key="c", values=LIMITS, default=2),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={"f": "cosine"},
        after={"f": "cosine", "n": 1000},
        # The place of 1000 among the sizes, and a weight.
        places=((10, 0.965), (10, 0.5), (10, 0.0034)),
        ms=2600,
    ),
    tries=(
        {"f": "cap", "s": 8.0},
        {"f": "gain", "n": 1000, "c": 10},
        {"f": "cap", "s": 8.0, "c": 50},
        {"f": "length", "n": 131071},
    ),
    surprise={"f": "cosine", "n": 1000},
    data=data,
    hues={"w": "weight"},
)
