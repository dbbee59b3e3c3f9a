"""The exercises of the chapter on kernel regression."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.kernel_regression import judge
from attn_lib.check.verdict import Verdict, came, hint, one_number, right, said
from attn_lib.examples.six_points import POINTS, WIDTHS
from attn_lib.kernels import KernelAttention

X = torch.tensor([float(x) for x, _ in POINTS])
Y = torch.tensor([float(y) for _, y in POINTS])


def kernel_gap(answer: Callable[[Tensor, Tensor, float], Any], seed: int = 0) -> Verdict:
    """Judge a function (queries, keys, width) -> boxcar weights (Q, K), all 0 in a gap."""
    return said("kernel_gap", judge.kernel_gap(answer, seed))


def loo_width(answer: float) -> Verdict:
    """Judge the width, of those in the figure, with the smallest leave-one-out error."""
    chosen = one_number(answer)
    if chosen is None:
        return hint("loo_width", "number", got=came(answer))
    width = next((w for w in WIDTHS if abs(w - chosen) < 1e-6), None)
    if width is None:
        return hint("loo_width", "listed", widths=", ".join(f"{w:g}" for w in WIDTHS))
    errors = {w: leave_one_out_error(w) for w in WIDTHS}
    if width == min(errors, key=errors.__getitem__):
        return right("loo_width")
    if width == min(WIDTHS):
        return hint("loo_width", "itself", width=f"{width:g}", error=f"{errors[width]:.4f}")
    name = "narrow" if width < min(errors, key=errors.__getitem__) else "wide"
    return hint("loo_width", name, width=f"{width:g}", error=f"{errors[width]:.4f}")


def leave_one_out_error(width: float) -> float:
    """Mean squared error of the Gaussian fit when each point is predicted from the others."""
    errors = []
    for i in range(len(X)):
        others = torch.arange(len(X)) != i
        attention = KernelAttention("gaussian", width=width)
        fit = attention(
            X[i].reshape(1, 1, 1), X[others].reshape(1, -1, 1), Y[others].reshape(1, -1, 1)
        )
        errors.append((fit.item() - Y[i].item()) ** 2)
    return sum(errors) / len(errors)
