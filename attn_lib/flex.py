"""The scores and masks of this library as functions for torch's FlexAttention.

FlexAttention multiplies queries and keys, lets a ``score_mod`` change each score and a ``mask_mod``
say which keys are seen, and makes one fused kernel of it all under ``torch.compile``. The functions
here make both, so that what `attn_lib` computes score by score runs there too:

    >>> import torch
    >>> from attn_lib import flex
    >>> score_mod = flex.chain(flex.capped(50.0), flex.alibi(torch.tensor([0.5, 0.25])))
    >>> mask_mod = flex.both(flex.causal(), flex.window(128))

Every ``score_mod`` expects FlexAttention's own scale, 1 / sqrt(D), and takes it back where its
score has none. Queries, keys and values are (B, H, Q, D), (B, H, K, D) and (B, H, K, V). Rotary
scores need no function: turn queries and keys by `attn_lib.rotate`. On a CPU FlexAttention has no
gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.masking import Visible, blank_unseen, documents_of, per_query
from attn_lib.scales import log_of_size
from attn_lib.scoring import widen
from attn_lib.spoilt import each_its_own
from attn_lib.validation import (
    axes_text,
    check_above,
    check_alike,
    check_dense,
    check_features,
    check_finite,
    check_positive,
    check_positive_int,
    check_shape,
    check_size,
    check_tensor,
    check_whole,
)

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]  # score, b, h, q, k
MaskMod = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]  # b, h, q, k
Mod = TypeVar("Mod", ScoreMod, MaskMod)


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    score_mod: ScoreMod | None = None,
    mask_mod: MaskMod | None = None,
    sink: float | Tensor | None = None,
) -> Tensor:
    """Average the values by FlexAttention; put it into ``torch.compile`` to get the fused kernel.

    Keys and values that no query sees are cleared first, as everywhere in this library: 0 times
    NaN would be NaN. Outside of ``torch.compile``, NaN that some queries see stays with these.
    Keys and values have as many heads as queries: ``repeat_interleave`` those that are shared.

    Args:
        queries: the queries of each head.
        keys: the keys of each head, with as many features as the queries.
        values: one for every key.
        score_mod: what the scores become; None: they stay q . k / sqrt(D).
        mask_mod: which keys are seen; None: all.
        sink: the score of a key without value, one for all heads or one for each.

    Shape:
        queries (B, H, Q, D); keys (B, H, K, D); values (B, H, K, V); sink () or (H,).

    Returns:
        Outputs (B, H, Q, V); zeros where nothing may be seen.

    Raises:
        ImportError: this torch has no FlexAttention.
        ValueError: the shapes do not match, also those that score_mod or mask_mod were made for.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Dong et al. (2024), Flex Attention: A Programming Model for Generating Optimized Attention
        Kernels.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> same, values = torch.ones(1, 1, 3, 2), torch.tensor([[[[1.0], [3.0], [5.0]]]])
        >>> flex.attend(same, same, values, mask_mod=flex.causal())
        tensor([[[[1.],
                  [2.],
                  [3.]]]])
    """
    _check_heads("queries", queries, "Q")
    batch, heads, num_queries, size = queries.shape
    _check_heads("keys", keys, "K")
    check_shape("keys", keys, B=batch, H=heads, K=None, D=size)
    num_keys = keys.shape[2]
    check_alike("keys", keys, "queries", queries)
    check_tensor("values", values)
    check_shape("values", values, B=batch, H=heads, K=num_keys, V=None)
    check_alike("values", values, "keys", keys)
    for mod in (score_mod, mask_mod):
        check_fit(mod, B=batch, H=heads, Q=num_queries, K=num_keys)
    torch_flex = _torch_flex()
    if batch == 0 or heads == 0 or num_queries == 0 or num_keys == 0:
        return values.new_zeros(*queries.shape[:3], values.shape[3])
    block_mask = visible = None
    if mask_mod is not None:
        sizes = (batch, heads, num_queries, num_keys)
        pairs = torch_flex.create_mask(mask_mod, *sizes, device=str(queries.device))
        visible = Visible.of(pairs)
        queries, keys, values = blank_unseen(queries, keys, values, visible)
        block_mask = torch_flex.create_block_mask(mask_mod, *sizes, device=str(queries.device))
    run = partial(torch_flex.flex_attention, score_mod=score_mod, block_mask=block_mask)

    def compute(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor]:
        if sink is None:
            return (run(q, k, v),)
        if hasattr(torch_flex, "AuxRequest"):
            outputs, more = run(q, k, v, return_aux=torch_flex.AuxRequest(lse=True))
            return (with_sink(outputs, more.lse, sink),)
        outputs, lse = run(q, k, v, return_lse=True)  # before torch 2.9
        return (with_sink(outputs, lse, sink),)

    (outputs,) = each_its_own(compute, queries, keys, values, visible)
    assert outputs is not None
    return outputs


def with_sink(outputs: Tensor, lse: Tensor, sink: float | Tensor) -> Tensor:
    """Take from outputs what a sink would have got: o sigmoid(lse - z).

    A softmax with one more score z in its denominator is the softmax without it, times
    sigmoid(logsumexp(s) - z).

    Args:
        outputs: what FlexAttention returns.
        lse: the log-sum-exp of the scores of each query, which it returns with ``return_lse``.
        sink: z, one for all heads or one for each.

    Shape:
        outputs (B, H, Q, V); lse (B, H, Q); sink () or (H,).

    Returns:
        Outputs (B, H, Q, V).

    Raises:
        ValueError: the shapes do not match, or a sink that is a number is not finite.
        TypeError: an argument is not a floating-point tensor, or the sink is no number either.

    Source:
        OpenAI (2025), gpt-oss-120b and gpt-oss-20b Model Card, section 2.2 (the sinks); the
        identity follows from the definition of the softmax.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.with_sink(torch.ones(1, 1, 2, 1), torch.tensor([[[0.0, -5.0]]]), 0.0)
        tensor([[[[0.5000],
                  [0.0067]]]])
    """
    check_tensor("outputs", outputs)
    check_tensor("lse", lse)
    check_shape("outputs", outputs, B=None, H=None, Q=None, V=None)
    check_shape("lse", lse, **dict(zip("BHQ", outputs.shape[:3], strict=True)))
    if isinstance(sink, Tensor):
        check_tensor("sink", sink)
        if sink.ndim:
            check_shape("sink", sink, H=outputs.shape[1])
            sink = sink.unsqueeze(1)  # (H,) -> (H, 1), for all queries
        # A sink of -inf takes nothing, nor does it where the sum, too, is that of no key.
        above = torch.where(sink == -torch.inf, torch.inf, lse - sink)
    else:
        above = lse - check_finite("sink", sink)
    share = torch.sigmoid(above).unsqueeze(-1)  # (B, H, Q, 1)
    return (outputs * share).to(outputs.dtype)


def chain(*score_mods: ScoreMod) -> ScoreMod:
    """Apply one score_mod after the other.

    Args:
        score_mods: the functions, in the order in which they change the score.

    Returns:
        A score_mod.

    Source:
        Dong et al. (2024), Flex Attention, section 3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> capped_first = flex.chain(flex.capped(2.0), flex.dot(4))
        >>> capped_first(torch.tensor(100.0), *torch.zeros(4).long())
        tensor(4.)
    """

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        for change in score_mods:
            score = change(score, b, h, q, k)
        return score

    return made_for(score_mod, *needs_of(*score_mods))


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
    _check_heads("queries", queries, "Q")
    _check_heads("keys", keys, "K")
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

    return made_for(score_mod, *_needs_of_pair(queries, keys))


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
    of_query, of_key = (widen(X).square().sum(3) / 2 for X in _pair(queries, keys))
    root = math.sqrt(queries.shape[3])

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return (score * root - of_query[b, h, q] - of_key[b, h, k]) / width / width

    return made_for(score_mod, *_needs_of_pair(queries, keys))


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


def capped(cap: float) -> ScoreMod:
    """Keep scores between -cap and cap: `attn_lib.soft_cap`.

    Args:
        cap: what no score exceeds.

    Returns:
        A score_mod.

    Raises:
        ValueError: the cap is not finite and above 0.
        TypeError: the cap is no number.

    Source:
        Gemma Team (2024), Gemma 2: Improving Open Language Models at a Practical Size, section 2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.capped(50.0)(torch.tensor(100.0), *torch.zeros(4).long())
        tensor(48.2014)
    """
    check_positive("cap", cap)
    return lambda score, b, h, q, k: cap * torch.tanh(score / cap)


def length_scaled(num_keys: int | Tensor, *, trained_keys: float) -> ScoreMod:
    """Multiply scores by ln n / ln n0: `attn_lib.length_scaled`.

    Args:
        num_keys: n, one number for all, or valid lengths.
        trained_keys: n0, the number of keys for which the scores were made.

    Shape:
        num_keys a number, (B,) or (B, Q).

    Returns:
        A score_mod.

    Raises:
        ValueError: num_keys has another shape or a negative number, or trained_keys is not finite
            and above 1.
        TypeError: num_keys are not whole numbers, or trained_keys is no number.

    Source:
        Chiang, Cholak (2022), Overcoming a Theoretical Limitation of Self-Attention.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> score_mod = flex.length_scaled(16_384, trained_keys=128)
        >>> score_mod(torch.tensor(5.0), *torch.zeros(4).long())
        tensor(10.)
    """
    check_above("trained_keys", trained_keys, 1)
    if not isinstance(num_keys, Tensor):
        scale = log_of_size(check_size("num_keys", num_keys, least=0)) / math.log(trained_keys)
        return lambda score, b, h, q, k: score * scale
    lens, need = _lens("num_keys", num_keys)
    scales = lens.clamp(min=1).float().log() / math.log(trained_keys)  # (B, 1) or (B, Q)
    each = num_keys.ndim == 2
    return made_for(lambda score, b, h, q, k: score * scales[b, q if each else q * 0], need)


def alibi(slopes: Tensor, *, first_query: int = 0) -> ScoreMod:
    """Add what each key loses by its distance, -m (i - j): `attn_lib.alibi_bias`.

    Args:
        slopes: m of each head, for example from `attn_lib.alibi_slopes`.
        first_query: the place of the first query; step by step, the number of keys before it.

    Shape:
        slopes (H,).

    Returns:
        A score_mod.

    Raises:
        ValueError: slopes have another shape, or first_query is below 0.
        TypeError: slopes are not a floating-point tensor.

    Source:
        Press, Smith, Lewis (2022), Train Short, Test Long: Attention with Linear Biases Enables
        Input Length Extrapolation, section 3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> at = torch.tensor([0, 0, 5, 3])  # example, head, query, key
        >>> flex.alibi(torch.tensor([0.5]))(torch.tensor(2.0), *at)
        tensor(1.)
    """
    check_tensor("slopes", slopes)
    check_shape("slopes", slopes, H=None)
    first = check_size("first_query", first_query, least=0)
    need = Need("slopes", H=slopes.shape[0])
    return made_for(lambda score, b, h, q, k: score + slopes[h] * (k - q - first), need)


def buckets(distances: Tensor, table: Tensor) -> ScoreMod:
    """Add the bias of the bucket of each distance: `attn_lib.bucket_bias`, T5.

    T5's own products are not scaled: ``chain(dot(D), buckets(distances, table))``.

    Args:
        distances: the bucket of each query and key, from `attn_lib.bucket_distances`.
        table: what each bucket adds, for each head.

    Shape:
        distances (Q, K); table (buckets, H).

    Returns:
        A score_mod.

    Raises:
        ValueError: a shape does not match, or a bucket is missing from the table.
        TypeError: distances are not whole numbers, or table is not a floating-point tensor.

    Source:
        Raffel et al. (2020), Exploring the Limits of Transfer Learning with a Unified
        Text-to-Text Transformer, section 2.1.

    Example:
        >>> import torch, attn_lib
        >>> from attn_lib import flex
        >>> distances = attn_lib.bucket_distances(6, 6)
        >>> table = torch.arange(32.0).unsqueeze(1)
        >>> at = torch.tensor([0, 0, 5, 3])  # example, head, query, key
        >>> flex.buckets(distances, table)(torch.tensor(0.0), *at)
        tensor(2.)
    """
    check_tensor("table", table)
    check_shape("table", table, buckets=None, H=None)
    check_dense("distances", distances)
    check_shape("distances", distances, Q=None, K=None)
    check_whole("distances", distances, least=0, limit=table.shape[0] - 1)
    rows = distances.to(table.device, torch.int64)
    needs = Need("distances", Q=rows.shape[0], K=rows.shape[1]), Need("table", H=table.shape[1])
    return made_for(lambda score, b, h, q, k: score + table[rows[q, k], h], *needs)


def relative(queries: Tensor, table: Tensor, *, first_query: int = 0) -> ScoreMod:
    """Add the product of the query and the vector of the distance: `attn_lib.relative_scores`.

    Args:
        queries: the queries of each head.
        table: the vectors a, 2c + 1 of them; the middle one is for a key in the query's place.
        first_query: the place of the first query; step by step, the number of keys before it.

    Shape:
        queries (B, H, Q, D); table (2c + 1, D).

    Returns:
        A score_mod.

    Raises:
        ValueError: the shapes do not match, the table has an even number of rows, or first_query
            is below 0.
        TypeError: an argument is not a floating-point tensor.

    Source:
        Shaw, Uszkoreit, Vaswani (2018), Self-Attention with Relative Position Representations,
        section 3.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> table = torch.tensor([[-1.0], [0.0], [1.0]]).expand(3, 4)
        >>> at = torch.tensor([0, 0, 0, 2])  # example, head, query, key
        >>> flex.relative(torch.ones(1, 1, 1, 4), table)(torch.tensor(0.0), *at)
        tensor(2.)
    """
    _check_heads("queries", queries, "Q")
    check_tensor("table", table)
    check_shape("table", table, rows=None, D=queries.shape[3])
    if table.shape[0] % 2 == 0:
        raise ValueError(f"table must have an odd number of rows, 2c + 1. Got {table.shape[0]}.")
    most = table.shape[0] // 2
    products = widen(queries) @ widen(table).T / math.sqrt(queries.shape[3])  # (B, H, Q, 2c + 1)
    first = check_size("first_query", first_query, least=0)

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return score + products[b, h, q, (k - q - first).clamp(-most, most) + most]

    return made_for(score_mod, _need_of("queries", queries, "Q"))


def both(*mask_mods: MaskMod) -> MaskMod:
    """See what all of several mask_mods let see.

    Args:
        mask_mods: the functions.

    Returns:
        A mask_mod.

    Source:
        Dong et al. (2024), Flex Attention, section 3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.both(flex.causal(), flex.chunks(4))
        >>> at = torch.tensor([0, 0, 5, 3])  # example, head, query, key
        >>> mask_mod(*at)
        tensor(False)
    """

    def mask_mod(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        seen = q >= 0
        for allowed in mask_mods:
            seen = seen & allowed(b, h, q, k)
        return seen

    return made_for(mask_mod, *needs_of(*mask_mods))


def causal(*, first_query: int = 0) -> MaskMod:
    """See no later key: the lengths of `attn_lib.causal_lens`.

    Args:
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: first_query is below 0.
        TypeError: first_query is not an int.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.causal()(*torch.tensor([0, 0, 5, 6]))  # example, head, query, key
        tensor(False)
    """
    first = check_size("first_query", first_query, least=0)
    return lambda b, h, q, k: q + first >= k


def within(valid_lens: Tensor) -> MaskMod:
    """See the leading keys only, as many as a valid length says.

    Args:
        valid_lens: how many leading keys count, per example or per query.

    Shape:
        valid_lens (B,) or (B, Q).

    Returns:
        A mask_mod.

    Raises:
        ValueError: valid_lens have another shape, or a length is below 0.
        TypeError: valid_lens are not whole numbers.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.within(torch.tensor([2, 4]))
        >>> mask_mod(*torch.tensor([0, 0, 5, 2])), mask_mod(*torch.tensor([1, 0, 5, 2]))
        (tensor(False), tensor(True))
    """
    lens, need = _lens("valid_lens", valid_lens)
    each = valid_lens.ndim == 2
    return made_for(lambda b, h, q, k: k < lens[b, q if each else q * 0], need)


def window(width: int, *, causal: bool = True, first_query: int = 0) -> MaskMod:
    """See the keys of a window around the query: `attn_lib.window_mask`.

    Args:
        width: how many keys a window has, the query's own place among them.
        causal: False opens the window on the other side too.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: width is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Beltagy, Peters, Cohan (2020), Longformer: The Long-Document Transformer, section 3.1.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.window(2)
        >>> [mask_mod(*torch.tensor([0, 0, 5, k])).item() for k in (3, 4, 5, 6)]
        [False, True, True, False]
    """
    width = check_positive_int("width", width)
    first = check_size("first_query", first_query, least=0)
    if causal:
        return lambda b, h, q, k: (q + first - k < width) & (q + first >= k)
    return lambda b, h, q, k: (q + first - k).abs() < width


def chunks(size: int, *, first_query: int = 0) -> MaskMod:
    """See the keys of the query's own chunk: `attn_lib.chunk_mask`.

    Args:
        size: how many places make a chunk.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: size is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Child, Gray, Radford, Sutskever (2019), Generating Long Sequences with Sparse Transformers,
        section 4.3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.chunks(4)
        >>> [mask_mod(*torch.tensor([0, 0, 5, k])).item() for k in (3, 4, 7, 8)]
        [False, True, True, False]
    """
    size = check_positive_int("size", size)
    first = check_size("first_query", first_query, least=0)
    return lambda b, h, q, k: (q + first) // size == k // size


def documents(lens: Tensor) -> MaskMod:
    """See the keys of the query's own text among several that are packed: `document_mask`.

    Args:
        lens: how long each text is.

    Shape:
        lens (N,), or (B, N) for each sequence of a batch.

    Returns:
        A mask_mod.

    Raises:
        ValueError: lens have another shape, a length is below 0, or rows have different sums.
        TypeError: lens are not whole numbers.

    Source:
        Krell, Kosec, Perez, Fitzgibbon (2021), Efficient Sequence Packing without
        Cross-contamination, section 3.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.documents(torch.tensor([2, 3]))
        >>> [mask_mod(*torch.tensor([0, 0, 2, k])).item() for k in (1, 2, 4)]
        [False, True, True]
    """
    check_dense("lens", lens)
    if lens.ndim not in (1, 2):
        raise ValueError(f"lens must have shape (N,) or (B, N). Got {tuple(lens.shape)}.")
    check_whole("lens", lens, least=0, limit=2**62)
    texts = documents_of(lens)  # (..., K)
    num_keys = texts.shape[-1]
    axes = {"K": num_keys} if texts.ndim == 1 else {"B": len(texts), "K": num_keys}
    need = Need("lens", most_queries=num_keys, **axes)
    if texts.ndim == 1:
        return made_for(lambda b, h, q, k: texts[q] == texts[k], need)
    return made_for(lambda b, h, q, k: texts[b, q] == texts[b, k], need)


class Need:
    """An argument of a score_mod or mask_mod, and the sizes that a call must have for it."""

    def __init__(self, name: str, *, most_queries: int | None = None, **axes: int) -> None:
        self.name, self.axes, self.most_queries = name, axes, most_queries


def made_for(mod: Mod, *needs: Need) -> Mod:
    """Note what a function needs; torch reads no sizes, and would look beyond the end of tables."""
    if not torch.compiler.is_compiling():
        mod.needs = needs  # type: ignore[attr-defined]
    return mod


def needs_of(*mods: Callable[..., Tensor] | None) -> list[Need]:
    """Collect what was noted of these functions; one of a reader's own needs nothing."""
    if torch.compiler.is_compiling():
        return []
    return [need for mod in mods for need in getattr(mod, "needs", ())]


def check_fit(mod: Callable[..., Tensor] | None, **sizes: int) -> None:
    """Require a call of the sizes that a function was made for."""
    for need in needs_of(mod):
        wanted = {axis: sizes[axis] for axis in need.axes}
        has = dict(need.axes)
        if need.most_queries is not None and sizes["Q"] > need.most_queries:
            wanted["Q"], has["Q"] = sizes["Q"], need.most_queries
        if has != wanted:
            raise ValueError(
                f"{need.name} must fit a call with {axes_text(wanted)}. Got {axes_text(has)}."
            )


def _torch_flex() -> ModuleType:
    try:
        from torch.nn.attention import flex_attention
    except ImportError as error:
        raise ImportError(
            f"attn_lib.flex.attend needs FlexAttention, and torch {torch.__version__} has none. "
            "Try: pip install 'torch>=2.7'"
        ) from error
    return flex_attention


def _check_heads(name: str, X: Tensor, axis: str) -> None:
    check_tensor(name, X)
    check_shape(name, X, B=None, H=None, **{axis: None}, D=None)
    check_features(name, X)


def _pair(queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    _check_heads("queries", queries, "Q")
    _check_heads("keys", keys, "K")
    check_shape("keys", keys, B=queries.shape[0], H=queries.shape[1], K=None, D=queries.shape[3])
    return queries, keys


def _over_lengths(queries: Tensor, keys: Tensor, factor: float) -> ScoreMod:
    """Multiply q . k / sqrt(D) by a factor, over the lengths of both."""
    of_query, of_key = (widen(X).norm(dim=3) for X in _pair(queries, keys))
    of_query, of_key = (1 / X.where(X > 0, torch.inf) for X in (of_query, of_key))

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return score * (of_query[b, h, q] * of_key[b, h, k] * factor)

    return made_for(score_mod, *_needs_of_pair(queries, keys))


def _need_of(name: str, X: Tensor, axis: str) -> Need:
    return Need(name, **dict(zip(("B", "H", axis), X.shape[:3], strict=True)))


def _needs_of_pair(queries: Tensor, keys: Tensor) -> tuple[Need, Need]:
    return _need_of("queries", queries, "Q"), _need_of("keys", keys, "K")


def _lens(name: str, lens: Tensor) -> tuple[Tensor, Need]:
    """Require lengths (B,) or (B, Q), and return them as (B, 1) or (B, Q)."""
    check_dense(name, lens)
    if lens.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (B,) or (B, Q). Got {tuple(lens.shape)}.")
    check_whole(name, lens, least=0, limit=2**62)
    return per_query(lens), Need(name, **dict(zip("BQ", lens.shape, strict=False)))
