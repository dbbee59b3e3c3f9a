"""What both eras of D2L take and attn_lib does not: lengths as floats or above K, any heatmap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.validation import check_dense, check_shape, check_tensor, has_values


class Lenient:
    """First base of a module: mends the lengths, then calls the strict class beside it."""

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        window_mask: None = None,
        **options: Any,
    ) -> Tensor:
        """Average the values by how well their keys answer each query."""
        if window_mask is not None:
            kind = type(window_mask).__name__
            raise ValueError(f"window_mask must be None: attn_lib has no windows. Got {kind}.")
        check_tensor("keys", keys)
        check_shape("keys", keys, B=None, K=None, D=None)
        lens = whole_lens("valid_lens", valid_lens, keys.shape[1])
        output: Tensor = super().forward(  # type: ignore[misc]
            queries, keys, values, lens, **options
        )
        return output


def whole_lens(name: str, lens: Tensor | None, limit: int) -> Tensor | None:
    """Cast float lengths that are whole, and cut those above the limit."""
    if lens is None:
        return None
    check_dense(name, lens)
    if lens.is_floating_point():
        whole = lens == lens.floor()  # false for NaN
        if has_values(lens) and not whole.all():
            raise ValueError(f"{name} must be whole numbers. Got {lens[~whole][0].item()}.")
        lens = lens.clamp(max=limit).long()  # infinity becomes the limit, too
    if lens.dtype == torch.bool or lens.is_complex():
        return lens  # which is refused
    return lens.long().clamp(max=limit)


def masked_softmax(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Turn scores (B, Q, K) into weights by lengths (B,) or (B, Q)."""
    check_tensor("X", X)
    return masking.masked_softmax(X, whole_lens("valid_lens", valid_lens, X.shape[-1]))


def sequence_mask(X: Tensor, valid_len: Tensor, value: float = 0) -> Tensor:
    """Replace what lies beyond the lengths (N,) of X (N, K, ...); X itself stays."""
    if check_dense("X", X).ndim > 1:
        lens = whole_lens("valid_len", valid_len, X.shape[1])
        return masking.sequence_mask(X, lens if lens is not None else valid_len, value)
    return masking.sequence_mask(X, valid_len, value)


def show_heatmaps(
    matrices: Tensor,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> None:
    """Show matrices (rows, cols, Q, K) at once, coloured from their smallest finite number on.

    They may hold whole numbers or truth values, and there may be more titles than columns.
    """
    from IPython.display import display

    from attn_lib.heatmap import draw_heatmaps

    check_dense("matrices", matrices)
    if not (matrices.is_floating_point() or matrices.is_complex()):
        matrices = matrices.double()
    check_tensor("matrices", matrices)
    check_shape("matrices", matrices, rows=None, cols=None, Q=None, K=None)
    finite = matrices.detach()[matrices.isfinite()]
    limits = (finite.min().item(), finite.max().item()) if finite.numel() else (0.0, 1.0)
    titles = titles[: matrices.shape[1]] if titles else None
    display(draw_heatmaps(matrices, xlabel, ylabel, titles, figsize, cmap, limits))
