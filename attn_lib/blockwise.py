"""Additive scores without the (B, Q, K, H) tensor that the formula seems to need.

Three ideas make it fast:

* tanh(a + b) = 1 - 2 r with r = 1 / (1 + e^2a e^2b). The exponentials belong to single queries and
  keys, (Q + K) H of them; what is left for each pair is a product, a sum and a reciprocal.
* A block of queries at a time meets a block of keys, in a buffer that stays in the processor's
  cache. Only the scores (B, Q, K) are kept.
* The backward pass computes r again instead of reading it back from memory.

With eps the spacing of floating-point numbers at 1, r costs each tanh an error of at most 4 eps,
so a score is at most 4 eps |w_v|_1 (and the rounding of its sum) away from the direct form. Where
e^2a or e^2b would leave the range of the type, r is the logistic function of -2 (a + b), which is
the same number and cannot overflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn_lib.signature import keep_signature

# How many r make one block: on a CPU 1 MiB of float32 for each core, and of the keys' factors
# 128 KiB, so that a core's share stays in its cache; on a GPU enough to keep all of it busy.
_CPU_BLOCK = 2**18
_KEYS = 2**15
_GPU_BLOCK = 2**24

# Up to this many pairs times hidden units (10 MiB of float32), the direct form is as fast.
_DIRECT = 2_500_000


def pairwise_scores(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    """Compute sum_h v_h tanh(a_h + b_h) for every pair of a query and a key.

    a (B, Q, H) and b (B, K, H) are the projected queries and keys, v (H,); returns (B, Q, K).
    """
    if a.numel() * b.shape[1] <= _DIRECT:
        return direct_scores(a, b, v)
    return _uncompiled_blockwise_scores(a, b, v)


def direct_scores(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    """Compute the same as the formula is written, through a tensor (B, Q, K, H)."""
    return (a.unsqueeze(2) + b.unsqueeze(1)).tanh_() @ v  # (B, Q, K, H) x (H,)


class _BlockwiseScores(torch.autograd.Function):
    @staticmethod
    @keep_signature
    def forward(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
        with torch.autocast(a.device.type, enabled=False):
            return _forward(a, b, v)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        a, b, v = ctx.saved_tensors
        with torch.autocast(a.device.type, enabled=False):
            # Gradient mode is on in here only if this backward pass will be differentiated itself.
            compute = _direct_backward if torch.is_grad_enabled() else _backward
            return compute(a, b, v, grad)

    @staticmethod
    def jvp(ctx: Any, da: Tensor, db: Tensor, dv: Tensor) -> Tensor:
        a, b, v = ctx.saved_tensors
        with torch.autocast(a.device.type, enabled=False):
            t = torch.tanh(a.unsqueeze(2) + b.unsqueeze(1))  # (B, Q, K, H)
            return ((1 - t * t) * (da.unsqueeze(2) + db.unsqueeze(1))) @ v + t @ dv

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], *inputs: Tensor) -> tuple[Tensor, int]:
        scores = [
            _BlockwiseScores.apply(
                *(
                    x if dim is None else x.select(dim, i)
                    for x, dim in zip(inputs, in_dims, strict=True)
                )
            )
            for i in range(info.batch_size)
        ]
        return torch.stack(scores), 0


# torch.compile would unroll the loop over blocks; it calls this as it is instead.
_uncompiled_blockwise_scores: Callable[[Tensor, Tensor, Tensor], Tensor] = torch.compiler.disable(
    _BlockwiseScores.apply
)


def _forward(a: Tensor, b: Tensor, v: Tensor) -> Tensor:
    reciprocals, from_a, from_b = _factors(a, b)
    scores = a.new_empty(a.shape[0], a.shape[1], b.shape[1])  # (B, Q, K)
    examples, queries, keys = _block_shape(a, b)
    room = a.new_empty(examples * queries * keys * v.numel())
    minus_2v = -2 * v
    for a_group, b_group, s_group in _split(examples, 0, from_a, from_b, scores):
        for b_block, s_keys in _split(keys, 2, b_group, s_group):
            for a_block, s_block in _split(queries, 1, a_group, s_keys):
                r = reciprocals(a_block, b_block, room)
                s_block.copy_((r.flatten(0, 2) @ minus_2v).view_as(s_block))
    return scores.add_(v.sum())


def _backward(a: Tensor, b: Tensor, v: Tensor, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    # tanh = 1 - 2 r, so its derivative is 4 times that of the logistic function, r - r^2.
    reciprocals, from_a, from_b = _factors(a, b)
    grad = grad.unsqueeze(3)  # (B, Q, K, 1)
    grad_a, grad_b, grad_r = map(torch.zeros_like, (from_a, from_b, v))
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
                r = reciprocals(a_block, b_block, room)
                # Summed in each block first: one long running sum would lose digits.
                grad_r += r.flatten(0, 2).T @ g.flatten()
                torch.ops.aten.sigmoid_backward.grad_input(g, r, grad_input=r)  # g (r - r^2)
                grad_a_block += r.sum(2, keepdim=True)
                part = r.view(rows, -1, columns)
                sums.baddbmm_(ones[:, :, : part.shape[1]], part)
            grad_b_block += sums.view(-1, parts, *b_block.shape[2:]).sum(1, keepdim=True)
    grad_v = grad.sum() - 2 * grad_r
    return grad_a.squeeze(2).mul_(4 * v), grad_b.squeeze(1).mul_(4 * v), grad_v


def _direct_backward(
    a: Tensor, b: Tensor, v: Tensor, grad: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    t = torch.tanh(a.unsqueeze(2) + b.unsqueeze(1))  # (B, Q, K, H)
    g = grad.unsqueeze(3)
    slope = g * (1 - t * t) * v
    return slope.sum(2), slope.sum(1), (g * t).sum((0, 1, 2))


def _factors(a: Tensor, b: Tensor) -> tuple[Callable[..., Tensor], Tensor, Tensor]:
    """Choose how to compute r, and from what: (B, Q, 1, H) of queries, (B, 1, K, H) of keys."""
    largest_exponent = -math.log(torch.finfo(a.dtype).tiny)
    a, b = 2 * a.unsqueeze(2), 2 * b.unsqueeze(1)
    # NaN compares as False, so it may hide no large projection here: Python's max would let it.
    if torch.maximum(a.abs().amax(), b.abs().amax()) < largest_exponent:
        return partial(_reciprocals, a.new_ones(())), a.exp(), b.exp()
    return _logistic, -a, -b


def _reciprocals(one: Tensor, exp_a: Tensor, exp_b: Tensor, room: Tensor) -> Tensor:
    return torch.addcmul(one, exp_a, exp_b, out=_part_of(room, exp_a, exp_b)).reciprocal_()


def _logistic(minus_a: Tensor, minus_b: Tensor, room: Tensor) -> Tensor:
    return torch.add(minus_a, minus_b, out=_part_of(room, minus_a, minus_b)).sigmoid_()


def _part_of(room: Tensor, from_a: Tensor, from_b: Tensor) -> Tensor:
    examples, queries, _, hidden = from_a.shape
    keys = from_b.shape[2]
    return room[: examples * queries * keys * hidden].view(examples, queries, keys, hidden)


def _block_shape(a: Tensor, b: Tensor) -> tuple[int, int, int]:
    """Count the examples, the queries and the keys of one block of r."""
    batch, num_queries, hidden = a.shape
    on_cpu = a.device.type == "cpu"
    size = _CPU_BLOCK * torch.get_num_threads() if on_cpu else _GPU_BLOCK
    keys = min(b.shape[1], max(1, _KEYS // hidden)) if on_cpu else b.shape[1]
    examples = min(batch, max(1, size // (num_queries * keys * hidden)))
    return examples, min(num_queries, max(1, size // (keys * hidden))), keys


def _split(size: int, dim: int, *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    return zip(*(tensor.split(size, dim) for tensor in tensors), strict=True)
