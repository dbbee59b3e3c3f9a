"""Masked softmax in one buffer against the four readable lines."""

import math

import pytest
import torch

import attn_lib
from attn_lib.fast import softmax
from attn_lib.memory import kept_bytes

CASES = {
    "a length for each example": ((3, 4, 15), (3,)),
    "a length for each query": ((3, 4, 15), (3, 4)),
    "heads share a length": ((2, 5, 4, 3), (2,)),
    "heads share lengths": ((2, 5, 4, 3), (2, 4)),
}


@pytest.fixture(params=CASES)
def case(request):
    shape, lens_shape = CASES[request.param]
    scores = 5 * torch.randn(shape, dtype=torch.float64)
    lens = torch.randint(0, shape[-1] + 1, lens_shape)
    lens.flatten()[0], lens.flatten()[1] = 0, shape[-1]
    return scores, lens


def both(monkeypatch, compute):
    """What compute gives when the readable form runs, and when the buffer is shared."""
    results = []
    for worthwhile in (math.inf, 0):
        monkeypatch.setattr(softmax, "_WORTHWHILE", worthwhile)
        results.append(compute())
    return results


@pytest.mark.parametrize("garbage", [0.0, 3e38, -torch.inf, torch.inf, torch.nan])
def test_weights_and_gradients(monkeypatch, case, garbage):
    scores, lens = case
    rows = lens.reshape(-1, 1) if lens.ndim == 1 else lens
    rows = rows if scores.ndim == 3 else rows.unsqueeze(1)
    hidden = torch.arange(scores.shape[-1]) >= rows.unsqueeze(-1)
    X = scores.masked_fill(hidden, garbage).requires_grad_()
    upstream = torch.linspace(-1, 1, X.numel(), dtype=X.dtype).reshape(X.shape)

    def compute():
        weights = attn_lib.masked_softmax(X, lens)
        return weights.detach(), torch.autograd.grad(weights, X, upstream)[0]

    readable, fast = both(monkeypatch, compute)
    assert torch.equal(readable[0], fast[0])
    torch.testing.assert_close(readable[1], fast[1], rtol=0, atol=1e-15)


def test_second_derivatives(monkeypatch, case):
    """Of one more kind: gradients taken with create_graph are those of the readable form."""
    scores, lens = case
    upstream = torch.randn_like(scores)

    def compute():
        X, g = scores.clone().requires_grad_(), upstream.clone().requires_grad_()
        weights = attn_lib.masked_softmax(X, lens)
        (first,) = torch.autograd.grad(weights, X, g, create_graph=True)
        return first.detach(), *torch.autograd.grad(first.pow(3).sum(), (X, g))

    readable, fast = both(monkeypatch, compute)
    torch.testing.assert_close(readable, fast, rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_types(monkeypatch, dtype):
    scores = (3 * torch.randn(2, 3, 1000)).to(dtype)
    readable, fast = both(
        monkeypatch, lambda: attn_lib.masked_softmax(scores, torch.tensor([1000, 7]))
    )
    assert fast.dtype == dtype
    assert torch.equal(readable, fast)


def test_only_the_weights_are_kept():
    scores, lens = torch.randn(3, 100, 100, requires_grad=True), torch.tensor([100, 3, 50])
    assert scores.numel() >= softmax._WORTHWHILE
    kept = kept_bytes(lambda X: attn_lib.masked_softmax(X, lens), scores)
    assert kept == 4 * scores.numel() + 3 * 100  # and which keys are visible, a byte each


def test_weights_changed_before_their_gradient_are_noticed(monkeypatch):
    monkeypatch.setattr(softmax, "_WORTHWHILE", 0)
    weights = attn_lib.masked_softmax(
        torch.randn(2, 3, 5, requires_grad=True), torch.tensor([2, 3])
    )
    weights.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        weights.sum().backward()


def test_forward_mode_takes_the_readable_form(case):
    """A custom gradient knows no forward mode; torch refuses to run one there."""
    scores, lens = case
    scores = scores.repeat(1, *(1,) * (scores.ndim - 2), 1)
    large = scores.repeat_interleave(softmax._WORTHWHILE // scores.numel() + 1, dim=-2)
    if lens.ndim == 2:
        lens = lens.repeat_interleave(large.shape[-2] // lens.shape[1], dim=1)
    tangent = torch.randn_like(large)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(large, tangent)
        weights = attn_lib.masked_softmax(dual, lens)
        found = torch.autograd.forward_ad.unpack_dual(weights).tangent
    W = attn_lib.masked_softmax(large, lens)
    product = W * tangent
    torch.testing.assert_close(found, product - W * product.sum(-1, keepdim=True))
