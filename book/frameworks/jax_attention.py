"""Attention in JAX: pure functions, which jit, vmap and grad take as they are."""

import jax
import jax.numpy as jnp


def masked_softmax(scores, valid_lens=None):
    """Return weights (B, Q, K) for lengths of shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = jnp.full(scores.shape[0], scores.shape[-1])
    lens = valid_lens.reshape(valid_lens.shape[0], -1, 1)
    keep = jnp.arange(scores.shape[-1]) < lens
    # A row without keys gets 0: jax_debug_nans stops at a softmax of -inf alone.
    fill = jnp.where(lens > 0, -jnp.inf, 0.0)
    kept = jnp.where(keep, scores.astype(jnp.float32), fill)
    weights = jax.nn.softmax(kept, axis=-1)
    return jnp.where(keep, weights, 0.0).astype(scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens):
    """Return outputs (B, Q, V) and weights (B, Q, K)."""
    from_queries, from_keys = queries @ W_q.T, keys @ W_k.T
    sums = from_queries[:, :, None] + from_keys[:, None]  # (B, Q, K, U)
    weights = masked_softmax(jnp.tanh(sums) @ w_v, valid_lens)
    return weights @ values, weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K), scores divided by √D."""
    size = queries.shape[-1]
    scores = queries @ keys.transpose(0, 2, 1) / jnp.sqrt(size)
    weights = masked_softmax(scores, valid_lens)
    return weights @ values, weights
