"""What both eras of D2L take and attn_lib does not: lengths as floats or above K, any heatmap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.multihead import MultiHeadAttention
from attn_lib.validation import (
    LENGTHS_OF_A_MASK,
    check_bias,
    check_dense,
    check_shape,
    check_tensor,
    has_values,
)


class Lenient:
    """First base of a module: mends the lengths, then calls the strict class beside it."""

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        window_mask: Tensor | None = None,
        **options: Any,
    ) -> Tensor:
        """Average the values by how well their keys answer each query.

        Args:
            queries: (B, Q, Dq).
            keys: (B, K, Dk).
            values: (B, K, V).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.
            window_mask: (windows, Q, K), added to the scores, as shifted windows have it (Swin):
                the batch holds all windows of image 1, then all of image 2, and so on. With a
                score_bias, both are added.
            **options: those of the strict class.

        Returns:
            Outputs of the strict class.
        """
        check_tensor("keys", keys)
        check_shape("keys", keys, B=None, K=None, D=None)
        lens = whole_lens("valid_lens", valid_lens, keys.shape[1])
        if window_mask is not None:
            windows = self.bias_of_windows(window_mask, queries, keys)
            if (bias := options.get("score_bias")) is not None:
                head = {"H": self.num_heads} if isinstance(self, MultiHeadAttention) else {}
                sizes = {"B": keys.shape[0], **head, "Q": queries.shape[1], "K": keys.shape[1]}
                check_bias("score_bias", bias, keys.device, **sizes)
                windows = windows + bias
            options["score_bias"] = windows
        output: Tensor = super().forward(  # type: ignore[misc]
            queries, keys, values, lens, **options
        )
        return output

    def bias_of_windows(self, window_mask: Tensor, queries: Tensor, keys: Tensor) -> Tensor:
        """Repeat the mask of each window for every image: (B, Q, K), or (B, 1, Q, K) for heads."""
        check_tensor("window_mask", window_mask)
        num_queries = queries.shape[1] if queries.ndim > 1 else None
        check_shape("window_mask", window_mask, windows=None, Q=num_queries, K=keys.shape[1])
        # As in the text, the plain class gets the heads of each window folded into its batch.
        heads = 1 if isinstance(self, MultiHeadAttention) else getattr(self, "num_heads", None) or 1
        folded = window_mask.repeat_interleave(heads, dim=0)
        batch, windows = keys.shape[0], len(folded)
        if windows == 0 or batch % windows != 0:
            raise ValueError(
                f"window_mask must have a number of windows that divides the batch, B={batch}. "
                f"Got {windows // heads}" + (f" windows of {heads} heads." if heads > 1 else ".")
            )
        bias = folded.repeat(batch // windows, 1, 1)
        return bias.unsqueeze(1) if isinstance(self, MultiHeadAttention) else bias


def whole_lens(name: str, lens: Tensor | None, limit: int) -> Tensor | None:
    """Cast float lengths that are whole, and cut those above the limit."""
    if lens is None:
        return None
    check_dense(name, lens)
    if lens.is_floating_point():
        whole = lens == lens.floor()  # false for NaN
        if has_values(lens) and not whole.all():
            raise ValueError(f"{name} must be whole numbers. Got {lens[~whole][0].item()}.")
        # Infinity becomes the limit, too; in float64, since narrow types cannot hold each of them.
        lens = lens.double().clamp(max=limit).long()
    if lens.dtype == torch.bool:
        raise ValueError(
            f"{name} must have an integer dtype. Got {lens.dtype}. {LENGTHS_OF_A_MASK}"
        )
    if lens.is_complex():
        return lens  # which is refused
    return lens.long().clamp(max=limit)


def masked_softmax(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Turn scores into weights; a key beyond the valid length gets exactly 0.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count; None: all of them. Above K counts as K.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q).

    Returns:
        Weights with the shape and dtype of X. Each row sums to 1, or is 0 throughout.

    Raises:
        ValueError: a shape is wrong, or a length is negative, fractional or a truth value.
        TypeError: an argument is not a tensor, or X is not floating-point.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2.

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> d2l.masked_softmax(torch.zeros(2, 1, 4), torch.tensor([2.0, 9.0])).tolist()
        [[[0.5, 0.5, 0.0, 0.0]], [[0.25, 0.25, 0.25, 0.25]]]
    """
    check_tensor("X", X)
    return masking.masked_softmax(X, whole_lens("valid_lens", valid_lens, X.shape[-1]))


def sequence_mask(X: Tensor, valid_len: Tensor, value: float = 0) -> Tensor:
    """Replace the entries of each sequence beyond its valid length; X itself stays as it is.

    Args:
        X: the sequences, one per row.
        valid_len: how many leading entries of each row are kept. Above K counts as K.
        value: what the other entries become.

    Shape:
        X (N, K) or (N, K, ...); valid_len (N,).

    Returns:
        A new tensor like X.

    Raises:
        ValueError: a shape is wrong, a length is negative, fractional or a truth value, or X
            cannot hold value.
        TypeError: X or valid_len is not a tensor, or value is not a number.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 10.7 (loss with masking).

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> d2l.sequence_mask(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([1.0, 7.0]))
        tensor([[1, 0, 0],
                [4, 5, 6]])
    """
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
    """Show a grid of matrices at once, coloured from their smallest finite number to their largest.

    Args:
        matrices: the weights; also whole numbers or truth values.
        xlabel: what the columns of a matrix are.
        ylabel: what the rows of a matrix are.
        titles: at least one for each column of the grid, or none at all.
        figsize: width and height in inches.
        cmap: the name of a matplotlib colour map.

    Shape:
        matrices (rows, cols, Q, K).

    Raises:
        ValueError: matrices does not have four axes or is empty, there are too few titles, a
            size is not above 0, or there is no such colour map.
        TypeError: an argument is not of the type it is declared with.
        ImportError: matplotlib or IPython is missing; the text says how to install it.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.1.3.

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> d2l.show_heatmaps(torch.eye(4).reshape(1, 1, 4, 4), "Keys", "Queries")
        Figure(250x250)
    """
    try:
        from IPython.display import display

        from attn_lib.heatmap import draw_heatmaps
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise ImportError(
            f"d2l.show_heatmaps needs {package}. Try: pip install 'attn-lib[figures]'"
        ) from error

    check_dense("matrices", matrices)
    if not (matrices.is_floating_point() or matrices.is_complex()):
        matrices = matrices.double()
    check_tensor("matrices", matrices)
    check_shape("matrices", matrices, rows=None, cols=None, Q=None, K=None)
    finite = matrices.detach()[matrices.isfinite()]
    limits = (finite.min().item(), finite.max().item()) if finite.numel() else (0.0, 1.0)
    titles = titles[: matrices.shape[1]] if titles else None
    display(draw_heatmaps(matrices, xlabel, ylabel, titles, figsize, cmap, limits))
