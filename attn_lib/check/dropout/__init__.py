"""The exercises of the chapter on dropout."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from attn_lib.check.judging import raised
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, shape
from attn_lib.masking import masked_softmax
from attn_lib.scoring import batched_dot, dot_product_scores

LENS = (2, 6)
VALUES = torch.arange(40.0).reshape(10, 4)
# By how much the printed numbers of each row rise, at p = 0.5: the sum of its weights.
RISES = (1.0, 1.6667)


def _kept(first: float, second: float) -> list[list[int]]:
    six = [[int(i != j) for i in range(LENS[1])] for j in range(LENS[1])]
    pairs = (([[1, 0], [0, 1]], first), (six, second))
    return [
        next(row for row in rows if _would_print(torch.tensor(row).float())[1] == printed)
        for rows, printed in pairs
    ]


def _shown(first: float, second: float) -> Numbers:
    one, six = _kept(first, second)
    printed = [
        ", ".join(f"{round(start + i * rise, 4):g}" for i in range(4))
        for start, rise in ((first, 1), (round(3 * second) / 3, 5 / 3))
    ]
    return {
        "kept": one.index(1) + 1,
        "dropped": six.index(0) + 1,
        "first_row": printed[0],
        "second_row": printed[1],
    }


def _not_kept(answered: Any, first: float, second: float) -> Found:
    try:
        given = list(islice(answered, 3))  # it may be endless
    except Exception:  # whatever iterating over it raises
        given = []
    if len(given) != 2:
        return "rows", {"got": came(answered)}
    rows = [numbers(row) for row in given]
    lived = []
    for example, (row, length) in enumerate(zip(rows, LENS, strict=True), 1):
        if row is None or row.numel() < length or not ((row == 0) | (row == 1)).all():
            slots = {"example": example, "length": length, "got": came(given[example - 1])}
            return "entries", slots
        lived.append(row.reshape(-1)[:length].float())

    printed = list(zip(RISES, (first, second), strict=True))
    if [_would_print(1 - row) for row in lived] == printed:
        return "inverted", {}
    for example, (row, (rise, start)) in enumerate(zip(lived, printed, strict=True), 1):
        total, begins = _would_print(row)
        slots = {"example": example, "sum": total, "wanted": rise}
        if total != rise:
            return "count", slots
        if begins != start:
            return "which", slots | {"begins": begins, "printed": start}
    return "right", {}


@quantity(
    numbers=((4.0, 20.0), *((0.0, row) for row in (16.0, 13.3333, 18.6667, 14.6667, 17.3333))),
    shown=_shown,
    unknown=_not_kept,
)
def infer_mask(first: float, second: float) -> Numbers:
    """Judge which weights lived (1), by row, if printed rows begin with `first` and `second`."""
    return {"right": _kept(first, second)}


def _would_print(lived: Tensor) -> tuple[float, float]:
    """Return the row sum and the first output number with these living weights, at p = 0.5."""
    weights = lived / len(lived) / 0.5
    first = weights @ VALUES[: len(lived), 0]
    return round(weights.sum().item(), 4), round(first.item(), 4)


def which_weights(answer: Callable[..., Any]) -> Verdict:
    """Judge a function (attention, queries, keys, values, valid_lens) -> weights to plot.

    The module it is tried on stores its weights after dropout and is in training mode.
    """
    if not callable(answer):
        return hint("which_weights", "function", got=type(answer).__name__)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return _judge_weights(answer)


def _judge_weights(answer: Callable[..., Any]) -> Verdict:
    queries, keys, values = torch.randn(3, 2, 5), torch.randn(3, 7, 5), torch.randn(3, 7, 4)
    lens = torch.tensor([2, 7, 4])
    expected = masked_softmax(dot_product_scores(queries, keys), lens).double()
    for training in (True, False):
        attention = _StoresAfterDropout(0.5).train(training)
        inputs = [tensor.clone() for tensor in (queries, keys, values, lens)]
        try:
            answered = answer(attention, *inputs)
        except Exception as error:  # whatever the reader's function raises
            return hint("which_weights", "raises", error=raised(error))
        weights = numbers(answered)
        if weights is None or weights.shape != expected.shape:
            wanted = tuple(expected.shape)
            return hint("which_weights", "shape", wanted=wanted, got=shape(answered))
        if not torch.allclose(weights, expected, atol=1e-5):
            sums = weights.sum(-1)
            normalised = torch.allclose(sums, torch.ones_like(sums), atol=1e-4)
            name = "normalised" if normalised else "dropped"
            return hint("which_weights", name, sum=f"{sums[0, 0].item():.2f}")
        if attention.training != training or attention.dropout.training != training:
            return hint("which_weights", "mode_train" if training else "mode_eval")
        if getattr(attention.dropout, "p", 0) != 0.5:
            return hint("which_weights", "layer")
    return right("which_weights")


class _StoresAfterDropout(nn.Module):
    """Dot-product attention that keeps the weights after dropout, as a published notebook does."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> Tensor:
        weights = masked_softmax(dot_product_scores(queries, keys), valid_lens)
        self.attention_weights = self.dropout(weights)
        return batched_dot(self.attention_weights, values)
