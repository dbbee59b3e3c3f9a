"""sparsemax, 1.5-entmax and sigmoids: their definitions, and what masked_softmax promises too."""

import json
import math
from pathlib import Path

import pytest
import torch
from textbook import B, K, Q
from torch._subclasses.fake_tensor import FakeTensorMode

import attn_lib

NUMBERS = json.loads((Path(__file__).parent / "oracles/packages.json").read_text(encoding="utf-8"))
WEIGHTS = {
    "sparsemax": attn_lib.sparsemax,
    "entmax15": attn_lib.entmax15,
    "sigmoid": attn_lib.sigmoid_weights,
}
LENS = torch.tensor([[4, 0, 5], [1, 2, 3]])
MASK = torch.tensor([True, True, False, True, True])


@pytest.fixture(params=WEIGHTS)
def name(request):
    return request.param


def bisected(row, power):
    """max(s - t, 0)^power with the t between max s - 1 and max s at which it sums to 1."""
    low, high = row.max() - 1, row.max()
    for _ in range(100):
        middle = (low + high) / 2
        total = ((row - middle).clamp(min=0) ** power).sum()
        low, high = (middle, high) if total > 1 else (low, middle)
    return (row - low).clamp(min=0) ** power


DEFINITIONS = {
    "sparsemax": lambda row: bisected(row, 1),
    "entmax15": lambda row: bisected(row / 2, 2),
    "sigmoid": lambda row: torch.sigmoid(row - math.log(len(row))),
}


def seen(lens, mask):
    """bool (B, Q, K)."""
    visible = torch.arange(K) < lens.reshape(B, -1, 1)
    return visible.expand(B, Q, K) & mask


def test_definition_on_the_visible_keys(name):
    scores = 2 * torch.randn(B, Q, K, dtype=torch.float64)
    every = torch.ones(K, dtype=torch.bool)
    per_pair = torch.rand(B, Q, K) < 0.6
    for lens, mask in (
        (torch.tensor([5, 5]), every),
        (LENS, every),
        (torch.tensor([3, 0]), every),
        (torch.tensor([5, 5]), MASK),
        (LENS, per_pair),
    ):
        visible = seen(lens, mask)
        expected = torch.zeros_like(scores)
        for b in range(B):
            for q in range(Q):
                if visible[b, q].any():
                    row = scores[b, q, visible[b, q]]
                    expected[b, q, visible[b, q]] = DEFINITIONS[name](row)
        found = WEIGHTS[name](scores, lens, mask=mask)
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
        torch.testing.assert_close(WEIGHTS[name](scores, mask=visible), expected)
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.bfloat16, 4e-3), (torch.float16, 5e-4)):
        low = scores.to(dtype)
        found = WEIGHTS[name](low)
        assert found.dtype == dtype
        exact = torch.stack([torch.stack([DEFINITIONS[name](r) for r in X]) for X in low.double()])
        assert (found.double() - exact).abs().max() < tolerance, dtype


@pytest.mark.parametrize("package", ["sparsemax", "entmax15"])
def test_weights_and_gradients_of_another_package(package):
    case = NUMBERS["sparse"]
    X, upstream = (torch.tensor([case[key]], dtype=torch.float64) for key in ("X", "upstream"))
    X.requires_grad_()
    weights = WEIGHTS[package](X)
    (grad,) = torch.autograd.grad(weights, X, upstream)
    expected = torch.tensor([case[package]["weights"]], dtype=torch.float64)
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-9)
    expected = torch.tensor([case[package]["grad"]], dtype=torch.float64)
    torch.testing.assert_close(grad, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf, -torch.inf, 1e300, 1e30, 1e-310])
def test_hidden_scores_reach_neither_weights_nor_gradients(name, garbage):
    scores = torch.randn(B, Q, K, dtype=torch.float64)
    visible = seen(LENS, MASK)
    upstream = torch.linspace(-1, 1, scores.numel()).double().reshape(scores.shape)

    def run(X):
        X = X.clone().requires_grad_()
        weights = WEIGHTS[name](X, LENS, mask=MASK)
        (grad,) = torch.autograd.grad(weights, X, upstream, create_graph=True)
        (second,) = torch.autograd.grad(grad.square().sum() + 0 * X.where(visible, 0).sum(), X)
        return weights, grad, second

    clean, dirty = run(scores), run(scores.masked_fill(~visible, garbage))
    for before, after in zip(clean, dirty, strict=True):
        assert torch.equal(before, after)
        assert (after[~visible] == 0).all()
    entropy = scores.clone().requires_grad_()
    torch.special.entr(WEIGHTS[name](entropy, LENS, mask=MASK)).sum().backward()
    assert (entropy.grad[~visible] == 0).all()


def test_a_row_is_the_same_whatever_lies_beside_it(name):
    """Rows appended and taken away, queries taken apart, padding added, keys and rows permuted."""
    weigh = WEIGHTS[name]
    scores = 3 * torch.randn(B, Q, K)
    lens = torch.tensor([4, 3])
    whole = weigh(scores, lens)
    torch.testing.assert_close(weigh(scores[:1], lens[:1]), whole[:1])
    more = torch.cat([scores, torch.full((1, Q, K), torch.nan)])
    torch.testing.assert_close(weigh(more, torch.tensor([4, 3, 0]))[:B], whole)
    padded = torch.cat([scores, torch.full((B, Q, 1), 1e30)], 2)
    torch.testing.assert_close(weigh(padded, lens)[:, :, :K], whole)
    torch.testing.assert_close(weigh(scores[:, 1:2], lens), whole[:, 1:2])
    turned = torch.tensor([3, 0, 4, 1, 2])
    found = weigh(scores[:, :, turned], mask=(torch.arange(K) < lens[:, None, None])[:, :, turned])
    torch.testing.assert_close(found, whole[:, :, turned])
    per_head = torch.stack([scores, -scores], 1)
    by_head = weigh(per_head, lens)
    torch.testing.assert_close(by_head[:, 0], whole)
    torch.testing.assert_close(by_head[:, 1], weigh(-scores, lens))


def test_gradients_of_both_orders(name):
    scores = torch.randn(B, Q, K, dtype=torch.float64, requires_grad=True)

    def weights(X):
        return WEIGHTS[name](X, LENS, mask=MASK)

    assert torch.autograd.gradcheck(weights, scores, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(weights, scores)


def test_where_torch_follows_or_stacks_a_call(name):
    scores = torch.randn(4, B, Q, K, dtype=torch.float64)

    class Module(torch.nn.Module):
        def forward(self, X, lens):
            return WEIGHTS[name](X, lens, mask=MASK)

    module = Module()
    stacked = torch.stack([module(X, LENS) for X in scores])
    torch.testing.assert_close(torch.vmap(module, in_dims=(0, None))(scores, LENS), stacked)
    by_lens = torch.vmap(module, in_dims=(None, 0))(scores[0], torch.stack([LENS, LENS.flip(0)]))
    torch.testing.assert_close(by_lens[1], module(scores[0], LENS.flip(0)))
    compiled = torch.compile(module, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(scores[0], LENS), stacked[0])
    exported = torch.export.export(module, (scores[0], LENS), strict=False).module()
    torch.testing.assert_close(exported(scores[1], LENS.flip(0)), module(scores[1], LENS.flip(0)))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        assert module(mode.from_tensor(scores[0]), mode.from_tensor(LENS)).shape == (B, Q, K)
    shapes = WEIGHTS[name](scores[0].to("meta"), LENS.to("meta")).shape
    assert shapes == (B, Q, K)


def test_empty(name):
    for shape in ((0, Q, K), (B, 0, K), (B, Q, 0), (0, 0, 0)):
        X = torch.zeros(shape, requires_grad=True)
        weights = WEIGHTS[name](X, torch.zeros(shape[:1], dtype=torch.int64))
        assert weights.shape == shape
        weights.sum().backward()
        assert X.grad.shape == shape
    assert (WEIGHTS[name](torch.randn(B, Q, K), torch.tensor([0, 0])) == 0).all()


def test_visible_scores_that_are_not_finite(name):
    scores = torch.tensor([[[-torch.inf, 0.0, 0.0], [torch.nan, 0.0, 0.0]]], requires_grad=True)
    weights = WEIGHTS[name](scores)
    assert weights[0, 0, 0] == 0
    assert weights[0, 1, 0].isnan()  # the fault is seen
    if name != "sigmoid":
        torch.testing.assert_close(weights[0, 0, 1:], torch.tensor([0.5, 0.5]))
        assert weights[0, 1].isnan().all()
    weights[0, 0, 1].backward()
    assert (scores.grad[0, 0].isfinite()).all()


@pytest.mark.parametrize("name", ["sparsemax", "entmax15"])
def test_rows_sum_to_one_however_many_or_large_the_scores(name):
    weigh = WEIGHTS[name]
    many = torch.cat(
        [
            torch.zeros(1, 1, 100_000),
            1e-3 * torch.randn(1, 1, 100_000),
            1e30 * torch.randn(1, 1, 100_000),
            torch.linspace(-2e-3, 0, 100_000).reshape(1, 1, -1),
        ],
        1,
    )
    weights = weigh(many)
    torch.testing.assert_close(weights.sum(2), torch.ones(1, 4), rtol=0, atol=1e-4)
    exact = weigh(many.double())
    assert (weights.double() - exact).abs().max() < 1e-6
    assert (exact.sum(2) - 1).abs().max() < 1e-9
    low = torch.tensor([[[0.0] + 9 * [-3e38]]])  # the sum of two of them is no float32 number
    assert weigh(low).tolist() == [[[1.0] + 9 * [0.0]]]
    top = torch.tensor([[[60000.0, 59999.0, -60000.0]]], dtype=torch.float16)
    torch.testing.assert_close(weigh(top), weigh(top.double()).half())


def test_a_lead_of_one_is_enough_for_sparsemax_and_of_two_for_entmax():
    assert attn_lib.sparsemax(torch.tensor([[[1.0, 0.0, 0.0]]])).tolist() == [[[1, 0, 0]]]
    assert attn_lib.entmax15(torch.tensor([[[2.0, 0.0, 0.0]]])).tolist() == [[[1, 0, 0]]]
    # z = 1/2 and 0: (1/2 - t)^2 + t^2 = 1 at t = (1 - sqrt(7)) / 4
    weights = attn_lib.entmax15(torch.tensor([[[1.0, 0.0]]]).double())
    assert weights[0, 0, 0].item() == pytest.approx(((1 + math.sqrt(7)) / 4) ** 2, abs=1e-12)


def test_bias_of_the_sigmoid():
    scores = torch.randn(B, 3, Q, K, dtype=torch.float64)
    per_head = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True)
    weights = attn_lib.sigmoid_weights(scores, LENS, bias=per_head)
    for h in range(3):
        alone = attn_lib.sigmoid_weights(scores[:, h], LENS, bias=per_head[h].item())
        torch.testing.assert_close(weights[:, h], alone)
    torch.testing.assert_close(
        attn_lib.sigmoid_weights(scores, bias=per_head[:, None].expand(B, 3, Q)),
        torch.sigmoid(scores + per_head[:, None, None]),
    )
    dirty = scores.masked_fill(torch.arange(K) >= LENS[:, None, :, None], torch.nan)
    assert torch.autograd.gradcheck(
        lambda b: attn_lib.sigmoid_weights(dirty, LENS, bias=b), per_head
    )
    # By default, n equal scores of 0 get 1 / (n + 1) each.
    causal = attn_lib.sigmoid_weights(torch.zeros(1, 4, 4), attn_lib.causal_lens(1, 4))
    assert torch.allclose(causal[0].sum(1), torch.tensor([1 / 2, 2 / 3, 3 / 4, 4 / 5]))
