"""Right, wrong and odd answers to the exercises on batched products."""

import re

import pytest
import torch

from attn_lib import check
from tests.unit.check.hints import accepted, refused


def loop(X, Y):
    return torch.stack([x @ y for x, y in zip(X, Y, strict=True)])


def first(X, Y):
    for x, y in zip(X, Y, strict=True):
        return x @ y
    return None


def cleared(X, Y):
    return torch.bmm(X.zero_(), Y)


def in_place(X, Y):
    Z = torch.bmm(X, Y)
    X.zero_()
    return Z


test_batched_dot_accepts_every_right_function = accepted(
    check.batched_dot,
    loop,
    torch.bmm,
    torch.matmul,
    lambda X, Y: torch.einsum("bnm,bmk->bnk", X, Y),
    lambda X, Y: (X.unsqueeze(3) * Y.unsqueeze(1)).sum(2),
    lambda X, Y: loop(X, Y).double().requires_grad_(),
    lambda X, Y: X.numpy() @ Y.numpy(),
    lambda X, Y: (Y.numpy().transpose(0, 2, 1) @ X.numpy().transpose(0, 2, 1)).swapaxes(1, 2),
    lambda X, Y: torch.bmm(X.flip(1), Y).numpy()[:, ::-1],
    lambda X, Y: loop(X, Y).tolist(),
)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (torch.ones(2, 1, 2), "Hand over the function itself"),
        (lambda X, Y: X * Y, "X \\* Y is the elementwise product"),
        (lambda X, Y: X + Y, "stopped: RuntimeError"),
        (lambda X, Y: torch.bmm(X, Y).squeeze(), r"squeeze\(\) has removed an axis"),
        (lambda X, Y: None, "one tensor of numbers"),
        (lambda X, Y: [x @ y for x, y in zip(X, Y, strict=True)], "one tensor of numbers"),
        (lambda X, Y: torch.tensordot(X, Y, dims=([2], [1])), "met every example of Y"),
        (lambda X, Y: torch.einsum("bnm,cmk->bcnk", X, Y), "met every example of Y"),
        (lambda X, Y: torch.einsum("bnm,bmk->nk", X, Y), "the examples were added up"),
        (lambda X, Y: loop(X, Y).transpose(1, 2), r"must have shape \(2, 1, 2\)"),
        (lambda X, Y: X @ Y[0], "matrix of the first one"),
        (lambda X, Y: -loop(X, Y), "the numbers are not"),
        (first, r"must have shape \(2, 1, 2\). Yours has \(1, 2\)"),
        (cleared, "the numbers are not"),
        (lambda X, Y: loop(X, Y) * (1 + 1j), "one tensor of numbers.*Got Tensor"),
        (in_place, "has changed the tensors"),
    ],
)
def test_batched_dot_names_the_misconception(answer, says):
    verdict = check.batched_dot(answer)
    assert not verdict
    assert re.search(says, verdict.text)


test_one_batch_accepts_three_numbers_in_any_form = accepted(
    check.one_batch, (1, 2, 1), [1, 2, 1], torch.tensor([1, 2, 1]), (1.0, 2.0, 1.0)
)


def test_one_batch_takes_its_numbers_without_brackets_too():
    assert check.one_batch(1, 2, 1)
    assert "a call of its own" in check.one_batch(2, 1, 1).text
    assert "Give three numbers" in check.one_batch(1, 2).text


test_one_batch_names_the_misconception = refused(
    check.one_batch,
    ((2, 1, 1), "a call of its own"),
    ((2, 1, 20), "a call of its own"),
    ((1, 1, 2), "share its keys"),
    ((1, 2, 20), "which letter counts what"),
    (2, "Give three numbers"),
    ("two", "Give three numbers"),
    ((float("nan"),) * 3, "which letter counts what"),
)
