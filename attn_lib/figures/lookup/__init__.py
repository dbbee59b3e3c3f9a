"""Figure `lookup`: what does a look-up return when no key matches?"""

from collections.abc import Callable
from typing import Any

import torch

from attn_lib import masking
from attn_lib.examples.surnames import KEYS, RECORDS, levenshtein
from attn_lib.explorer.controls import Choice, Listed, State, Word
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_output, format_weight

DESKS = torch.tensor([desk for _, _, desk in RECORDS], dtype=torch.float64)


def compute(state: State, edit_distance: Callable[[str, str], float] = levenshtein) -> View:
    """Compute the figure; `edit_distance` may be the reader's own function."""
    query, exact = state["q"], state["how"] == "exact"
    distances = [edit_distance(query.lower(), key.lower()) for key in KEYS]
    if exact:
        weights = torch.tensor([float(query.lower() == key.lower()) for key in KEYS]).double()
    else:
        scores = -torch.tensor(distances, dtype=torch.float64)
        weights = masking.masked_softmax(scores[None, None] / state["t"])[0, 0]  # (K,)
    found = bool(weights.any())
    desk = (weights @ DESKS).item() if found else None

    first, second = torch.argsort(weights, descending=True, stable=True)[:2].tolist()
    slots = {
        "q": query,
        "first": KEYS[first],
        "second": KEYS[second],
        "w1": format_weight(weights[first].item()),
        "w2": format_weight(weights[second].item()),
        "desk": format_output(desk),
        "t": format_number(state["t"], None),
    }
    shown = [None] * len(KEYS) if exact else distances
    return View(
        parts={
            # One row per key: its distance (an exact look-up takes none) and its weight.
            "records": {"rows": list(zip(shown, weights.tolist(), strict=True))},
            "weights": {"rows": [weights.tolist()]},
            "output": {"rows": [[desk]]},
        },
        slots=slots,
        summary=("soft" if not exact else "found" if found else "missing",),
        main="desk",
    )


def data() -> dict[str, Any]:
    """Return the surnames and the desks."""
    return {"keys": KEYS, "desks": DESKS.tolist()}


FIGURE = Figure(
    id="lookup",
    chapter="queries-keys-values",
    controls=(
        Word(key="q", default="Li", hue="query"),
        Choice(key="how", options=("exact", "soft"), default="soft"),
        Listed(key="t", values=(0.1, 0.2, 0.5, 1, 2, 5, 10, 100), default=1),
    ),
    compute=compute,
    prediction=Prediction(
        right=2, before={"q": "Hi"}, after={"q": "Hi", "t": 0.1}, row=("weights", 0)
    ),
    tries=({"how": "exact", "q": "Le"}, {"q": "Le"}, {"t": 100}),
    surprise={"q": "Hi", "t": 0.1},
    data=data,
)
