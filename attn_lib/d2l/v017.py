"""The attention of *Dive into Deep Learning* up to 0.17, where constructors are told all sizes.

``from attn_lib.d2l import v017 as d2l`` in place of ``from d2l import torch as d2l``; the rest is
as in `attn_lib.d2l`.

    >>> from attn_lib.d2l import v017 as d2l
    >>> d2l.MultiHeadAttention(100, 100, 100, num_hiddens=100, num_heads=5, dropout=0.5).num_heads
    5
"""

from __future__ import annotations

from typing import Any

from attn_lib import attention, d2l, multihead
from attn_lib.d2l.lenient import Lenient, masked_softmax, sequence_mask, show_heatmaps
from attn_lib.multihead import join_heads as transpose_output
from attn_lib.multihead import split_heads as transpose_qkv

__all__ = [
    "AdditiveAttention",
    "DotProductAttention",
    "MultiHeadAttention",
    "masked_softmax",
    "sequence_mask",
    "show_heatmaps",
    "transpose_output",
    "transpose_qkv",
]


class DotProductAttention(Lenient, attention.DotProductAttention):
    """Scaled dot-product attention."""


class AdditiveAttention(Lenient, attention.AdditiveAttention):
    """Additive attention."""


class MultiHeadAttention(Lenient, multihead.MultiHeadAttention):
    """Multi-head attention."""


def __getattr__(name: str) -> Any:
    return getattr(d2l, name)
