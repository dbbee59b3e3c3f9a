"""The tensors that scores and masks are made from: what they must be, and which calls they fit."""

from __future__ import annotations

from torch import Tensor

from attn_lib.flex.mods import Need
from attn_lib.masking import per_query
from attn_lib.validation import check_dense, check_features, check_shape, check_tensor, check_whole


def check_heads(name: str, X: Tensor, axis: str) -> None:
    """Require queries (B, H, Q, D) or keys (B, H, K, D) with at least one feature."""
    check_tensor(name, X)
    check_shape(name, X, B=None, H=None, **{axis: None}, D=None)
    check_features(name, X)


def check_pair(queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Require queries and keys with the same heads and features, and return them."""
    check_heads("queries", queries, "Q")
    check_heads("keys", keys, "K")
    check_shape("keys", keys, B=queries.shape[0], H=queries.shape[1], K=None, D=queries.shape[3])
    return queries, keys


def need_of(name: str, X: Tensor, axis: str) -> Need:
    """A call must have the examples, heads and places of this tensor."""
    return Need(name, **dict(zip(("B", "H", axis), X.shape[:3], strict=True)))


def needs_of_pair(queries: Tensor, keys: Tensor) -> tuple[Need, Need]:
    """A call must have the sizes of these queries and keys."""
    return need_of("queries", queries, "Q"), need_of("keys", keys, "K")


def check_lens(name: str, lens: Tensor) -> tuple[Tensor, Need]:
    """Require lengths (B,) or (B, Q), and return them as (B, 1) or (B, Q)."""
    check_dense(name, lens)
    if lens.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (B,) or (B, Q). Got {tuple(lens.shape)}.")
    check_whole(name, lens, least=0, limit=2**62)
    return per_query(lens), Need(name, **dict(zip("BQ", lens.shape, strict=False)))
