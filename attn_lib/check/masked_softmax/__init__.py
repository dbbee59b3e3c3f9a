"""The exercises of the chapter on masked softmax."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, shape
from attn_lib.examples import four_words


def masked_softmax(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Judge a function (X, valid_lens) -> weights, for lengths of shape (B,) or (B, Q)."""
    if not callable(answer):
        return hint("masked_softmax", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    X = torch.randn(5, 3, 7, generator=generator)
    per_example = torch.tensor([2, 1, 3, 6, 7])
    per_query = torch.randint(1, 8, (5, 3), generator=generator)
    huge = torch.tensor([[[-3e30, -3e30, 0.0, 0.0]]])
    cases = (
        ("", X, per_example),
        ("per_query", X, per_query),
        ("empty", X, torch.tensor([0, 1, 3, 6, 7])),
        ("empty", X, per_query.where(per_query > 2, 0)),
        ("fill", huge, torch.tensor([2])),
    )
    for case, scores, lens in cases:
        wrong = _judge_weights(answer, case, scores, lens)
        if wrong is not None:
            return wrong
    wrong = _judge_gradient(answer, X)
    return right("masked_softmax") if wrong is None else wrong


def _judge_weights(
    answer: Callable[[Tensor, Tensor], Any], case: str, X: Tensor, lens: Tensor
) -> Verdict | None:
    """Judge one call; None if it is right."""
    given = X.clone()
    try:
        answered = answer(given, lens.clone())
    except Exception as error:  # whatever the reader's function raises
        text = f"{type(error).__name__}: {error}"
        shapes = {"shape": tuple(X.shape), "lens": tuple(lens.shape)}
        return hint("masked_softmax", "raises", **shapes, error=text)
    weights = numbers(answered)
    if weights is None or weights.shape != X.shape:
        return hint("masked_softmax", "shape", wanted=tuple(X.shape), got=shape(answered))
    expected = masking.masked_softmax(X.double(), lens)
    if torch.allclose(weights, expected, atol=1e-5):
        return None if torch.equal(given, X) else hint("masked_softmax", "changed")

    empty = (expected == 0).all(2)
    if case == "empty" and torch.allclose(weights[~empty], expected[~empty], atol=1e-5):
        sums = weights[empty].sum(1)
        if sums.isnan().any():
            return hint("masked_softmax", "nan")
        return hint("masked_softmax", "empty", sum=f"{sums[sums.abs().argmax()].item():.2f}")
    if case == "fill":
        return hint("masked_softmax", "fill", weight=f"{weights[0, 0, 0].item():.2f}")
    name = _known_mistake(weights, X.double(), lens)
    if name is None:
        name = "per_query" if case == "per_query" else "values"
    return hint("masked_softmax", name, sum=f"{weights[0, 0].sum().item():.2f}")


def _known_mistake(weights: Tensor, X: Tensor, lens: Tensor) -> str | None:
    """Name the misconception that these weights come from, if it is a known one."""
    visible = masking.visible_keys(masking.per_query(lens), X.shape[2]).expand_as(X)
    if torch.allclose(weights, X.softmax(2), atol=1e-5):
        return "unmasked"
    if torch.allclose(weights, X.where(visible, 0).softmax(2), atol=1e-5):
        return "zero_fill"
    if torch.allclose(weights, X.softmax(2) * visible, atol=1e-5):
        return "after"
    padded_rows = ~visible.all(2)
    if ((weights * visible).sum(2)[padded_rows].abs() < 1e-6).all():
        return "inverted"
    columns = weights.sum(1)
    columns = columns[columns > 1e-6]  # not those of padding: there it is 0 or NaN
    return "axis" if torch.allclose(columns, torch.ones_like(columns), atol=1e-5) else None


def _judge_gradient(answer: Callable[[Tensor, Tensor], Any], X: Tensor) -> Verdict | None:
    """Judge the gradient where a row has nothing to attend to; None if it is finite."""
    leaf = X.clone().requires_grad_()
    try:
        with torch.enable_grad():  # the reader may have switched gradients off
            weights = answer(leaf, torch.tensor([0, 1, 3, 6, 7]))
            if not (isinstance(weights, Tensor) and weights.requires_grad):
                return hint("masked_softmax", "no_gradient")
            weights.square().sum().backward()
    except Exception as error:  # array code, or a result that was written over
        return hint("masked_softmax", "backward", error=f"{type(error).__name__}: {error}")
    if leaf.grad is None or not leaf.grad.isfinite().all():
        return hint("masked_softmax", "gradient")
    return None


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
