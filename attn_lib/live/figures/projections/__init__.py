"""Figure `projections`: where do a word's query and key come from?"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.language import words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_point, format_weight, never_exact

# The words' names in links, in their order.
NAMES = ("cats", "purr", "dogs", "bark")
# The noun and the verb of an animal, between whom the figure draws what each splits.
PAIRS = ((0, 1), (2, 3))
# A matrix is set by its columns: where it sends (1, 0), and where it sends (0, 1).
PLAIN, FLIPPED = (1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, -1.0)
# Scores that differ by less are equal.
SAME = 1e-9
# A weight that is less by so much is told as less.
NOTABLY = 0.01


def data() -> dict[str, Any]:
    """Return the four words with their vectors, and what the figure calls their features."""
    return {
        "words": four_words.words(),
        "vectors": four_words.keys().tolist(),
        "directions": four_words.directions(),
        "things": words("projections")["things"],
    }


def compute(
    state: State, dot_product_scores: Callable[..., Tensor] = scoring.dot_product_scores
) -> View:
    """Compute the figure; `dot_product_scores` may be the reader's own function."""
    own = data()
    tied = state["m"] == "one"
    columns_q, columns_k = state["q"], state["q"] if tied else state["k"]
    W_q, W_k = _matrix(columns_q), _matrix(columns_k)
    X = four_words.keys().double()
    queries, keys = X @ W_q.T, X @ W_k.T
    scores = dot_product_scores(queries.unsqueeze(0), keys.unsqueeze(0), scaled=False)
    weights = never_exact(masking.masked_softmax(scores))[0]  # (4, 4)

    asker = NAMES.index(state["w"])
    tops = [_largest(row) for row in scores[0].tolist()]
    found = tops[asker][0]
    # A word scores as well as its vector points to this one, so it is what the query asks for.
    wish = (W_k.T @ queries[asker]).tolist()
    shown = [x * any(W_k[:, i].tolist()) for i, x in enumerate(X[asker].tolist())]
    offer = shown if any(keys[asker].tolist()) else [0.0, 0.0]
    rows = weights.tolist()
    noun, verb = PAIRS[asker // 2]
    return View(
        parts={
            "weights": {"rows": rows},
            "vectors": {"rows": torch.cat((queries, keys), dim=1).tolist()},
            "matrices": {"rows": [list(columns_q), list(columns_k)]},
            # Of what each of the pair gives to both of them, the share of the other one.
            "pair": {
                "word": asker,
                "noun": noun,
                "verb": verb,
                "shares": [_share(scores[0], *pair) for pair in ((noun, verb), (verb, noun))],
            },
        },
        slots={
            "word": own["words"][asker],
            "asks": _thing(wish, own["things"]),
            "shows": _thing(offer, own["things"]),
            "q": _rounded(queries[asker]),
            "found": own["words"][found],
            "tops": " / ".join(own["words"][j] for j in tops[asker]),
            "theirs": " / ".join(own["words"][j] for j in tops[found]),
            "w": format_weight(rows[asker][found]),
            "back": format_weight(rows[found][asker]),
            "own": format_weight(rows[found][found]),
        },
        summary=_summary(tied, asker, tops, rows),
    )


def _share(scores: Tensor, asker: int, other: int) -> float:
    """Return the softmax weight of the other one where there are only the two of them."""
    return torch.sigmoid(scores[asker, other] - scores[asker, asker]).item()


def _matrix(columns: Sequence[float]) -> Tensor:
    """Return the matrix with these two columns."""
    return torch.tensor(columns, dtype=torch.float64).reshape(2, 2).T


def _largest(scores: list[float]) -> list[int]:
    """Return where a row has its largest score."""
    return [j for j, score in enumerate(scores) if score > max(scores) - SAME]


def _thing(vector: list[float], things: dict[str, str]) -> str:
    """Say what a vector of the words' plane points to: *a cat noun*, *a verb*, *nothing*."""
    across, upwards = (0 if abs(x) < SAME else x for x in vector)
    animal = "cat" if across > 0 else "dog" if across else ""
    kind = "noun" if upwards > 0 else "verb" if upwards else ""
    return things[f"{animal} {kind}".strip() or "nothing"]


def _rounded(vector: Tensor) -> str:
    """Write a point in as many of two decimals as it has."""
    return format_point((round(x, 2) for x in vector.tolist()), None)


def _summary(
    tied: bool, asker: int, tops: list[list[int]], rows: list[list[float]]
) -> tuple[str, ...]:
    """Return the sentences that say whom the word finds, and why."""
    (found, *others) = tops[asker]
    if others:
        kind = "equal" if len(tops[asker]) == len(NAMES) else "shared"
    elif found == asker:
        kind = "itself"
    elif tied:
        kind = "longer"
    elif tops[found] == [asker]:
        kind = "pair"
    else:
        is_less = rows[found][asker] < rows[asker][found] - NOTABLY
        kind = "oneway" if is_less else "oneway_still"
    if tied:
        return ("one", kind if kind in ("equal", "longer") else f"one_{kind}")
    return (kind,)


def _columns(key: str, default: tuple[float, ...], **more: Any) -> Range:
    """Return the control of a matrix: its four numbers, by columns."""
    hue = {"q": "query", "k": "key"}[key]
    return Range(key=key, min=-1.5, max=1.5, step=0.25, default=default, hue=hue, **more)


FIGURE = Figure(
    id="projections",
    chapter="queries-keys-values",
    controls=(
        Choice(key="w", options=NAMES, default="purr"),
        Choice(key="m", options=("two", "one"), default="two"),
        _columns("q", FLIPPED),
        _columns("k", PLAIN, idle={"m": ("one",)}),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={},
        after={"m": "one"},
        # W_k comes onto W_q; then both turn, flip and stretch, and come back.
        by=({"k": FLIPPED}, {"m": "one", "q": (1.5, 0, 0.5, 0.5)}),
        # How far the verb's bead would reach: a little less far than with two matrices; or home.
        places=((0.74,), (0.6,), (0.1192,)),
        ms=900,
    ),
    tries=(
        {"q": (0, 1, 1, 0), "k": (0, 1, -1, 0)},
        {"q": (0.5, 0.5, -0.5, -0.5)},
        {"q": (1, 0, 0, 0)},
        {"q": (0, 0, 0, 0)},
    ),
    surprise={"m": "one"},
    data=data,
    hues={"asks": "query", "shows": "key", "w": "weight", "back": "weight", "own": "weight"},
)
