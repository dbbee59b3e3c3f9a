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
    """`attn_lib.DotProductAttention` that takes float lengths and lengths above K.

    Example:
        >>> import torch
        >>> from attn_lib.d2l import v017 as d2l
        >>> keys, values = torch.ones(1, 4, 2), torch.tensor([[[1.0], [3.0], [5.0], [7.0]]])
        >>> d2l.DotProductAttention(0.0)(torch.ones(1, 1, 2), keys, values, torch.tensor([9.0]))
        tensor([[[4.]]])
    """


class AdditiveAttention(Lenient, attention.AdditiveAttention):
    """`attn_lib.AdditiveAttention` that takes float lengths and lengths above K.

    Example:
        >>> import torch
        >>> from attn_lib.d2l import v017 as d2l
        >>> attention = d2l.AdditiveAttention(key_size=3, query_size=20, num_hiddens=8, dropout=0.1)
        >>> attention(torch.ones(2, 1, 20), torch.ones(2, 10, 3), torch.ones(2, 10, 4), None).shape
        torch.Size([2, 1, 4])
    """


class MultiHeadAttention(Lenient, multihead.MultiHeadAttention):
    """`attn_lib.MultiHeadAttention` that takes float lengths and lengths above K.

    Example:
        >>> import torch
        >>> from attn_lib.d2l import v017 as d2l
        >>> attention = d2l.MultiHeadAttention(5, 7, 5, num_hiddens=8, num_heads=2, dropout=0.0)
        >>> X, Y = torch.ones(2, 4, 7), torch.ones(2, 6, 5)
        >>> attention(X, Y, Y, torch.tensor([3.0, 2.0])).shape
        torch.Size([2, 4, 8])
    """


def __getattr__(name: str) -> Any:
    return getattr(d2l, name)
