"""Attention in TensorFlow; a tensor cannot be changed in place, so no caller's scores can be."""

import tensorflow as tf


def masked_softmax(scores, valid_lens=None):
    """Return weights (B, Q, K) for lengths of shape (B,) or (B, Q)."""
    if valid_lens is None:
        valid_lens = tf.fill(tf.shape(scores)[:1], tf.shape(scores)[-1])
    lens = tf.reshape(valid_lens, (tf.shape(valid_lens)[0], -1, 1))
    keep = tf.range(tf.shape(scores)[-1]) < lens
    # A row without keys gets 0: no softmax meets a row of -inf alone.
    fill = tf.where(lens > 0, float("-inf"), 0.0)
    kept = tf.where(keep, tf.cast(scores, tf.float32), fill)
    weights = tf.nn.softmax(kept, axis=-1)
    return tf.cast(tf.where(keep, weights, 0.0), scores.dtype)


def additive_attention(queries, keys, values, W_q, W_k, w_v, valid_lens):
    """Return outputs (B, Q, V) and weights (B, Q, K)."""
    from_queries = tf.tensordot(queries, W_q, axes=[[2], [1]])
    from_keys = tf.tensordot(keys, W_k, axes=[[2], [1]])
    sums = from_queries[:, :, None] + from_keys[:, None]  # (B, Q, K, U)
    scores = tf.tensordot(tf.tanh(sums), w_v, axes=1)
    weights = masked_softmax(scores, valid_lens)
    return weights @ values, weights


def dot_product_attention(queries, keys, values, valid_lens=None):
    """Return outputs (B, Q, V) and weights (B, Q, K), scores divided by √D."""
    size = tf.cast(tf.shape(queries)[-1], queries.dtype)
    scores = tf.matmul(queries, keys, transpose_b=True) / tf.sqrt(size)
    weights = masked_softmax(scores, valid_lens)
    return weights @ values, weights
