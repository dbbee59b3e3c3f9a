"""A small random number generator that JavaScript and Python share, so both draw one figure."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from attn_lib.validation import check_int

_MASK = 0xFFFFFFFF


def mulberry32(seed: int, count: int, *, start: int = 0) -> Tensor:
    """Draw uniform numbers from 0 up to 1, the same as mulberry32 gives in JavaScript.

    Args:
        seed: the stream.
        count: how many numbers.
        start: how many numbers of the stream to leave out first.

    Returns:
        float64 numbers (count,).

    Raises:
        ValueError: count or start is negative.
        TypeError: an argument is not an int.

    Source:
        Tommy Ettinger (2017), mulberry32, released into the public domain.

    Example:
        >>> import attn_lib
        >>> attn_lib.mulberry32(1, 3)
        tensor([0.6271, 0.0027, 0.5274], dtype=torch.float64)
    """
    seed, count, start = _check_range(seed, count, start)
    # The state only counts, so number n needs none of those before it. int64 products wrap at
    # 2^64, which leaves their low 32 bits right.
    n = torch.arange(start + 1, start + count + 1)
    state = ((seed & _MASK) + n * 0x6D2B79F5) & _MASK
    t = ((state ^ (state >> 15)) * (state | 1)) & _MASK
    t ^= (t + ((t ^ (t >> 7)) * (t | 61))) & _MASK
    return (t ^ (t >> 14)).double() / 2**32


def normals(seed: int, count: int, *, start: int = 0) -> Tensor:
    """Draw standard normal numbers, each from two uniform ones (Box and Muller's cosine).

    Args:
        seed: the stream.
        count: how many numbers.
        start: how many normal numbers of the stream to leave out first.

    Returns:
        float64 numbers (count,).

    Raises:
        ValueError: count or start is negative.
        TypeError: an argument is not an int.

    Source:
        Box, Muller (1958), A Note on the Generation of Random Normal Deviates.

    Example:
        >>> import attn_lib
        >>> attn_lib.normals(1, 2)
        tensor([0.9660, 1.1231], dtype=torch.float64)
    """
    seed, count, start = _check_range(seed, count, start)
    u = mulberry32(seed, 2 * count, start=2 * start).reshape(-1, 2)
    u[:, 0].clamp_(min=2**-33)  # a step is 2^-32; the logarithm of 0 would be infinite
    return torch.sqrt(-2 * torch.log(u[:, 0])) * torch.cos(2 * math.pi * u[:, 1])


def _check_range(seed: object, count: object, start: object) -> tuple[int, int, int]:
    numbers = check_int("seed", seed), check_int("count", count), check_int("start", start)
    if min(numbers[1:]) < 0:
        raise ValueError(f"count and start must be at least 0. Got {count} and {start}.")
    return numbers
