"""Figure `lookup`: what does a look-up return when no key matches?"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.examples.surnames import KEYS, RECORDS, levenshtein
from attn_lib.live.host.controls import Choice, Listed, State, Word
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_output, never_exact

# What becomes of a letter of the query on the way to a key.
KEPT, NEW, GONE = "kept", "new", "gone"
DESKS = torch.tensor([desk for _, _, desk in RECORDS], dtype=torch.float64)


def compute(state: State, edit_distance: Callable[[str, str], float] = levenshtein) -> View:
    """Compute the figure; `edit_distance` may be the reader's own function."""
    query, exact = state["q"], state["how"] == "exact"
    distances = [edit_distance(query.lower(), key.lower()) for key in KEYS]
    if exact:
        weights = torch.tensor([float(query.lower() == key.lower()) for key in KEYS]).double()
    else:
        scaled = (0 - torch.tensor(distances, dtype=torch.float64)) / state["t"]
        weights = never_exact(masking.masked_softmax(scaled[None, None])[0, 0])  # (K,)
    found = bool(weights.any())
    desk = (weights @ DESKS).item() if found else None

    # The letters say why a distance is what it is, if it is theirs.
    spelt = edit_distance is levenshtein
    letters = [changes(query.lower(), key) if spelt else [] for key in KEYS]
    # The 0 and the 1 of an exact look-up are exact; a softmax comes near to them only.
    digits = None if exact else 2
    shares = [format_number(weight, digits) for weight in weights.tolist()]
    written = format_output(desk)
    # A desk counts as one whose number it has, as far as it is written out.
    numbers = [format_output(number) for number in DESKS.tolist()]
    is_desk = found and written in numbers
    owner = numbers.index(written) if is_desk else 0
    first, second = torch.argsort(weights, descending=True, stable=True)[:2].tolist()
    slots = {
        "q": query,
        "first": KEYS[first],
        "second": KEYS[second],
        "w1": shares[first],
        "w2": shares[second],
        "desk": written,
        "owner": KEYS[owner],
        "w3": shares[owner],
        "n": str(len(tied(weights, first))),
        "n2": str(len(tied(weights, second))),
        "near": format_number(min(distances), None),
    }
    # An exact look-up takes no scores.
    scores = [None] * len(KEYS) if exact else scaled.tolist()
    if exact:
        summary = ("found", "desk") if found else ("missing",)
    else:
        # The desk of one who has less weight than another is met only by chance.
        met = "desk" if owner in tied(weights, first) else "others_desk"
        summary = (_leaders(weights, first, second, shares), met if is_desk else "between")
    return View(
        parts={
            # One row per key: its distance d, -d/T and its weight.
            "records": {"rows": list(zip(distances, scores, weights.tolist(), strict=True))},
            "weights": {"rows": [weights.tolist()]},
            "output": {"rows": [[desk]]},
            "letters": letters,
        },
        slots=slots,
        summary=summary,
    )


def tied(weights: Tensor, i: int) -> list[int]:
    """Return which keys have the weight of key i, to what a sentence shows no difference of."""
    return [j for j, weight in enumerate(weights.tolist()) if abs(weight - weights[i]) < 1e-9]


def _leaders(weights: Tensor, first: int, second: int, shares: list[str]) -> str:
    """Return which sentence names the largest weights: equal ones have no order."""
    if len(leaders := tied(weights, first)) > 1:
        return "tie" if len(leaders) == 2 else "ties"
    if shares[second] == "0.00":
        return "alone"
    if len(tied(weights, second)) > 1:
        return "first_then"
    return "level" if shares[first] == shares[second] else "first"


def changes(query: str, key: str) -> list[tuple[str, str]]:
    """Return how the fewest changes turn one word into the other: each letter, and its fate.

    A replaced letter is gone and another is new, but only the new one is named; so there are as
    many letters that are not kept as changes.
    """
    others = key.lower()
    i, j, found = len(query), len(key), []
    while i or j:
        same = i and j and query[i - 1] == others[j - 1]
        left = levenshtein(query[:i], others[:j])
        if i and j and left == levenshtein(query[: i - 1], others[: j - 1]) + (not same):
            i, j = i - 1, j - 1
            found.append((key[j], KEPT if same else NEW))
        elif i and left == levenshtein(query[: i - 1], others[:j]) + 1:
            i -= 1
            found.append((query[i], GONE))
        else:
            j -= 1
            found.append((key[j], NEW))
    return found[::-1]


def data() -> dict[str, Any]:
    """Return the surnames and the desks."""
    return {"keys": KEYS, "desks": DESKS.tolist()}


FIGURE = Figure(
    id="lookup",
    chapter="queries-keys-values",
    controls=(
        Word(key="q", default="Li", hue="query"),
        Choice(key="how", options=("exact", "soft"), default="soft"),
        Listed(
            key="t", values=(0.1, 0.2, 0.5, 1, 2, 5, 10, 100), default=1, idle={"how": ("exact",)}
        ),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"t": 0.1},
        after={"q": "Hi", "t": 0.1},
        places=((30.0,), (40.0,), (50.0,)),  # desks
        ms=2200,
    ),
    tries=({"how": "exact", "q": "Le"}, {"q": "Le"}, {"q": "Le", "t": 100}),
    surprise={"q": "Hi", "t": 0.1},
    data=data,
    hues={"q": "query", "w1": "weight", "w2": "weight", "w3": "weight", "desk": "value"},
)
