"""Lengths and masks: which keys a query may see, and the softmax that gives all others weight 0."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from attn_lib.fast.softmax import softmax_in_place, softmax_in_place_pays
from attn_lib.validation import (
    axes_of_scores,
    check_dense,
    check_fill,
    check_lens,
    check_mask,
    check_positive_int,
    check_scores,
    check_sink,
    check_size,
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
    value = check_fill("value", value, X.dtype)
    visible = visible_keys(valid_len.long(), X.shape[1])  # (N, K)
    hidden = ~visible.reshape(visible.shape + (1,) * (X.ndim - 2))  # (N, K, 1, ...)
    return X.masked_fill(hidden, value)


def masked_softmax(
    X: Tensor,
    valid_lens: Tensor | None = None,
    *,
    mask: Tensor | None = None,
    sink: float | Tensor | None = None,
) -> Tensor:
    """Turn scores into weights; a key that may not be seen gets exactly 0.

    A row that may see nothing, such as one of valid length 0, has weights of 0 throughout, and its
    gradient is 0. Half-precision scores are normalised in float32. A row whose visible scores are
    all -inf is NaN, as torch's: hide keys by lengths or a mask, not by their scores.

    Args:
        X: the scores. They are not changed.
        valid_lens: how many leading keys count, per example or per query; None: all of them.
        mask: True where a key may be seen, as in torch's scaled_dot_product_attention; with
            lengths, both must allow it.
        sink: the score of one more key that has no value. The weight that it takes is missing from
            its row: softmax with another 1 in the denominator is sink 0.

    Shape:
        X (B, Q, K) or (B, H, Q, K); valid_lens (B,) or (B, Q); mask broadcastable to X;
        sink a number, (H,), or broadcastable to X without its last axis.

    Returns:
        Weights with the shape and dtype of X. Each row sums to 1, or is 0 throughout; with a sink,
        to less than 1.

    Raises:
        ValueError: an argument has a wrong shape, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a tensor, X is not floating-point, or mask is not bool.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2 (there, hidden
        scores become -1e6, which leaks weight into padding when all scores are hidden). Sinks:
        Xiao et al. (2024), Efficient Streaming Language Models with Attention Sinks, section 3.3.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.masked_softmax(torch.zeros(2, 1, 4), torch.tensor([2, 0]))
        tensor([[[0.5000, 0.5000, 0.0000, 0.0000]],
        <BLANKLINE>
                [[0.0000, 0.0000, 0.0000, 0.0000]]])
        >>> odd = torch.tensor([True, False, True, False])
        >>> attn_lib.masked_softmax(torch.zeros(1, 1, 4), mask=odd, sink=0.0)
        tensor([[[0.3333, 0.0000, 0.3333, 0.0000]]])
    """
    axes, shortest = check_hiding(X, valid_lens, mask)
    if sink is not None:
        check_sink("sink", sink, X.device, **axes)
    pairs = visible_pairs(X.shape[-1], valid_lens, mask, heads=X.ndim == 4)
    if pairs is None:
        return softmax(X, None, sink)
    return softmax(X, Visible.of(pairs, shortest if mask is None else 0), sink)


def check_hiding(
    X: Tensor, valid_lens: Tensor | None, mask: Tensor | None
) -> tuple[dict[str, int], int]:
    """Check scores and what hides some of them; return their axes and the shortest length."""
    check_scores("X", X)
    axes = axes_of_scores(X)
    shortest = 0
    if valid_lens is not None:
        shortest = check_lens(
            "valid_lens",
            valid_lens,
            limit=axes["K"],
            device=X.device,
            beside_mask=True,
            B=axes["B"],
            Q=axes["Q"],
        )
    if mask is not None:
        check_mask("mask", mask, X.device, beside_bias=False, **axes)
    return axes, shortest


def causal_lens(
    batch_size: int, num_queries: int, valid_lens: Tensor | None = None, *, first_query: int = 0
) -> Tensor:
    """Write the causal mask as valid lengths: the query at place i sees keys 0 to i.

    Args:
        batch_size: number of examples, B.
        num_queries: number of queries, Q.
        valid_lens: lengths of the padded sequences; a query then sees no key beyond either.
        first_query: the place of the first query; step by step, the number of keys before it.

    Shape:
        valid_lens (B,) or (B, Q).

    Returns:
        int64 lengths (B, Q): 1, 2, ..., Q in each row, more by first_query, cut off at valid_lens.

    Raises:
        ValueError: a size is below 1, first_query is below 0, or valid_lens is not as for
            masked_softmax.
        TypeError: a number is not an int, or valid_lens is not a tensor.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.3.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.causal_lens(2, 3, torch.tensor([3, 1]))
        tensor([[1, 2, 3],
                [1, 1, 1]])
        >>> attn_lib.causal_lens(1, 1, first_query=7)  # the eighth of eight tokens
        tensor([[8]])
    """
    batch_size = check_size("batch_size", batch_size)
    num_queries = check_size("num_queries", num_queries)
    first_query = check_size("first_query", first_query, least=0)
    if valid_lens is not None:
        limit = first_query + num_queries
        check_lens("valid_lens", valid_lens, limit=limit, B=batch_size, Q=num_queries)
    device = None if valid_lens is None else valid_lens.device
    lens = torch.arange(num_queries, device=device) + (first_query + 1)  # (Q,)
    lens = lens.repeat(batch_size, 1)  # (B, Q)
    return lens if valid_lens is None else torch.minimum(lens, per_query(valid_lens))


def window_mask(
    num_queries: int, num_keys: int, width: int, *, causal: bool = True, first_query: int = 0
) -> Tensor:
    """Let each query see the keys of a window: the last width ones, up to its own place.

    Args:
        num_queries: number of queries, Q.
        num_keys: number of keys, K, counted from place 0.
        width: how many keys a window has, the query's own place among them.
        causal: False opens the window on the other side too, where it has width - 1 keys more.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        bool (Q, K), for the argument mask of `masked_softmax` and of every attention.

    Raises:
        ValueError: a number is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Beltagy, Peters, Cohan (2020), Longformer, section 3.1; causal: Jiang et al. (2023),
        Mistral 7B, section 2.

    Example:
        >>> import attn_lib
        >>> attn_lib.window_mask(4, 4, width=2).int()
        tensor([[1, 0, 0, 0],
                [1, 1, 0, 0],
                [0, 1, 1, 0],
                [0, 0, 1, 1]], dtype=torch.int32)
    """
    width = check_positive_int("width", width)
    queries, keys = _places(num_queries, num_keys, first_query)
    back = queries - keys  # (Q, K)
    return (back < width) & ((back >= 0) if causal else (back > -width))


def chunk_mask(num_queries: int, num_keys: int, size: int, *, first_query: int = 0) -> Tensor:
    """Cut a text into chunks of equal size, and let each query see the keys of its own chunk.

    Args:
        num_queries: number of queries, Q.
        num_keys: number of keys, K, counted from place 0.
        size: how many places make a chunk; the last one may be shorter.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        bool (Q, K), for the argument mask of `masked_softmax` and of every attention; with the
        lengths of `causal_lens`, a query sees of its chunk what has come before it.

    Raises:
        ValueError: a number is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Child et al. (2019), Generating Long Sequences with Sparse Transformers, section 4.3
        (as one of two patterns); Meta (2025), Llama 4.

    Example:
        >>> import attn_lib
        >>> attn_lib.chunk_mask(3, 3, size=2).int()
        tensor([[1, 1, 0],
                [1, 1, 0],
                [0, 0, 1]], dtype=torch.int32)
    """
    size = check_positive_int("size", size)
    queries, keys = _places(num_queries, num_keys, first_query)
    return queries // size == keys // size


def document_mask(lens: Tensor) -> Tensor:
    """Keep texts apart that lie packed one behind the other in a sequence.

    Args:
        lens: how long each text is. The lengths of a sequence must have the same sum throughout a
            batch; a length of 0 fills up a row.

    Shape:
        lens (N,), or (B, N) for each sequence of a batch.

    Returns:
        bool (K, K) or (B, K, K), where K is the sum of the lengths: True where query and key belong
        to one text. For the argument mask of `masked_softmax` and of every attention. Its size
        depends on numbers, so torch.compile and torch.export cannot follow: make it outside.

    Raises:
        ValueError: lens has no integer dtype, not one or two axes, a negative number, or rows
            with different sums.
        TypeError: lens is not a tensor.

    Source:
        Krell et al. (2021), Efficient Sequence Packing without Cross-contamination, section 3.2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.document_mask(torch.tensor([2, 1])).int()
        tensor([[1, 1, 0],
                [1, 1, 0],
                [0, 0, 1]], dtype=torch.int32)
    """
    check_dense("lens", lens)
    if lens.ndim not in (1, 2):
        raise ValueError(f"lens must have shape (N,) or (B, N). Got {tuple(lens.shape)}.")
    if lens.dtype == torch.bool or lens.is_floating_point() or lens.is_complex():
        raise ValueError(f"lens must have an integer dtype. Got {lens.dtype}.")
    if (lens.long() < 0).any():
        raise ValueError(f"lens must be at least 0. Got {lens.long().min().item()}.")
    document = documents_of(lens)
    return document.unsqueeze(-1) == document.unsqueeze(-2)


def documents_of(lens: Tensor) -> Tensor:
    """Say for each key in which text it stands: lengths (..., N) -> (..., K)."""
    ends = lens.long().cumsum(-1)  # (..., N)
    totals = ends[..., -1:].unique().tolist() if ends.shape[-1] else [0]
    if len(totals) > 1:
        raise ValueError(f"lens must have one sum in all rows. Got {totals[0]} and {totals[1]}.")
    places = torch.arange(totals[0] if totals else 0, device=lens.device)
    return (places.unsqueeze(-1) >= ends.unsqueeze(-2)).sum(-1)


def _places(num_queries: int, num_keys: int, first_query: int) -> tuple[Tensor, Tensor]:
    """Number queries (Q, 1) and keys (K,)."""
    queries = torch.arange(check_size("num_queries", num_queries)).unsqueeze(1)
    queries = queries + check_size("first_query", first_query, least=0)
    return queries, torch.arange(check_size("num_keys", num_keys))


class Visible(NamedTuple):
    """Which query may see which key, and which query sees any."""

    pairs: Tensor  # bool, broadcastable to the scores (..., Q, K)
    sees: Tensor | None  # bool (..., Q, 1), where pairs has a True; None: everywhere

    @classmethod
    def of(cls, pairs: Tensor, shortest: int = 0) -> Visible:
        """Look which query sees any key, unless it is known: each sees at least the shortest."""
        if shortest > 0:
            return cls(pairs, None)
        sees = sees_any(pairs)
        return cls(pairs, None if surely_all(sees) else sees)

    def by_some_head(self) -> Visible:
        """Join the heads (B, H, Q, K): what at least one of them sees."""
        return Visible(self.pairs.any(1), None if self.sees is None else self.sees.any(1))


def softmax(
    X: Tensor, visible: Visible | None = None, sink: float | Tensor | None = None
) -> Tensor:
    """Normalise each row of scores X (..., Q, K) over the keys that are visible in it; None: all.

    The arguments have been checked.
    """
    if sink is not None:
        return softmax(*with_sink(X, visible, sink))[..., :-1].to(X.dtype)
    wide = torch.promote_types(X.dtype, torch.float32)
    if visible is None:
        return torch.softmax(X, dim=-1, dtype=wide).to(X.dtype)
    # The same numbers in one buffer, where there are many of them.
    pairs, sees = visible
    if softmax_in_place_pays(X, pairs):
        return softmax_in_place(X, pairs)
    # Hidden scores become -inf, which softmax gives weight 0. Of a row of nothing but -inf it makes
    # NaN: where a query sees no key they become 0 instead, and the last line clears the row.
    hidden = -torch.inf if sees is None else torch.where(sees, -torch.inf, 0.0)  # (..., Q, 1)
    weights = torch.softmax(torch.where(pairs, X, hidden), dim=-1, dtype=wide)
    return torch.where(pairs, weights, 0).to(X.dtype)


def with_sink(
    X: Tensor, visible: Visible | None, sink: float | Tensor
) -> tuple[Tensor, Visible | None]:
    """Add a last key to the scores, visible to all, with the score of the sink."""
    wide = torch.promote_types(X.dtype, torch.float32)
    column = torch.as_tensor(sink, dtype=wide, device=X.device)
    if column.ndim == 1 and X.ndim == 4:
        column = column.unsqueeze(-1)  # (H,), for all queries
    column = column.expand(X.shape[:-1]).unsqueeze(-1)  # (..., Q, 1)
    if visible is not None:
        always = torch.ones_like(column, dtype=torch.bool)
        visible = Visible(torch.cat([visible.pairs.expand_as(X), always], -1), None)
    return torch.cat([X.to(wide), column], -1), visible


def visible_pairs(
    num_keys: int,
    valid_lens: Tensor | None,
    mask: Tensor | None,
    score_bias: Tensor | None = None,
    *,
    heads: bool = False,
) -> Tensor | None:
    """Say which query may see which key: bool, broadcastable to the scores; None: each one all.

    Lengths, mask and bias must all allow it: a bias of -inf hides a key, as adding it is meant to.
    """
    visible = None
    if valid_lens is not None:
        lens = per_query(valid_lens)  # (B, 1) or (B, Q)
        visible = visible_keys(lens.unsqueeze(1) if heads else lens, num_keys)
    if mask is not None:
        visible = mask if visible is None else visible & mask
    if score_bias is not None:
        allowed = score_bias != -torch.inf
        visible = allowed if visible is None else visible & allowed
    return visible


def visible_keys(lens: Tensor, num_keys: int) -> Tensor:
    """Compare every key position with every length: (...) -> bool (..., K)."""
    positions = torch.arange(num_keys, device=lens.device)
    return positions < lens.unsqueeze(-1)


def per_query(valid_lens: Tensor) -> Tensor:
    """Give lengths per example (B,) a query axis of size 1, and all lengths the type int64."""
    # torch neither compares nor sorts unsigned numbers of more than 8 bits.
    lens = valid_lens.long()
    return lens.unsqueeze(1) if lens.ndim == 1 else lens


def blank_unseen(
    queries: Tensor, keys: Tensor, values: Tensor, visible: Visible
) -> tuple[Tensor, Tensor, Tensor]:
    """Zero keys and values that no query may see, and queries that may see no key.

    A weight of 0 is not enough: 0 times NaN is NaN, in the output and in every gradient. queries
    are (..., Q, Dq), keys (..., K, Dk), values (..., K, V) and the visible pairs (..., Q, K), with
    any size that is the same throughout as 1.
    """
    pairs, sees = visible
    seen = sees_any(pairs.transpose(-2, -1))  # (..., K, 1)
    if not surely_all(seen):
        same = values is keys
        keys = torch.where(seen, keys, 0)
        values = keys if same else torch.where(seen, values, 0)
    if sees is not None:
        queries = torch.where(sees, queries, 0)
    return queries, keys, values


def sees_any(pairs: Tensor) -> Tensor:
    """Say which query sees a key at all: bool (..., Q, K) -> (..., Q, 1)."""
    if torch.compiler.is_compiling():  # then even the number of pairs is open
        return pairs.any(-1, keepdim=True)
    if pairs.ndim == 0 or pairs.shape[-1] == 1:
        return pairs
    if pairs.numel() < 2**14:
        return pairs.any(-1, keepdim=True)
    # The same: torch finds the largest of many bytes in a twentieth of the time.
    return pairs.view(torch.uint8).amax(-1, keepdim=True).view(torch.bool)


def surely_all(X: Tensor) -> bool:
    """Tell that all are True, where looking is cheap: a GPU would have to be waited for."""
    return X.is_cpu and has_values(X) and bool(X.all().item())
