"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

from typing import Any

import torch

from attn_lib.check.judging import RIGHT, Draws, came, numbers, raised


def repeat_lens(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge a function (valid_lens, num_heads) -> the lengths of all rows (example, head).

    The rows of the batch are example 1 head 1, example 1 head 2, and so on, example by example.
    """
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    draws = Draws(seed)
    # Equal lengths would hide the order.
    per_example = torch.cat([draws.whole(1, 3, 1), draws.whole(4, 6, 1)])
    per_query = torch.cat([draws.whole(1, 3, 1, 3), draws.whole(4, 6, 1, 3)])
    for lens, num_heads in ((per_example, 2), (per_example, 3), (per_query, 2)):
        slots = {"lens": lens.tolist(), "num_heads": num_heads}
        try:
            answered = answer(lens.clone(), num_heads)
        except Exception as error:  # whatever the reader's function raises
            return "raises", dict(slots, error=raised(error)), None
        given = numbers(answered)
        if given is None:
            return "numbers", {"got": came(answered)}, None
        expected = torch.stack([row for row in lens for _ in range(num_heads)]).double()
        wanted, got = tuple(expected.shape), tuple(given.shape)
        if got != wanted:
            is_flat = lens.ndim == 2 and got == (expected.numel(),)
            name = "flattened" if is_flat else "shape"
            return name, dict(slots, wanted=wanted, got=got), None
        if torch.equal(given, expected):
            continue
        by_head = torch.cat([lens] * num_heads).double()
        name = "repeat" if torch.equal(given, by_head) else "values"
        is_whole = bool((given == given.long()).all())
        return name, dict(slots, got=(given.long() if is_whole else given).tolist()), None
    return RIGHT
