"""Attention in PyTorch, as free functions; attn_lib has the layers with dropout."""

import math

import torch


def masked_softmax(scores, valid_lens=None):
    """Return weights (B, Q, K) for lengths of shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = scores.new_full(scores.shape[:1], scores.shape[-1])
    lens = valid_lens.reshape(len(valid_lens), -1, 1)
    keep = torch.arange(scores.shape[-1], device=lens.device) < lens
    # A row without keys gets 0: no softmax meets a row of -inf alone.
    fill = torch.where(lens > 0, -torch.inf, 0.0)
    kept = torch.where(keep, scores.float(), fill)
    weights = torch.softmax(kept, dim=-1)
    return torch.where(keep, weights, 0.0).to(scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens):
    """Return outputs (B, Q, V) and weights (B, Q, K)."""
    from_queries, from_keys = queries @ W_q.T, keys @ W_k.T
    sums = from_queries[:, :, None] + from_keys[:, None]  # (B, Q, K, U)
    weights = masked_softmax(torch.tanh(sums) @ w_v, valid_lens)
    return torch.bmm(weights, values), weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K), scores divided by √D."""
    size = queries.shape[-1]
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(size)
    weights = masked_softmax(scores, valid_lens)
    return torch.bmm(weights, values), weights
