"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch

from attn_lib.check.judging import RIGHT, Draws, came, close, numbers, raised
from attn_lib.examples.surnames import KEYS


def exact_lookup(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (query, keys) -> weights that looks up exactly.

    The weight is 1 on the key that equals the query, case ignored, and 0 elsewhere. Several equal
    keys share it; without a match all weights are 0.
    """
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    turn, drawn = Draws(seed).whole(0, len(KEYS) - 1, 2).tolist()
    turned = KEYS[turn:] + KEYS[:turn]
    cases = (
        ("found", "Li", KEYS, [0, 0, 1, 0, 0, 0]),
        ("last", "Werness", KEYS, [0, 0, 0, 0, 0, 1]),
        ("case", "zhang", KEYS, [1, 0, 0, 0, 0, 0]),
        ("case_of_key", "Hu", ("LI", "hU"), [0, 1]),
        ("absent", "Le", KEYS, [0, 0, 0, 0, 0, 0]),
        ("shared", "Hu", ("Hu", "Li", "Hu"), [0.5, 0, 0.5]),
        ("found", turned[drawn], turned, [float(j == drawn) for j in range(len(KEYS))]),
    )
    for case, query, keys, expected in cases:
        try:
            answered = answer(query, list(keys))
        except Exception as error:  # whatever the reader's function raises
            name = "raises_absent" if case == "absent" else "raises"
            return name, {"query": query, "error": raised(error)}, None
        weights = numbers(answered)
        count = len(keys)
        if weights is not None and weights.numel() == 1:
            place = weights.item()
            if place in [j for j, weight in enumerate(expected) if weight]:
                return "index", {"query": query, "place": int(place), "count": count}, None
        if weights is None or weights.numel() != count:
            return "count", {"count": count, "got": came(answered)}, None
        weights = weights.reshape(-1)
        if torch.isnan(weights).any():
            return "nan", {"query": query}, None
        if not close(weights, torch.tensor(expected).double(), 1e-6):
            return case, {"query": query, "sum": f"{weights.sum().item():.2f}"}, None
    return RIGHT
