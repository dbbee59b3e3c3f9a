"""Attention as modules: scores, then weights, then a weighted average of the values."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_lib.masking import blank_padding, per_query, softmax, softmax_within, visible_keys
from attn_lib.scoring import dot_products, scaled_products, tanh_scores, widen
from attn_lib.validation import (
    check_equal_features,
    check_layer,
    check_lens,
    check_positive_int,
    check_probability,
    check_queries_keys,
    check_values,
)


class Attention(nn.Module):
    """What all mechanisms share; a subclass says only how to score, and what it can score.

    One call is ``prepare``, ``weights`` (of ``scores``), dropout and a weighted average. After it,
    ``attention_weights`` holds the weights (B, Q, K) before dropout, detached.
    """

    attention_weights: Tensor | None

    def __init__(self, dropout: float) -> None:
        super().__init__()
        check_probability("dropout", dropout)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Raise where queries (B, Q, Dq) and keys (B, K, Dk) do not fit each other or the layer."""
        raise NotImplementedError

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score every key for every query: (B, Q, K), in float32 or wider."""
        raise NotImplementedError

    def weights(self, queries: Tensor, keys: Tensor, valid_lens: Tensor | None) -> Tensor:
        """Turn the scores into weights: (B, Q, K)."""
        scores = self.scores(queries, keys)
        if valid_lens is None:
            return softmax(scores)
        return softmax_within(scores, per_query(valid_lens))

    def prepare(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Check all arguments; where there are lengths, clear what lies in padding."""
        self.check(queries, keys)
        check_values(values, keys)
        if valid_lens is None:
            return queries, keys, values
        shortest = check_lens(
            "valid_lens",
            valid_lens,
            limit=keys.shape[1],
            device=keys.device,
            B=keys.shape[0],
            Q=queries.shape[1],
        )
        return blank_padding(queries, keys, values, per_query(valid_lens), shortest)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        """Average the values by how well their keys answer each query.

        Args:
            queries: (B, Q, D).
            keys: (B, K, D); where the mechanism allows it, with a D of their own.
            values: (B, K, V).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.

        Returns:
            Outputs (B, Q, V); zeros where nothing may be attended to.
        """
        queries, keys, values = self.prepare(queries, keys, values, valid_lens)
        weights = self.weights(queries, keys, valid_lens).to(values.dtype)
        self.attention_weights = shown(weights)
        return torch.bmm(self.dropout(weights), values)  # (B, Q, K) x (B, K, V)


def shown(weights: Tensor) -> Tensor | None:
    """Detach weights to be looked at later; None inside vmap, grad, export and trace.

    What is left of a tensor outside of these is an empty wrapper, which cannot even be copied.
    """
    if torch.compiler.is_compiling():
        return weights.detach() if torch.compiler.is_dynamo_compiling() else None
    traced: bool = torch.jit.is_tracing()  # type: ignore[attr-defined]
    if traced or torch._C._functorch.is_functorch_wrapped_tensor(weights):
        return None
    return weights.detach()


class DotProductAttention(Attention):
    """Scaled dot-product attention.

    Args:
        dropout: probability with which a weight is dropped in training.

    Shape:
        queries (B, Q, D); keys (B, K, D); values (B, K, V); valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: shapes do not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.1.

    Example:
        >>> import torch, attn_lib
        >>> attention = attn_lib.DotProductAttention(dropout=0.0)
        >>> keys, values = torch.ones(1, 4, 2), torch.tensor([[[1.0], [3.0], [5.0], [7.0]]])
        >>> attention(torch.ones(1, 1, 2), keys, values, torch.tensor([2]))
        tensor([[[2.]]])
    """

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require queries and keys of one feature size."""
        check_equal_features(queries, keys)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Divide the dot products by sqrt(D)."""
        return scaled_products(widen(queries), widen(keys))

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        *,
        need_weights: bool = True,
    ) -> Tensor:
        """Average the values by how well their keys answer each query.

        Args:
            queries: (B, Q, D).
            keys: (B, K, D).
            values: (B, K, V).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.
            need_weights: False leaves ``attention_weights`` None and runs on torch's fused
                kernel, which never stores the weights; the output is the same.

        Returns:
            Outputs (B, Q, V); zeros where nothing may be attended to.
        """
        if need_weights:
            return super().forward(queries, keys, values, valid_lens)
        queries, keys, values = self.prepare(queries, keys, values, valid_lens)
        self.attention_weights = None
        dropout = self.dropout.p if self.training else 0.0
        if valid_lens is None:
            return _fused_attention(queries, keys, values, None, dropout)
        lens = per_query(valid_lens)  # (B, 1) or (B, Q)
        # The kernels differ in what they make of a row without keys: show it all, then clear it.
        nothing_visible = (lens == 0).unsqueeze(-1)  # (B, Q or 1, 1)
        visible = visible_keys(lens, keys.shape[1]) | nothing_visible
        outputs = _fused_attention(queries, keys, values, visible, dropout)
        return outputs.masked_fill(nothing_visible, 0)


class AdditiveAttention(Attention):
    """Additive attention, for queries and keys of different feature sizes.

    Args:
        key_size: feature size of the keys.
        query_size: feature size of the queries.
        num_hiddens: number of hidden units.
        dropout: probability with which a weight is dropped in training.

    Shape:
        queries (B, Q, query_size); keys (B, K, key_size); values (B, K, V);
        valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: shapes do not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Bahdanau, Cho, Bengio (2015), Neural Machine Translation by Jointly Learning to Align
        and Translate, appendix A.1.2.

    Example:
        >>> import torch, attn_lib
        >>> attention = attn_lib.AdditiveAttention(2, 20, num_hiddens=8, dropout=0.1)
        >>> keys, values = torch.ones(2, 10, 2), torch.arange(40.0).reshape(1, 10, 4)
        >>> lens = torch.tensor([2, 6])
        >>> attention.eval()(torch.ones(2, 1, 20), keys, values.repeat(2, 1, 1), lens).round()
        tensor([[[ 2.,  3.,  4.,  5.]],
        <BLANKLINE>
                [[10., 11., 12., 13.]]], grad_fn=<RoundBackward0>)
    """

    query_size: int | None  # None: left to lazy layers
    key_size: int | None

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__(dropout)
        check_positive_int("key_size", key_size)
        check_positive_int("query_size", query_size)
        check_positive_int("num_hiddens", num_hiddens)
        self.key_size, self.query_size = key_size, query_size
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require the feature sizes given to the constructor, and the parameters' dtype."""
        check_queries_keys(queries, keys, self.query_size, self.key_size)
        check_layer("queries", queries, "W_q", self.W_q)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Project both, add, tanh, and weigh the hidden units."""
        projected_queries, projected_keys = self.W_q(queries), self.W_k(keys)  # (B, ..., H)
        if _only_weighs(self.w_v):
            return tanh_scores(projected_queries, projected_keys, self.w_v.weight)
        # Whoever has put something else in the place of w_v wants it called, on every pair.
        pairs = torch.tanh(projected_queries.unsqueeze(2) + projected_keys.unsqueeze(1))
        return widen(self.w_v(pairs).squeeze(3))  # (B, Q, K, H) -> (B, Q, K)


class BilinearAttention(Attention):
    """Bilinear attention, q^T M k, for queries and keys of different feature sizes.

    With a rank, M is the product W_q^T W_k of two thin matrices: queries and keys are projected
    to that many features and compared by their dot product.

    Args:
        key_size: feature size of the keys.
        query_size: feature size of the queries.
        dropout: probability with which a weight is dropped in training.
        rank: features of the projections; None: M is a full matrix.

    Shape:
        queries (B, Q, query_size); keys (B, K, key_size); values (B, K, V);
        valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: shapes do not match, or a length is not a whole number from 0 to K.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Luong, Pham, Manning (2015), Effective Approaches to Attention-based Neural Machine
        Translation, section 3.1 ("general"); low rank: Kim, Jun, Zhang (2018), Bilinear
        Attention Networks, section 2.

    Example:
        >>> import torch, attn_lib
        >>> attention = attn_lib.BilinearAttention(key_size=3, query_size=5, dropout=0.0, rank=2)
        >>> {name: tuple(p.shape) for name, p in attention.named_parameters()}
        {'W_q.weight': (2, 5), 'W_k.weight': (2, 3)}
        >>> values = torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])
        >>> attention(torch.ones(1, 1, 5), torch.ones(1, 2, 3), values).detach()
        tensor([[[0.5000, 0.5000]]])
    """

    def __init__(
        self, key_size: int, query_size: int, dropout: float, rank: int | None = None
    ) -> None:
        super().__init__(dropout)
        check_positive_int("key_size", key_size)
        check_positive_int("query_size", query_size)
        self.key_size, self.query_size, self.rank = key_size, query_size, rank
        if rank is None:
            self.M = nn.Linear(key_size, query_size, bias=False)
        else:
            check_positive_int("rank", rank)
            self.W_q = nn.Linear(query_size, rank, bias=False)
            self.W_k = nn.Linear(key_size, rank, bias=False)

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require the feature sizes given to the constructor, and the parameters' dtype."""
        check_queries_keys(queries, keys, self.query_size, self.key_size)
        name = "M" if self.rank is None else "W_k"
        check_layer("keys", keys, name, getattr(self, name))

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Compare through M, or in the thin space when there is a rank."""
        if self.rank is None:
            return dot_products(widen(queries), widen(self.M(keys)))  # q^T (M k)
        return dot_products(widen(self.W_q(queries)), widen(self.W_k(keys)))


def _only_weighs(layer: nn.Module) -> bool:
    """Tell whether calling a layer only multiplies by its weight: no bias, hook or adapter.

    Then its weight alone is enough, and no tensor (B, Q, K, H) need be made for the call.
    """
    hooks = (
        layer._forward_pre_hooks,
        layer._forward_hooks,
        layer._backward_pre_hooks,
        layer._backward_hooks,
    )
    return type(layer) is nn.Linear and layer.bias is None and not any(hooks)


def _fused_attention(
    queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor | None, dropout: float
) -> Tensor:
    # The fast kernels want a heads axis. They check no shapes, so prepare() must have run.
    mask = None if visible is None else visible.unsqueeze(1)  # (B, 1, Q or 1, K)
    return F.scaled_dot_product_attention(
        queries.unsqueeze(1),  # (B, 1, Q, D)
        keys.unsqueeze(1),
        values.unsqueeze(1),
        attn_mask=mask,
        dropout_p=dropout,
    ).squeeze(1)
