"""The exercises of the chapter on kernel regression."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.kernel_regression import judge
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, one_number, said
from attn_lib.examples.six_points import POINTS, WIDTHS
from attn_lib.kernels import KernelAttention

X = torch.tensor([float(x) for x, _ in POINTS])


def kernel_gap(answer: Callable[[Tensor, Tensor, float], Any], seed: int = 0) -> Verdict:
    """Judge a function (queries, keys, width) -> boxcar weights (Q, K), all 0 in a gap."""
    return said("kernel_gap", judge.kernel_gap(answer, seed))


def leave_one_out_error(width: float, fourth: float = POINTS[3][1]) -> float:
    """Mean squared error of the Gaussian fit when each point is predicted from the others.

    Args:
        width: of the kernel.
        fourth: the value of the fourth point.
    """
    Y = torch.tensor([float(y) for _, y in POINTS])
    Y[3] = fourth
    errors = []
    for i in range(len(X)):
        others = torch.arange(len(X)) != i
        attention = KernelAttention("gaussian", width=width)
        fit = attention(
            X[i].reshape(1, 1, 1), X[others].reshape(1, -1, 1), Y[others].reshape(1, -1, 1)
        )
        errors.append((fit.item() - Y[i].item()) ** 2)
    return sum(errors) / len(errors)


@cache
def _best(fourth: float) -> float:
    return min(WIDTHS, key=lambda width: leave_one_out_error(width, fourth))


def _not_best(answered: Any, fourth: float) -> Found:
    chosen = one_number(answered)
    if chosen is None:
        return "number", {"got": came(answered)}
    width = next((w for w in WIDTHS if abs(w - chosen) < 1e-6), None)
    if width is None:
        return "listed", {}
    slots = {"width": f"{width:g}", "error": f"{leave_one_out_error(width, fourth):.4f}"}
    if width == min(WIDTHS):
        return "itself", slots
    return "narrow" if width < _best(fourth) else "wide", slots


@quantity(
    numbers=(4, 2, 7, 1, 8),
    shown=lambda fourth: {"widths": ", ".join(f"{w:g}" for w in WIDTHS)},
    within=1e-6,
    unknown=_not_best,
)
def loo_width(fourth: float) -> Numbers:
    """Judge the figure's width of least leave-one-out error if the fourth value is `fourth`."""
    return {"right": _best(fourth)}
