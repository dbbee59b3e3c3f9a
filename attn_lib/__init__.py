"""Attention scoring functions in PyTorch: exact masks, clear errors, pictures that move."""

from attn_lib.attention import AdditiveAttention, DotProductAttention
from attn_lib.heatmap import show_heatmaps
from attn_lib.masking import causal_lens, masked_softmax, sequence_mask
from attn_lib.scoring import additive_scores, batched_dot, dot_product_scores

__version__ = "0.1.0"

__all__ = [
    "AdditiveAttention",
    "DotProductAttention",
    "additive_scores",
    "batched_dot",
    "causal_lens",
    "dot_product_scores",
    "masked_softmax",
    "sequence_mask",
    "show_heatmaps",
]
