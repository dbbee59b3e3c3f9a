"""Attention in NumPy: no layers, no gradients, so nothing stands between formula and program."""

import math

import numpy as np


def masked_softmax(scores, valid_lens=None):
    """Return weights (B, Q, K) for lengths of shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = np.full(scores.shape[0], scores.shape[-1])
    lens = np.asarray(valid_lens).reshape(len(valid_lens), -1, 1)
    keep = np.arange(scores.shape[-1]) < lens
    kept = np.where(keep, scores.astype(np.float32), -np.inf)
    largest = np.max(kept, axis=-1, keepdims=True)
    # A row without keys has the maximum -inf; -inf minus -inf is NaN.
    exps = np.exp(kept - np.where(lens > 0, largest, 0))
    sums = exps.sum(axis=-1, keepdims=True)
    return (exps / np.where(sums > 0, sums, 1)).astype(scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens):
    """Return outputs (B, Q, V) and weights (B, Q, K)."""
    from_queries, from_keys = queries @ W_q.T, keys @ W_k.T
    sums = from_queries[:, :, None] + from_keys[:, None]  # (B, Q, K, U)
    weights = masked_softmax(np.tanh(sums) @ w_v, valid_lens)
    return weights @ values, weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K), scores divided by √D."""
    size = queries.shape[-1]
    scores = queries @ keys.transpose(0, 2, 1) / math.sqrt(size)
    weights = masked_softmax(scores, valid_lens)
    return weights @ values, weights
