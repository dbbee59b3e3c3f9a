"""The formulas for compilers against the direct form, on all sides of each switch."""

import pytest
import torch
from test_fast_additive import largest_exponent, projections, run, second_derivatives

import attn_lib
from attn_lib import scoring
from attn_lib.fast import additive, compiled


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("largest", [1e-4, 0.999, 1.001, 39.9, 40.1, 3000.0])
def test_scores_and_gradients(largest, dtype):
    a, b, v = (X.detach() for X in projections())
    a, b = (largest * X / X.abs().amax() for X in (a, b))
    inputs = [X.to(dtype).requires_grad_() for X in (a, b, v)]
    exact = run(scoring.direct_scores, [X.detach().double().requires_grad_() for X in inputs])
    for found, direct in zip(run(choose(largest), inputs), exact, strict=True):
        scale = max(direct.abs().max().item(), min(largest, 1.0))
        tolerance = 50 * torch.finfo(dtype).eps * scale
        torch.testing.assert_close(found.double(), direct, rtol=0, atol=tolerance)


def choose(largest):
    """What fusible_scores takes, without torch.cond, which compiles even in eager mode."""
    if largest < compiled._SMALL:
        return lambda a, b, v: compiled._by_sums(a, b, v, None)
    return compiled._reciprocals if largest < compiled._LARGE else compiled._logistic


def test_exponentials_stay_in_range():
    assert largest_exponent(torch.float32) > compiled._LARGE
    assert compiled._SMALL == additive._SMALL


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("size", [0.5, 3.0, 60.0])
def test_one_graph_takes_every_way(size, monkeypatch):
    monkeypatch.setattr(additive, "_DIRECT", 0)
    attention = attn_lib.AdditiveAttention(5, 7, 11, 0.0)
    graph = torch.compile(attention, backend="aot_eager", fullgraph=True)
    call = [size * torch.randn(2, 3, 7), size * torch.randn(2, 4, 5), torch.randn(2, 4, 6)]
    call.append(torch.tensor([0, 3]))
    found, expected = graph(*call), attention(*call)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
    parameters = list(attention.parameters())
    gradients = [torch.autograd.grad(output.sum(), parameters) for output in (found, expected)]
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-4)


@pytest.mark.slow
@pytest.mark.no_cover
def test_inductor():
    """The one test that needs a C++ compiler; the way that most calls take."""
    inputs = [X.detach() for X in projections(torch.float32)]
    found = torch.compile(compiled._reciprocals, fullgraph=True)(*inputs)
    torch.testing.assert_close(found, scoring.direct_scores(*inputs), rtol=0, atol=1e-5)


def test_second_derivatives_are_those_of_the_formula():
    inputs = projections()
    again = [X.detach().clone().requires_grad_() for X in inputs]
    found = second_derivatives(compiled._reciprocals, inputs)
    torch.testing.assert_close(found, second_derivatives(scoring.direct_scores, again))
