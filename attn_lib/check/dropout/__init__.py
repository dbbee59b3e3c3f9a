"""The exercises of the chapter on dropout."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from attn_lib.check.judging import raised
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, shape
from attn_lib.masking import masked_softmax
from attn_lib.scoring import batched_dot, dot_product_scores

LENS = (2, 6)
VALUES = torch.arange(40.0).reshape(10, 4)
# A notebook printed 4 5 6 7 and 20 21.6667 23.3333 25, at p = 0.5: by how much the numbers of
# each row rise, which is the sum of its weights, and the first one.
PRINTED = ((1.0, 4.0), (1.6667, 20.0))


def infer_mask(answer: Sequence[Sequence[int]]) -> Verdict:
    """Judge which weights lived (1) and which were dropped (0), one row for each example."""
    try:
        given = list(islice(answer, 3))  # it may be endless
    except Exception:  # whatever iterating over it raises
        given = []
    if len(given) != 2:
        return hint("infer_mask", "rows", got=came(answer))
    rows = [numbers(row) for row in given]
    lived = []
    for example, (row, length) in enumerate(zip(rows, LENS, strict=True), 1):
        if row is None or row.numel() < length or not ((row == 0) | (row == 1)).all():
            slots = {"example": example, "length": length, "got": came(given[example - 1])}
            return hint("infer_mask", "entries", **slots)
        lived.append(row.reshape(-1)[:length].float())

    if all(_would_print(1 - row) == printed for row, printed in zip(lived, PRINTED, strict=True)):
        return hint("infer_mask", "inverted")
    for example, (row, printed) in enumerate(zip(lived, PRINTED, strict=True), 1):
        total, first = _would_print(row)
        slots = {"example": example, "sum": total, "wanted": printed[0]}
        if total != printed[0]:
            return hint("infer_mask", "count", **slots)
        if first != printed[1]:
            return hint("infer_mask", "which", **slots, first=first, printed=printed[1])
    return right("infer_mask")


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
