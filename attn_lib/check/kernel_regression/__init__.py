"""The exercises of the chapter on kernel regression."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, came, hint, numbers, one_number, right, shape
from attn_lib.examples.six_points import POINTS, WIDTHS
from attn_lib.kernels import KernelAttention

X = torch.tensor([float(x) for x, _ in POINTS])
Y = torch.tensor([float(y) for _, y in POINTS])


def kernel_gap(answer: Callable[[Tensor, Tensor, float], Any]) -> Verdict:
    """Judge a function (queries, keys, width) -> boxcar weights (Q, K), all 0 in a gap."""
    if not callable(answer):
        return hint("kernel_gap", "function", got=type(answer).__name__)
    # Query 5 lies in the gap, and query -1 has one key within the width. At width 1 the neighbours
    # of query 2 lie exactly on the edge.
    queries, on_edge = torch.tensor([2.0, 5.0, 0.25, 7.5, -1.0]), torch.tensor([2.0])
    given = []
    for asked, width in ((queries, 1.5), (on_edge, 1.0)):
        expected = (len(asked), len(X))
        try:
            answered = answer(asked.clone(), X.clone(), width)
        except Exception as error:  # whatever the reader's function raises
            return hint("kernel_gap", "raises", error=f"{type(error).__name__}: {error}")
        rows = numbers(answered)
        if rows is None or rows.shape != expected:
            return hint("kernel_gap", "shape", expected=expected, got=shape(answered))
        given.append(rows)
    weights, edge = given
    gap, others = weights[1], weights[[0, 2, 3, 4]]
    if gap.isnan().any():
        return hint("kernel_gap", "nan")
    if gap.any():
        name = "mean" if torch.allclose(gap, gap.mean(), atol=1e-4) else "invented"
        return hint("kernel_gap", name, sum=f"{gap.sum().item():.2f}")
    sums = others.sum(1)
    if not torch.allclose(sums, torch.ones_like(sums), atol=6e-4):  # float16 rounds so much
        return hint("kernel_gap", "sums", sum=f"{sums[0].item():.4f}")
    # One key alone gets exactly 1, however few digits the numbers have.
    if sums[3].item() != 1:
        return hint("kernel_gap", "epsilon", weight=f"{sums[3].item():.7f}")
    if not torch.allclose(others, _boxcar(queries, 1.5)[[0, 2, 3, 4]], atol=1e-4):
        return hint("kernel_gap", "kernel")
    if not torch.allclose(edge, _boxcar(on_edge, 1.0), atol=1e-4):
        return hint("kernel_gap", "edge")
    return right("kernel_gap")


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


def _boxcar(queries: Tensor, width: float) -> Tensor:
    attention = KernelAttention("boxcar", width=width)
    attention(queries.reshape(1, -1, 1), X.reshape(1, -1, 1), Y.reshape(1, -1, 1))
    return torch.as_tensor(attention.attention_weights)[0].double()
