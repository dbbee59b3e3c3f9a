"""The exercises of the chapter on multi-head attention."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from attn_lib.check.multi_head_attention import judge
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, numbers, said


def repeat_lens(answer: Callable[[Tensor, int], Any], seed: int = 0) -> Verdict:
    """Judge a function (valid_lens, num_heads) -> the lengths of all rows (example, head).

    The rows of the batch are example 1 head 1, example 1 head 2, and so on, example by example.
    """
    return said("repeat_lens", judge.repeat_lens(answer, seed))


def _not_shared(answered: Any, keys: int, length: int) -> Found:
    weights = numbers(answered)
    if weights is None or weights.numel() != keys:
        return "number", {"got": came(answered)}
    first, purr, *others = weights.reshape(-1).tolist()
    if not any(others[length - 2 :]) and purr > max(first, *others):
        return "itself", {}
    total = weights.sum().item()
    return ("sum", {"sum": f"{total:.2f}"}) if abs(total - 1) > 0.02 else ("values", {})


@quantity(
    numbers=((4, 3), (6, 5), (5, 2), (6, 4), (5, 3), (6, 2)),
    within=0.03,  # two decimals are enough
    unknown=_not_shared,
)
def zero_feature(keys: int, length: int) -> Numbers:
    """Judge the weights of "purr" in head 1 of four: `keys` keys, of which `length` are valid."""
    return {
        "right": [1 / length] * length + [0.0] * (keys - length),
        "zero": [0.0] * keys,
        "unmasked": [1 / keys] * keys,
    }
