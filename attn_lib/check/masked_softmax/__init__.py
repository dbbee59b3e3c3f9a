"""The exercises of the chapter on masked softmax."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.masked_softmax import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, said
from attn_lib.examples import four_words


def masked_softmax(answer: Callable[[Tensor, Tensor], Any], seed: int = 0) -> Verdict:
    """Judge a function (X, valid_lens) -> weights, for lengths of shape (B,) or (B, Q)."""
    return said("masked_softmax", judge.masked_softmax(answer, seed))


def causal_lens(answer: Any) -> Verdict:
    """Judge causal valid lengths (B, Q) = (2, 4) for the two padded sentences."""
    lens = numbers(answer)
    if lens is None:
        return hint("causal_lens", "numbers", got=came(answer))
    if lens.shape != (2, 4):
        named = {(2,): "per_example", (4,): "per_position", (2, 4, 4): "mask", (4, 4): "mask"}
        return hint("causal_lens", named.get(tuple(lens.shape), "shape"), got=tuple(lens.shape))
    positions = torch.arange(1.0, 5).double().expand(2, 4)
    lengths = four_words.valid_lens().double().unsqueeze(1).expand(2, 4)
    wanted = torch.minimum(positions, lengths)
    # What the query of a padding sees matters to nobody, as long as it is no padding.
    padded = positions > lengths
    allowed = (lens >= 0) & (lens <= lengths) & (lens == lens.round())
    if ((lens == wanted) | (padded & allowed)).all():
        return right("causal_lens")
    mistakes = {
        "padding": positions,
        "ahead": lengths,
        "larger": torch.maximum(positions, lengths),
        "itself": torch.minimum(positions - 1, lengths),
    }
    for name, mistake in mistakes.items():
        if torch.equal(lens, mistake):
            return hint("causal_lens", name)
    wrong = (lens != wanted) & ~(padded & allowed)
    sentence, query = wrong.nonzero()[0].tolist()
    got = f"{lens[sentence, query].item():g}"
    return hint("causal_lens", "other", sentence=sentence + 1, query=query + 1, got=got)


def average_ahead(answer: Any) -> Verdict:
    """Judge how often the most frequent of the words ahead is the next one: 8 places, 4 words."""
    given = numbers(answer)
    if given is not None and given.numel() == 8:
        return hint("average_ahead", "places")
    value = one_number(answer)
    if value is None or not math.isfinite(value):
        return hint("average_ahead", "number", got=came(answer))
    most, drawn = zip(*(_hits(ahead) for ahead in range(1, 8)), strict=True)
    known = {
        "right": (sum(most) + 0.25) / 8,
        "seven": sum(most) / 7,
        "visible": (7 + 0.25) / 8,
        "chance": 0.25,
        "drawn": (sum(drawn) + 0.25) / 8,
    }
    for name, share in known.items():
        # Two digits are enough: 0.55.
        if abs(value - share) < 0.005:
            return right("average_ahead") if name == "right" else hint("average_ahead", name)
    if 1 < value <= 100:
        return hint("average_ahead", "percent", got=f"{value:g}")
    return hint("average_ahead", "other", got=f"{value:g}")


def _hits(ahead: int) -> tuple[float, float]:
    """Return how often the first of so many thrown words is named, by two ways to name one.

    Always one that occurs most often; or one drawn as often as it occurs.
    """
    throws = [Counter(throw).values() for throw in product(range(4), repeat=ahead)]
    most = sum(max(counts) for counts in throws) / (ahead * len(throws))
    drawn = sum(sum(count**2 for count in counts) for counts in throws)
    return most, drawn / (ahead**2 * len(throws))
