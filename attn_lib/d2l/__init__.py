"""The attention of *Dive into Deep Learning* 1.0, on attn_lib: its names, arguments and laziness.

``from attn_lib import d2l`` in place of ``from d2l import torch as d2l``. What is not about
attention comes from the package d2l, if that is installed. `attn_lib.d2l.v017` has the constructors
of versions up to 0.17.

As there, input sizes are left to the first call, float lengths are cast and lengths beyond K cut
to K. What differs: a fractional or negative length is refused, a row with length 0 gets weights of
0 instead of 1/K, no argument is written to, `attention_weights` is detached, and a grid of heatmaps
has one scale, the one that its colour bar shows.

    >>> import torch
    >>> from attn_lib import d2l
    >>> attention = d2l.AdditiveAttention(num_hiddens=8, dropout=0.1).eval()
    >>> queries, keys = torch.ones(2, 1, 20), torch.ones(2, 10, 2)
    >>> values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    >>> attention(queries, keys, values, torch.tensor([2.0, 60.0])).round().tolist()
    [[[2.0, 3.0, 4.0, 5.0]], [[18.0, 19.0, 20.0, 21.0]]]
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torch import Tensor, nn

from attn_lib import attention, multihead
from attn_lib.d2l.lenient import Lenient, masked_softmax, sequence_mask, show_heatmaps
from attn_lib.multihead import join_heads, split_heads
from attn_lib.validation import check_positive_int

__all__ = [
    "AdditiveAttention",
    "DotProductAttention",
    "MultiHeadAttention",
    "masked_softmax",
    "sequence_mask",
    "show_heatmaps",
]


class DotProductAttention(Lenient, attention.DotProductAttention):
    """Scaled dot-product attention; num_heads is accepted and, as without windows, not needed."""

    def __init__(self, dropout: float, num_heads: int | None = None) -> None:
        super().__init__(dropout)


class AdditiveAttention(Lenient, attention.AdditiveAttention):
    """Additive attention that finds the sizes of queries and keys in its first call."""

    def __init__(self, num_hiddens: int, dropout: float) -> None:
        attention.Attention.__init__(self, dropout)
        check_positive_int("num_hiddens", num_hiddens)
        self.query_size = self.key_size = None
        self.W_k = nn.LazyLinear(num_hiddens, bias=False)
        self.W_q = nn.LazyLinear(num_hiddens, bias=False)
        self.w_v = nn.LazyLinear(1, bias=False)


class MultiHeadAttention(Lenient, multihead.MultiHeadAttention):
    """Multi-head attention that finds the sizes of its inputs in its first call."""

    def __init__(
        self, num_hiddens: int, num_heads: int, dropout: float, bias: bool = False
    ) -> None:
        nn.Module.__init__(self)
        self.set_heads(num_hiddens, num_heads, dropout)
        self.query_size = self.key_size = self.value_size = None
        self.W_q = nn.LazyLinear(num_hiddens, bias=bias)
        self.W_k = nn.LazyLinear(num_hiddens, bias=bias)
        self.W_v = nn.LazyLinear(num_hiddens, bias=bias)
        self.W_o = nn.LazyLinear(num_hiddens, bias=bias)

    def transpose_qkv(self, X: Tensor) -> Tensor:
        """Fold the heads into the batch: (B, N, H*D) -> (B*H, N, D)."""
        return split_heads(X, self.num_heads)

    def transpose_output(self, X: Tensor) -> Tensor:
        """Put the heads side by side again: (B*H, N, D) -> (B, N, H*D)."""
        return join_heads(X, self.num_heads)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        package = import_module("d2l.torch")
    except ModuleNotFoundError as error:
        raise AttributeError(
            f"attn_lib.d2l has {', '.join(__all__)}; {name} is D2L's own. "
            f"To have it here, install d2l ({error.name} is missing)."
        ) from error
    return getattr(package, name)
