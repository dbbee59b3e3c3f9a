"""The scores and masks of this library as functions for torch's FlexAttention.

FlexAttention multiplies queries and keys, lets a ``score_mod`` change each score and a ``mask_mod``
say which keys are seen, and makes one fused kernel of it all under ``torch.compile``. The functions
here make both, so that what `attn_lib` computes score by score runs there too:

    >>> import torch
    >>> from attn_lib import flex
    >>> score_mod = flex.chain(flex.capped(50.0), flex.alibi(torch.tensor([0.5, 0.25])))
    >>> mask_mod = flex.both(flex.causal(), flex.window(128))

Every ``score_mod`` expects FlexAttention's own scale, 1 / sqrt(D), and takes it back where its
score has none. Queries, keys and values are (B, H, Q, D), (B, H, K, D) and (B, H, K, V). Rotary
scores need no function: turn queries and keys by `attn_lib.rotate`. On a CPU FlexAttention has no
gradient.
"""

from attn_lib.flex.biases import alibi, buckets, capped, chain, length_scaled, relative
from attn_lib.flex.masks import both, causal, chunks, documents, window, within
from attn_lib.flex.mods import MaskMod, ScoreMod
from attn_lib.flex.run import attend, with_sink
from attn_lib.flex.scores import additive, cosine, dot, gaussian, normed, scaled

__all__ = [
    "MaskMod",
    "ScoreMod",
    "additive",
    "alibi",
    "attend",
    "both",
    "buckets",
    "capped",
    "causal",
    "chain",
    "chunks",
    "cosine",
    "documents",
    "dot",
    "gaussian",
    "length_scaled",
    "normed",
    "relative",
    "scaled",
    "window",
    "with_sink",
    "within",
]
