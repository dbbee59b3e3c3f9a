"""The comparison that stands below each chapter's ten lines."""

import pytest
import torch
from torch import nn

from attn_lib.examples.beside import differences

X = torch.tensor([1.0, -2.0])


def test_the_same_is_no_difference():
    assert differences(torch.tanh, torch.tanh, X) == (0.0, 0.0)


def test_an_output_that_is_off_is_seen():
    assert differences(lambda x: x, lambda x: x + 0.25, X) == (0.25, 0.0)


def test_a_gradient_that_is_off_is_seen_behind_equal_outputs():
    output, gradient = differences(lambda x: x, lambda x: 2 * x - x.detach(), X)
    assert output == 0
    assert gradient > 0


def test_parameters_of_two_modules_are_compared():
    class Detached(nn.Linear):
        def forward(self, x):
            return nn.functional.linear(x, self.weight.detach(), self.bias) + 0 * self.weight.sum()

    own, its = nn.Linear(2, 1), Detached(2, 1)
    its.load_state_dict(own.state_dict())
    output, gradient = differences(own, its, X[None])
    assert output == 0
    assert gradient > 0


def test_other_inputs_pass_and_inputs_stay():
    lens = torch.tensor([1])
    before = X.clone()
    assert differences(lambda x, n: x[: n[0]], lambda x, n: x[:1], X, lens) == (0.0, 0.0)
    assert torch.equal(X, before)
    assert not X.requires_grad


def test_other_shapes_are_an_error():
    with pytest.raises(ValueError, match=r"same shape. Got \(2,\) and \(1, 2\)"):
        differences(lambda x: x, lambda x: x[None], X)
