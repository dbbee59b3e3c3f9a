"""Attention in PyTorch, as free functions; attn_lib has the layers with dropout."""

import math

import torch


def masked_softmax(scores, valid_lens=None):
    """Return weights of shape (B, Q, K); lengths have shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = torch.full(scores.shape[:1], scores.shape[-1], device=scores.device)
    lens = valid_lens.reshape(len(valid_lens), -1, 1)
    keep = torch.arange(scores.shape[-1], device=scores.device) < lens
    # A row without keys is filled with 0, so that no softmax meets a row of -inf alone.
    fill = torch.where(lens > 0, -torch.inf, 0.0)
    weights = torch.softmax(torch.where(keep, scores.float(), fill), dim=-1)
    return torch.where(keep, weights, 0.0).to(scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K); W_q is (U, query size), w_v is (U,)."""
    sums = (queries @ W_q.T)[:, :, None] + (keys @ W_k.T)[:, None]  # (B, Q, K, U)
    weights = masked_softmax(torch.tanh(sums) @ w_v, valid_lens)
    return torch.bmm(weights, values), weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K) of scaled dot products."""
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
    weights = masked_softmax(scores, valid_lens)
    return torch.bmm(weights, values), weights
