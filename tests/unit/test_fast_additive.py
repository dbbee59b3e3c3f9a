"""Additive scores in blocks of every shape against the direct form."""

import math

import pytest
import torch
from textbook import B, H, K, Q

from attn_lib import scoring
from attn_lib.fast import additive

ONE_QUERY = K * H
BLOCKS = {
    "one query": 1,
    "two queries, then one": 2 * ONE_QUERY,
    "one example": Q * ONE_QUERY,
    "three examples, then one": 3 * Q * ONE_QUERY,
    "everything": 10**9,
}
BATCH = 2 * B


@pytest.fixture(params=BLOCKS)
def blocks(request, monkeypatch):
    monkeypatch.setattr(additive, "_DIRECT", 0)
    monkeypatch.setattr(additive, "_CPU_BLOCK", BLOCKS[request.param])


def projections(dtype=torch.float64, spread=1.0):
    shapes = (BATCH, Q, H), (BATCH, K, H), (H,)
    a, b, v = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
    return [X.to(dtype).requires_grad_() for X in (spread * a, spread * b, v)]


def run(scores, inputs):
    output = scores(*inputs)
    # Its sum is not 0, which would hide a term that all pairs share.
    upstream = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    return output, *torch.autograd.grad(output, inputs, upstream)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("spread", [0.1, 1.0, 12.0, 300.0])
@pytest.mark.usefixtures("blocks")
def test_same_scores_and_gradients(dtype, spread):
    inputs = projections(dtype, spread)
    exact = run(scoring.direct_scores, [X.detach().double().requires_grad_() for X in inputs])
    for fast, direct in zip(run(scoring.tanh_scores, inputs), exact, strict=True):
        assert fast.dtype == dtype
        tolerance = 1e-12 if dtype == torch.float64 else 1e-5
        scale = max(1.0, direct.abs().max().item())
        torch.testing.assert_close(fast.double(), direct, rtol=0, atol=tolerance * scale)


def largest_exponent(dtype):
    return -math.log(torch.finfo(dtype).tiny) / 2


WAYS = {
    "small": (lambda dtype: 0.999, additive._SUMS),
    "no longer small": (lambda dtype: 1.001, additive._EXPONENTIALS),
    "still exponentials": (lambda dtype: 0.999 * largest_exponent(dtype), additive._EXPONENTIALS),
    "too large": (lambda dtype: 1.001 * largest_exponent(dtype), additive._SAFE),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("side", WAYS)
@pytest.mark.parametrize("of_queries", [1, 0.1])
def test_error_bound(dtype, side, of_queries, monkeypatch):
    """One hidden unit of weight 1: the score is tanh itself."""
    monkeypatch.setattr(additive, "_DIRECT", 0)
    size, way = WAYS[side][0](dtype), WAYS[side][1]
    spread = torch.linspace(-size, size, 302, dtype=torch.float64)
    near = torch.linspace(-min(size, 3), min(size, 3), 301, dtype=torch.float64)
    a = of_queries * torch.cat([near, spread])
    b = torch.cat([near, -spread, -0.999 * spread])
    a, b = (X.to(dtype).reshape(1, -1, 1) for X in (a, b))
    assert additive._factors(a, b)[0] is way
    scores = scoring.tanh_scores(a, b, torch.ones(1, dtype=dtype))
    exact = scoring.direct_scores(a.double(), b.double(), torch.ones(1).double())
    bound = 4 * torch.finfo(dtype).eps * (size if way is additive._SUMS else 1)
    assert (scores.double() - exact).abs().max() <= bound


@pytest.mark.parametrize("size", [1e-4, 1e-2, 0.3, 0.99])
def test_small_projections_keep_their_digits(size, monkeypatch):
    """As far from the exact scores, relative to how far those are apart, as the direct form."""
    inputs = [size * (2 * torch.rand(2, n, 64) - 1) for n in (40, 50)] + [torch.randn(64)]
    exact = scoring.direct_scores(*(X.double() for X in inputs))
    direct = scoring.direct_scores(*inputs)
    monkeypatch.setattr(additive, "_DIRECT", 0)
    fast = scoring.tanh_scores(*inputs)
    assert additive._factors(*inputs[:2])[0] is additive._SUMS
    assert (fast - exact).abs().max() <= 2 * (direct - exact).abs().max()


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.usefixtures("blocks")
def test_what_is_not_finite_goes_where_the_direct_form_sends_it(garbage):
    a, b, v = (X.detach() for X in projections())
    a[1, 2, 5] = garbage
    torch.testing.assert_close(
        scoring.tanh_scores(a, b, v), scoring.direct_scores(a, b, v), equal_nan=True
    )


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf])
@pytest.mark.usefixtures("blocks")
def test_what_is_not_finite_hides_no_large_projection(garbage):
    """e^89 is infinite in float32, though 89 - 87.2 leaves a tanh of 0.72."""
    a, b, v = (torch.full(shape, 0.5) for shape in ((1, 2, 1), (1, 3, 1), (1,)))
    a[0, 1], b[0, 1], b[0, 2] = -43.6, 44.5, garbage
    torch.testing.assert_close(
        scoring.tanh_scores(a, b, v), scoring.direct_scores(a, b, v), equal_nan=True
    )


def second_derivatives(scores, inputs):
    output = scores(*inputs)
    upstream = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    first = torch.autograd.grad(output, inputs, upstream, create_graph=True)
    return *first, *torch.autograd.grad(sum(X.pow(3).sum() for X in first), inputs)


def test_derivatives_that_nobody_asked_for(monkeypatch):
    monkeypatch.setattr(additive, "_DIRECT", 0)
    a, b, v = projections()
    scores = scoring.tanh_scores(a.detach(), b, v.detach())
    (first,) = torch.autograd.grad(scores.pow(2).sum(), b, create_graph=True)
    direct = scoring.direct_scores(a.detach(), b, v.detach())
    torch.testing.assert_close(first, torch.autograd.grad(direct.pow(2).sum(), b)[0])


@pytest.mark.usefixtures("blocks")
def test_derivatives_of_every_kind():
    inputs = projections()
    assert torch.autograd.gradcheck(scoring.tanh_scores, inputs, fast_mode=True)
    assert torch.autograd.gradgradcheck(scoring.tanh_scores, inputs, fast_mode=True)
    again = [X.detach().clone().requires_grad_() for X in inputs]
    for fast, direct in zip(
        *(
            second_derivatives(f, x)
            for f, x in ((scoring.tanh_scores, inputs), (scoring.direct_scores, again))
        ),
        strict=True,
    ):
        torch.testing.assert_close(fast, direct)
    tangents = tuple(torch.randn_like(X) for X in inputs)
    primals = tuple(X.detach() for X in inputs)
    fast = torch.func.jvp(scoring.tanh_scores, primals, tangents)
    direct = torch.func.jvp(scoring.direct_scores, primals, tangents)
    torch.testing.assert_close(fast, direct)


@pytest.mark.usefixtures("blocks")
def test_vmap_of_gradients():
    a, b, v = (X.detach() for X in projections())
    many = torch.stack([a, -a, 2 * a])

    def gradients(scores):
        def loss(a, b, v):
            return scores(a, b, v).square().sum()

        return torch.vmap(torch.func.grad(loss, (0, 1, 2)), in_dims=(0, None, None))(many, b, v)

    torch.testing.assert_close(gradients(scoring.tanh_scores), gradients(scoring.direct_scores))


@pytest.mark.usefixtures("blocks")
def test_autocast_does_not_reach_the_sums():
    """Neither forward nor backward, nor where the gradient is differentiated again."""
    inputs = projections(torch.float32)

    def everything():
        return [*run(scoring.tanh_scores, inputs), *second_derivatives(scoring.tanh_scores, inputs)]

    with torch.autocast("cpu", dtype=torch.bfloat16):
        within = everything()
    for inside, outside in zip(within, everything(), strict=True):
        assert torch.equal(inside, outside)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("block", [1, 5, 10**6])
def test_any_number_of_threads_and_keys_in_blocks(threads, block, monkeypatch):
    """Neither 12 queries nor 5 keys are a multiple of each of these."""
    monkeypatch.setattr(additive, "_DIRECT", 0)
    monkeypatch.setattr(additive, "_CPU_BLOCK", block * 2 * H)
    monkeypatch.setattr(additive, "_KEYS", 2 * H)
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    a, b, v = torch.randn(3, 12, H).double(), torch.randn(3, 5, H).double(), torch.randn(H).double()
    inputs = [X.requires_grad_() for X in (a, b, v)]
    fast, direct = (run(f, inputs) for f in (scoring.tanh_scores, scoring.direct_scores))
    for ours, theirs in zip(fast, direct, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_more_hidden_units_than_a_block_has_room_for(monkeypatch):
    monkeypatch.setattr(additive, "_DIRECT", 0)
    hidden = additive._CPU_BLOCK * torch.get_num_threads() + 1
    inputs = [torch.rand(s).double().requires_grad_() for s in ((1, 2, hidden), (1, 3, hidden))]
    inputs.append(torch.full((hidden,), 1 / hidden, dtype=torch.float64, requires_grad=True))
    fast, direct = (run(f, inputs) for f in (scoring.tanh_scores, scoring.direct_scores))
    for ours, theirs in zip(fast, direct, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_memory_stays_at_the_size_of_the_scores():
    """Storage that torch allocates, counted by its profiler, forward and backward."""
    batch, num_queries, num_keys, hidden = 2, 128, 128, 128
    inputs = [
        torch.randn(batch, num_queries, hidden, requires_grad=True),
        torch.randn(batch, num_keys, hidden, requires_grad=True),
        torch.randn(hidden, requires_grad=True),
    ]
    every_pair = batch * num_queries * num_keys * hidden
    assert every_pair > additive._DIRECT
    with torch.profiler.profile(profile_memory=True) as profile:
        scoring.tanh_scores(*inputs).sum().backward()
    largest = max(event.cpu_memory_usage for event in profile.events())
    assert 4 * additive._CPU_BLOCK <= largest < 4 * every_pair / 2
