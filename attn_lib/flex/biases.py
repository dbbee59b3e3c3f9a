"""What changes a score once it is there: soft-caps, factors, biases, each as a score_mod."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from attn_lib.flex.inputs import check_heads, check_lens, need_of
from attn_lib.flex.mods import Need, ScoreMod, made_for, needs_of
from attn_lib.scales import log_of_size
from attn_lib.scoring import widen
from attn_lib.validation import (
    check_above,
    check_dense,
    check_positive,
    check_shape,
    check_size,
    check_tensor,
    check_whole,
)


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
    lens, need = check_lens("num_keys", num_keys)
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
    check_heads("queries", queries, "Q")
    check_tensor("table", table)
    check_shape("table", table, rows=None, D=queries.shape[3])
    if table.shape[0] % 2 == 0:
        raise ValueError(f"table must have an odd number of rows, 2c + 1. Got {table.shape[0]}.")
    most = table.shape[0] // 2
    products = widen(queries) @ widen(table).T / math.sqrt(queries.shape[3])  # (B, H, Q, 2c + 1)
    first = check_size("first_query", first_query, least=0)

    def score_mod(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return score + products[b, h, q, (k - q - first).clamp(-most, most) + most]

    return made_for(score_mod, need_of("queries", queries, "Q"))
