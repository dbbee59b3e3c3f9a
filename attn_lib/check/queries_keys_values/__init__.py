"""The exercises of the chapter on queries, keys and values."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from attn_lib.check.verdict import Verdict, came, hint, numbers, right
from attn_lib.examples.surnames import KEYS, levenshtein


def exact_lookup(answer: Callable[[str, Sequence[str]], Any]) -> Verdict:
    """Judge a function (query, keys) -> weights that looks up exactly.

    The weight is 1 on the key that equals the query, case ignored, and 0 elsewhere. Several equal
    keys share it; without a match all weights are 0.
    """
    if not callable(answer):
        return hint("exact_lookup", "function", got=type(answer).__name__)
    cases = {
        "found": ("Li", list(KEYS), [0, 0, 1, 0, 0, 0]),
        "last": ("Werness", list(KEYS), [0, 0, 0, 0, 0, 1]),
        "case": ("zhang", list(KEYS), [1, 0, 0, 0, 0, 0]),
        "case_of_key": ("Hu", ["LI", "hU"], [0, 1]),
        "absent": ("Le", list(KEYS), [0, 0, 0, 0, 0, 0]),
        "shared": ("Hu", ["Hu", "Li", "Hu"], [0.5, 0, 0.5]),
    }
    for case, (query, keys, expected) in cases.items():
        try:
            answered = answer(query, list(keys))
        except Exception as error:  # whatever the reader's function raises
            name = "raises_absent" if case == "absent" else "raises"
            return hint("exact_lookup", name, query=query, error=f"{type(error).__name__}: {error}")
        weights = numbers(answered)
        if weights is None or weights.numel() != len(keys):
            return hint("exact_lookup", "count", count=len(keys), got=came(answered))
        weights = weights.reshape(-1)
        if weights.isnan().any():
            return hint("exact_lookup", "nan", query=query)
        if not torch.allclose(weights, torch.tensor(expected).double(), atol=1e-6):
            return hint("exact_lookup", case, query=query, sum=f"{weights.sum().item():.2f}")
    return right("exact_lookup")


def halved_weight(answer: str) -> Verdict:
    """Judge a name for which, at temperature 0.1, two keys get half of the weight each."""
    if not (isinstance(answer, str) and answer.isalpha() and len(answer) <= 12):
        return hint("halved_weight", "word", got=came(answer))
    distance = {key: levenshtein(answer.lower(), key.lower()) for key in KEYS}
    nearest, second, *_ = sorted(KEYS, key=distance.__getitem__)
    ties = sum(d == distance[nearest] for d in distance.values())
    if ties == 2:
        return right("halved_weight")
    if ties > 2:
        return hint("halved_weight", "many", ties=ties, distance=distance[nearest])
    return hint(
        "halved_weight",
        "one",
        first=nearest,
        second=second,
        near=distance[nearest],
        far=distance[second],
    )
