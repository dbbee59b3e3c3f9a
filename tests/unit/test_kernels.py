import pytest
import textbook
import torch

import attn_lib

X = torch.tensor([[[0.0], [1.0], [2.0], [3.0], [7.0], [8.0]]])
Y = torch.tensor([[[1.0], [3.0], [2.0], [4.0], [6.0], [5.0]]])
WIDTH = 8.0  # beyond the distances of normal vectors of 7 features
HEIGHTS = {
    "gaussian": lambda u: torch.exp(-u * u / 2),
    "boxcar": lambda u: (u < 1).double(),
    "triangular": lambda u: torch.clamp(1 - u, min=0),
    "epanechnikov": lambda u: torch.clamp(0.75 * (1 - u * u), min=0),
}


@pytest.mark.parametrize("kernel", HEIGHTS)
def test_definition(kernel):
    queries, keys, values = (torch.randn(2, n, d).double() for n, d in [(3, 7), (5, 7), (5, 11)])
    attention = attn_lib.KernelAttention(kernel, width=WIDTH)
    output = attention(queries, keys, values)
    heights = textbook.pairwise(lambda q, k: HEIGHTS[kernel]((q - k).norm() / WIDTH), queries, keys)
    assert (heights.sum(2) > 0).all()
    weights = heights / heights.sum(2, keepdim=True)
    torch.testing.assert_close(attention.attention_weights, weights)
    torch.testing.assert_close(output, weights @ values)


@pytest.mark.parametrize(
    ("kernel", "width", "query", "fit"),
    [
        ("gaussian", 1.0, 2.0, 2.7172),
        ("gaussian", 0.1, 5.0, 5.0000),
        ("gaussian", 10.0, 2.0, 3.4136),
        ("boxcar", 1.5, 2.0, 3.0000),
        ("triangular", 1.5, 2.0, 2.6000),
        ("epanechnikov", 1.5, 2.0, 2.7895),
    ],
)
def test_numbers_of_the_figure(kernel, width, query, fit):
    attention = attn_lib.KernelAttention(kernel, width=width)
    assert attention(torch.tensor([[[query]]]), X, Y).item() == pytest.approx(fit, abs=5e-5)


@pytest.mark.parametrize("kernel", ["boxcar", "triangular", "epanechnikov"])
def test_a_gap_gives_zero_and_no_nan(kernel):
    queries = torch.tensor([[[5.0], [6.0], [2.0]]], requires_grad=True)
    values = Y.clone().requires_grad_()
    attention = attn_lib.KernelAttention(kernel, width=1.0)
    output = attention(queries, X, values)  # 7 is exactly one width from 6
    gradients = torch.autograd.grad(output.sum(), (queries, values), materialize_grads=True)
    assert (output[0, :2] == 0).all()
    assert (attention.attention_weights[0, :2] == 0).all()
    assert all(gradient.isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("kernel", ["boxcar", "triangular", "epanechnikov"])
@pytest.mark.parametrize("lens", [None, torch.tensor([6, 6, 0])])
def test_a_shared_bias_learns_from_those_who_see_keys(kernel, lens):
    """Beside a query far from all keys, and one of length 0; one bias of -1000 is below them."""
    attention = attn_lib.KernelAttention(kernel, width=1.5)
    bias = torch.tensor([[0.3, -0.2, 0.1, -1000.0, 0.5, 0.0]]).double()

    def gradients(queries, lens, bias):
        queries = torch.tensor(queries).double().reshape(-1, 1, 1).requires_grad_()
        bias, (keys, values) = (
            bias.clone().requires_grad_(),
            (T.double().repeat(len(queries), 1, 1) for T in (X, Y)),
        )
        outputs = attention(queries, keys, values, lens, score_bias=bias)
        assert (outputs[1:] == 0).all()
        loss = outputs.square().sum()
        slopes = torch.autograd.grad(
            loss, (queries, bias), create_graph=True, materialize_grads=True
        )
        bend = torch.autograd.grad(slopes[1].square().sum(), bias)[0]
        return slopes[0][0], slopes[1], bend

    alone = gradients([2.2], None, bias)
    assert alone[1].abs().max() > 0.01
    torch.testing.assert_close(gradients([2.2, 40.0, 40.0], lens, bias), alone)
    hidden = bias.clone()
    hidden[0, 5] = torch.nan  # of a key beyond the width
    for found, expected in zip(gradients([2.2], None, hidden), alone, strict=True):
        torch.testing.assert_close(found, expected)


def test_no_keys_with_a_bias():
    inputs = torch.ones(1, 2, 3), torch.ones(1, 0, 3), torch.ones(1, 0, 4)
    for kernel in HEIGHTS:
        attention = attn_lib.KernelAttention(kernel)
        assert (attention(*inputs, score_bias=torch.zeros(2, 0)) == torch.zeros(1, 2, 4)).all()


@pytest.mark.parametrize("width", [1e-3, 1e-20, 1e-37])
def test_a_tiny_gaussian_finds_the_nearest_visible_key(width):
    """exp(-distance^2 / 2 width^2) underflows to 0 / 0 for all of these."""
    queries = torch.tensor([[[2.2], [6.8], [4.5]]])
    attention = attn_lib.KernelAttention(width=width)
    assert attention(queries, X, Y).flatten().tolist() == [2.0, 6.0, 4.0]
    lens = torch.tensor([2])
    assert attention(queries, X, Y, lens).flatten().tolist() == [3.0, 3.0, 3.0]


def test_slope_at_a_key_is_finite():
    queries = X.clone().requires_grad_()
    attn_lib.KernelAttention("triangular", width=1.5)(queries, X, Y).sum().backward()
    assert queries.grad.isfinite().all()
