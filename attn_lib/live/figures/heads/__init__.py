"""Figure `heads`: what does each of several heads find?"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.language import words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight
from attn_lib.multihead import split_heads
from attn_lib.typography import NO_BREAK_SPACE

COUNTS = {"one": 1, "two": 2, "four": 4}


def data() -> dict[str, Any]:
    """Return the words, their features with names, and what the line on a pair is made of."""
    return {
        "words": four_words.words(),
        "names": four_words.feature_names(),
        "features": [[int(x > 0) for x in row] for row in four_words.features().tolist()],
        "pair": words("heads")["pair"],
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

    # As the query, the pressed word keeps its features, whether it sees itself or not.
    unseen = (~visible[query] & (torch.arange(4) != query)).unsqueeze(-1).expand(4, 4)
    shared = (has & has[query]).bool() & (state["c"] > 0) & ~unseen
    key = _key(visible[query].tolist(), query, int(state["k"]) - 1)
    features = {"rows": X[0].tolist(), "shared": shared.tolist(), "masked": unseen.tolist()}
    parts: dict[str, Any] = {"features": features, "pair": None if key is None else {"key": key}}
    for name, count in COUNTS.items():
        for head in range(count):
            shown = count == num_heads
            parts[f"scores_{name}{head + 1}"] = (
                _part(scores[0, head, [query]], visible[[query]], key) if shown else None
            )
            parts[f"weights_{name}{head + 1}"] = (
                _part(weights[head], visible, key) if shown else None
            )
    # Each head averages its features by its row; side by side the averages are the output.
    parts["output"] = {"rows": [(weights[:, [query]] @ heads).flatten().tolist()]}

    slots = _slots(weights[:, query], query)
    if key is not None:
        slots |= _worked(X[0, [query, key]], scores[0, :, query, key])
    slots |= {"key": "", "pair": ""}
    if key is not None:
        slots["key"] = data()["words"][key]
        slots["pair"] = _pair(state, query, key, weights[:, query, key])
    seen = int(visible[query].sum().item())
    slots |= {"seen": str(seen), "only": data()["words"][0]}
    kin = _kin(query, visible[query].tolist())
    parts["single"] = None
    if num_heads > 1:
        single = masked_softmax(dot_product_scores(X, X), lens)[0, [query]]
        parts["single"] = _part(single, visible[[query]], key)
        slots |= _found(kin, weights[:, query], single[0])
    return View(
        parts=parts,
        slots=slots,
        summary=_summary(state, query, seen, sum(bool(visible[query, word]) for word, _ in kin)),
    )


def _part(rows: Tensor, visible: Tensor, key: int | None) -> dict[str, Any]:
    return {"rows": rows.tolist(), "masked": (~visible).tolist(), "chosen": key}


def _slots(rows: Tensor, query: int) -> dict[str, str]:
    """Return the words for the rows of the pressed query, shape (H, K)."""
    head = _features_of(query)[0] * len(rows) // 4
    row = [format_weight(weight) for weight in rows[head].tolist()]
    slots = {f"a{key}": weight for key, weight in enumerate(row, 1)}
    return slots | {"q": data()["words"][query], "head": str(head + 1), "own": row[query]}


def _kin(query: int, visible: list[bool]) -> list[tuple[int, int]]:
    """Return each other word that has a feature of the query, and this feature; seen ones first."""
    has = data()["features"]
    kin = [
        (next(word for word in range(4) if word != query and has[word][feature]), feature)
        for feature in _features_of(query)
    ]
    return sorted(kin, key=lambda pair: not visible[pair[0]])


def _found(kin: list[tuple[int, int]], rows: Tensor, single: Tensor) -> dict[str, str]:
    """Return in which head the query finds which word, and its weight there and in a single head.

    `rows` are the query's weights in the heads, `single` those in one head.
    """
    slots: dict[str, str] = {}
    own, size = data(), 4 // len(rows)
    for place, (word, feature) in enumerate(kin, 1):
        head = feature // size
        slots |= {
            f"t{place}": own["words"][word],
            f"head{place}": own["pair"]["list"].join(own["names"][head * size : (head + 1) * size]),
            f"x{place}": format_weight(rows[head, word].item()),
            f"single{place}": format_weight(single[word].item()),
        }
    return slots


def _key(visible: list[bool], query: int, pressed: int) -> int | None:
    """Return the key whose score is worked out, of those that the query sees: the pressed one.

    If none is, or it is masked, it is another word, if it sees one: the one that has its first
    feature, else its second one.
    """
    has = data()["features"]
    seen = [key for key, sees in enumerate(visible) if sees]
    if pressed in seen:
        return pressed
    others = [key for key in seen if key != query] or seen
    return max(others, key=lambda key: [has[key][f] for f in _features_of(query)], default=None)


def _worked(pair: Tensor, scores: Tensor) -> dict[str, str]:
    """Work out the scores (H) of a query with a key, whose features are a pair (2, 4)."""
    size = 4 // len(scores)
    terms = [f"{format_number(q, None)}·{format_number(k, None)}" for q, k in pair.T.tolist()]
    slots = {}
    for head, score in enumerate(scores.tolist()):
        total = " + ".join(terms[head * size : (head + 1) * size])
        quotient = f"({total}) ÷ √{size}" if size > 1 else f"{total} ÷ √1"
        sign = "=" if math.isclose(score, round(score, 1), abs_tol=1e-6) else "≈"
        result = f"{sign}{NO_BREAK_SPACE}{format_number(score, 1)}"
        # Where a head is narrow, the result may stand on a line of its own.
        slots[f"worked{head + 1}"] = f"{quotient.replace(' ', NO_BREAK_SPACE)} {result}"
    return slots


def _pair(state: State, query: int, key: int, weights: Tensor) -> str:
    """Say what a query and a key have in common, and the weight that each head makes of it."""
    own = data()
    has, said = own["features"], own["pair"]
    slots = {"q": own["words"][query], "key": own["words"][key]}
    pressed = int(state["k"]) - 1
    if pressed not in (-1, key):
        return str(said["unseen"].format(**slots, pressed=own["words"][pressed]))
    shared = [f"“{own['names'][f]}”" for f in _features_of(query) if has[key][f]]
    slots |= {f"weight{n}": format_weight(weight) for n, weight in enumerate(weights.tolist(), 1)}
    kind = "share" if shared else "nothing"
    if state["c"] == 0:
        kind = "flat"
    elif key == query:
        kind = "own"
    lead = said[kind].format(**slots, shared=said["and"].join(shared))
    return str(said[_count(state)].format(**slots, lead=lead))


def _features_of(query: int) -> tuple[int, int]:
    """Return the two features that a word has."""
    first, second = (feature for feature, x in enumerate(data()["features"][query]) if x)
    return first, second


def _summary(state: State, query: int, seen: int, kin_seen: int) -> tuple[str, ...]:
    if state["len"] == 0:
        return ("empty",)
    if state["c"] == 0:
        return ("flat",)
    limit = _limit(state, query)
    if state["h"] == "1":
        return ("one", *limit)
    # A word that is alone is not found: whatever its score, every head gives it all the weight.
    found = ("neither", "alone" if seen == 1 else "half", "both")[kin_seen]
    # Where the word sees less, that is what is said.
    return (found, *(limit or ("single",)))


def _count(state: State) -> str:
    return next(name for name, count in COUNTS.items() if state["h"] == str(count))


def _limit(state: State, query: int) -> tuple[str, ...]:
    """Return the sentence on what the word sees: only what keeps words from it is called causal."""
    if state["m"] == "1" and query + 1 == state["len"] == 4:
        return ("causal_last",)
    if state["m"] == "1" and query + 1 < state["len"]:
        return ("causal",)
    return ("seen",) if state["m"] == "1" or state["len"] < 4 else ()


FIGURE = Figure(
    id="heads",
    chapter="multi-head-attention",
    controls=(
        Choice(key="h", options=("1", "2", "4"), default="1"),
        Choice(key="q", options=("1", "2", "3", "4"), default="1"),
        Range(key="c", min=0, max=4, step=0.5, default=2.0),
        Range(key="len", min=0, max=4, step=1, default=4),
        Choice(key="m", options=("0", "1"), default="0", look="checkbox"),
        # The key whose score is worked out; 0 leaves it to the figure.
        Choice(key="k", options=("0", "1", "2", "3", "4"), default="0"),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"h": 4},
        after={"h": 4, "q": 2},
        # Rows of weights: all on purr itself, a quarter for each, none.
        places=((0, 1, 0, 0), (0.25, 0.25, 0.25, 0.25), (0, 0, 0, 0)),
        ms=2000,
    ),
    tries=({"h": 2}, {"q": 2}, {"h": 2, "m": 1, "q": 2}),
    surprise={"h": 4, "q": 2, "k": 1},
    data=data,
    hues={"q": "query", **dict.fromkeys(("own", "x1", "x2"), "weight")},
)
