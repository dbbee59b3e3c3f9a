"""The scores of the library, each as a score_mod in place of the scaled dot product."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.flex.inputs import check_heads, check_pair, needs_of_pair
from attn_lib.flex.mods import ScoreMod, made_for
from attn_lib.scoring import widen
from attn_lib.validation import (
    check_finite,
    check_positive,
    check_positive_int,
    check_shape,
    check_tensor,
)


def scaled() -> ScoreMod:
    """Leave q . k / sqrt(D) as it is: `attn_lib.dot_product_scores`.

    Returns:
        A score_mod.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.1.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.scaled()(torch.tensor(2.5), *torch.zeros(4).long())
        tensor(2.5000)
    """
    return lambda score, b, h, q, k: score


def dot(size: int) -> ScoreMod:
    """Take the division by sqrt(D) back: `attn_lib.dot_product_scores` with ``scaled=False``.

    Args:
        size: D, the number of features.

    Returns:
        A score_mod.

    Raises:
        ValueError: size is below 1.
        TypeError: size is not an int.

    Source:
        Luong, Pham, Manning (2015), Effective Approaches to Attention-based Neural Machine
        Translation, section 3.1 ("dot").

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.dot(4)(torch.tensor(2.5), *torch.zeros(4).long())
        tensor(5.)
    """
    root = math.sqrt(check_positive_int("size", size))
    return lambda score, b, h, q, k: score * root


def additive(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> ScoreMod:
    """Score by w_v . tanh(W_q q + W_k k), as `attn_lib.additive_scores`, in place of the product.

    The sum is written out, hidden unit by hidden unit, since a score_mod may not have axes: good
    for tens of them. FlexAttention still needs queries and keys of one feature size.

    Args:
        queries: the queries of each head.
        keys: the keys of each head.
        W_q: projects queries, stored as in nn.Linear.
        W_k: projects keys, stored as in nn.Linear.
        w_v: weighs the hidden units.

    Shape:
        queries (B, H, Q, Dq); keys (B, H, K, Dk); W_q (U, Dq); W_k (U, Dk); w_v (U,).

    Returns:
        A score_mod.

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor.

    Source:
        Bahdanau, Cho, Bengio (2015), Neural Machine Translation by Jointly Learning to Align
        and Translate, appendix A.1.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> queries, keys, eye = torch.zeros(1, 1, 1, 2), torch.ones(1, 1, 3, 2), torch.eye(2)
        >>> score_mod = flex.additive(queries, keys, eye, eye, torch.ones(2))
        >>> score_mod(torch.tensor(0.0), *torch.zeros(4).long())
        tensor(1.5232)
    """
    check_heads("queries", queries, "Q")
    check_heads("keys", keys, "K")
    for name, parameter in (("W_q", W_q), ("W_k", W_k), ("w_v", w_v)):
        check_tensor(name, parameter)
    check_shape("w_v", w_v, U=None)
    units = w_v.shape[0]
    check_shape("W_q", W_q, U=units, Dq=queries.shape[3])
    check_shape("W_k", W_k, U=units, Dk=keys.shape[3])
    of_query, of_key = widen(F.linear(queries, W_q)), widen(F.linear(keys, W_k))  # (B, H, ..., U)
    weights = widen(w_v)

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        total = score * 0
        for u in range(units):
            total = total + weights[u] * torch.tanh(of_query[b, h, q, u] + of_key[b, h, k, u])
        return total

    return made_for(score_mod, *needs_of_pair(queries, keys))


def gaussian(queries: Tensor, keys: Tensor, *, width: float = 1.0) -> ScoreMod:
    """Score by distance, -‖q - k‖² / (2 width²), from the dot product and the two lengths.

    This is `attn_lib.gaussian_scores` by one product, -(‖q‖² - 2 q . k + ‖k‖²) / (2 width²): where
    queries and keys are far from 0 and near each other, it has fewer digits.

    Args:
        queries: the queries of each head.
        keys: the keys of each head.
        width: standard deviation of the kernel.

    Shape:
        queries (B, H, Q, D); keys (B, H, K, D).

    Returns:
        A score_mod.

    Raises:
        ValueError: the shapes do not match, or the width is not finite and above 0.
        TypeError: an argument is not a floating-point tensor.

    Source:
        Watson (1964), Smooth Regression Analysis.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> queries, keys = torch.tensor([[[[1.0]]]]), torch.tensor([[[[3.0]]]])
        >>> flex.gaussian(queries, keys, width=2.0)(torch.tensor(3.0), *torch.zeros(4).long())
        tensor(-0.5000)
    """
    check_positive("width", width)
    of_query, of_key = (widen(X).square().sum(3) / 2 for X in check_pair(queries, keys))
    root = math.sqrt(queries.shape[3])

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return (score * root - of_query[b, h, q] - of_key[b, h, k]) / width / width

    return made_for(score_mod, *needs_of_pair(queries, keys))


def cosine(queries: Tensor, keys: Tensor) -> ScoreMod:
    """Divide by both lengths: `attn_lib.cosine_scores`. A zero vector scores 0.

    Args:
        queries: the queries of each head.
        keys: the keys of each head.

    Shape:
        queries (B, H, Q, D); keys (B, H, K, D).

    Returns:
        A score_mod.

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor.

    Source:
        Graves, Wayne, Danihelka (2014), Neural Turing Machines, section 3.3.1.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> X = torch.full((1, 1, 1, 4), 2.0)  # q . k / sqrt(4) = 8
        >>> flex.cosine(X, -X)(torch.tensor(-8.0), *torch.zeros(4).long())
        tensor(-1.)
    """
    return _over_lengths(queries, keys, math.sqrt(queries.shape[3]))


def normed(queries: Tensor, keys: Tensor, gain: float = 1.0) -> ScoreMod:
    """Divide by the root mean squares of both: `attn_lib.normed_scores`, QK-norm.

    Args:
        queries: the queries of each head.
        keys: the keys of each head.
        gain: what the scores are multiplied by.

    Shape:
        queries (B, H, Q, D); keys (B, H, K, D).

    Returns:
        A score_mod.

    Raises:
        ValueError: the shapes do not match, or the gain is not finite.
        TypeError: queries or keys are not floating-point tensors, or the gain is no number.

    Source:
        Henry, Dachapally, Pawar, Chen (2020), Query-Key Normalization for Transformers, section 3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> X = torch.full((1, 1, 1, 4), 2.0)  # q . k / sqrt(4) = 8
        >>> flex.normed(X, X)(torch.tensor(8.0), *torch.zeros(4).long())
        tensor(2.)
    """
    check_finite("gain", gain)
    return _over_lengths(queries, keys, gain * queries.shape[3])


def _over_lengths(queries: Tensor, keys: Tensor, factor: float) -> ScoreMod:
    """Multiply q . k / sqrt(D) by a factor, over the lengths of both."""
    of_query, of_key = (widen(X).norm(dim=3) for X in check_pair(queries, keys))
    of_query, of_key = (1 / X.where(X > 0, torch.inf) for X in (of_query, of_key))

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return score * (of_query[b, h, q] * of_key[b, h, k] * factor)

    return made_for(score_mod, *needs_of_pair(queries, keys))
