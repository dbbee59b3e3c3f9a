"""The exercises of the chapter on masked softmax."""

import math
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.masked_softmax import judge
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, numbers, one_number, said


def masked_softmax(answer: Callable[[Tensor, Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function (X, valid_lens) -> weights, for lengths of shape (B,) or (B, Q)."""
    return said("masked_softmax", judge.masked_softmax(answer, seed))


def _lens(first: int, second: int) -> dict[str, Tensor]:
    lengths = torch.tensor([[first], [second]]).expand(2, 4)
    positions = torch.arange(1, 5).expand(2, 4)
    return {
        "right": torch.minimum(positions, lengths),
        "padding": positions,
        "ahead": lengths,
        "larger": torch.maximum(positions, lengths),
        "itself": torch.minimum(positions - 1, lengths),
    }


def _other_lens(answered: Any, first: int, second: int) -> Found:
    lens = numbers(answered)
    if lens is None:
        return "numbers", {"got": came(answered)}
    if lens.shape != (2, 4):
        named = {(2,): "per_example", (4,): "per_position", (2, 4, 4): "mask", (4, 4): "mask"}
        return named.get(tuple(lens.shape), "shape"), {"got": tuple(lens.shape)}
    known = _lens(first, second)
    # What the query of a padding sees matters to nobody, as long as it is no padding.
    padded = known["padding"] > known["ahead"]
    allowed = (lens >= 0) & (lens <= known["ahead"]) & (lens == lens.round())
    wrong = (lens != known["right"]) & ~(padded & allowed)
    if not wrong.any():
        return "right", {}
    sentence, query = wrong.nonzero()[0].tolist()
    got = f"{lens[sentence, query].item():g}"
    return "other", {"sentence": sentence + 1, "query": query + 1, "got": got}


@quantity(
    numbers=((2, 3), (3, 1), (2, 4), (1, 3), (4, 2), (3, 2)),
    within=0,
    unknown=_other_lens,
)
def causal_lens(first: int, second: int) -> Numbers:
    """Judge causal lengths (B, Q) = (2, 4) for padded sentences of `first` and `second` words."""
    return {name: lens.tolist() for name, lens in _lens(first, second).items()}


def _other_share(answered: Any, places: int, faces: int) -> Found:
    given = numbers(answered)
    if given is not None and given.numel() == places:
        return "places", {}
    value = one_number(answered)
    if value is None or not math.isfinite(value):
        return "number", {"got": came(answered)}
    return "percent" if 1 < value <= 100 else "other", {"got": f"{value:g}"}


@quantity(
    numbers=((8, 4), (7, 3), (6, 4), (5, 4), (6, 3), (7, 4)),
    within=5e-3,  # two digits are enough: 0.55
    unknown=_other_share,
)
def average_ahead(places: int, faces: int) -> Numbers:
    """Judge how often the commonest word ahead is the next, at `places` places of `faces` words."""
    most, drawn = zip(*(_hits(ahead, faces) for ahead in range(1, places)), strict=True)
    return {
        "right": (sum(most) + 1 / faces) / places,
        "seven": sum(most) / (places - 1),
        "visible": (places - 1 + 1 / faces) / places,
        "chance": 1 / faces,
        "drawn": (sum(drawn) + 1 / faces) / places,
    }


@cache
def _hits(ahead: int, faces: int) -> tuple[float, float]:
    """Return how often the first of so many thrown words is named, by two ways to name one.

    Always one that occurs most often; or one drawn as often as it occurs.
    """
    throws = [Counter(throw).values() for throw in product(range(faces), repeat=ahead)]
    most = sum(max(counts) for counts in throws) / (ahead * len(throws))
    drawn = sum(sum(count**2 for count in counts) for counts in throws)
    return most, drawn / (ahead**2 * len(throws))
