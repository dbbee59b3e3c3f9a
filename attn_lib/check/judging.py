"""What judges share that run twice: by torch in Jupyter, on the page by `attn_lib.page`.

Such a judge takes the reader's function and returns a finding: the name of its sentence, what fills
the sentence's slots, and the case that shows the mistake, as columns of numbers. It is written in
the part of Python that MicroPython has, and draws its cases from a seed, equally in both places.
"""

import math
from typing import Any

import torch
from torch import Tensor

LONGEST = 40  # letters of an answer that a sentence repeats
RIGHT: tuple[str, dict[str, Any], Any] = ("right", {}, None)


class Draws:
    """Numbers drawn from a seed, the same ones wherever the judge runs."""

    def __init__(self, seed: int = 0) -> None:
        # Squared: what grows evenly with the seed would move each draw of the next one by as much.
        self._state = (seed * seed * 2654435761 + 88172645) % 2**31
        for _ in range(8):
            self.uniform()

    def uniform(self) -> float:
        """Draw a number between 0 and 1."""
        self._state = (self._state * 1103515245 + 12345) % 2**31
        return (self._state + 0.5) / 2**31

    def normal(self, *shape: int) -> Tensor:
        """Draw a tensor from the normal distribution."""
        numbers = [
            math.sqrt(-2 * math.log(self.uniform())) * math.cos(2 * math.pi * self.uniform())
            for _ in range(_product(shape))
        ]
        return torch.tensor(numbers).reshape(shape)

    def whole(self, low: int, high: int, *shape: int) -> Tensor:
        """Draw a tensor of whole numbers from low to high, both included."""
        numbers = [low + int(self.uniform() * (high - low + 1)) for _ in range(_product(shape))]
        return torch.tensor(numbers).reshape(shape)


def _product(sizes: Any) -> int:
    n = 1
    for size in sizes:
        n *= size
    return n


def numbers(answer: Any) -> Tensor | None:
    """Return numbers in any form (tensors, arrays, lists, a number) as float64; None if not real.

    They are a copy: what the reader's function does to its result later changes nothing.
    """
    try:
        given = torch.as_tensor(_plain(answer)).detach().cpu()
        if given.is_complex():
            return None
        return given.to_dense().to(torch.float64).clone()
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None


def _plain(answer: Any) -> Any:
    """Turn arrays, and tensors in lists, into lists: torch takes those in every case."""
    if isinstance(answer, (list, tuple)):
        return [_plain(part.tolist() if isinstance(part, Tensor) else part) for part in answer]
    if isinstance(answer, Tensor):
        return answer
    return answer.tolist() if hasattr(answer, "tolist") else answer


def shape(answer: Any) -> str:
    """Say in which shape numbers came; of anything else, the type."""
    given = numbers(answer)
    if given is not None:
        return str(tuple(given.shape))
    return "None" if answer is None else type(answer).__name__


def one_number(answer: Any) -> float | None:
    """Return the only number of an answer, in whatever form it came; None if it is not one."""
    given = numbers(answer)
    return None if given is None or given.numel() != 1 else float(given.item())


def came(answer: Any) -> str:
    """Say what came, cut short; of a thing that is no number, text or list, only the type."""
    given = numbers(answer) if isinstance(answer, Tensor) else None
    value = answer if given is None else given.tolist()
    is_shown = value is None or isinstance(value, (str, int, float, list, tuple, set))
    if not is_shown:
        return type(value).__name__
    text = repr(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def close(got: Tensor, wanted: Tensor, within: float = 1e-5) -> bool:
    """Say whether two tensors of one shape agree."""
    return torch.allclose(got, wanted, atol=within)


def raised(error: BaseException) -> str:
    """Say what the reader's function raised."""
    return f"{type(error).__name__}: {error}"


def length(lens: Tensor, b: int, q: int) -> int:
    """Return how many keys a query sees, from lengths of shape (B,) or (B, Q)."""
    return int(lens[b, q] if lens.ndim == 2 else lens[b])


def masked_weights(scores: Tensor, lens: Tensor, sink: float | None = None) -> Tensor:
    """Compute the softmax over the first keys of each row, in the plainest way.

    A sink is one more score among those that share the weight.
    """
    rows = []
    for b, example in enumerate(scores.tolist()):
        for q, row in enumerate(example):
            seen = row[: length(lens, b, q)]
            shared = seen if sink is None else seen + [sink]  # noqa: RUF005 - MicroPython
            exps = [math.exp(score - max(shared)) for score in shared]
            weights = [e / sum(exps) for e in exps[: len(seen)]]
            rows.append(weights + [0.0] * (len(row) - len(seen)))
    return torch.tensor(rows, dtype=torch.float64).reshape(scores.shape)


def wrong_row(got: Tensor, wanted: Tensor) -> tuple[int, ...]:
    """Return the place of the first row that is wrong, NaN included."""
    apart = ~((got - wanted).abs() <= 1e-5).all(-1)
    place = apart.reshape(-1).tolist().index(True)
    indices: list[int] = []
    for size in reversed(tuple(apart.shape)):
        indices.insert(0, place % size)
        place //= size
    return tuple(indices)


def column(row: Tensor) -> list[str]:
    """Write numbers for a table: with two digits, huge ones by their power of ten."""
    return [f"{x:.0e}" if 1e4 <= abs(x) < math.inf else f"{x:.2f}" for x in row.tolist()]
