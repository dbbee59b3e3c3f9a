"""The exercises of the chapter on multi-head attention."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.verdict import Verdict, came, hint, numbers, right


def repeat_lens(answer: Callable[[Tensor, int], Any]) -> Verdict:
    """Judge a function (valid_lens, num_heads) -> the lengths of all rows (example, head).

    The rows of the batch are example 1 head 1, example 1 head 2, and so on, example by example.
    """
    if not callable(answer):
        return hint("repeat_lens", "function", got=type(answer).__name__)
    per_example = torch.tensor([1, 3])
    per_query = torch.tensor([[1, 2, 3], [3, 3, 1]])
    for lens, num_heads in ((per_example, 2), (per_example, 3), (per_query, 2)):
        slots = {"lens": lens.tolist(), "num_heads": num_heads}
        try:
            answered = answer(lens.clone(), num_heads)
        except Exception as error:  # whatever the reader's function raises
            return hint("repeat_lens", "raises", **slots, error=f"{type(error).__name__}: {error}")
        given = numbers(answered)
        if given is None:
            return hint("repeat_lens", "numbers", got=came(answered))
        expected = lens.repeat_interleave(num_heads, dim=0).double()
        wanted, got = tuple(expected.shape), tuple(given.shape)
        if got != wanted:
            flat = lens.ndim == 2 and got == (expected.numel(),)
            name = "flattened" if flat else "shape"
            return hint("repeat_lens", name, **slots, wanted=wanted, got=got)
        if torch.equal(given, expected):
            continue
        tiled = lens.repeat(num_heads, *[1] * (lens.ndim - 1)).double()
        name = "repeat" if torch.equal(given, tiled) else "values"
        whole = bool((given == given.round()).all())
        return hint("repeat_lens", name, **slots, got=(given.long() if whole else given).tolist())
    return right("repeat_lens")


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
