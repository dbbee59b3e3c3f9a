"""Valid lengths: which keys a query may see, and the softmax that gives all others weight zero."""

from __future__ import annotations

import torch
from torch import Tensor

from attn_lib.fast.softmax import softmax_in_place, softmax_in_place_pays
from attn_lib.validation import (
    check_dense,
    check_fill,
    check_lens,
    check_positive_int,
    check_tensor,
    has_values,
)


def sequence_mask(X: Tensor, valid_len: Tensor, value: float = 0) -> Tensor:
    """Replace the entries of each sequence beyond its valid length.

    Args:
        X: the sequences, one per row. It is not changed.
        valid_len: how many leading entries of each row are kept.
        value: what the other entries become.

    Shape:
        X (N, K) or (N, K, ...); valid_len (N,).

    Returns:
        A new tensor like X.

    Raises:
        ValueError: X has no second axis, or valid_len has a wrong shape, a non-integer
            dtype, or an entry below 0 or above K, or X cannot hold value.
        TypeError: X or valid_len is not a tensor, or value is not a number.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 10.7 (loss with masking).

    Example:
        >>> import torch, attn_lib
        >>> X = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> attn_lib.sequence_mask(X, torch.tensor([1, 2]))
        tensor([[1., 0., 0.],
                [4., 5., 0.]])
    """
    check_dense("X", X)
    if X.ndim < 2:
        raise ValueError(f"X must have shape (N, K) or (N, K, ...). Got {tuple(X.shape)}.")
    check_lens("valid_len", valid_len, limit=X.shape[1], device=X.device, N=X.shape[0])
    check_fill("value", value, X.dtype)
    visible = visible_keys(valid_len.long(), X.shape[1])  # (N, K)
    hidden = ~visible.reshape(visible.shape + (1,) * (X.ndim - 2))  # (N, K, 1, ...)
    return X.masked_fill(hidden, value)


def masked_softmax(X: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Turn scores into weights; a key beyond the valid length gets exactly 0.

    A row with valid length 0 has nothing to attend to: all its weights are 0 and its gradient
    is 0. Half-precision scores are normalised in float32.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count, per example or per query; None: all of them.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q).

    Returns:
        Weights with the shape and dtype of X. Each row sums to 1, or is 0 throughout.

    Raises:
        ValueError: X or valid_lens has a wrong shape, or a length is not a whole number
            from 0 to K.
        TypeError: an argument is not a tensor, or X is not floating-point.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2 (there, hidden
        scores become -1e6, which leaks weight into padding when all scores are hidden).

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.masked_softmax(torch.zeros(2, 1, 4), torch.tensor([2, 0]))
        tensor([[[0.5000, 0.5000, 0.0000, 0.0000]],
        <BLANKLINE>
                [[0.0000, 0.0000, 0.0000, 0.0000]]])
    """
    check_tensor("X", X)
    if X.ndim not in (3, 4):
        raise ValueError(f"X must have shape (B, Q, K) or (B, H, Q, K). Got {tuple(X.shape)}.")
    if valid_lens is None:
        return softmax(X)
    batch, num_queries, num_keys = X.shape[0], X.shape[-2], X.shape[-1]
    check_lens("valid_lens", valid_lens, limit=num_keys, device=X.device, B=batch, Q=num_queries)
    lens = per_query(valid_lens)  # (B, 1) or (B, Q)
    if X.ndim == 4:
        lens = lens.unsqueeze(1)  # the same for all heads
    return softmax_within(X, lens)


def causal_lens(batch_size: int, num_queries: int, valid_lens: Tensor | None = None) -> Tensor:
    """Write the causal mask as valid lengths: query i sees keys 0 to i.

    Args:
        batch_size: number of examples, B.
        num_queries: number of queries, Q.
        valid_lens: lengths of the padded sequences; a query then sees no key beyond either.

    Shape:
        valid_lens (B,) or (B, Q).

    Returns:
        int64 lengths (B, Q): 1, 2, ..., Q in each row, cut off at valid_lens.

    Raises:
        ValueError: a size is below 1, or valid_lens is not as for masked_softmax.
        TypeError: a size is not an int, or valid_lens is not a tensor.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.3.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.causal_lens(2, 3, torch.tensor([3, 1]))
        tensor([[1, 2, 3],
                [1, 1, 1]])
    """
    check_positive_int("batch_size", batch_size)
    check_positive_int("num_queries", num_queries)
    lens = torch.arange(1, num_queries + 1).repeat(batch_size, 1)  # (B, Q)
    if valid_lens is None:
        return lens
    check_lens("valid_lens", valid_lens, limit=num_queries, B=batch_size, Q=num_queries)
    return torch.minimum(lens.to(valid_lens.device), per_query(valid_lens))


def softmax_within(X: Tensor, lens: Tensor) -> Tensor:
    """Normalise the first entries of each row, as many as lens says; 0 makes the whole row 0.

    X is (..., Q, K) and lens (..., Q or 1), checked before.
    """
    # The same numbers in one buffer, where there are many of them.
    if softmax_in_place_pays(X, lens):
        return softmax_in_place(X, lens)
    wide = torch.promote_types(X.dtype, torch.float32)
    visible = visible_keys(lens, X.shape[-1])  # (..., Q or 1, K)
    if every_row_sees(lens):
        return torch.softmax(torch.where(visible, X, -torch.inf), dim=-1, dtype=wide).to(X.dtype)
    # The softmax of a row of -inf is NaN: a query that sees no key gets a row of 0 instead, whose
    # weights become 0 in the end.
    hidden = torch.where(lens > 0, -torch.inf, 0.0).unsqueeze(-1)  # (..., Q or 1, 1)
    weights = torch.softmax(torch.where(visible, X, hidden), dim=-1, dtype=wide)
    return torch.where(visible, weights, 0).to(X.dtype)


def every_row_sees(lens: Tensor) -> bool:
    """Tell that no length is 0, where looking is cheap: a GPU would have to be waited for."""
    if lens.device.type != "cpu" or lens.numel() == 0 or not has_values(lens):
        return False
    return lens.min().item() > 0


def visible_keys(lens: Tensor, num_keys: int) -> Tensor:
    """Compare every key position with every length: (...) -> bool (..., K)."""
    positions = torch.arange(num_keys, device=lens.device)
    return positions < lens.unsqueeze(-1)


def per_query(valid_lens: Tensor) -> Tensor:
    """Give lengths per example (B,) a query axis of size 1, and all lengths the type int64."""
    # torch neither compares nor sorts unsigned numbers of more than 8 bits.
    lens = valid_lens.long()
    return lens.unsqueeze(1) if lens.ndim == 1 else lens


def blank_padding(
    queries: Tensor, keys: Tensor, values: Tensor, lens: Tensor, shortest: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    """Zero keys and values that no query may see, and queries that may see no key.

    A weight of 0 is not enough: 0 times NaN is NaN, in the output and in every gradient. queries
    are (B, Q, Dq), keys (B, K, Dk), values (B, K, V) and lens (B, 1) or (B, Q). No length is below
    shortest: where that is above 0 no query is blind, and where it is K nothing is hidden.
    """
    num_keys = keys.shape[1]
    if lens.shape[1] == 0 or shortest >= num_keys > 0:
        return queries, keys, values
    longest = lens.amax(1) if lens.shape[1] > 1 else lens.squeeze(1)  # (B,)
    seen = visible_keys(longest, num_keys).unsqueeze(-1)  # (B, K, 1)
    same = values is keys
    keys = torch.where(seen, keys, 0)
    values = keys if same else torch.where(seen, values, 0)
    if shortest == 0:
        queries = torch.where((lens > 0).unsqueeze(-1), queries, 0)  # (B, Q or 1, 1)
    return queries, keys, values


def softmax(X: Tensor) -> Tensor:
    """Normalise each row (..., K); half precision in float32, to which promotion lifts it."""
    wide = torch.promote_types(X.dtype, torch.float32)
    return torch.softmax(X, dim=-1, dtype=wide).to(X.dtype)
