"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import RIGHT, Draws, came, close, numbers, raised

SHAPES = ((2, 1, 3, 2), (3, 5, 2, 7), (1, 2, 4, 3), (5, 5, 5, 5))


def batched_dot(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (X, Y) -> Z with Z[i] = X[i] @ Y[i] for every example i of the batch."""
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    for B, N, M, K in SHAPES:
        X, Y = draws.normal(B, N, M), draws.normal(B, M, K)
        wrong = _judge_product(answer, X, Y)
        if wrong is not None:
            return wrong
    return RIGHT


def _judge_product(answer: Any, X: Tensor, Y: Tensor) -> Any:
    """Judge one call; None if it is right."""
    expected = torch.stack([x @ y for x, y in zip(X, Y)]).double()  # noqa: B905 - MicroPython
    shapes = {"X": tuple(X.shape), "Y": tuple(Y.shape), "wanted": tuple(expected.shape)}
    X_given, Y_given = X.clone(), Y.clone()
    try:
        answered = answer(X_given, Y_given)
    except Exception as error:  # whatever the reader's function raises
        if _is_elementwise(answer):
            return "elementwise", shapes, None
        return "raises", dict(shapes, error=raised(error)), None
    parts = answered if isinstance(answered, (list, tuple)) else ()
    are_several = any(isinstance(part, Tensor) for part in parts)
    Z = None if are_several else numbers(answered)
    if Z is None:
        got = type(answered).__name__ if are_several else came(answered)
        return "numbers", {"got": got}, None
    if Z.shape != expected.shape:
        return _wrong_shape(Z, expected), dict(shapes, got=tuple(Z.shape)), None
    if not close(Z, expected):
        name = "first_only" if close(Z, (X @ Y[0]).double()) else "values"
        return name, shapes, None
    if not (torch.equal(X, X_given) and torch.equal(Y, Y_given)):
        return "changed", {}, None
    return None


def _wrong_shape(Z: Tensor, expected: Tensor) -> str:
    B = expected.shape[0]
    # All pairs of examples, as tensordot gives; or one product for the whole batch.
    if Z.numel() == B * expected.numel() != expected.numel():
        return "crossed"
    if Z.shape == expected.shape[1:] and close(Z, expected.sum(0), 1e-4):
        return "summed"
    return "squeezed" if Z.shape == expected.squeeze().shape else "shape"


def _is_elementwise(answer: Any) -> bool:
    """Say whether the function multiplies number by number, where the shapes allow it."""
    X, Y = torch.tensor([[[1.0, 2], [3, 4]]]), torch.tensor([[[5.0, 6], [7, 8]]])
    try:
        Z = numbers(answer(X, Y))
    except Exception:  # it stops here, too
        return False
    return Z is not None and Z.shape == X.shape and torch.equal(Z, (X * Y).double())
