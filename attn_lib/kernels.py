"""Kernel regression as attention: weights that fall with distance, without a softmax."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib.attention import Attention
from attn_lib.masking import Visible, softmax
from attn_lib.scoring import in_widths, squared_distances
from attn_lib.validation import check_equal_features, check_positive

# The kernels that are 0 from one width on, as functions of (distance / width)^2. Constant
# factors, such as Epanechnikov's 3/4, are left out: dividing by the sum removes them.
COMPACT_KERNELS: dict[str, Callable[[Tensor], Tensor]] = {
    "boxcar": lambda squared: (squared < 1).to(squared.dtype),
    "triangular": lambda squared: (1 - _root(squared)).clamp(min=0),
    "epanechnikov": lambda squared: (1 - squared).clamp(min=0),
}
KERNELS = ("gaussian", *COMPACT_KERNELS)


class KernelAttention(Attention):
    """Nadaraya-Watson regression: each value weighs as much as its key is near.

    A query with no key within the width of a compact kernel has nothing to average: its weights
    and output are 0.

    Args:
        kernel: "gaussian", "boxcar", "triangular" or "epanechnikov".
        width: standard deviation of the Gaussian; distance at which the others end.
        dropout: probability with which a weight is dropped in training.

    Shape:
        queries (B, Q, D); keys (B, K, D); values (B, K, V); valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: no such kernel, the width is not finite and above 0, shapes do not match,
            or a length is not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Nadaraya (1964), On Estimating Regression; Watson (1964), Smooth Regression Analysis;
        Epanechnikov (1969), Non-Parametric Estimation of a Multivariate Probability Density.

    Example:
        >>> import torch, attn_lib
        >>> x = torch.tensor([[[0.0], [1.0], [2.0], [3.0], [7.0], [8.0]]])
        >>> y = torch.tensor([[[1.0], [3.0], [2.0], [4.0], [6.0], [5.0]]])
        >>> attention = attn_lib.KernelAttention("boxcar", width=1.5)
        >>> attention(torch.tensor([[[2.0], [5.0]]]), x, y)
        tensor([[[3.],
                 [0.]]])
    """

    def __init__(
        self, kernel: str = "gaussian", *, width: float = 1.0, dropout: float = 0.0
    ) -> None:
        super().__init__(dropout)
        if kernel not in KERNELS:
            raise ValueError(f"kernel must be one of {', '.join(KERNELS)}. Got {kernel!r}.")
        check_positive("width", width)
        self.kernel, self.width = kernel, width

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require queries and keys of one feature size."""
        check_equal_features(queries, keys)

    def weigh(
        self, queries: Tensor, keys: Tensor, visible: Visible | None, score_bias: Tensor | None
    ) -> Tensor:
        """Divide the kernel's values by their sum, where there is any.

        A bias is added to their logarithms, as to any other scores.
        """
        squared, width = squared_distances(queries, keys, self.width)  # (B, Q, K)
        bias = 0 if score_bias is None else score_bias.to(squared.dtype)
        if self.kernel == "gaussian":
            # With a tiny width the scores of all keys leave the floating-point range. Taking off
            # the nearest key's distance first changes no weight, and one score is then 0.
            nearer = squared - _nearest(squared, visible)
            return softmax(bias - in_widths(nearer, width) / 2, visible)
        heights = COMPACT_KERNELS[self.kernel](in_widths(squared, width))
        if visible is not None:
            heights = heights.where(visible.pairs, 0)
        if isinstance(bias, Tensor):
            near = heights > 0
            highest = _highest(bias, near)
            # Elsewhere 0 before the exponential: of a row without keys it would be infinite, and
            # its gradient NaN.
            heights = heights * torch.where(near, bias - highest, 0).exp()
        total = heights.sum(2, keepdim=True)  # (B, Q, 1)
        return heights / total.where(total > 0, 1)


def _nearest(squared: Tensor, visible: Visible | None) -> Tensor:
    """Find the smallest visible number of each row, 0 where there is none: (B, Q, 1)."""
    seen = squared.detach()
    if visible is not None:
        seen = seen.where(visible.pairs, torch.inf)
    if seen.shape[2] == 0:
        return seen.new_zeros(*seen.shape[:2], 1)
    nearest = seen.amin(2, keepdim=True)
    return nearest.where(nearest < torch.inf, 0)


def _highest(bias: Tensor, near: Tensor) -> Tensor:
    """Find the largest bias among the near keys of each row, -inf where there are none."""
    biases = torch.where(near, bias.detach(), -torch.inf)  # (B, Q, K)
    if biases.shape[2] == 0:
        return biases.new_zeros(*biases.shape[:2], 1)
    return biases.amax(2, keepdim=True)


def _root(squared: Tensor) -> Tensor:
    # The slope of a root is infinite at 0, where a key lies on the query; it counts as 0 there.
    apart = squared > 0
    return squared.where(apart, 1).sqrt().where(apart, 0)
