"""Right, wrong and odd answers to the exercises on multi-head attention."""

import pytest
import torch

from attn_lib import check


@pytest.mark.parametrize(
    "answer",
    [
        lambda lens, num_heads: lens.repeat_interleave(num_heads, dim=0),
        lambda lens, num_heads: torch.stack([lens] * num_heads, dim=1).flatten(0, 1),
        lambda lens, num_heads: [row.tolist() for row in lens for _ in range(num_heads)],
        lambda lens, num_heads: [row for row in lens for _ in range(num_heads)],
    ],
)
def test_repeat_lens_accepts_every_right_function(answer):
    assert check.repeat_lens(answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([1, 1, 3, 3], "Hand over the function itself"),
        (lambda lens, num_heads: lens.repeat(num_heads), "order head by head"),
        (lambda lens, num_heads: lens.repeat_interleave(num_heads), "without dim=0"),
        (lambda lens, num_heads: lens, "must have shape (4,)"),
        (lambda lens, num_heads: lens.repeat_interleave(2, 0), "must have shape (6,)"),
        (lambda lens, num_heads: lens.repeat_interleave(num_heads, 0).flip(0), "Write down"),
        (lambda lens, num_heads: lens.repeat_interleave(num_heads, 7), "stopped: IndexError"),
        (lambda lens, num_heads: "1133", "tensor of lengths. Got '1133'."),
        (lambda lens, num_heads: lens.repeat_interleave(num_heads, 0) / 2, "[0.5, 0.5, 1.5, 1.5]"),
    ],
)
def test_repeat_lens_names_the_misconception(answer, says):
    verdict = check.repeat_lens(answer)
    assert not verdict
    assert says in verdict.text


@pytest.mark.parametrize(
    "answer",
    [
        [1 / 3, 1 / 3, 1 / 3, 0],
        (0.33, 0.33, 0.33, 0),
        (0.33, 0.33, 0.34, 0),
        torch.tensor([[1, 1, 1, 0]]) / 3,
    ],
)
def test_zero_feature_accepts_the_weights_in_any_form(answer):
    assert check.zero_feature(answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([0, 0, 0, 0], "exp(0) = 1"),
        ([0.25] * 4, "the valid length is 3"),
        ([0, 1, 0, 0], "does not see itself best by nature"),
        ([1 / 3] * 4, "Your weights sum to 1.32"),
        ([0.5, 0, 0.5, 0], "Compute the four scores first"),
        ([1 / 3] * 3, "Give four weights"),
        ("uniform", "Give four weights"),
    ],
)
def test_zero_feature_names_the_misconception(answer, says):
    verdict = check.zero_feature(answer)
    assert not verdict
    assert says in verdict.text
