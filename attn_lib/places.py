"""Places in the score: how a score comes to know which key stands where.

Three ways: turn queries and keys by their places (`rotate`), add a number that depends on the
distance (`alibi_bias`, `bucket_bias`), or give every distance a vector of its own
(`relative_scores`). Keys are counted from 0, and so are queries unless first_query says where they
begin; i is a query's place and j a key's.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from attn_lib.scoring import dot_products, scaled_products, widen
from attn_lib.validation import (
    check_alike,
    check_dense,
    check_equal_features,
    check_features,
    check_places,
    check_positive,
    check_positive_int,
    check_shape,
    check_size,
    check_tensor,
    check_whole,
)

LAYOUTS = ("halves", "interleaved")


def rotate(
    X: Tensor,
    places: Tensor | None = None,
    *,
    base: float = 10_000.0,
    layout: str = "halves",
) -> Tensor:
    """Turn each pair of features by an angle that grows with the place: rotary embedding, RoPE.

    The pair d of D/2, counted from 0, turns by base^(-2d/D) at every step. The dot product of a
    turned query and a turned key then depends on their distance alone. Angles are computed in
    float64, whatever X is: in bfloat16 the places 256 and 257 would be one.

    Args:
        X: queries or keys, of one head or of several.
        places: where each of them stands, whole or not; None: 0, 1, 2, ...
        base: the larger, the slower the last pair turns.
        layout: which features are a pair. "halves": d and d + D/2 (GPT-NeoX, Llama in
            Transformers); "interleaved": 2d and 2d + 1 (the paper, GPT-J, Llama by Meta). Weights
            trained with one layout do not work with the other.

    Shape:
        X (B, N, D) or (B, H, N, D), D even; places (N,) or (B, N).

    Returns:
        A new tensor like X.

    Raises:
        ValueError: a shape does not match, D is odd, the base is not finite and above 0, or
            there is no such layout.
        TypeError: X is not a floating-point tensor, or places is not a tensor of numbers.

    Source:
        Su, Lu, Pan, Murtadha, Wen, Liu (2021), RoFormer: Enhanced Transformer with Rotary
        Position Embedding, section 3.2.2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.rotate(torch.tensor([[[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]]))
        tensor([[[ 1.0000,  0.0000],
                 [ 0.5403,  0.8415],
                 [-0.4161,  0.9093]]])
    """
    check_tensor("X", X)
    if X.ndim not in (3, 4):
        raise ValueError(f"X must have shape (B, N, D) or (B, H, N, D). Got {tuple(X.shape)}.")
    _check_turn("X", X, "places", places, base, layout)
    return _turned(widen(X), places, base, layout).to(X.dtype)


def rotary_scores(
    queries: Tensor,
    keys: Tensor,
    *,
    places_q: Tensor | None = None,
    places_k: Tensor | None = None,
    base: float = 10_000.0,
    layout: str = "halves",
    scaled: bool = True,
) -> Tensor:
    """Score by the dot product of queries and keys that `rotate` has turned by their places.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.
        places_q: where the queries stand; None: 0, 1, 2, ...
        places_k: where the keys stand; None: 0, 1, 2, ...
        base: the larger, the slower the last pair of features turns.
        layout: "halves" or "interleaved", as in `rotate`.
        scaled: False leaves the division by sqrt(D) out.

    Shape:
        queries (B, Q, D); keys (B, K, D), D even; places_q (Q,) or (B, Q); places_k (K,) or (B, K).

    Returns:
        Scores (B, Q, K). They depend on the distance of the places alone.

    Raises:
        ValueError: a shape does not match, D is odd, the base is not finite and above 0, or
            there is no such layout.
        TypeError: queries or keys are not floating-point tensors of one dtype, or places are not
            a tensor of numbers.

    Source:
        Su, Lu, Pan, Murtadha, Wen, Liu (2021), RoFormer: Enhanced Transformer with Rotary
        Position Embedding, section 3.2.

    Example:
        >>> import torch, attn_lib
        >>> same = torch.tensor([[1.0, 0.0]]).expand(1, 4, 2)
        >>> attn_lib.rotary_scores(same[:, :1], same, scaled=False)
        tensor([[[ 1.0000,  0.5403, -0.4161, -0.9900]]])
    """
    check_equal_features(queries, keys)
    _check_turn("queries", queries, "places_q", places_q, base, layout)
    _check_turn("keys", keys, "places_k", places_k, base, layout)
    turned_queries = _turned(widen(queries), places_q, base, layout)
    turned_keys = _turned(widen(keys), places_k, base, layout)
    multiply = scaled_products if scaled else dot_products
    return multiply(turned_queries, turned_keys).to(queries.dtype)


def alibi_slopes(num_heads: int) -> Tensor:
    """Give each head its slope: how much a key loses with every step away from the query.

    For 8 heads these are 1/2, 1/4, ..., 1/256. Where the number of heads is no power of 2, the
    slopes of the next smaller power are filled up with every other slope of the next larger one.

    Args:
        num_heads: number of heads, H.

    Returns:
        float32 slopes (H,).

    Raises:
        ValueError: num_heads is below 1.
        TypeError: num_heads is not an int.

    Source:
        Press, Smith, Lewis (2022), Train Short, Test Long: Attention with Linear Biases Enables
        Input Length Extrapolation, section 3; other numbers of heads as in the paper's code.

    Example:
        >>> import attn_lib
        >>> attn_lib.alibi_slopes(4)
        tensor([0.2500, 0.0625, 0.0156, 0.0039])
    """
    num_heads = check_positive_int("num_heads", num_heads)
    power = 1 << (num_heads.bit_length() - 1)  # the largest power of 2 that is not above H
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    between = [2 ** (-4 * h / power) for h in range(1, 2 * power, 2)]  # odd ones of twice as many
    return torch.tensor(slopes + between[: num_heads - power], dtype=torch.float32)


def alibi_bias(num_queries: int, num_keys: int, slopes: Tensor, *, first_query: int = 0) -> Tensor:
    """Write down what each key loses by its distance: -m (i - j), to be added to the scores.

    It is meant for queries that see no later key; a later one would gain.

    Args:
        num_queries: number of queries, Q.
        num_keys: number of keys, K.
        slopes: m of each head, for example from `alibi_slopes`.
        first_query: the place of the first query; step by step, the number of keys before it.
            Under a softmax only differences matter, and it changes nothing; with a sink or a
            sigmoid it does.

    Shape:
        slopes (H,).

    Returns:
        The bias (H, Q, K), with the dtype of slopes.

    Raises:
        ValueError: a size is below 0, or slopes have another shape.
        TypeError: a size is not an int, or slopes are not a floating-point tensor.

    Source:
        Press, Smith, Lewis (2022), Train Short, Test Long: Attention with Linear Biases Enables
        Input Length Extrapolation, section 3.

    Example:
        >>> import attn_lib
        >>> attn_lib.alibi_bias(3, 3, attn_lib.alibi_slopes(8))[0]
        tensor([[ 0.0000,  0.5000,  1.0000],
                [-0.5000,  0.0000,  0.5000],
                [-1.0000, -0.5000,  0.0000]])
    """
    check_tensor("slopes", slopes)
    check_shape("slopes", slopes, H=None)
    steps = _steps(num_queries, num_keys, first_query, slopes.device)
    return (widen(slopes)[:, None, None] * steps).to(slopes.dtype)  # (H, 1, 1) x (Q, K)


def bucket_distances(
    num_queries: int,
    num_keys: int,
    *,
    num_buckets: int = 32,
    max_distance: int = 128,
    causal: bool = False,
    first_query: int = 0,
) -> Tensor:
    """Sort the distances of queries and keys into buckets, the wider the farther away.

    Half of the buckets hold one distance each; the others grow by a constant factor up to
    max_distance, and the last one holds all that is farther. Unless causal, keys before the query
    and keys after it have half of the buckets each. The edges are those of T5's code, so that the
    tables of trained models fit.

    Args:
        num_queries: number of queries, Q.
        num_keys: number of keys, K.
        num_buckets: number of buckets.
        max_distance: from this distance on, all keys share the last bucket (in practice from a
            little before it: 91 of 128, with 32 buckets).
        causal: True puts all keys after the query into bucket 0, with the query's own.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        int64 buckets (Q, K), from 0 to num_buckets - 1.

    Raises:
        ValueError: a size is below 0, there are fewer than 4 buckets (2 if causal), or
            max_distance is not above the distances that have a bucket of their own.
        TypeError: an argument is not an int.

    Source:
        Raffel et al. (2020), Exploring the Limits of Transfer Learning with a Unified
        Text-to-Text Transformer, section 2.1; the buckets as in its code.

    Example:
        >>> import attn_lib
        >>> attn_lib.bucket_distances(1, 14, num_buckets=8, max_distance=8)
        tensor([[0, 5, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]])
    """
    num_buckets = check_positive_int("num_buckets", num_buckets)
    max_distance = check_positive_int("max_distance", max_distance)
    fewest = 2 if causal else 4
    if num_buckets < fewest:
        raise ValueError(f"num_buckets must be at least {fewest}. Got {num_buckets}.")
    side = num_buckets if causal else num_buckets // 2  # how many buckets one side has
    single = side // 2  # distances below this have a bucket each
    if max_distance <= single:
        raise ValueError(f"max_distance must be above {single}. Got {max_distance}.")
    steps = _steps(num_queries, num_keys, first_query)
    apart = (-steps).clamp(min=0) if causal else steps.abs()
    ratio = torch.log(apart.clamp(min=single).float() / single) / math.log(max_distance / single)
    wide = (single + (ratio * (side - single)).long()).clamp(max=side - 1)
    buckets = torch.where(apart < single, apart, wide)
    return buckets if causal else buckets + side * (steps > 0)


def bucket_bias(distances: Tensor, table: Tensor) -> Tensor:
    """Look up the bias of every bucket, to be added to the scores.

    T5, which brought it, adds it to dot products that are not divided by sqrt(D).

    Args:
        distances: the bucket of each query and key, from `bucket_distances`.
        table: what each bucket adds, stored as in nn.Embedding: a number, or one for each head.

    Shape:
        distances (Q, K); table (buckets,) or (buckets, H).

    Returns:
        The bias: (Q, K), or (H, Q, K) where the table knows heads.

    Raises:
        ValueError: a shape does not match, or a bucket is missing from the table.
        TypeError: distances are not a tensor of whole numbers, or table is not a
            floating-point tensor.

    Source:
        Raffel et al. (2020), Exploring the Limits of Transfer Learning with a Unified
        Text-to-Text Transformer, section 2.1.

    Example:
        >>> import torch, attn_lib
        >>> distances = attn_lib.bucket_distances(2, 3, num_buckets=4, max_distance=2)
        >>> attn_lib.bucket_bias(distances, torch.tensor([0.0, 1.0, 2.0, 3.0]))
        tensor([[0., 3., 3.],
                [1., 0., 3.]])
    """
    check_tensor("table", table)
    if table.ndim not in (1, 2):
        raise ValueError(
            f"table must have shape (buckets,) or (buckets, H). Got {tuple(table.shape)}."
        )
    check_dense("distances", distances)
    check_shape("distances", distances, Q=None, K=None)
    check_whole("distances", distances, least=0, limit=table.shape[0] - 1)
    bias = table[distances.long()]  # (Q, K) or (Q, K, H)
    return bias if table.ndim == 1 else bias.movedim(2, 0)  # (Q, K, H) -> (H, Q, K)


def relative_scores(
    queries: Tensor, keys: Tensor, table: Tensor, *, scaled: bool = True, first_query: int = 0
) -> Tensor:
    """Score by the dot product with the key plus a vector for its distance: q . (k + a[j - i]).

    The table has a row for each distance from -c to c, in this order; what is farther away counts
    as c. Each query is multiplied by the few rows of the table, not by a vector of every pair.

    Args:
        queries: the queries.
        keys: the keys, with as many features as the queries.
        table: the vectors a, 2c + 1 of them; the middle one is for a key in the query's place.
        scaled: False leaves the division by sqrt(D) out.
        first_query: the place of the first query; step by step, the number of keys before it.

    Shape:
        queries (B, Q, D); keys (B, K, D); table (2c + 1, D).

    Returns:
        Scores (B, Q, K).

    Raises:
        ValueError: the shapes do not match, the table has an even number of rows, or first_query
            is below 0.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Shaw, Uszkoreit, Vaswani (2018), Self-Attention with Relative Position Representations,
        sections 3.1 and 3.2.

    Example:
        >>> import torch, attn_lib
        >>> queries, keys = torch.ones(1, 1, 4), torch.zeros(1, 3, 4)
        >>> table = torch.tensor([[-1.0], [0.0], [1.0]]).expand(3, 4)
        >>> attn_lib.relative_scores(queries, keys, table)
        tensor([[[0., 2., 2.]]])
    """
    check_equal_features(queries, keys)
    check_tensor("table", table)
    check_shape("table", table, rows=None, D=queries.shape[2])
    check_alike("table", table, "queries", queries)
    if table.shape[0] % 2 == 0:
        raise ValueError(f"table must have an odd number of rows, 2c + 1. Got {table.shape[0]}.")
    batch, num_queries, num_keys = queries.shape[0], queries.shape[1], keys.shape[1]
    multiply = scaled_products if scaled else dot_products
    to_keys = multiply(widen(queries), widen(keys))  # (B, Q, K)
    to_rows = multiply(widen(queries), widen(table).expand(batch, -1, -1))  # (B, Q, 2c + 1)
    most = table.shape[0] // 2
    steps = _steps(num_queries, num_keys, first_query, queries.device)
    rows = steps.clamp(-most, most) + most  # (Q, K)
    to_distances = to_rows.gather(2, rows.expand(batch, num_queries, num_keys))
    return (to_keys + to_distances).to(queries.dtype)


def _check_turn(
    name: str, X: Tensor, places_name: str, places: Tensor | None, base: float, layout: str
) -> None:
    check_features(name, X)
    if X.shape[-1] % 2:
        raise ValueError(f"{name} must have an even number of features. Got {tuple(X.shape)}.")
    if places is not None:
        check_places(places_name, places, device=X.device, B=X.shape[0], N=X.shape[-2])
    check_positive("base", base)
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(LAYOUTS)}. Got {layout!r}.")


def _turned(X: Tensor, places: Tensor | None, base: float, layout: str) -> Tensor:
    num_places, size = X.shape[-2:]
    # A float32 angle is off by 0.03 at place 1,000,000; Apple's GPUs have nothing wider.
    exact = torch.float32 if X.device.type == "mps" else torch.float64
    if places is None:
        places = torch.arange(num_places, device=X.device)
    speeds = base ** (-torch.arange(0, size, 2, dtype=exact, device=X.device) / size)  # (D/2,)
    angles = places.to(exact).unsqueeze(-1) * speeds  # (N, D/2) or (B, N, D/2)
    if X.ndim == 4 and places.ndim == 2:
        angles = angles.unsqueeze(1)  # the same for all heads
    cos, sin = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
    if layout == "halves":
        a, b = X[..., : size // 2], X[..., size // 2 :]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
    a, b = X[..., 0::2], X[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


def _steps(
    num_queries: int, num_keys: int, first_query: int, device: torch.device | None = None
) -> Tensor:
    """Count the steps from each query to each key, j - i: (Q, K)."""
    queries = torch.arange(check_size("num_queries", num_queries, least=0), device=device)
    queries = queries + check_size("first_query", first_query, least=0)
    keys = torch.arange(check_size("num_keys", num_keys, least=0), device=device)
    return keys - queries.unsqueeze(1)
