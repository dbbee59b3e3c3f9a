"""Right, wrong and odd answers to the exercises on multi-head attention."""

import torch

from attn_lib import check
from tests.unit.check.hints import accepted, refused

test_repeat_lens_accepts_every_right_function = accepted(
    check.repeat_lens,
    lambda lens, num_heads: lens.repeat_interleave(num_heads, dim=0),
    lambda lens, num_heads: torch.stack([lens] * num_heads, dim=1).flatten(0, 1),
    lambda lens, num_heads: [row.tolist() for row in lens for _ in range(num_heads)],
    lambda lens, num_heads: [row for row in lens for _ in range(num_heads)],
)


test_repeat_lens_names_the_misconception = refused(
    check.repeat_lens,
    ([1, 1, 3, 3], "Hand over the function itself"),
    (lambda lens, num_heads: lens.repeat(num_heads), "order head by head"),
    (lambda lens, num_heads: lens.repeat_interleave(num_heads), "without dim=0"),
    (lambda lens, num_heads: lens, "must have shape (4,)"),
    (lambda lens, num_heads: lens.repeat_interleave(2, 0), "must have shape (6,)"),
    (lambda lens, num_heads: lens.repeat_interleave(num_heads, 0).flip(0), "Write down"),
    (lambda lens, num_heads: lens.repeat_interleave(num_heads, 7), "stopped: IndexError"),
    (lambda lens, num_heads: "1133", "tensor of lengths. Got '1133'."),
    (lambda lens, num_heads: lens.repeat_interleave(num_heads, 0) / 2, "[0.5, 0.5, 2.5, 2.5]"),
)


test_zero_feature_accepts_the_weights_in_any_form = accepted(
    check.zero_feature,
    [1 / 3, 1 / 3, 1 / 3, 0],
    (0.33, 0.33, 0.33, 0),
    (0.33, 0.33, 0.34, 0),
    torch.tensor([[1, 1, 1, 0]]) / 3,
)


test_zero_feature_names_the_misconception = refused(
    check.zero_feature,
    ([0, 0, 0, 0], "exp(0) = 1"),
    ([0.25] * 4, "the valid length is 3"),
    ([0, 1, 0, 0], "does not see itself best by nature"),
    ([1 / 3] * 4, "Your weights sum to 1.33"),
    ([0.5, 0, 0.5, 0], "Compute the scores first"),
    ([1 / 3] * 3, "Give 4 weights"),
    ("uniform", "Give 4 weights"),
)
