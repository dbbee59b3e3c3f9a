"""Figure `compare`: when do scorers disagree?"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.explorer.controls import Choice, Numbers, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import enclosed, format_number, format_weight, never_exact
from attn_lib.explorer.typed import numbers_of

SCORERS = ("additive", "dot", "scaled", "cosine", "gauss", "sum")
REACH, STEPS = 8, 128  # the curves have a point at every eighth
FAR = 1e6  # so long a key has nothing more to gain by growing
ROOM = 1.2  # the plane reaches so much farther than its vectors
# Query and key 1 of the figure's own example, both cats.
CATS = ((1.0, 1.0), (1.0, 1.0))

Scores = Callable[..., Tensor]
Vector = Sequence[float]


def data() -> dict[str, Any]:
    """Return the words, their keys and the parameters of the additive score."""
    W_q, W_k, w_v = four_words.additive_parameters()
    return {
        "words": four_words.words(),
        "keys": four_words.keys().tolist(),
        "cats": CATS,
        "W_q": W_q.tolist(),
        "W_k": W_k.tolist(),
        "w_v": w_v.tolist(),
    }


def compute(
    state: State,
    dot_product_scores: Scores = scoring.dot_product_scores,
    additive_scores: Scores = scoring.additive_scores,
    cosine_scores: Scores = scoring.cosine_scores,
    gaussian_scores: Scores = scoring.gaussian_scores,
    vector_sum_scores: Scores = scoring.vector_sum_scores,
) -> View:
    """Compute the figure; each scoring function may be the reader's own."""
    s, q = state["s"], state["q"]
    # One example for each norm of key 1: those of the curve, the limits, the state itself.
    grid = torch.linspace(-REACH, REACH, STEPS + 1, dtype=torch.float64)
    norms = torch.cat([grid, torch.tensor([-FAR, FAR, s], dtype=torch.float64)])
    keys = four_words.keys().double().repeat(len(norms), 1, 1)  # (norms, K, 2)
    query, key = numbers_of(state["own"]) if state["own"] else CATS
    # The additive score has queries of three numbers.
    longer = [query[0], 0.0, query[1]]
    two, three = (
        (q * torch.tensor(numbers, dtype=torch.float64)).repeat(len(norms), 1, 1)
        for numbers in (query, longer)
    )
    keys[:, 0] = norms.unsqueeze(1) * torch.tensor(key, dtype=torch.float64)
    W_q, W_k, w_v = (W.double() for W in four_words.additive_parameters())
    scores = {
        "additive": additive_scores(three, keys, W_q, W_k, w_v),
        "dot": dot_product_scores(two, keys, scaled=False),
        "scaled": dot_product_scores(two, keys),
        "cosine": cosine_scores(two, keys),
        "gauss": gaussian_scores(two, keys),
        "sum": vector_sum_scores(two, keys),
    }
    weights = {name: never_exact(masking.masked_softmax(scores[name]))[:, 0] for name in SCORERS}
    curves = [weights[name][: STEPS + 1, 0].tolist() for name in SCORERS]
    # Where key 1 has no direction, the cosine jumps.
    curves[SCORERS.index("cosine")][STEPS // 2] = None
    on_key_1 = {name: format_weight(weights[name][-1, 0].item()) for name in SCORERS}
    of_key_1 = {f"score_{name}": _score(scores[name][-1, 0, 0].item()) for name in SCORERS}
    plane, measure = _plane(state["f"], two[-1, 0], keys[-1], query, key)
    first = str(sum(_is_first(weights[name][-1]) for name in SCORERS))
    floor, ceiling = weights["additive"][-3:-1, 0].tolist()
    if state["own"]:
        # Another key may get more on its way than at its end.
        floor = ceiling = None
    return View(
        parts={
            "weights": {"rows": [weights[name][-1].tolist() for name in SCORERS]},
            "curves": {"lines": curves},
            "limits": {"floor": floor, "ceiling": ceiling},
            "plane": plane,
        },
        slots={
            "s": format_number(s, 1),
            "q": format_number(q, 1),
            "query": _vector(query),
            "key": _vector(key),
            "k1": "k1" if state["own"] else four_words.words()[0],
            "lit": on_key_1[state["f"]],
            "first": first,
            "score": of_key_1[f"score_{state['f']}"],
            "measure": measure,
            "floor": format_weight(floor),
            "ceiling": format_weight(ceiling),
            **on_key_1,
            **of_key_1,
        },
        summary=(
            f"at_{state['f']}",
            _reading(state["f"], s, q, query, key, bool(state["own"])),
            _agreement(int(first)),
        ),
        main="additive",
    )


def _plane(
    f: str, query: Tensor, keys: Tensor, own_query: Vector, own_key: Vector
) -> tuple[dict[str, Any], str]:
    """Return what the scorer in front measures as points of a plane, and how they make its score.

    What lies in the plane at q = 1 and s = 1 says how far the plane reaches.
    """
    query_1, key_1 = (torch.tensor(v, dtype=torch.float64) for v in (own_query, own_key))
    if f == "additive":
        W_q, W_k, _ = (W.double() for W in four_words.additive_parameters())
        # The zero between the two numbers of a query takes the middle column away.
        query, query_1 = W_q[:, ::2] @ query, W_q[:, ::2] @ query_1
        keys, key_1 = keys @ W_k.T, W_k @ key_1
    points = {"additive": (query + keys).tanh(), "sum": query + keys}.get(f, keys)
    reach = ROOM * max(3.0 if f == "sum" else 2.0, torch.cat([query_1, key_1]).abs().max().item())
    length, product = query.norm().item(), (query @ keys[0]).item()
    if f in ("additive", "sum"):
        x, y = (_score(number) for number in points[0].tolist())
        measure = f"{x} + {enclosed(y)}"
    elif f == "gauss":
        measure = f"−{_score((query - keys[0]).norm().item())}² ÷ 2"
    elif f == "cosine":
        far = length * keys[0].norm().item()
        measure = f"cos {format_number(None, 0)}"
        if far:
            angle = math.degrees(math.acos(max(-1, min(1, product / far))))
            measure = f"cos {format_number(angle, 0)}°"
    else:
        shadow = _score(product / length) if length else format_number(None, 0)
        measure = f"{shadow} × {_score(length)}" + (" ÷ √2" if f == "scaled" else "")
    plane = {"query": query, "key": keys[0], "points": points}
    return {name: tensor.tolist() for name, tensor in plane.items()} | {"reach": reach}, measure


def _reading(f: str, s: float, q: float, query: Vector, key: Vector, own: bool) -> str:
    """Return which sentence says what the scorer in front does here."""
    if f == "additive" and not own:
        return "least" if s < 0 else "most"
    if f in ("dot", "scaled", "cosine") and not any(q * x for x in query):
        return "blind"
    if f == "cosine" and not any(s * x for x in key):
        return "no_direction"
    if f == "gauss" and any(key):
        # How far beyond its highest place the marker is.
        away = s * sum(x * x for x in key) - q * sum(x * y for x, y in zip(query, key, strict=True))
        return "nearest" if abs(away) < 1e-9 else f
    return f


def _is_first(weights: Tensor) -> bool:
    """Return whether key 1 has more weight than any other."""
    return bool(weights[0] > weights[1:].max() + 1e-9)


def _agreement(first: int) -> str:
    """Return which sentence says how many scorers put key 1 first."""
    return {0: "agree_none", 1: "agree_one", len(SCORERS): "agree_all"}.get(first, "agree")


def _score(score: float) -> str:
    """Write a score in about four figures: far from the query the Gaussian's reaches thousands."""
    return format_number(score, 2 if abs(score) < 10 else 1 if abs(score) < 100 else 0)


def _vector(numbers: Vector) -> str:
    return f"({', '.join(format_number(number, None) for number in numbers)})"


FIGURE = Figure(
    id="compare",
    chapter="choosing-a-scoring-function",
    controls=(
        Range(key="s", min=-REACH, max=REACH, step=0.5, default=1.0, hue="key"),
        Choice(key="f", options=SCORERS, default="additive"),
        Range(key="q", min=-2, max=2, step=0.5, default=1.0, hue="query"),
        Numbers(key="own", rows=2, columns=2, limit=10, example="[[1, 1], [2, -0.5]]"),
    ),
    compute=compute,
    prediction=Prediction(right=1, before={}, after={"s": -8.0}, row=("weights", 0)),
    tries=({"s": 8.0, "f": "gauss"}, {"s": 8.0, "f": "dot"}, {"q": -1.0, "f": "sum"}),
    surprise={"s": -8.0},
    data=data,
)
