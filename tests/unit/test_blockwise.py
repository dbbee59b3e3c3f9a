"""The fast additive scores against the direct form, with blocks of every shape."""

import pytest
import torch
from textbook import B, H, K, Q

import attn_lib
from attn_lib import blockwise

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
    monkeypatch.setattr(blockwise, "_DIRECT", 0)
    monkeypatch.setattr(blockwise, "_CPU_BLOCK", BLOCKS[request.param])


def projections(dtype=torch.float64, spread=1.0):
    shapes = (BATCH, Q, H), (BATCH, K, H), (H,)
    a, b, v = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
    return [X.to(dtype).requires_grad_() for X in (spread * a, spread * b, v)]


def run(scores, inputs):
    output = scores(*inputs)
    upstream = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
    return output, *torch.autograd.grad(output, inputs, upstream)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("spread", [1.0, 12.0, 300.0])
@pytest.mark.usefixtures("blocks")
def test_same_scores_and_gradients(dtype, spread):
    inputs = projections(dtype, spread)
    exact = run(blockwise.direct_scores, [X.detach().double().requires_grad_() for X in inputs])
    for fast, direct in zip(run(blockwise.pairwise_scores, inputs), exact, strict=True):
        assert fast.dtype == dtype
        tolerance = 1e-12 if dtype == torch.float64 else 1e-5
        scale = max(1.0, direct.abs().max().item())
        torch.testing.assert_close(fast.double(), direct, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("side", ["exponentials", "logistic function"])
def test_error_bound(dtype, side, monkeypatch):
    """One hidden unit of weight 1: the score is tanh itself, 4 eps away at most."""
    monkeypatch.setattr(blockwise, "_DIRECT", 0)
    largest = -torch.log(torch.tensor(torch.finfo(dtype).tiny, dtype=torch.float64)).item() / 2
    largest *= 0.999 if side == "exponentials" else 1.001
    small = torch.linspace(-3, 3, 301)
    large = torch.linspace(-largest, largest, 302, dtype=torch.float64)
    a = torch.cat([small, large]).to(dtype).reshape(1, -1, 1)
    b = torch.cat([small, -large, -0.999 * large]).to(dtype).reshape(1, -1, 1)
    used = blockwise._factors(a, b)[0]
    assert (used is blockwise._logistic) == (side == "logistic function")
    scores = blockwise.pairwise_scores(a, b, torch.ones(1, dtype=dtype))
    exact = blockwise.direct_scores(a.double(), b.double(), torch.ones(1).double())
    assert (scores.double() - exact).abs().max() <= 4 * torch.finfo(dtype).eps


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.usefixtures("blocks")
def test_what_is_not_finite_goes_where_the_direct_form_sends_it(garbage):
    a, b, v = (X.detach() for X in projections())
    a[1, 2, 5] = garbage
    torch.testing.assert_close(
        blockwise.pairwise_scores(a, b, v), blockwise.direct_scores(a, b, v), equal_nan=True
    )


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf])
@pytest.mark.usefixtures("blocks")
def test_what_is_not_finite_hides_no_large_projection(garbage):
    """e^89 is infinite in float32, though 89 - 87.2 leaves a tanh of 0.72."""
    a, b, v = (torch.full(shape, 0.5) for shape in ((1, 2, 1), (1, 3, 1), (1,)))
    a[0, 1], b[0, 1], b[0, 2] = -43.6, 44.5, garbage
    torch.testing.assert_close(
        blockwise.pairwise_scores(a, b, v), blockwise.direct_scores(a, b, v), equal_nan=True
    )


@pytest.mark.usefixtures("blocks")
def test_derivatives_of_every_kind():
    inputs = projections()
    assert torch.autograd.gradcheck(blockwise.pairwise_scores, inputs)
    assert torch.autograd.gradgradcheck(blockwise.pairwise_scores, inputs)
    tangents = tuple(torch.randn_like(X) for X in inputs)
    primals = tuple(X.detach() for X in inputs)
    fast = torch.func.jvp(blockwise.pairwise_scores, primals, tangents)
    direct = torch.func.jvp(blockwise.direct_scores, primals, tangents)
    torch.testing.assert_close(fast, direct)


@pytest.mark.usefixtures("blocks")
def test_vmap_of_gradients():
    a, b, v = (X.detach() for X in projections())
    many = torch.stack([a, -a, 2 * a])

    def gradients(scores):
        def loss(a, b, v):
            return scores(a, b, v).square().sum()

        return torch.vmap(torch.func.grad(loss, (0, 1, 2)), in_dims=(0, None, None))(many, b, v)

    torch.testing.assert_close(
        gradients(blockwise.pairwise_scores), gradients(blockwise.direct_scores)
    )


@pytest.mark.usefixtures("blocks")
def test_autocast_does_not_reach_the_sums():
    inputs = tuple(X.detach() for X in projections(torch.float32))

    def derivative():
        return torch.func.jvp(blockwise.pairwise_scores, inputs, inputs)

    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores, tangent = derivative()
    assert torch.equal(scores, derivative()[0])
    assert torch.equal(tangent, derivative()[1])


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("block", [1, 5, 10**6])
def test_any_number_of_threads_and_keys_in_blocks(threads, block, monkeypatch):
    """Neither 12 queries nor 5 keys are a multiple of each of these."""
    monkeypatch.setattr(blockwise, "_DIRECT", 0)
    monkeypatch.setattr(blockwise, "_CPU_BLOCK", block * 2 * H)
    monkeypatch.setattr(blockwise, "_KEYS", 2 * H)
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    a, b, v = torch.randn(3, 12, H).double(), torch.randn(3, 5, H).double(), torch.randn(H).double()
    inputs = [X.requires_grad_() for X in (a, b, v)]
    fast, direct = (run(f, inputs) for f in (blockwise.pairwise_scores, blockwise.direct_scores))
    for ours, theirs in zip(fast, direct, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_more_hidden_units_than_a_block_has_room_for(monkeypatch):
    monkeypatch.setattr(blockwise, "_DIRECT", 0)
    hidden = blockwise._CPU_BLOCK * torch.get_num_threads() + 1
    inputs = [torch.rand(s).double().requires_grad_() for s in ((1, 2, hidden), (1, 3, hidden))]
    inputs.append(torch.full((hidden,), 1 / hidden, dtype=torch.float64, requires_grad=True))
    fast, direct = (run(f, inputs) for f in (blockwise.pairwise_scores, blockwise.direct_scores))
    for ours, theirs in zip(fast, direct, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_compiled_module_with_blocks(monkeypatch):
    monkeypatch.setattr(blockwise, "_DIRECT", 0)
    attention = attn_lib.AdditiveAttention(5, 7, 11, 0.0)
    compiled = torch.compile(attention, backend="aot_eager")
    call = torch.randn(2, 3, 7), torch.randn(2, 4, 5), torch.randn(2, 4, 6), torch.tensor([0, 3])
    torch.testing.assert_close(compiled(*call), attention(*call))
    compiled(*call).sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in attention.parameters())


def test_memory_stays_at_the_size_of_the_scores():
    """Storage that torch allocates, counted by its profiler, forward and backward."""
    batch, num_queries, num_keys, hidden = 2, 128, 128, 128
    inputs = [
        torch.randn(batch, num_queries, hidden, requires_grad=True),
        torch.randn(batch, num_keys, hidden, requires_grad=True),
        torch.randn(hidden, requires_grad=True),
    ]
    every_pair = batch * num_queries * num_keys * hidden
    assert every_pair > blockwise._DIRECT
    with torch.profiler.profile(profile_memory=True) as profile:
        blockwise.pairwise_scores(*inputs).sum().backward()
    largest = max(event.cpu_memory_usage for event in profile.events())
    assert 4 * blockwise._CPU_BLOCK <= largest < 4 * every_pair / 2
