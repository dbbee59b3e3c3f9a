"""Attention scoring functions: how well does each key answer each query?

All take queries (B, Q, D) and keys (B, K, D) and return scores (B, Q, K).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.fast.additive import faster_form
from attn_lib.validation import (
    check_alike,
    check_equal_features,
    check_features,
    check_finite,
    check_positive,
    check_queries_keys,
    check_shape,
    check_tensor,
    has_values,
)


def batched_dot(X: Tensor, Y: Tensor) -> Tensor:
    """Multiply two batches of matrices, example by example.

    Args:
        X: the left factors.
        Y: the right factors.

    Shape:
        X (B, N, M); Y (B, M, K).

    Returns:
        The products (B, N, K).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2.2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.batched_dot(torch.ones(2, 1, 3), torch.ones(2, 3, 2))
        tensor([[[3., 3.]],
        <BLANKLINE>
                [[3., 3.]]])
    """
    check_tensor("X", X)
    check_tensor("Y", Y)
    check_shape("X", X, B=None, N=None, M=None)
    check_shape("Y", Y, B=X.shape[0], M=X.shape[2], K=None)
    check_alike("Y", Y, "X", X)
    return torch.bmm(X, Y)  # (B, N, M) x (B, M, K) -> (B, N, K)


def dot_product_scores(queries: Tensor, keys: Tensor, *, scaled: bool = True) -> Tensor:
    """Score by the dot product, divided by the square root of the feature size.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.
        scaled: False leaves the division by sqrt(D) out.

    Shape:
        queries (B, Q, D); keys (B, K, D).

    Returns:
        Scores (B, Q, K): q . k / sqrt(D).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.1; without the scale
        Luong et al. (2015), section 3.1 ("dot").

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.dot_product_scores(torch.ones(1, 1, 4), torch.ones(1, 2, 4))
        tensor([[[2., 2.]]])
    """
    check_equal_features(queries, keys)
    return scaled_products(queries, keys) if scaled else dot_products(queries, keys)


def additive_scores(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Score by a small network: w_v . tanh(W_q q + W_k k), for queries and keys of any sizes.

    Args:
        queries: the queries.
        keys: the keys; their feature size may differ from the queries'.
        W_q: projects queries, stored as in nn.Linear.
        W_k: projects keys, stored as in nn.Linear.
        w_v: weighs the hidden units.

    Shape:
        queries (B, Q, Dq); keys (B, K, Dk); W_q (U, Dq); W_k (U, Dk); w_v (1, U) or (U,),
        where U is the number of hidden units.

    Returns:
        Scores (B, Q, K).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Bahdanau, Cho, Bengio (2015), Neural Machine Translation by Jointly Learning to Align
        and Translate, appendix A.1.2.

    Example:
        >>> import torch, attn_lib
        >>> queries, keys, eye = torch.zeros(1, 1, 2), torch.ones(1, 3, 2), torch.eye(2)
        >>> attn_lib.additive_scores(queries, keys, eye, eye, torch.ones(2))
        tensor([[[1.5232, 1.5232, 1.5232]]])
    """
    check_queries_keys(queries, keys)
    for name, parameter in (("W_q", W_q), ("W_k", W_k), ("w_v", w_v)):
        check_tensor(name, parameter)
        check_alike(name, parameter, "queries", queries)
    check_shape("W_q", W_q, U=None, Dq=queries.shape[2])
    hidden = W_q.shape[0]
    check_shape("W_k", W_k, U=hidden, Dk=keys.shape[2])
    check_shape("w_v", w_v[0] if w_v.ndim == 2 and w_v.shape[0] == 1 else w_v, U=hidden)
    scores = tanh_scores(F.linear(queries, W_q), F.linear(keys, W_k), w_v)
    return scores.to(queries.dtype)


def bilinear_scores(queries: Tensor, keys: Tensor, M: Tensor) -> Tensor:
    """Score by the bilinear form q^T M k, for queries and keys of any sizes.

    Args:
        queries: the queries.
        keys: the keys; their feature size may differ from the queries'.
        M: what every feature of a query makes of every feature of a key.

    Shape:
        queries (B, Q, Dq); keys (B, K, Dk); M (Dq, Dk).

    Returns:
        Scores (B, Q, K).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Luong, Pham, Manning (2015), Effective Approaches to Attention-based Neural Machine
        Translation, section 3.1 ("general").

    Example:
        >>> import torch, attn_lib
        >>> M = torch.tensor([[1.0, 0.0, 2.0]])
        >>> attn_lib.bilinear_scores(torch.tensor([[[3.0]]]), torch.ones(1, 2, 3), M)
        tensor([[[9., 9.]]])
    """
    check_queries_keys(queries, keys)
    check_tensor("M", M)
    check_shape("M", M, Dq=queries.shape[2], Dk=keys.shape[2])
    check_alike("M", M, "queries", queries)
    return dot_products(queries @ M, keys)


def gaussian_scores(queries: Tensor, keys: Tensor, *, width: float | Tensor = 1.0) -> Tensor:
    """Score by distance: -‖q - k‖² / (2 width^2), the exponent of a Gaussian kernel.

    The difference is taken before squaring: the shorter ‖q‖² - 2 q.k + ‖k‖² loses all digits
    where large queries and keys lie close together. Where they are not large, measured in
    widths, one batched product does it in less time and memory, as in `attn_lib.flex.gaussian`.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.
        width: standard deviation of the kernel; a tensor with one element may be learned.

    Shape:
        queries (B, Q, D); keys (B, K, D).

    Returns:
        Scores (B, Q, K), never above 0.

    Raises:
        ValueError: the shapes do not match, or the width is not finite and above 0.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Watson (1964), Smooth Regression Analysis; as attention scores: Zhang, Lipton, Li,
        Smola: Dive into Deep Learning, section 11.2.

    Example:
        >>> import torch, attn_lib
        >>> keys = torch.tensor([[[0.0], [1.0], [3.0]]])
        >>> attn_lib.gaussian_scores(torch.tensor([[[1.0]]]), keys, width=2.0)
        tensor([[[-0.1250, -0.0000, -0.5000]]])
    """
    check_positive("width", width)
    check_equal_features(queries, keys)
    squared, width = squared_distances(queries, keys, width)
    return (-in_widths(squared, width) / 2).to(queries.dtype)


def cosine_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Score by the cosine of the angle between query and key; a zero vector scores 0.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.

    Shape:
        queries (B, Q, D); keys (B, K, D).

    Returns:
        Scores (B, Q, K) from -1 to 1.

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Graves, Wayne, Danihelka (2014), Neural Turing Machines, section 3.3.1.

    Example:
        >>> import torch, attn_lib
        >>> keys = torch.tensor([[[5.0, 0.0], [0.0, 7.0]]])
        >>> attn_lib.cosine_scores(torch.tensor([[[2.0, 0.0]]]), keys)
        tensor([[[1., 0.]]])
    """
    check_equal_features(queries, keys)
    return dot_products(directions(widen(queries)), directions(widen(keys))).to(queries.dtype)


def vector_sum_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Score by the sum of all entries of q + k: a scorer that cannot work.

    The query adds the same number to every key's score, and softmax takes it out again.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.

    Shape:
        queries (B, Q, D); keys (B, K, D).

    Returns:
        Scores (B, Q, K).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3, exercise on vector
        summation.

    Example:
        >>> import torch, attn_lib
        >>> keys = torch.tensor([[[0.0, 1.0], [2.0, 3.0]]])
        >>> attn_lib.vector_sum_scores(torch.tensor([[[10.0, 20.0]]]), keys)
        tensor([[[31., 35.]]])
    """
    check_equal_features(queries, keys)
    return queries.sum(2).unsqueeze(2) + keys.sum(2).unsqueeze(1)  # (B, Q, 1) + (B, 1, K)


def normed_scores(queries: Tensor, keys: Tensor, gain: float | Tensor = 1.0) -> Tensor:
    """Score by the scaled dot product of queries and keys of equal length: QK-norm.

    Each vector is divided by the root of its mean square, so that it is sqrt(D) long, whatever it
    was before; a zero vector stays. No score is then larger than gain sqrt(D).

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.
        gain: what the scores are multiplied by: a number, or one for each feature. A model with a
            gain for queries and another for keys has their product here.

    Shape:
        queries (B, Q, D); keys (B, K, D); gain () or (D,).

    Returns:
        Scores (B, Q, K): gain q . k / sqrt(D), where q and k have a mean square of 1.

    Raises:
        ValueError: the shapes do not match, or a gain that is a number is not finite.
        TypeError: queries or keys are not floating-point tensors of one dtype, or gain is neither
            a number nor a floating-point tensor.

    Source:
        Henry, Dachapally, Pawar, Chen (2020), Query-Key Normalization for Transformers, section
        3; by the root mean square: Dehghani et al. (2023), Scaling Vision Transformers to 22
        Billion Parameters, section 2.

    Example:
        >>> import torch, attn_lib
        >>> keys = torch.tensor([[[1.0, 1.0], [100.0, 100.0], [1.0, -1.0]]])
        >>> attn_lib.normed_scores(torch.ones(1, 1, 2), keys)
        tensor([[[1.4142, 1.4142, 0.0000]]])
    """
    check_equal_features(queries, keys)
    if isinstance(gain, Tensor):
        check_tensor("gain", gain)
        if gain.ndim:
            check_shape("gain", gain, D=queries.shape[2])
        check_alike("gain", gain, "queries", queries)
    else:
        check_finite("gain", gain)
    unit_queries, unit_keys = directions(widen(queries)), directions(widen(keys))
    lengthened = unit_queries * math.sqrt(queries.shape[2]) * gain  # sqrt(D) sqrt(D) / sqrt(D)
    return dot_products(lengthened, unit_keys).to(queries.dtype)


def indexer_scores(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    """Score by a weighted sum over heads of what is positive in their dot products.

    It is a cheap score that only picks the keys; another one then weighs those. All heads share
    one set of keys.

    Args:
        queries: the queries of each head.
        keys: the keys, with as many features as the queries.
        weights: what each head counts, for all queries or for each.

    Shape:
        queries (B, H, Q, D); keys (B, K, D); weights (H,) or (B, Q, H).

    Returns:
        Scores (B, Q, K): the sum over heads h of w_h ReLU(q_h . k).

    Raises:
        ValueError: the shapes do not match.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        DeepSeek-AI (2025), DeepSeek-V3.2-Exp: Boosting Long-Context Efficiency with DeepSeek
        Sparse Attention, section 1, equation 1.

    Example:
        >>> import torch, attn_lib
        >>> queries = torch.tensor([[[[1.0]], [[-1.0]]]])  # two heads, one query
        >>> keys = torch.tensor([[[-2.0], [-1.0], [0.0], [1.0], [2.0]]])
        >>> attn_lib.indexer_scores(queries, keys, torch.ones(2))
        tensor([[[2., 1., 0., 1., 2.]]])
    """
    check_tensor("queries", queries)
    check_tensor("keys", keys)
    check_tensor("weights", weights)
    check_shape("queries", queries, B=None, H=None, Q=None, D=None)
    batch, num_heads, num_queries, size = queries.shape
    check_shape("keys", keys, B=batch, K=None, D=size)
    check_features("queries", queries)
    check_alike("keys", keys, "queries", queries)
    if weights.ndim == 1:
        check_shape("weights", weights, H=num_heads)
    else:
        check_shape("weights", weights, B=batch, Q=num_queries, H=num_heads)
    check_alike("weights", weights, "queries", queries)
    rows = widen(queries).flatten(1, 2)  # (B, H, Q, D) -> (B, H Q, D)
    products = dot_products(rows, widen(keys)).unflatten(1, (num_heads, num_queries)).relu()
    if weights.ndim == 1:
        per_head = widen(weights)[:, None, None]  # (H,) -> (H, 1, 1)
    else:
        per_head = widen(weights).transpose(1, 2).unsqueeze(-1)  # (B, Q, H) -> (B, H, Q, 1)
    return (per_head * products).sum(1).to(queries.dtype)  # over the heads


# What the functions above and the layers share: formulas whose arguments have been checked.


def in_full_precision(formula: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Keep autocast out of a formula: it would round scores to half precision.

    Near 100 the numbers of bfloat16 are 1/2 apart, a factor of 1.6 between two weights.
    """

    @wraps(formula)
    def computed(*tensors: Tensor) -> Tensor:
        if not autocasts(tensors[0]):
            return formula(*tensors)
        with torch.autocast(tensors[0].device.type, enabled=False):
            return formula(*map(widen, tensors))

    return computed


def autocasts(tensor: Tensor) -> bool:
    """Tell whether autocast is on where the tensor lies."""
    return not tensor.is_meta and torch.is_autocast_enabled(tensor.device.type)


@in_full_precision
def dot_products(queries: Tensor, keys: Tensor) -> Tensor:
    """Multiply every query (..., Q, D) by every key (..., K, D): (..., Q, K)."""
    return product(queries, keys.transpose(-2, -1))  # (..., Q, D) x (..., D, K)


def product(X: Tensor, Y: Tensor) -> Tensor:
    """Multiply batches of matrices of equal axes; `@` takes longer to find out what it is given."""
    return torch.bmm(X, Y) if X.ndim == 3 else X @ Y


def scaled_products(queries: Tensor, keys: Tensor) -> Tensor:
    """Divide the dot products by sqrt(D); on the queries that is Q D divisions, not Q K."""
    return dot_products(queries / math.sqrt(queries.shape[-1]), keys)


@in_full_precision
def tanh_scores(projected_queries: Tensor, projected_keys: Tensor, w_v: Tensor) -> Tensor:
    """Score what has been projected to (B, Q, U) and (B, K, U), with w_v (1, U) or (U,).

    Half-precision numbers are widened: the sum over hidden units needs float32, in which the
    scores are returned.
    """
    a, b, v = widen(projected_queries), widen(projected_keys), widen(w_v).reshape(-1)
    compute = faster_form(a, b, v) or direct_scores
    return compute(a, b, v)


def direct_scores(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    """Compute sum_u v_u tanh(a_u + b_u) as it is written, through a tensor (B, Q, K, U)."""
    return torch.tanh(a.unsqueeze(2) + b.unsqueeze(1)) @ v  # (B, Q, K, U) x (U,)


def directions(X: Tensor) -> Tensor:
    """Divide each vector (..., D) by its length, tiny or huge; a zero vector stays.

    The largest entry first: a square could be 0 or infinite where the vector is not.
    """
    largest = X.detach().abs().amax(-1, keepdim=True)
    X = X / torch.where(largest > 0, largest, 1)
    return F.normalize(X, dim=-1, eps=0.5)  # its largest entry is 1, or all are 0


def squared_distances(
    queries: Tensor, keys: Tensor, width: float | Tensor
) -> tuple[Tensor, float | Tensor]:
    """Square the Euclidean distance of every query to every key: (B, Q, K), and return the width.

    Where squares might leave the range of their type, all is in float64, and in another unit.
    """
    queries, keys = widen(queries), widen(keys)
    unit = _safe_unit(queries, keys, width)
    if unit is not None:
        queries, keys = queries.double() / unit, keys.double() / unit
        width = (width.double() if isinstance(width, Tensor) else width) / unit
    differences = queries.unsqueeze(2) - keys.unsqueeze(1)  # (B, Q, K, D)
    return differences.square().sum(3), width


def _safe_unit(queries: Tensor, keys: Tensor, width: float | Tensor) -> float | None:
    """Return a unit, a power of 2, in which squares stay in float64's range; None: no need of it.

    Numbers decide that can be read now: where torch only follows the computation, there is none.
    """
    tensors = [X for X in (queries, keys, width) if isinstance(X, Tensor)]
    if not all(map(has_values, tensors)) or not all(X.numel() for X in tensors):
        return None
    largest = max(abs(bound.item()) for X in (queries, keys) for bound in X.detach().aminmax())
    narrow = width.detach().item() if isinstance(width, Tensor) else width
    range_ = torch.finfo(queries.dtype)
    most = math.sqrt(range_.max / queries.shape[2]) / 4
    if largest < most and narrow > 1e4 * math.sqrt(range_.tiny):
        return None
    return 2.0 ** max(0, math.frexp(largest)[1] - 400) if largest < math.inf else 1.0


def in_widths(squared: Tensor, width: float | Tensor) -> Tensor:
    """Divide squared distances (B, Q, K) by width^2, in two steps: a tiny width squared is 0."""
    if isinstance(width, Tensor):
        width = width.reshape(())  # with axes of its own it could lend the scores an axis or dtype
    return squared / width / width


def widen(X: Tensor) -> Tensor:
    """Turn half precision into float32; float32 and float64 stay."""
    return X.float() if X.dtype.itemsize < 4 else X
