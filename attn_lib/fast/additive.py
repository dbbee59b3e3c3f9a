"""Additive scores in blocks, without the (B, Q, K, U) tensor that the formula seems to need.

Three ideas make it fast:

* tanh(a + b) is made of numbers that belong to a alone and to b alone, (Q + K) U of them; what is
  left for each pair is a product, a sum and a division.
* A block of queries at a time meets a block of keys, in a buffer that stays in the processor's
  cache. Only the scores (B, Q, K) are kept.
* The backward pass computes the blocks again instead of reading them back from memory.

How tanh is made depends on the largest projection, of either sign; the three ways meet their
neighbours to within rounding.

* Below 1: (tanh a + tanh b) / (1 + tanh a tanh b), the addition theorem. Small numbers keep
  their digits.
* Up to where e^2a leaves the range of the type (`|a|` < 43.6 in float32, 354 in float64):
  1 - 2 / (1 + e^2a e^2b).
* Beyond: 1 - 2 r, with r the logistic function of -2 (a + b), which cannot overflow.

On one thread, at Q = K = 512 and U = 128, they take 1/12 of the time of the textbook form, 1/6 to
1/10 with the backward pass, and 1/60 and 1/38 of its extra memory. Small projections take a third
longer.

With eps the spacing of floating-point numbers at 1, the second and third way cost each tanh an
error of at most 4 eps, the first of at most 4 eps times the larger of `|a|` and `|b|`. So a score
is at most that times `|w_v|_1` (and the rounding of its sum) away from the direct form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lib.fast import is_ordinary
from attn_lib.fast.compiled import fusible_scores

# How many numbers make one block: on a CPU 1 MiB of float32 for each core, and of the keys' factors
# 128 KiB, so that a core's share stays in its cache; on a GPU enough to keep all of it busy.
_CPU_BLOCK = 2**18
_KEYS = 2**15
_GPU_BLOCK = 2**24

# Up to this many pairs times hidden units (10 MiB of float32), the direct form is as fast.
_DIRECT = 2_500_000

# Below this size of all projections, 1 - 2 r would lose digits that the addition theorem keeps.
_SMALL = 1.0


def faster_form(a: Tensor, b: Tensor, v: Tensor) -> Callable[..., Tensor] | None:
    """Return the form that is faster than the direct one in this call, if any is."""
    if a.numel() * b.shape[1] <= _DIRECT:
        return None
    if torch.compiler.is_dynamo_compiling():  # not torch.export: there, no compiler follows
        return fusible_scores
    return blockwise_scores if is_ordinary(a, b, v) else None


def blockwise_scores(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    """Compute what `scoring.direct_scores` does: sum_u v_u tanh(a_u + b_u) for every pair.

    a (B, Q, U) and b (B, K, U) are the projected queries and keys, v (U,); returns (B, Q, K).
    """
    scores: Tensor = _BlockwiseScores.apply(a, b, v)
    return scores


class _BlockwiseScores(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, v: Tensor) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(a, b, v)
        with torch.autocast(a.device.type, enabled=False):
            return _forward(a, b, v)

    @staticmethod
    def backward(ctx: Any, grad: Tensor | None) -> tuple[Tensor | None, ...]:
        if grad is None:  # nothing depends on the scores
            return None, None, None
        a, b, v = ctx.saved_tensors
        with torch.autocast(a.device.type, enabled=False):
            # Gradient mode is on in here only if this backward pass will be differentiated itself.
            if torch.is_grad_enabled():
                return _differentiable_backward(a, b, v, grad)
            return _backward(a, b, v, grad)


class _Way(NamedTuple):
    """A way to make tanh(a + b) = offset + scale h, for a block of h."""

    # From the factors (B, Q, 1, U) of queries and (B, 1, K, U) of keys, h in a buffer of its size.
    block: Callable[[Tensor, Tensor, Tensor], Tensor]
    offset: int
    scale: int
    # The derivative of tanh is steepness times that of h, by which this multiplies a gradient.
    slope: Callable[..., Tensor]
    steepness: int


def _ratio(tanh_a: Tensor, tanh_b: Tensor, room: Tensor) -> Tensor:
    torch.add(tanh_a, tanh_b, out=room)
    return room.div_(torch.addcmul(room.new_ones(()), tanh_a, tanh_b))


def _reciprocal(exp_a: Tensor, exp_b: Tensor, room: Tensor) -> Tensor:
    return torch.addcmul(room.new_ones(()), exp_a, exp_b, out=room).reciprocal_()


def _logistic(minus_a: Tensor, minus_b: Tensor, room: Tensor) -> Tensor:
    return torch.add(minus_a, minus_b, out=room).sigmoid_()


_TANH_BACKWARD = torch.ops.aten.tanh_backward.grad_input  # g (1 - h^2)
_SIGMOID_BACKWARD = torch.ops.aten.sigmoid_backward.grad_input  # g (h - h^2)
_SUMS = _Way(_ratio, offset=0, scale=1, slope=_TANH_BACKWARD, steepness=1)
_EXPONENTIALS = _Way(_reciprocal, offset=1, scale=-2, slope=_SIGMOID_BACKWARD, steepness=4)
_SAFE = _Way(_logistic, offset=1, scale=-2, slope=_SIGMOID_BACKWARD, steepness=4)


def _factors(a: Tensor, b: Tensor) -> tuple[_Way, Tensor, Tensor]:
    """Choose the way, and compute its factors: (B, Q, 1, U) of queries, (B, 1, K, U) of keys."""
    a, b = a.unsqueeze(2), b.unsqueeze(1)
    # NaN compares as False, so it may hide no large projection here: Python's max would let it.
    largest = torch.maximum(a.abs().amax(), b.abs().amax()).item()
    if largest < _SMALL:
        return _SUMS, a.tanh(), b.tanh()
    if 2 * largest < -math.log(torch.finfo(a.dtype).tiny):
        return _EXPONENTIALS, (2 * a).exp(), (2 * b).exp()
    return _SAFE, -2 * a, -2 * b


def _forward(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    way, from_a, from_b = _factors(a, b)
    scores = a.new_empty(a.shape[0], a.shape[1], b.shape[1])  # (B, Q, K)
    examples, queries, keys = _block_shape(a, b)
    room = a.new_empty(examples * queries * keys * v.numel())
    scaled_v = way.scale * v
    for a_group, b_group, s_group in _split(examples, 0, from_a, from_b, scores):
        for b_block, s_keys in _split(keys, 2, b_group, s_group):
            for a_block, s_block in _split(queries, 1, a_group, s_keys):
                h = way.block(a_block, b_block, _part_of(room, a_block, b_block))
                s_block.copy_((h.flatten(0, 2) @ scaled_v).view_as(s_block))
    return scores.add_(way.offset * v.sum())


def _backward(a: Tensor, b: Tensor, v: Tensor, grad: Tensor) -> tuple[Tensor, ...]:
    way, from_a, from_b = _factors(a, b)
    grad = grad.unsqueeze(3)  # (B, Q, K, 1)
    grad_a, grad_b, grad_h = map(torch.zeros_like, (from_a, from_b, v))
    examples, queries, keys = _block_shape(a, b)
    room = a.new_empty(examples * queries * keys * v.numel())
    # Each core adds up the queries that it has in its cache: as many sums as cores.
    parts = math.gcd(a.shape[1], queries, torch.get_num_threads())
    for a_group, b_group, g_group, grad_a_group, grad_b_group in _split(
        examples, 0, from_a, from_b, grad, grad_a, grad_b
    ):
        for b_block, g_keys, grad_b_block in _split(keys, 2, b_group, g_group, grad_b_group):
            rows, columns = b_block.shape[0] * parts, b_block[0].numel()
            sums, ones = b.new_zeros(rows, 1, columns), b.new_ones(rows, 1, queries // parts)
            for a_block, g, grad_a_block in _split(queries, 1, a_group, g_keys, grad_a_group):
                h = way.block(a_block, b_block, _part_of(room, a_block, b_block))
                # Summed in each block first: one long running sum would lose digits.
                grad_h += h.flatten(0, 2).T @ g.flatten()
                way.slope(g, h, grad_input=h)
                grad_a_block += h.sum(2, keepdim=True)
                part = h.view(rows, -1, columns)
                sums.baddbmm_(ones[:, :, : part.shape[1]], part)
            grad_b_block += sums.view(-1, parts, *b_block.shape[2:]).sum(1, keepdim=True)
    grad_v = way.offset * grad.sum() + way.scale * grad_h
    steep_v = way.steepness * v
    return grad_a.squeeze(2).mul_(steep_v), grad_b.squeeze(1).mul_(steep_v), grad_v


def _differentiable_backward(
    a: Tensor, b: Tensor, v: Tensor, grad: Tensor
) -> tuple[Tensor | None, ...]:
    direct = torch.tanh(a.unsqueeze(2) + b.unsqueeze(1)) @ v
    wanted = [X for X in (a, b, v) if X.requires_grad]
    found = iter(torch.autograd.grad(direct, wanted, grad, create_graph=True))
    return tuple(next(found) if X.requires_grad else None for X in (a, b, v))


def _part_of(room: Tensor, from_a: Tensor, from_b: Tensor) -> Tensor:
    examples, queries, _, hidden = from_a.shape
    keys = from_b.shape[2]
    return room[: examples * queries * keys * hidden].view(examples, queries, keys, hidden)


def _block_shape(a: Tensor, b: Tensor) -> tuple[int, int, int]:
    """Count the examples, the queries and the keys of one block."""
    batch, num_queries, hidden = a.shape
    on_cpu = a.device.type == "cpu"
    size = _CPU_BLOCK * torch.get_num_threads() if on_cpu else _GPU_BLOCK
    keys = min(b.shape[1], max(1, _KEYS // hidden)) if on_cpu else b.shape[1]
    examples = min(batch, max(1, size // (num_queries * keys * hidden)))
    return examples, min(num_queries, max(1, size // (keys * hidden))), keys


def _split(size: int, dim: int, *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    return zip(*(tensor.split(size, dim) for tensor in tensors), strict=True)
