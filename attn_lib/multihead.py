"""Multi-head attention: several small attentions side by side, each with projections of its own."""

from __future__ import annotations

from torch import Tensor, nn

from attn_lib.attention import DotProductAttention, ScoreAttention, check_visible
from attn_lib.masking import Visible, blank_unseen, visible_pairs
from attn_lib.spoilt import each_its_own
from attn_lib.validation import (
    check_layer,
    check_positive_int,
    check_queries_keys,
    check_values,
)


class HeadsAttention(DotProductAttention):
    """Dot-product attention of all heads, folded into the batch: (B*H, Q, D) and (B*H, K, D)."""

    def __init__(
        self, dropout: float, num_heads: int = 1, sink: float | Tensor | str | None = None
    ) -> None:
        ScoreAttention.__init__(self, dropout, sink, num_heads)
        self.num_heads = num_heads

    def sink_of(self, queries: Tensor) -> float | Tensor | None:
        """Repeat the sinks (H,) of the heads for each example: (B*H, 1)."""
        if not isinstance(self.sink, Tensor) or self.sink.ndim == 0:
            return self.sink
        return self.sink.repeat(queries.shape[0] // self.num_heads).unsqueeze(1)

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        need_weights: bool = True,
    ) -> Tensor:
        """Attend to what has been checked, and cleared, before the projections."""
        pairs = visible_pairs(keys.shape[1], valid_lens, mask, score_bias)
        visible = None if pairs is None else Visible.of(pairs)
        return self.average(queries, keys, values, visible, score_bias, need_weights)


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
        num_kv_heads: heads of keys and values, each shared by as many heads of queries; it
            divides num_heads. None: as many as these; 1: all share one (multi-query attention).
        sink: the score of one more key that has no value, a number, a tensor () or (H,), or
            "learned": a parameter for each head that starts at 0. See `masked_softmax`.

    Shape:
        queries (B, Q, query_size); keys (B, K, key_size); values (B, K, value_size);
        valid_lens (B,) or (B, Q); mask and score_bias broadcastable to (B, H, Q, K).

    Returns:
        Outputs (B, Q, num_hiddens).

    Raises:
        ValueError: num_heads does not divide num_hiddens, or num_kv_heads does not divide
            num_heads, shapes do not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ from
            each other or from that of the parameters.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2; shared keys and values:
        Ainslie et al. (2023), GQA, section 2.2.

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
        *,
        num_kv_heads: int | None = None,
        sink: float | Tensor | str | None = None,
    ) -> None:
        super().__init__()
        self.key_size = key_size = check_positive_int("key_size", key_size)
        self.query_size = query_size = check_positive_int("query_size", query_size)
        self.value_size = value_size = check_positive_int("value_size", value_size)
        num_hiddens, shared = self.set_heads(num_hiddens, num_heads, dropout, num_kv_heads, sink)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
        self.W_k = nn.Linear(key_size, shared, bias=bias)
        self.W_v = nn.Linear(value_size, shared, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    def set_heads(
        self,
        num_hiddens: int,
        num_heads: int,
        dropout: float,
        num_kv_heads: int | None = None,
        sink: float | Tensor | str | None = None,
    ) -> tuple[int, int]:
        """Make the heads' attention; return the hidden units of all heads of queries and of keys.

        They must share them evenly.
        """
        num_hiddens = check_positive_int("num_hiddens", num_hiddens)
        self.num_heads = num_heads = check_positive_int("num_heads", num_heads)
        if num_hiddens % num_heads != 0:
            raise ValueError(f"num_heads must divide num_hiddens={num_hiddens}. Got {num_heads}.")
        kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        self.num_kv_heads = kv_heads = check_positive_int("num_kv_heads", kv_heads)
        if num_heads % kv_heads != 0:
            raise ValueError(f"num_kv_heads must divide num_heads={num_heads}. Got {kv_heads}.")
        self.attention = HeadsAttention(dropout, num_heads, sink)
        return num_hiddens, num_hiddens // num_heads * kv_heads

    @property
    def sink(self) -> float | Tensor | None:
        """The sinks of the heads."""
        return self.attention.sink

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
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        need_weights: bool = True,
    ) -> Tensor:
        """Let every head attend, and project their outputs side by side.

        Args:
            queries: (B, Q, query_size).
            keys: (B, K, key_size).
            values: (B, K, value_size).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.
            mask: bool, broadcastable to (B, H, Q, K): True where a key may be seen. A mask
                (B, Q, K) needs an axis for the heads: ``mask.unsqueeze(1)``. Three axes are
                (H, Q, K), and warn where B = H.
            score_bias: broadcastable to (B, H, Q, K), added to the scores; -inf hides a key.
            need_weights: False leaves ``attention_weights`` None and runs on torch's fused
                kernel, which never stores the weights; the output is the same.

        Returns:
            Outputs (B, Q, num_hiddens).
        """
        check_queries_keys(queries, keys, self.query_size, self.key_size)
        check_values(values, keys, self.value_size)
        check_layer("queries", queries, "W_q", self.W_q)
        visible = check_visible(queries, keys, valid_lens, mask, score_bias, self.num_heads)
        masks = {"mask": None if visible is None else visible.pairs, "score_bias": score_bias}
        options = {name: self.fold(X, queries) for name, X in masks.items() if X is not None}

        def attend(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor | None]:
            heads = self.attention(
                split_heads(self.W_q(q), self.num_heads),
                self.split_shared(self.W_k(k)),
                self.split_shared(self.W_v(v)),
                need_weights=need_weights,
                **options,
            )  # (B*H, Q, num_hiddens / H)
            return self.W_o(join_heads(heads, self.num_heads)), self.attention_weights

        if visible is None:
            return attend(queries, keys, values)[0]
        # Before the projections: their weights, too, must not meet what lies in padding.
        seen = visible.by_some_head()
        queries, keys, values = blank_unseen(queries, keys, values, seen)
        output, weights = each_its_own(attend, queries, keys, values, seen)
        self.attention.attention_weights = None if weights is None else weights.flatten(0, 1)
        assert output is not None
        return output

    def split_shared(self, X: Tensor) -> Tensor:
        """Split keys or values, and repeat each head for the queries that share it: (B*H, K, D)."""
        X = split_heads(X, self.num_kv_heads)
        shared_by = self.num_heads // self.num_kv_heads
        return X if shared_by == 1 else X.repeat_interleave(shared_by, dim=0)

    def fold(self, X: Tensor, queries: Tensor) -> Tensor:
        """Fold the heads of a mask or bias into its batch: (B*H, Q, K), or 1 for B*H."""
        X = X.reshape((1,) * (4 - X.ndim) + X.shape)
        if X.shape[0] != 1 or X.shape[1] != 1:
            X = X.expand(queries.shape[0], self.num_heads, -1, -1)
        return X.flatten(0, 1)


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
    X = X.reshape(*X.shape[:2], num_heads, X.shape[2] // num_heads)  # (B, N, H, D)
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
    X = X.reshape(X.shape[0] // num_heads, num_heads, *X.shape[1:])  # (B, H, N, D)
    return X.transpose(1, 2).flatten(2)
