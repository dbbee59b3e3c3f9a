"""Other weights than the softmax's: rows with exact zeros, and weights that need not sum to 1.

What `masked_softmax` promises holds here too: a key that may not be seen has weight exactly 0 and
reaches no gradient, a row without keys is 0, and half precision is computed in float32.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib.masking import check_hiding, visible_pairs
from attn_lib.scoring import widen
from attn_lib.validation import axes_of_scores, check_sink


def sparsemax(X: Tensor, valid_lens: Tensor | None = None, *, mask: Tensor | None = None) -> Tensor:
    """Turn scores into the nearest weights that sum to 1: far behind the best, exactly 0.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count, per example or per query; None: all of them.
        mask: True where a key may be seen; with valid_lens, both must allow it.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q); mask: anything that can be
        broadcast to X.

    Returns:
        Weights with the shape and dtype of X. Each row sums to 1, or is 0 throughout.

    Raises:
        ValueError: a shape does not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a tensor, X is not floating-point, or mask is not bool.

    Source:
        Martins, Astudillo (2016), From Softmax to Sparsemax: A Sparse Model of Attention and
        Multi-Label Classification, section 2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.sparsemax(torch.tensor([[[1.0, 0.8, 0.1, -1.0]]]))
        tensor([[[0.6000, 0.4000, 0.0000, 0.0000]]])
    """
    return _above_threshold(X, valid_lens, mask, _sparsemax)


def entmax15(X: Tensor, valid_lens: Tensor | None = None, *, mask: Tensor | None = None) -> Tensor:
    """Turn scores into weights halfway between softmax and sparsemax: 1.5-entmax.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count, per example or per query; None: all of them.
        mask: True where a key may be seen; with valid_lens, both must allow it.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q); mask: anything that can be
        broadcast to X.

    Returns:
        Weights with the shape and dtype of X. Each row sums to 1, or is 0 throughout.

    Raises:
        ValueError: a shape does not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a tensor, X is not floating-point, or mask is not bool.

    Source:
        Peters, Niculae, Martins (2019), Sparse Sequence-to-Sequence Models, section 3 and
        algorithm 2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.entmax15(torch.tensor([[[2.0, 1.0, 0.0, -1.0]]]))
        tensor([[[0.8307, 0.1693, 0.0000, 0.0000]]])
    """
    return _above_threshold(X, valid_lens, mask, _entmax15)


def sigmoid_weights(
    X: Tensor,
    valid_lens: Tensor | None = None,
    *,
    mask: Tensor | None = None,
    bias: float | Tensor | None = None,
) -> Tensor:
    """Turn each score into a weight by itself: sigmoid(s + b). No key takes weight from another.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count, per example or per query; None: all of them.
        mask: True where a key may be seen; with valid_lens, both must allow it.
        bias: b, a number, or one for each head or row; None: -ln n, where n is the number of keys
            that the row sees. Scores of 0 then give about as much weight in all as a softmax.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q); mask: anything that can be
        broadcast to X; bias (), (H,), or anything that can be broadcast to X without its last
        axis.

    Returns:
        Weights with the shape and dtype of X, each from 0 to 1.

    Raises:
        ValueError: a shape does not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a tensor, X is not floating-point, mask is not bool, or bias
            is neither a number nor a floating-point tensor.

    Source:
        Ramapuram et al. (2024), Theory, Analysis, and Best Practices for Sigmoid Self-Attention,
        section 3.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.sigmoid_weights(torch.zeros(1, 1, 4), torch.tensor([3]))
        tensor([[[0.2500, 0.2500, 0.2500, 0.0000]]])
    """
    visible = _visible(X, valid_lens, mask)
    if bias is None:
        seen = visible.expand(X.shape).sum(-1, keepdim=True)  # (..., Q, 1)
        bias = -seen.clamp(min=1).to(widen(X).dtype).log()
    else:
        bias = _per_row(bias, X)
    scores = torch.where(visible, widen(X), 0)  # the slope at a hidden NaN would be NaN
    return torch.where(visible, torch.sigmoid(scores + bias), 0).to(X.dtype)


def _visible(X: Tensor, valid_lens: Tensor | None, mask: Tensor | None) -> Tensor:
    """Check all arguments and say which scores count: bool, can be broadcast to X."""
    axes, _ = check_hiding(X, valid_lens, mask)
    visible = visible_pairs(axes["K"], valid_lens, mask, heads=X.ndim == 4)
    return torch.ones((), dtype=torch.bool, device=X.device) if visible is None else visible


def _per_row(bias: float | Tensor, X: Tensor) -> float | Tensor:
    """Check a number of each row, and give it the axes of X."""
    check_sink("bias", bias, X.device, **axes_of_scores(X))  # the same rules
    if not isinstance(bias, Tensor) or bias.ndim == 0:
        return bias
    if bias.ndim == 1 and X.ndim == 4:
        return bias[:, None, None]  # (H,) -> (H, 1, 1)
    return bias.unsqueeze(-1)  # (..., Q) -> (..., Q, 1)


def _above_threshold(
    X: Tensor,
    valid_lens: Tensor | None,
    mask: Tensor | None,
    weigh: Callable[[Tensor, Tensor], Tensor],
) -> Tensor:
    """Check, take the best score off each row, and let ``weigh`` make weights of what is left."""
    visible = _visible(X, valid_lens, mask)
    if X.shape[-1] == 0:
        return X.clone()
    wide = widen(X)
    best = torch.where(visible, wide, -torch.inf).amax(-1, keepdim=True).detach()
    return weigh(torch.where(visible, wide - best, -2), visible).to(X.dtype)


def _sparsemax(z: Tensor, visible: Tensor) -> Tensor:
    """max(z - t, 0), with the one t that makes the row sum to 1."""
    ranked, ranks = _ranked(z)
    chosen, size = _chosen(z, visible, ranked, (ranked.cumsum(-1) - 1) / ranks)
    threshold = (torch.where(chosen, z, 0).sum(-1, keepdim=True) - 1) / size
    return torch.where(chosen, z - threshold, 0).clamp(min=0)


def _entmax15(z: Tensor, visible: Tensor) -> Tensor:
    """max(z / 2 - t, 0)^2, with the one t that makes the row sum to 1."""
    z = z / 2
    ranked, ranks = _ranked(z)
    means = ranked.cumsum(-1) / ranks
    spreads = ranked.square().cumsum(-1) - ranks * means.square()
    thresholds = means - ((1 - spreads) / ranks).clamp(min=0).sqrt()
    chosen, size = _chosen(z, visible, ranked, thresholds)
    mean = torch.where(chosen, z, 0).sum(-1, keepdim=True) / size
    spread = torch.where(chosen, z - mean, 0).square().sum(-1, keepdim=True)
    threshold = mean - ((1 - spread) / size).sqrt()
    return torch.where(chosen, z - threshold, 0).clamp(min=0).square()


def _ranked(z: Tensor) -> tuple[Tensor, Tensor]:
    """Sort each row, best first, and count its places from 1.

    The best is 0 and no threshold lies below -1: what is lower has weight 0 in any case, and
    cut off there, no score is too large to be added up.
    """
    ranked = z.detach().clamp(min=-1).sort(-1, descending=True).values
    return ranked, torch.arange(1, z.shape[-1] + 1, device=z.device)


def _chosen(
    z: Tensor, visible: Tensor, ranked: Tensor, thresholds: Tensor
) -> tuple[Tensor, Tensor]:
    """Find the keys with weight, (..., K), and their number, (..., 1), but at least 1.

    thresholds[..., k] belongs to a choice of the best k + 1; the right one is the last that its
    worst key exceeds. The caller computes it again from the keys chosen, so that gradients of any
    order run through it. A visible NaN exceeds everything: the row must show it.
    """
    last = (thresholds < ranked).sum(-1, keepdim=True).clamp(min=1) - 1
    chosen = visible & ~(z <= thresholds.gather(-1, last))
    return chosen, chosen.sum(-1, keepdim=True).clamp(min=1)
