"""Attention scoring functions in PyTorch: exact masks, clear errors, pictures that move.

From D2L to attn_lib in ten lines: names, argument order, parameters and state dicts are the same.

    >>> import torch, attn_lib
    >>> attention = attn_lib.AdditiveAttention(2, 20, 8, dropout=0.1).eval()
    >>> queries, keys = torch.ones(2, 1, 20), torch.ones(2, 10, 2)
    >>> values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    >>> attention(queries, keys, values, torch.tensor([2, 6])).round().tolist()
    [[[2.0, 3.0, 4.0, 5.0]], [[10.0, 11.0, 12.0, 13.0]]]
    >>> attention.attention_weights.shape  # before dropout, detached
    torch.Size([2, 1, 10])
    >>> attn_lib.masked_softmax(torch.zeros(1, 1, 2), torch.tensor([0]))  # d2l: 0.5, 0.5
    tensor([[[0., 0.]]])
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from attn_lib.attention import AdditiveAttention, BilinearAttention, DotProductAttention
from attn_lib.kernels import KernelAttention
from attn_lib.language import get_language, set_language
from attn_lib.masking import (
    causal_lens,
    chunk_mask,
    document_mask,
    masked_softmax,
    sequence_mask,
    window_mask,
)
from attn_lib.multihead import MultiHeadAttention
from attn_lib.places import (
    alibi_bias,
    alibi_slopes,
    bucket_bias,
    bucket_distances,
    relative_scores,
    rotary_scores,
    rotate,
)
from attn_lib.random_stream import mulberry32, normals
from attn_lib.scales import length_scaled, soft_cap
from attn_lib.scoring import (
    additive_scores,
    batched_dot,
    bilinear_scores,
    cosine_scores,
    dot_product_scores,
    gaussian_scores,
    indexer_scores,
    normed_scores,
    vector_sum_scores,
)
from attn_lib.weights import entmax15, sigmoid_weights, sparsemax

if TYPE_CHECKING:
    from attn_lib import check
    from attn_lib.heatmap import show_heatmaps
    from attn_lib.live.figures import explore

__version__ = "1.0.0"

__all__ = [
    "AdditiveAttention",
    "BilinearAttention",
    "DotProductAttention",
    "KernelAttention",
    "MultiHeadAttention",
    "additive_scores",
    "alibi_bias",
    "alibi_slopes",
    "batched_dot",
    "bilinear_scores",
    "bucket_bias",
    "bucket_distances",
    "causal_lens",
    "check",
    "chunk_mask",
    "cosine_scores",
    "document_mask",
    "dot_product_scores",
    "entmax15",
    "gaussian_scores",
    "get_language",
    "indexer_scores",
    "length_scaled",
    "masked_softmax",
    "mulberry32",
    "normals",
    "normed_scores",
    "relative_scores",
    "rotary_scores",
    "rotate",
    "sequence_mask",
    "set_language",
    "sigmoid_weights",
    "soft_cap",
    "sparsemax",
    "vector_sum_scores",
    "window_mask",
]

# Loaded when first asked for: matplotlib and the widgets take longer to import than the rest, and
# the mathematics needs neither. With each name stands the module that has it, and the packages of
# the extra that this module needs.
_LATER = {
    "check": ("attn_lib.check", ()),
    "d2l": ("attn_lib.d2l", ()),
    "flex": ("attn_lib.flex", ()),
    "explore": ("attn_lib.live.figures", ("anywidget", "ipywidgets", "jinja2")),
    "show_heatmaps": ("attn_lib.heatmap", ("matplotlib", "numpy")),
}


def _missing(name: str) -> list[str]:
    """Return the packages that `name` needs and that are not installed."""
    return [package for package in _LATER[name][1] if find_spec(package) is None]


# What cannot be imported is no part of `from attn_lib import *`.
if not _missing("explore"):
    __all__ += ["explore"]
if not _missing("show_heatmaps"):
    __all__ += ["show_heatmaps"]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if missing := _missing(name):
        raise AttributeError(
            f"attn_lib.{name} needs {missing[0]}. Try: pip install 'attn-lib[figures]'"
        )
    path, _ = _LATER[name]
    module = import_module(path)
    value = module if path == f"{__name__}.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *(name for name in _LATER if not _missing(name))})
