"""Figure `heads`: what can several heads do that one cannot?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.explorer.controls import Choice, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_weight
from attn_lib.multihead import split_heads
from attn_lib.typography import NO_BREAK_SPACE

COUNTS = {"one": 1, "two": 2, "four": 4}


def data() -> dict[str, Any]:
    """Return the words, the names of the features, and which word has which."""
    return {
        "words": four_words.words(),
        "names": four_words.feature_names(),
        "features": [[int(x > 0) for x in row] for row in four_words.features().tolist()],
    }


def compute(
    state: State,
    dot_product_scores: Callable[[Tensor, Tensor], Tensor] = scoring.dot_product_scores,
    masked_softmax: Callable[[Tensor, Tensor], Tensor] = masking.masked_softmax,
) -> View:
    """Compute the figure; both functions may be the reader's own."""
    num_heads, query = int(state["h"]), int(state["q"]) - 1
    has = torch.tensor(data()["features"])
    X = (state["c"] * has.double()).unsqueeze(0)  # (B=1, 4, 4)
    heads = split_heads(X, num_heads)  # (B*H, 4, 4 / H)
    scores = dot_product_scores(heads, heads).unsqueeze(0)  # (B, H, Q, K)
    lens = torch.tensor([state["len"]])
    if state["m"] == "1":
        lens = masking.causal_lens(1, 4, lens)
    weights = masked_softmax(scores, lens)[0]  # (H, Q, K)
    visible = masking.visible_keys(masking.per_query(lens)[0], 4).expand(4, 4)

    shared = (has & has[query]).bool() & (state["c"] > 0)
    parts: dict[str, Any] = {"features": {"rows": X[0].tolist(), "shared": shared.tolist()}}
    for name, count in COUNTS.items():
        for head in range(count):
            shown = count == num_heads
            asked = [scores[0, head, query].tolist()] if shown else []
            rows = weights[head].tolist() if shown else []
            parts[f"scores_{name}{head + 1}"] = (
                {"rows": asked, "masked": (~visible[[query]]).tolist()} if shown else None
            )
            parts[f"weights_{name}{head + 1}"] = (
                {"rows": rows, "masked": (~visible).tolist()} if shown else None
            )
    # The row that the prediction asks about: of the pressed word, in the first head.
    parts["asked"] = {"rows": [weights[0, query].tolist()]}

    slots = _slots(weights[:, query], query) | _worked(X[0], scores[0, :, query], query)
    slots["seen"] = str(visible[query].sum().item())
    return View(
        parts=parts,
        slots=slots,
        summary=_summary(state, query),
        main="self",
        about=f"{slots['q']}, {num_heads}",
    )


def _slots(rows: Tensor, query: int) -> dict[str, str]:
    """Return the words for the rows of the pressed query, shape (H, K)."""
    known = data()
    first = dict(zip("abcd", rows.tolist(), strict=False))
    slots = {
        f"{letter}{key + 1}": format_weight(weight)
        for letter, row in first.items()
        for key, weight in enumerate(row)
    }
    slots["q"] = known["words"][query]
    for place, feature in enumerate(_features_of(query), 1):
        weight = rows[feature * len(rows) // 4, query].item()
        slots |= {f"f{place}": known["names"][feature], f"self{place}": format_weight(weight)}
    return slots | {"self": slots["self1"]}


def _worked(X: Tensor, scores: Tensor, query: int) -> dict[str, str]:
    """Return one of the scores (H, K) of the pressed query, worked out in one head.

    It is the head of its first feature, and the key is the other word that has this feature.
    """
    known = data()
    feature, _ = _features_of(query)
    key = next(j for j, has in enumerate(known["features"]) if has[feature] and j != query)
    size = 4 // len(scores)
    head = feature // size
    factors = X[[query, key], head * size : (head + 1) * size].T.tolist()
    terms = [f"{format_number(q, None)}·{format_number(k, None)}" for q, k in factors]
    total = " + ".join(terms)
    worked = f"({total}) ÷ √{size}" if size > 1 else f"{total} ÷ √1"
    return {
        "head": str(head + 1),
        "key": known["words"][key],
        "worked": worked.replace(" ", NO_BREAK_SPACE),
        "score": format_number(scores[head, key].item(), 1),
    }


def _features_of(query: int) -> tuple[int, int]:
    """Return the two features that a word has."""
    first, second = (feature for feature, x in enumerate(data()["features"][query]) if x)
    return first, second


def _summary(state: State, query: int) -> tuple[str, ...]:
    if state["len"] == 0:
        return ("empty",)
    if state["c"] == 0:
        return ("flat",)
    count = next(name for name, count in COUNTS.items() if state["h"] == str(count))
    limit = _limit(state, query)
    # A head without a feature of the word: its row is uniform, or as uniform as a mask lets it be.
    others = ("equal",) if limit else ("uniform",)
    return (count, *(others if count == "four" else ()), *limit)


def _limit(state: State, query: int) -> tuple[str, ...]:
    """Return the sentence on what the word sees: only what keeps words from it is called causal."""
    if state["m"] == "1" and (query + 1 < state["len"] or state["len"] == 4):
        return ("causal",)
    return ("seen",) if state["m"] == "1" or state["len"] < 4 else ()


FIGURE = Figure(
    id="heads",
    chapter="multi-head-attention",
    controls=(
        Choice(key="h", options=("1", "2", "4"), default="1"),
        Choice(key="q", options=("1", "2", "3", "4"), default="1"),
        Range(key="c", min=0, max=4, step=0.5, default=2.0),
        Choice(key="m", options=("0", "1"), default="0", look="checkbox"),
        Range(key="len", min=0, max=4, step=1, default=4),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={"q": 2}, after={"h": 4, "q": 2}, row=("asked", 0)),
    tries=({"h": 2}, {"h": 4, "q": 2}, {"h": 2, "m": 1, "q": 2}),
    surprise={"h": 4, "q": 2},
    data=data,
)
