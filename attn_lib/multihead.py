"""Multi-head attention: several small attentions side by side, each with projections of its own."""

from __future__ import annotations

from torch import Tensor, nn

from attn_lib.attention import DotProductAttention
from attn_lib.masking import blank_padding, per_query
from attn_lib.validation import (
    check_layer,
    check_lens,
    check_positive_int,
    check_queries_keys,
    check_values,
)


class HeadsAttention(DotProductAttention):
    """Dot-product attention of all heads, folded into the batch: (B*H, Q, D) and (B*H, K, D)."""

    def prepare(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Take everything as it is: checked and cleared once, before the projections."""
        return queries, keys, values


class MultiHeadAttention(nn.Module):
    """Scaled dot-product attention in num_heads subspaces, joined by a last projection.

    After a call, ``attention_weights`` holds the weights (B, H, Q, K) before dropout, detached.
    Where nothing may be attended to the output is that of a zero vector: 0, or W_o's bias.

    Args:
        key_size: feature size of the keys.
        query_size: feature size of the queries.
        value_size: feature size of the values.
        num_hiddens: feature size of the outputs, shared out among the heads.
        num_heads: number of heads, H; it divides num_hiddens.
        dropout: probability with which a weight is dropped in training.
        bias: whether the four projections have biases.

    Shape:
        queries (B, Q, query_size); keys (B, K, key_size); values (B, K, value_size);
        valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, num_hiddens).

    Raises:
        ValueError: num_heads does not divide num_hiddens, shapes do not match, or a length is
            not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ from
            each other or from that of the parameters.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Example:
        >>> import torch, attn_lib
        >>> attention = attn_lib.MultiHeadAttention(5, 7, 3, num_hiddens=8, num_heads=2, dropout=0)
        >>> output = attention(torch.ones(2, 4, 7), torch.ones(2, 6, 5), torch.ones(2, 6, 3))
        >>> tuple(output.shape), tuple(attention.attention_weights.shape)
        ((2, 4, 8), (2, 2, 4, 6))
    """

    query_size: int | None  # None: any
    key_size: int | None
    value_size: int | None

    def __init__(
        self,
        key_size: int,
        query_size: int,
        value_size: int,
        num_hiddens: int,
        num_heads: int,
        dropout: float,
        bias: bool = False,
    ) -> None:
        super().__init__()
        check_positive_int("key_size", key_size)
        check_positive_int("query_size", query_size)
        check_positive_int("value_size", value_size)
        self.set_heads(num_hiddens, num_heads, dropout)
        self.query_size, self.key_size, self.value_size = query_size, key_size, value_size
        self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=bias)
        self.W_v = nn.Linear(value_size, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    def set_heads(self, num_hiddens: int, num_heads: int, dropout: float) -> None:
        """Make the heads' attention, after a check that they share the hidden units evenly."""
        check_positive_int("num_hiddens", num_hiddens)
        check_positive_int("num_heads", num_heads)
        if num_hiddens % num_heads != 0:
            raise ValueError(f"num_heads must divide num_hiddens={num_hiddens}. Got {num_heads}.")
        self.num_heads = num_heads
        self.attention = HeadsAttention(dropout)

    @property
    def attention_weights(self) -> Tensor | None:
        """The weights (B, H, Q, K) of the last call."""
        weights = self.attention.attention_weights
        return None if weights is None else weights.unflatten(0, (-1, self.num_heads))

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        *,
        need_weights: bool = True,
    ) -> Tensor:
        """Let every head attend, and project their outputs side by side.

        Args:
            queries: (B, Q, query_size).
            keys: (B, K, key_size).
            values: (B, K, value_size).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.
            need_weights: as for DotProductAttention.

        Returns:
            Outputs (B, Q, num_hiddens).
        """
        check_queries_keys(queries, keys, self.query_size, self.key_size)
        check_values(values, keys, self.value_size)
        check_layer("queries", queries, "W_q", self.W_q)
        if valid_lens is not None:
            shortest = check_lens(
                "valid_lens",
                valid_lens,
                limit=keys.shape[1],
                device=keys.device,
                B=keys.shape[0],
                Q=queries.shape[1],
            )
            # Before the projections: their weights, too, must not meet what lies in padding.
            lens = per_query(valid_lens)  # (B, 1) or (B, Q)
            queries, keys, values = blank_padding(queries, keys, values, lens, shortest)
            valid_lens = valid_lens.repeat_interleave(self.num_heads, dim=0)  # (B*H,) or (B*H, Q)
        heads = self.attention(
            split_heads(self.W_q(queries), self.num_heads),
            split_heads(self.W_k(keys), self.num_heads),
            split_heads(self.W_v(values), self.num_heads),
            valid_lens,
            need_weights=need_weights,
        )  # (B*H, Q, num_hiddens / H)
        return self.W_o(join_heads(heads, self.num_heads))


def split_heads(X: Tensor, num_heads: int) -> Tensor:
    """Give each head its share of the features, and fold the heads into the batch.

    Args:
        X: the features of all heads, those of head 1 first.
        num_heads: number of heads, H.

    Shape:
        X (B, N, H*D).

    Returns:
        (B*H, N, D), example 1 with all its heads, then example 2, and so on.

    Raises:
        RuntimeError: num_heads does not divide the number of features.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Example:
        >>> import torch
        >>> from attn_lib.multihead import split_heads
        >>> split_heads(torch.arange(8).reshape(1, 2, 4), num_heads=2).tolist()
        [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
    """
    X = X.unflatten(2, (num_heads, -1))  # (B, N, H, D)
    return X.transpose(1, 2).flatten(0, 1)


def join_heads(X: Tensor, num_heads: int) -> Tensor:
    """Put the features of all heads side by side again; the reverse of split_heads.

    Args:
        X: the heads, folded into the batch.
        num_heads: number of heads, H.

    Shape:
        X (B*H, N, D).

    Returns:
        (B, N, H*D).

    Raises:
        RuntimeError: num_heads does not divide the size of the folded batch.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Example:
        >>> import torch
        >>> from attn_lib.multihead import join_heads
        >>> join_heads(torch.tensor([[[0, 1], [4, 5]], [[2, 3], [6, 7]]]), num_heads=2).tolist()
        [[[0, 1, 2, 3], [4, 5, 6, 7]]]
    """
    X = X.unflatten(0, (-1, num_heads))  # (B, H, N, D)
    return X.transpose(1, 2).flatten(2)
