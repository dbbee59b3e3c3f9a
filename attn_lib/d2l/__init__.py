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
    """Scaled dot-product attention.

    Args:
        dropout: probability with which a weight is dropped in training.
        num_heads: for windows: how many heads of each are folded into the batch.

    Shape:
        queries (B, Q, D); keys (B, K, D); values (B, K, V); valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: as for the strict DotProductAttention, but lengths may be floats or above K.
        TypeError: as there.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.1.

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> keys, values = torch.ones(1, 4, 2), torch.tensor([[[1.0], [3.0], [5.0], [7.0]]])
        >>> d2l.DotProductAttention(0.0)(torch.ones(1, 1, 2), keys, values, torch.tensor([9.0]))
        tensor([[[4.]]])
    """

    def __init__(self, dropout: float, num_heads: int | None = None) -> None:
        super().__init__(dropout)
        self.num_heads = num_heads


class AdditiveAttention(Lenient, attention.AdditiveAttention):
    """Additive attention that finds the sizes of queries and keys in its first call.

    Args:
        num_hiddens: number of hidden units.
        dropout: probability with which a weight is dropped in training.

    Shape:
        queries (B, Q, Dq); keys (B, K, Dk); values (B, K, V); valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, V).

    Raises:
        ValueError: as for the strict AdditiveAttention, but lengths may be floats or above K.
        TypeError: as there.

    Source:
        Bahdanau, Cho, Bengio (2015), Neural Machine Translation by Jointly Learning to Align
        and Translate, appendix A.1.2.

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> attention = d2l.AdditiveAttention(num_hiddens=8, dropout=0.1)
        >>> attention(torch.ones(2, 1, 20), torch.ones(2, 10, 3), torch.ones(2, 10, 4), None).shape
        torch.Size([2, 1, 4])
        >>> attention.W_q, attention.W_k
        (Linear(in_features=20, out_features=8, bias=False),
         Linear(in_features=3, out_features=8, bias=False))
    """

    def __init__(self, num_hiddens: int, dropout: float) -> None:
        attention.ScoreAttention.__init__(self, dropout)
        num_hiddens = check_positive_int("num_hiddens", num_hiddens)
        self.query_size = self.key_size = None
        self.W_k = nn.LazyLinear(num_hiddens, bias=False)
        self.W_q = nn.LazyLinear(num_hiddens, bias=False)
        self.w_v = nn.LazyLinear(1, bias=False)


class MultiHeadAttention(Lenient, multihead.MultiHeadAttention):
    """Multi-head attention that finds the sizes of its inputs in its first call.

    Args:
        num_hiddens: feature size of the outputs, shared out among the heads.
        num_heads: number of heads, H; it divides num_hiddens.
        dropout: probability with which a weight is dropped in training.
        bias: whether the four projections have biases.

    Shape:
        queries (B, Q, Dq); keys (B, K, Dk); values (B, K, V); valid_lens (B,) or (B, Q).

    Returns:
        Outputs (B, Q, num_hiddens).

    Raises:
        ValueError: as for the strict MultiHeadAttention, but lengths may be floats or above K.
        TypeError: as there.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Example:
        >>> import torch
        >>> from attn_lib import d2l
        >>> attention = d2l.MultiHeadAttention(num_hiddens=8, num_heads=2, dropout=0.0)
        >>> X, Y = torch.ones(2, 4, 7), torch.ones(2, 6, 5)
        >>> attention(X, Y, Y, torch.tensor([3, 2])).shape, attention.attention_weights.shape
        (torch.Size([2, 4, 8]), torch.Size([2, 2, 4, 6]))
    """

    def __init__(
        self, num_hiddens: int, num_heads: int, dropout: float, bias: bool = False
    ) -> None:
        nn.Module.__init__(self)
        num_hiddens, _ = self.set_heads(num_hiddens, num_heads, dropout)
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
