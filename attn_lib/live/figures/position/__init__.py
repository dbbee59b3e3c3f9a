"""Figure `position`: how does a score know how far apart two words are?

The same word stands twice in a text, once as the query and once as the key. Only the places differ.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attn_lib import places
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import enclosed, format_number, format_weight, relation

KINDS = ("none", "added", "alibi", "t5", "rope")
# Kinds whose score a dial shows, and those whose bias the small bells of the heads show.
DIALS, HEADS = ("added", "rope"), ("alibi", "t5")
SPANS = (48, 1024)
MOST_HEADS = 8
CODE = 0.5  # entries of a code beside entries of the word, which are 1
# How finely a curve is drawn where it may bend between two words.
FINE = 4
# So far from its query a small bell is drawn, and so far before it the fold lists scores.
NEAR = 16
DISTANCES = (0, 1, 2, 3, 4, 8, 16, 24)
# Near a whole number of turns a single dial is as good as not turned.
AS_GOOD = 0.95
TURN = 2 * math.pi
# Arrows disagree from the one angle on, and up to the other the slower dials have hardly turned.
DISAGREE, HARDLY = TURN / 8, TURN / 24

Scores = Callable[..., Tensor]


def compute(
    state: State,
    rotary_scores: Scores = places.rotary_scores,
    alibi_bias: Scores = places.alibi_bias,
    bucket_distances: Scores = places.bucket_distances,
) -> View:
    """Compute the figure; each function may be the reader's own."""
    kind, i, j, loud = state["kind"], state["i"], state["j"], float(state["loud"])
    start, span, head = state["start"], int(state["span"]), state["m"]
    masked = state["future"] == "masked"
    hidden = masked and j > i
    own_buckets = bucket_distances is not places.bucket_distances
    reach = _reach(masked, bucket_distances if own_buckets else None)
    slope = _slope(head).item()

    def scores(kind: str, at: list[float], begin: int = start) -> list[float]:
        """Score the word in place i with itself in other places."""
        if kind in DIALS:
            return _dial_scores(kind, state, at, begin, rotary_scores)
        if kind == "none":
            return [loud] * len(at)
        if kind == "alibi":
            # What a key loses by its distance, on either side.
            losses = alibi_bias(1, span + 1, _slope(head))[0, 0].abs().tolist()
            return [loud - losses[abs(int(place) - i)] for place in at]
        return [loud - slope * reach(int(place) - i)[1] for place in at]

    (score,), (own,) = scores(kind, [j]), scores(kind, [i])
    weight = 0.0 if hidden else math.exp(score - own)
    written = "−∞" if hidden else format_number(score, 3)
    fine = FINE if kind in DIALS and span == SPANS[0] else 1
    line = scores(kind, [place / fine for place in range(span * fine + 1)])
    shows_weight = state["y"] == "weight" and kind != "added"
    if shows_weight:
        line = [math.exp(one - own) for one in line]
    apart = abs(i - j)
    angles = [_angle(apart * speed) for speed in _speeds(state["p"], float(state["base"]))]
    angle, slow = angles[0], angles[-1]
    bucket, _ = reach(j - i)
    table = [[scores(name, [i - r])[0] if r <= i else None for r in DISTANCES] for name in KINDS]
    return View(
        parts={
            "scores": {"rows": table},
            "curve": {"line": line, "fine": fine, "weight": shows_weight},
            "pair": {
                "shown": weight if shows_weight else score,
                "score": score,
                "own": own,
                "hidden": hidden,
            },
            "dials": _dials(state),
            "bells": _bells(kind, masked, reach) if kind in HEADS else [],
        },
        slots={
            "pi": str(start + i),
            "pj": str(start + j),
            "r": str(apart),
            "s": written,
            "w": format_weight(weight),
            "loud": state["loud"],
            "slope": f"1/{2**head}",
            "is": relation(score, 3),
            "factor": enclosed(format_number(-slope * apart, None)),
            "bucket": str(bucket),
            "number": format_number(score - loud if kind == "t5" else 0, None),
            "angle": _degrees(angle),
            "slow": _degrees(slow),
            "s0": format_number(scores("added", [j], 0)[0], 3),
            "about": _about(kind, apart, angle, bucket, slope),
        },
        summary=("hidden",) if hidden else _summary(state, apart, score > AS_GOOD * loud),
    )


def _summary(state: State, apart: int, agrees: bool) -> tuple[str, ...]:
    """Return the sentences that say how the score comes about."""
    kind = state["kind"]
    if kind == "added":
        return ("added", "added_moved") if state["start"] else ("added",)
    if kind in HEADS:
        return (kind, f"{kind}_so") if apart else (f"{kind}_same",)
    if kind == "none":
        return ("none",)
    if not apart:
        return ("rope_same",)
    if state["p"] > 1:
        # The slower half has turned no more than the fastest of it.
        middle = apart * _speeds(state["p"], float(state["base"]))[state["p"] // 2]
        is_spread = state["p"] > 2 and _angle(apart) >= DISAGREE and middle <= HARDLY
        return ("rope_many" if is_spread else "rope_dials", "rope_sum")
    if apart > TURN / 2 and agrees:
        return ("rope", "rope_whole")
    return ("rope", "rope_moved") if state["start"] else ("rope",)


def _about(kind: str, apart: int, angle: float, bucket: int, slope: float) -> str:
    """Write the number that this kind makes of the distance."""
    if kind == "rope":
        return f"{_degrees(angle)}°"
    if kind == "alibi":
        return format_number(-slope * apart, None if relation(slope * apart, 3) == "=" else 3)
    if kind == "t5":
        return str(bucket)
    return "0" if kind == "none" else format_number(CODE, None)


def _speeds(pairs: int, base: float) -> list[float]:
    """Return by how much each dial turns at a word, the fastest first."""
    return [base ** (-n / pairs) for n in range(pairs)]


def _angle(turned: float) -> float:
    """Return the angle between two arrows of which one has turned by so much more, at most pi."""
    angle = turned % TURN
    return min(angle, TURN - angle)


def _degrees(angle: float) -> str:
    """Write an angle in whole degrees; one that would read as 0, in hundredths."""
    degrees = math.degrees(angle)
    return format_number(degrees, 0 if degrees >= 0.5 or not degrees else 2)


def _slope(head: int) -> Tensor:
    """Return the slope of a head, counted from 1: (1,)."""
    return places.alibi_slopes(MOST_HEADS)[head - 1 : head].double()


def _turned(pair: tuple[float, float], at: list[float], pairs: int, base: float) -> Tensor:
    """Turn every pair of a word by each of the places: (places, 2, pairs)."""
    word = torch.tensor(pair, dtype=torch.float64).repeat_interleave(pairs)
    turned = places.rotate(
        word.expand(1, len(at), -1), torch.tensor(at, dtype=torch.float64), base=base
    )
    return turned[0].unflatten(1, (2, pairs))  # (places, 2 * pairs) -> (places, 2, pairs)


def _dial_scores(
    kind: str, state: State, at: list[float], begin: int, rotary_scores: Scores
) -> list[float]:
    """Score with places that turn the word, or with codes that are added to it."""
    pairs, base, loud = state["p"], float(state["base"]), float(state["loud"])
    here, there = [float(begin + state["i"])], [begin + place for place in at]
    if kind == "rope":
        # At one place the score is `loud`, however many dials there are.
        word = torch.full((1, 1, 2 * pairs), math.sqrt(loud / (2 * pairs)), dtype=torch.float64)
        return rotary_scores(
            word,
            word.expand(1, len(at), -1),
            places_q=torch.tensor(here, dtype=torch.float64),
            places_k=torch.tensor(there, dtype=torch.float64),
            base=base,
            scaled=False,
        )[0, 0].tolist()
    query, keys = (1 + _turned((CODE, 0.0), places_, pairs, base) for places_ in (here, there))
    return ((query * keys).sum((1, 2)) * (loud / 2 / pairs)).tolist()


def _dials(state: State) -> dict[str, Any]:
    """Return the tips of both arrows on every dial, the word itself being (1, 1)."""
    kind, pairs = state["kind"], state["p"]
    at = [float(state["start"] + state[key]) for key in ("i", "j")]
    if kind == "added":
        tips = 1 + _turned((CODE, 0.0), at, pairs, float(state["base"]))
    else:
        tips = _turned(
            (1.0, 1.0), at if kind == "rope" else [0.0, 0.0], pairs, float(state["base"])
        )
    query, key = tips.mT.tolist()  # (2, 2, pairs) -> two lists of points
    return {"query": query, "key": key}


def _reach(masked: bool, own: Scores | None) -> Callable[[int], tuple[int, int]]:
    """Return a function that finds T5's bucket of a key so many words after the query.

    It comes with the nearest distance that shares the bucket.
    """
    before, after = _buckets(masked) if own is None else _sorted_in(masked, own)

    def reach(ahead: int) -> tuple[int, int]:
        row = after if ahead > 0 else before
        return row[abs(ahead)], row.index(row[abs(ahead)])

    return reach


@cache
def _buckets(masked: bool) -> tuple[list[int], list[int]]:
    return _sorted_in(masked, places.bucket_distances)


def _sorted_in(masked: bool, bucket_distances: Scores) -> tuple[list[int], list[int]]:
    """Return T5's buckets of keys before the query, and of keys after it, by their distance."""
    most = SPANS[-1] + 1
    before = bucket_distances(most, 1, causal=masked)[:, 0].tolist()
    return before, bucket_distances(1, most, causal=masked)[0].tolist()


def _bells(kind: str, masked: bool, reach: Callable[[int], tuple[int, int]]) -> list[list[float]]:
    """Return what each head leaves of the weight of the words around its query."""
    slopes = places.alibi_slopes(MOST_HEADS).tolist()
    around = range(-NEAR, NEAR + 1)
    distances = [reach(ahead)[1] if kind == "t5" else abs(ahead) for ahead in around]
    return [
        [
            0.0 if masked and ahead > 0 else math.exp(-slope * r)
            for ahead, r in zip(around, distances, strict=True)
        ]
        for slope in slopes
    ]


def data() -> dict[str, Any]:
    """Return the word that stands twice, and the nearest distance of each of T5's buckets."""
    nearest = {}
    for future in ("seen", "masked"):
        before, _ = _buckets(future == "masked")
        nearest[future] = [before.index(bucket) for bucket in sorted(set(before))]
    return {"word": four_words.words()[0], "nearest": nearest}


def _word(key: str, hue: str, default: int) -> tuple[Range, Range]:
    """Return the place of a word, among few places or among many."""
    few, many = SPANS
    own: dict[str, Any] = {"key": key, "min": 0, "step": 1, "default": default, "hue": hue}
    return (
        Range(max=few, when={"span": str(few)}, **own),
        Range(max=many, when={"span": str(many)}, words=f"{key}_far", **own),
    )


FIGURE = Figure(
    id="position",
    chapter="position-in-the-score",
    controls=(
        Choice(key="kind", options=KINDS, default="rope"),
        Listed(key="p", values=(1, 2, 4, 8, 16, 32), default=1, idle={"kind": ("none", *HEADS)}),
        Listed(
            key="base",
            values=(10_000, 500_000, 1_000_000),
            default=10_000,
            idle={"kind": ("none", *HEADS), "p": (1,)},  # the first dial turns a radian a word
        ),
        Range(key="m", min=1, max=8, step=1, default=1, idle={"kind": ("none", *DIALS)}),
        Range(key="start", min=0, max=1000, step=1, default=0),
        Choice(key="span", options=tuple(map(str, SPANS)), default=str(SPANS[0])),
        *_word("i", "query", 27),
        *_word("j", "key", 24),
        Choice(key="y", options=("score", "weight"), default="score", idle={"kind": ("added",)}),
        Choice(key="loud", options=("2", "8"), default="2"),
        Choice(key="future", options=("seen", "masked"), default="seen"),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={"i": 7, "j": 4},
        after={"i": 43, "j": 40},
        places=((1.0,), (0.0,), (-1.98,)),  # scores on the gauge
        ms=2800,
    ),
    tries=(
        {"p": 32, "y": "weight", "loud": "8"},
        {"i": 46, "j": 2},
        {"kind": "alibi", "y": "weight", "m": 2},
        {"kind": "added", "j": 26, "start": 3},
        {"p": 32, "span": "1024", "i": 512, "j": 448},
    ),
    surprise={"i": 43, "j": 40},
    data=data,
    hues={"s": "ink"},
)
