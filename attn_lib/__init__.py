"""Attention scoring functions in PyTorch: exact masks, clear errors, pictures that move."""

from attn_lib import check
from attn_lib.attention import AdditiveAttention, BilinearAttention, DotProductAttention
from attn_lib.explorer import explore
from attn_lib.heatmap import show_heatmaps
from attn_lib.kernels import KernelAttention
from attn_lib.language import get_language, set_language
from attn_lib.masking import causal_lens, masked_softmax, sequence_mask
from attn_lib.multihead import MultiHeadAttention
from attn_lib.random_stream import mulberry32, normals
from attn_lib.scoring import (
    additive_scores,
    batched_dot,
    bilinear_scores,
    cosine_scores,
    dot_product_scores,
    gaussian_scores,
    vector_sum_scores,
)

__version__ = "0.1.0"

__all__ = [
    "AdditiveAttention",
    "BilinearAttention",
    "DotProductAttention",
    "KernelAttention",
    "MultiHeadAttention",
    "additive_scores",
    "batched_dot",
    "bilinear_scores",
    "causal_lens",
    "check",
    "cosine_scores",
    "dot_product_scores",
    "explore",
    "gaussian_scores",
    "get_language",
    "masked_softmax",
    "mulberry32",
    "normals",
    "sequence_mask",
    "set_language",
    "show_heatmaps",
    "vector_sum_scores",
]
