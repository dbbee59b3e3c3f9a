"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import (
    RIGHT,
    Draws,
    close,
    column,
    length,
    masked_weights,
    numbers,
    raised,
    shape,
    wrong_row,
)


def masked_softmax(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (X, valid_lens) -> weights, for lengths of shape (B,) or (B, Q)."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    X, per_query = draws.normal(5, 3, 7), draws.whole(1, 7, 5, 3)
    empty = torch.tensor([0, 1, 3, 6, 7])
    huge = torch.tensor([[[-3e30, -3e30, 0.0, 0.0]]])
    cases = (
        ("", X, torch.tensor([2, 1, 3, 6, 7])),
        ("per_query", X, per_query),
        ("empty", X, empty),
        ("empty", X, torch.where(per_query > 2, per_query, 0)),
        ("fill", huge, torch.tensor([2])),
    )
    for case, scores, lens in cases:
        wrong = _judge_weights(answer, case, scores, lens)
        if wrong is not None:
            return wrong
    return _judge_gradient(answer, X, empty)


def _judge_weights(answer: Any, case: str, X: Tensor, lens: Tensor) -> Any:
    """Judge one call; None if it is right."""
    given = X.clone()
    try:
        answered = answer(given, lens.clone())
    except Exception as error:  # whatever the reader's function raises
        shapes = {"shape": str(tuple(X.shape)), "lens": str(tuple(lens.shape))}
        return "raises", dict(shapes, error=raised(error)), None
    weights = numbers(answered)
    if weights is None or weights.shape != X.shape:
        return "shape", {"wanted": str(tuple(X.shape)), "got": shape(answered)}, None
    expected = masked_weights(X, lens)
    if close(weights, expected):
        return None if torch.equal(given, X) else ("changed", {}, None)

    b, q = wrong_row(weights, expected)
    rows = (("scores", X[b, q]), ("got", weights[b, q]), ("wanted", expected[b, q]))
    shown = {
        "caption": ("length", length(lens, b, q)),
        "columns": [(name, column(row)) for name, row in rows],
    }
    none = (expected == 0).all(2)
    if case == "empty" and close(weights[~none], expected[~none]):
        sums = weights[none].sum(1)
        if torch.isnan(sums).any():
            return "nan", {}, shown
        return "empty", {"sum": f"{sums[sums.abs().argmax()].item():.2f}"}, shown
    if case == "fill":
        return "fill", {"weight": f"{weights[0, 0, 0].item():.2f}"}, shown
    name = _known_mistake(weights, X.to(torch.float64), lens)
    if name is None:
        name = "per_query" if case == "per_query" else "values"
    return name, {"sum": f"{weights[0, 0].sum().item():.2f}"}, shown


def _known_mistake(weights: Tensor, X: Tensor, lens: Tensor) -> Any:
    """Name the misconception that these weights come from, if it is a known one."""
    visible = (torch.arange(X.shape[2]) < lens.reshape(len(lens), -1, 1)).expand_as(X)
    if close(weights, X.softmax(2)):
        return "unmasked"
    if close(weights, torch.where(visible, X, 0.0).softmax(2)):
        return "zero_fill"
    if close(weights, X.softmax(2) * visible):
        return "after"
    padded_rows = ~visible.all(2)
    if ((weights * visible).sum(2)[padded_rows].abs() < 1e-6).all():
        return "inverted"
    columns = weights.sum(1)
    columns = columns[columns > 1e-6]  # not those of padding: there it is 0 or NaN
    return "axis" if close(columns, torch.ones_like(columns)) else None


def _judge_gradient(answer: Any, X: Tensor, lens: Tensor) -> tuple[str, dict[str, Any], Any]:
    """Judge the gradient where a row has nothing to attend to."""
    leaf = X.clone().requires_grad_()
    try:
        with torch.enable_grad():  # the reader may have switched gradients off
            weights = answer(leaf, lens.clone())
            if not (isinstance(weights, Tensor) and weights.requires_grad):
                return "no_gradient", {}, None
            weights.square().sum().backward()
    except Exception as error:  # array code, or a result that was written over
        return "backward", {"error": raised(error)}, None
    if leaf.grad is None or not torch.isfinite(leaf.grad).all():
        return "gradient", {}, None
    return RIGHT
