"""The exercises of the chapter on multi-head attention."""

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from attn_lib.check.multi_head_attention import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, said


def repeat_lens(answer: Callable[[Tensor, int], Any], seed: int = 0) -> Verdict:
    """Judge a function (valid_lens, num_heads) -> the lengths of all rows (example, head).

    The rows of the batch are example 1 head 1, example 1 head 2, and so on, example by example.
    """
    return said("repeat_lens", judge.repeat_lens(answer, seed))


def zero_feature(answer: Sequence[float]) -> Verdict:
    """Judge the weights of "purr" in head 1 of four heads, valid length 3."""
    weights = numbers(answer)
    if weights is None or weights.numel() != 4:
        return hint("zero_feature", "four", got=came(answer))
    first, second, third, masked = weights.reshape(-1).tolist()
    rounded = [round(weight, 2) for weight in (first, second, third, masked)]
    if rounded[3] == 0 and all(0.33 <= weight <= 0.34 for weight in rounded[:3]):
        return right("zero_feature")
    if rounded == [0, 0, 0, 0]:
        return hint("zero_feature", "zero")
    if rounded == [0.25] * 4:
        return hint("zero_feature", "unmasked")
    if masked == 0 and second > max(first, third):
        return hint("zero_feature", "itself")
    if abs(sum(rounded) - 1) > 0.02:
        return hint("zero_feature", "sum", sum=f"{sum(rounded):.2f}")
    return hint("zero_feature", "values")
