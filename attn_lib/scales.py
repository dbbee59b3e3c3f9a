"""How large scores may grow: a cap on each of them, and a scale that follows the number of keys."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from attn_lib.masking import per_query
from attn_lib.scoring import widen
from attn_lib.validation import (
    check_above,
    check_lens,
    check_positive,
    check_scores,
    check_size,
    check_tensor,
    is_traced_size,
)


def soft_cap(scores: Tensor, cap: float | Tensor) -> Tensor:
    """Keep scores between -cap and cap, small ones nearly as they are: cap tanh(scores / cap).

    Cap first, then mask: a score of -infinity that stood for "hidden" would come back as -cap.

    Args:
        scores: the scores, of any shape.
        cap: what no score exceeds; a tensor with one element may be learned.

    Returns:
        New scores with the shape and dtype of scores. Half precision is computed in float32.

    Raises:
        ValueError: the cap is not finite and above 0.
        TypeError: scores are not a floating-point tensor, or the cap is no number.

    Source:
        Gemma Team (2024), Gemma 2: Improving Open Language Models at a Practical Size, section 2.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.soft_cap(torch.tensor([1.0, 10.0, 100.0, 1000.0]), 50.0)
        tensor([ 0.9999,  9.8688, 48.2014, 50.0000])
    """
    check_tensor("scores", scores)
    check_positive("cap", cap)
    if isinstance(cap, Tensor):
        cap = cap.reshape(())  # with axes of its own it could lend the scores an axis
    return (torch.tanh(widen(scores) / cap) * cap).to(scores.dtype)


def length_scaled(scores: Tensor, num_keys: int | Tensor, *, trained_keys: float) -> Tensor:
    """Multiply scores by ln n / ln n0: the best key then keeps its lead among more keys.

    Args:
        scores: the scores, of one head or of several.
        num_keys: n, how many keys a query sees: one number for all, or valid lengths. Padding
            is not to be counted, so give lengths where there are any.
        trained_keys: n0, the number of keys for which the scores were made.

    Shape:
        scores (B, Q, K) or (B, H, Q, K); num_keys a number, (B,) or (B, Q).

    Returns:
        New scores with the shape and dtype of scores; 0 where a query sees one key or none.

    Raises:
        ValueError: a shape does not match, a length is not a whole number from 0 to K, or
            trained_keys is not finite and above 1.
        TypeError: scores are not a floating-point tensor, or a number is none.

    Source:
        Chiang, Cholak (2022), Overcoming a Theoretical Limitation of Self-Attention.

    Example:
        >>> import torch, attn_lib
        >>> attn_lib.length_scaled(torch.tensor([[[5.0, 1.0, 0.0]]]), 16_384, trained_keys=128)
        tensor([[[10.,  2.,  0.]]])
    """
    check_scores("scores", scores)
    check_above("trained_keys", trained_keys, 1)
    if not isinstance(num_keys, Tensor) or is_traced_size(num_keys):
        scale = log_of_size(check_size("num_keys", num_keys, least=0)) / math.log(trained_keys)
        return (widen(scores) * scale).to(scores.dtype)
    B, Q, K = scores.shape[0], scores.shape[-2], scores.shape[-1]
    check_lens("num_keys", num_keys, limit=K, device=scores.device, B=B, Q=Q)
    wide = widen(scores)
    seen = per_query(num_keys).clamp(min=1).to(wide.dtype)  # (B, 1) or (B, Q)
    scales = (seen.log() / math.log(trained_keys)).unsqueeze(-1)  # (B, 1 or Q, 1)
    if scores.ndim == 4:
        scales = scales.unsqueeze(1)  # the same for all heads
    return (wide * scales).to(scores.dtype)


def log_of_size(size: int) -> float | Tensor:
    """Take the logarithm of a number of keys, of 1 where there are none.

    Of a size that torch leaves open, as a tensor: Python's own would fix it.
    """
    if isinstance(size, torch.SymInt) or is_traced_size(size):
        return torch.full((), size, dtype=torch.float64).clamp(min=1).log()
    return math.log(max(size, 1))
