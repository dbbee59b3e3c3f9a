"""Attention in JAX: pure functions, which jit, vmap and grad take as they are."""

import jax
import jax.numpy as jnp


def masked_softmax(scores, valid_lens=None):
    """Return weights of shape (B, Q, K); lengths have shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = jnp.full(scores.shape[0], scores.shape[-1])
    lens = valid_lens.reshape(valid_lens.shape[0], -1, 1)
    keep = jnp.arange(scores.shape[-1]) < lens
    # The double where: JAX differentiates both branches of the last one, so the softmax inside
    # must stay finite even in a row without keys, whose weights are thrown away afterwards.
    fill = jnp.where(lens > 0, -jnp.inf, 0.0)
    weights = jax.nn.softmax(jnp.where(keep, scores.astype(jnp.float32), fill), axis=-1)
    return jnp.where(keep, weights, 0.0).astype(scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K); W_q is (U, query size), w_v is (U,)."""
    sums = (queries @ W_q.T)[:, :, None] + (keys @ W_k.T)[:, None]  # (B, Q, K, U)
    weights = masked_softmax(jnp.tanh(sums) @ w_v, valid_lens)
    return weights @ values, weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K) of scaled dot products."""
    scores = queries @ keys.transpose(0, 2, 1) / jnp.sqrt(queries.shape[-1])
    weights = masked_softmax(scores, valid_lens)
    return weights @ values, weights
