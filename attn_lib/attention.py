"""Attention as modules: scores, then weights, then a weighted average of the values."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from attn_lib.masking import (
    Visible,
    blank_unseen,
    softmax,
    visible_pairs,
    with_sink,
)
from attn_lib.scoring import (
    autocasts,
    dot_products,
    product,
    scaled_products,
    tanh_scores,
    widen,
)
from attn_lib.spoilt import each_its_own
from attn_lib.validation import (
    check_bias,
    check_equal_features,
    check_finite,
    check_layer,
    check_lens,
    check_mask,
    check_positive_int,
    check_probability,
    check_queries_keys,
    check_shape,
    check_sink,
    check_tensor,
    check_values,
    has_values,
    warn,
)


class Attention(nn.Module):
    """What all mechanisms share; a subclass says what it takes (`check`) and how it weighs.

    One call is ``prepare``, ``weigh``, dropout and a weighted average. After it,
    ``attention_weights`` holds the weights (B, Q, K) before dropout, detached.
    """

    attention_weights: Tensor | None

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(check_probability("dropout", dropout))
        self.attention_weights = None

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Raise where queries (B, Q, Dq) and keys (B, K, Dk) do not fit each other or the layer."""
        raise NotImplementedError

    def weigh(
        self, queries: Tensor, keys: Tensor, visible: Visible | None, score_bias: Tensor | None
    ) -> Tensor:
        """Give every key a weight for every query: (B, Q, K), of 0 where it is not visible.

        visible is broadcastable to the weights, or None: all.
        """
        raise NotImplementedError

    def weights(
        self,
        queries: Tensor,
        keys: Tensor,
        valid_lens: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
    ) -> Tensor:
        """Weigh the keys without values: (B, Q, K). The arguments are those of a call."""
        self.check(queries, keys)
        visible = check_visible(queries, keys, valid_lens, mask, score_bias)
        if visible is not None:
            queries, keys, _ = blank_unseen(queries, keys, keys, visible)

        def weigh(q: Tensor, k: Tensor, _: Tensor) -> tuple[Tensor]:
            return (self.weigh(q, k, visible, score_bias),)

        (weights,) = each_its_own(weigh, queries, keys, keys, visible)
        assert weights is not None
        return weights

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
        """Average the values by how well their keys answer each query.

        A key that no query may see reaches no output and no gradient, nor does a query that may
        see no key, whatever they hold. With lengths, a mask or a bias, NaN and inf stay with the
        queries that hold them or may see them: they reach no output of another query, and no
        gradient, be it of inputs or parameters, of a loss that leaves all those queries out.
        Where torch only follows the computation (torch.compile, vmap), the numbers cannot be
        looked at: there NaN that some queries of an example hold or may see reaches all gradients,
        and what they see all queries of the example. For padded queries give lengths (B, Q) with 0.

        Args:
            queries: (B, Q, D).
            keys: (B, K, D); where the mechanism allows it, with a D of their own.
            values: (B, K, V).
            valid_lens: (B,) or (B, Q), how many leading keys count; None: all of them.
            mask: bool, broadcastable to (B, Q, K): True where a key may be seen. With lengths,
                both must allow it.
            score_bias: broadcastable to (B, Q, K), added to the scores; -inf hides a key.
            need_weights: False leaves ``attention_weights`` None.

        Returns:
            Outputs (B, Q, V); zeros where nothing may be attended to.
        """
        self.check(queries, keys)
        visible = check_visible(queries, keys, valid_lens, mask, score_bias)
        check_values(values, keys)
        if visible is None:
            return self.attend(queries, keys, values, None, None, need_weights)
        queries, keys, values = blank_unseen(queries, keys, values, visible)
        return self.average(queries, keys, values, visible, score_bias, need_weights)

    def average(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Visible | None,
        score_bias: Tensor | None,
        need_weights: bool,
    ) -> Tensor:
        """Attend to what has been checked. NaN and inf stay with the queries that may see them."""

        def attend(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor | None]:
            outputs = self.attend(q, k, v, visible, score_bias, need_weights)
            return outputs, self.attention_weights

        outputs, self.attention_weights = each_its_own(attend, queries, keys, values, visible)
        assert outputs is not None
        return outputs

    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Visible | None,
        score_bias: Tensor | None,
        need_weights: bool,
    ) -> Tensor:
        """Weigh, drop and average."""
        weights = self.weigh(queries, keys, visible, score_bias)
        self.attention_weights = shown(weights.to(values.dtype)) if need_weights else None
        # Numbers first: while torch follows, even the number of keys is open.
        if has_values(values) and values.shape[-2] > LONG:
            return long_average(self.dropout(weights), values)
        return product(self.dropout(weights.to(values.dtype)), values)  # (B, Q, K) x (B, K, V)


class ScoreAttention(Attention):
    """Attention whose weights are the softmax of scores; a subclass says how to score."""

    sink: float | Tensor | None

    def __init__(
        self,
        dropout: float,
        sink: float | Tensor | str | None = None,
        num_heads: int | None = None,
    ) -> None:
        super().__init__(dropout)
        # Once only: torch registers no tensor under a name that is taken, even by None.
        self.set_sink(sink, num_heads)

    def set_sink(self, sink: float | Tensor | str | None, num_heads: int | None) -> None:
        """Keep a number, register a tensor, or make a parameter of zeros, one for each head."""
        if isinstance(sink, str):
            if sink != "learned":
                raise ValueError(f"sink must be a number, a tensor or 'learned'. Got {sink!r}.")
            sink = nn.Parameter(torch.zeros(() if num_heads is None else num_heads))
        elif isinstance(sink, Tensor):
            check_tensor("sink", sink)
            if num_heads is not None and sink.ndim:
                check_shape("sink", sink, H=num_heads)
        elif sink is not None:
            sink = check_finite("sink", sink)
        if isinstance(sink, Tensor) and not isinstance(sink, nn.Parameter):
            self.register_buffer("sink", sink)
        else:
            self.sink = sink

    def sink_of(self, queries: Tensor) -> float | Tensor | None:
        """Return the sink in a form that fits the scores of these queries."""
        return self.sink

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score every key for every query: (B, Q, K), in float32 or wider."""
        raise NotImplementedError

    def weigh(
        self, queries: Tensor, keys: Tensor, visible: Visible | None, score_bias: Tensor | None
    ) -> Tensor:
        """Turn the scores into weights, by a softmax over the visible keys."""
        scores = self.scores(queries, keys)
        if score_bias is not None:
            scores = scores + score_bias.to(scores.dtype)
        return softmax(scores, visible, self.sink_of(queries))


# From this many keys on, a weight of 1 / K has fewer digits in float16 than other numbers have, and
# a running sum of products has lost some in float32.
LONG = 2**14
_PART = 2**12


def long_average(weights: Tensor, values: Tensor) -> Tensor:
    """Average very many values part by part, in float32 or wider, as torch's fused kernels do."""
    wide = torch.promote_types(torch.promote_types(weights.dtype, values.dtype), torch.float32)
    dtype = values.dtype
    if autocasts(values) and dtype != torch.float64:
        dtype = torch.get_autocast_dtype(values.device.type)
    with torch.autocast(values.device.type, enabled=False):
        parts = zip(weights.split(_PART, -1), values.split(_PART, -2), strict=True)
        products = [product(some.to(wide), of.to(wide)) for some, of in parts]
        return torch.stack(products).sum(0).to(dtype)


def check_visible(
    queries: Tensor,
    keys: Tensor,
    valid_lens: Tensor | None,
    mask: Tensor | None,
    score_bias: Tensor | None,
    num_heads: int | None = None,
) -> Visible | None:
    """Check lengths, mask and bias of these queries and keys; say which query may see which key.

    num_heads are those that queries (B, Q, D) will be split into. The pairs are (B, Q, K), with
    heads (B, H, Q, K), and 1 where a size is the same throughout; None: each one all.
    """
    if valid_lens is None and mask is None and score_bias is None:
        return None
    device, num_keys = keys.device, keys.shape[-2]
    head = {"H": num_heads} if num_heads else {"H": queries.shape[1]} if queries.ndim == 4 else {}
    axes = {"B": queries.shape[0], **head, "Q": queries.shape[-2], "K": num_keys}
    shortest = 0
    if valid_lens is not None:
        shortest = check_lens(
            "valid_lens",
            valid_lens,
            limit=num_keys,
            device=device,
            beside_mask=True,
            B=axes["B"],
            Q=axes["Q"],
        )
    if mask is not None:
        check_mask("mask", mask, device, beside_bias=True, **axes)
        if mask.ndim == 3 and len(axes) == 4 and has_values(mask):
            warn_of_two_readings(mask, axes)
    if score_bias is not None:
        check_bias("score_bias", score_bias, device, **axes)
    pairs = visible_pairs(num_keys, valid_lens, mask, score_bias, heads=bool(head))
    assert pairs is not None
    if pairs.ndim < len(axes):
        pairs = pairs.reshape((1,) * (len(axes) - pairs.ndim) + pairs.shape)
    return Visible.of(pairs, shortest if mask is None and score_bias is None else 0)


def warn_of_two_readings(mask: Tensor, axes: dict[str, int]) -> None:
    """Say that a mask (H, Q, K) would be (B, Q, K) as well, as most masks of three axes are."""
    if mask.shape[0] == axes["B"] == axes["H"] > 1:
        text = str(tuple(mask.shape))
        warn(
            f"mask {text} has one (Q, K) for each head. One for each example is mask[:, None]; "
            f"for heads, mask[None] says so. Here B = H = {axes['B']}, and both would fit."
        )


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


class DotProductAttention(ScoreAttention):
    """Scaled dot-product attention.

    A call with ``need_weights=False`` runs on torch's fused kernel, which never stores the weights;
    the output is the same. On a CPU, torch cannot differentiate the kernel's gradient again, nor
    the kernel in forward mode.

    Args:
        dropout: probability with which a weight is dropped in training.
        sink: the score of one more key that has no value, a number, a tensor (H,), or "learned":
            a parameter that starts at 0. A tensor is a buffer of the module unless it is a
            parameter. See `masked_softmax`.

    Shape:
        queries (B, Q, D); keys (B, K, D); values (B, K, V); valid_lens (B,) or (B, Q); mask and
        score_bias broadcastable to (B, Q, K). All may have heads: queries (B, H, Q, D);
        keys (B, H, K, D); values (B, H, K, V); mask and score_bias broadcastable to (B, H, Q, K).

    Returns:
        Outputs (B, Q, V) or (B, H, Q, V).

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

    def __init__(self, dropout: float, *, sink: float | Tensor | str | None = None) -> None:
        super().__init__(dropout, sink)

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require queries and keys of one feature size."""
        check_equal_features(queries, keys, heads=True)
        if isinstance(self.sink, Tensor):
            axes = dict(zip("BHQ" if queries.ndim == 4 else "BQ", queries.shape, strict=False))
            check_sink("sink", self.sink, queries.device, **axes)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Divide the dot products by sqrt(D)."""
        return scaled_products(widen(queries), widen(keys))

    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Visible | None,
        score_bias: Tensor | None,
        need_weights: bool,
    ) -> Tensor:
        """Weigh, drop and average; on a fused kernel where nobody asks for the weights."""
        if need_weights or type(dropout := self.dropout) is not nn.Dropout:
            return super().attend(queries, keys, values, visible, score_bias, need_weights)
        self.attention_weights = None
        p = dropout.p if dropout.training else 0.0
        sink = self.sink_of(queries)
        return fused_attention(queries, keys, values, visible, score_bias, sink, p)


class AdditiveAttention(ScoreAttention):
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
        self.key_size = key_size = check_positive_int("key_size", key_size)
        self.query_size = query_size = check_positive_int("query_size", query_size)
        num_hiddens = check_positive_int("num_hiddens", num_hiddens)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Require the feature sizes given to the constructor, and the parameters' dtype."""
        check_queries_keys(queries, keys, self.query_size, self.key_size)
        check_layer("queries", queries, "W_q", self.W_q)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Project both, add, tanh, and weigh the hidden units."""
        projected_queries, projected_keys = self.W_q(queries), self.W_k(keys)  # (B, ..., U)
        if _only_weighs(self.w_v):
            return tanh_scores(projected_queries, projected_keys, self.w_v.weight)
        # Whoever has put something else in the place of w_v wants it called, on every pair.
        pairs = torch.tanh(projected_queries.unsqueeze(2) + projected_keys.unsqueeze(1))
        return widen(self.w_v(pairs).squeeze(3))  # (B, Q, K, U) -> (B, Q, K)


class BilinearAttention(ScoreAttention):
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
        self.key_size = key_size = check_positive_int("key_size", key_size)
        self.query_size = query_size = check_positive_int("query_size", query_size)
        self.rank = rank
        if rank is None:
            self.M = nn.Linear(key_size, query_size, bias=False)
        else:
            self.rank = rank = check_positive_int("rank", rank)
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
    """Tell whether calling a layer only multiplies by its weight: no bias, hook, adapter or code.

    Then its weight alone is enough, and no tensor (B, Q, K, U) need be made for the call.
    """
    hooks = (
        layer._forward_pre_hooks,
        layer._forward_hooks,
        layer._backward_pre_hooks,
        layer._backward_hooks,
    )
    if type(layer) is not nn.Linear or layer.bias is not None or any(hooks):
        return False
    # A quantised weight is a tensor of another kind, which only its own layer can multiply by.
    return not is_traceable_wrapper_subclass(layer.weight)


def fused_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    visible: Visible | None,
    score_bias: Tensor | None,
    sink: float | Tensor | None,
    dropout: float,
) -> Tensor:
    """Attend in torch's fused kernels, which check no shapes: that must have been done."""
    if autocasts(queries):
        # It would round the arguments first, and with them scores that may be large.
        wide = torch.promote_types(queries.dtype, torch.promote_types(keys.dtype, values.dtype))
        half = torch.get_autocast_dtype(queries.device.type)
        with torch.autocast(queries.device.type, enabled=False):
            queries, keys, values = (X.to(wide) for X in (queries, keys, values))
            outputs = fused_attention(queries, keys, values, visible, score_bias, sink, dropout)
        return outputs if wide == torch.float64 else outputs.to(half)
    sees = mask = None
    if visible is not None:
        mask, sees = visible
        if sees is not None:
            # The kernels differ in what they make of a row without keys: show all, clear it later.
            mask = mask | ~sees
        if mask.shape[-1] != keys.shape[-2]:
            mask = mask.expand(*mask.shape[:-1], keys.shape[-2])
    dtype = queries.dtype
    if score_bias is not None or sink is not None:
        queries, keys, values = widen(queries), widen(keys), widen(values)
        mask = _as_numbers(queries, keys, mask, score_bias, sees)
        if sink is not None:
            keys, values = (F.pad(X, (0, 0, 0, 1)) for X in (keys, values))  # a key of zeros
            mask, _ = with_sink(mask, None, sink)
    outputs = _on_heads_axis(queries, keys, values, mask, dropout)
    return (outputs if sees is None else outputs.masked_fill(~sees, 0)).to(dtype)


def _as_numbers(
    queries: Tensor,
    keys: Tensor,
    mask: Tensor | None,
    score_bias: Tensor | None,
    sees: Tensor | None,
) -> Tensor:
    """Write mask and bias as numbers to add, -inf where a key is hidden: (B, Q, K)."""
    numbers = queries.new_zeros(()) if score_bias is None else score_bias.to(queries.dtype)
    if mask is not None:
        numbers = torch.where(mask, numbers, -torch.inf)
    if sees is not None:
        numbers = torch.where(sees, numbers, 0)
    return numbers.expand(*queries.shape[:-1], keys.shape[-2])


def _on_heads_axis(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, dropout: float
) -> Tensor:
    """Call the kernel, which wants (B, H, Q, D), with one head where there is no such axis."""
    if queries.ndim == 4:
        return F.scaled_dot_product_attention(queries, keys, values, mask, dropout)
    if mask is not None:
        mask = mask.unsqueeze(1)
    return F.scaled_dot_product_attention(
        queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1), mask, dropout
    ).squeeze(1)
