"""The exercises of the chapter on choosing a scoring function."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import raised
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, shape
from attn_lib.examples import four_words

QUERY_SIZE, KEY_SIZE = 20, 2


def matmul_scorer(answer: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Judge a function (queries (B, Q, 20), keys (B, K, 2)) -> scores (B, Q, K).

    What matrix products alone can give is linear in the query and linear in the key. Beyond that
    the query must count, with all its features, and examples must not see each other.
    """
    if not callable(answer):
        return hint("matmul_scorer", "function", got=type(answer).__name__)
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(3, 2, 4, QUERY_SIZE, generator=generator)
    keys = torch.randn(3, 2, 5, KEY_SIZE, generator=generator)

    calls = [
        (queries[0], keys[0]),
        (queries[1], keys[0]),
        (queries[0] + queries[1], keys[0]),
        (queries[0], keys[1]),
        (queries[0], keys[0] + keys[1]),
        (torch.stack([queries[0, 0], queries[2, 1]]), keys[0]),
        *((queries[0] + step, keys[0]) for step in torch.eye(QUERY_SIZE)),
    ]
    try:
        answers = [numbers(answered := answer(q.clone(), k.clone())) for q, k in calls]
    except Exception as error:  # whatever the reader's function raises
        return hint("matmul_scorer", "raises", error=raised(error))
    scores = [s for s in answers if s is not None and s.shape == (2, 4, 5)]
    if len(scores) < len(calls):
        return hint("matmul_scorer", "shape", got=shape(answered))
    one, two, both, other_keys, both_keys, mixed, *moved = scores

    if not torch.isfinite(one).all():
        return hint("matmul_scorer", "not_finite")
    if _same_weights(one, two):
        return hint("matmul_scorer", "query_ignored")
    if not _close(both, one + two):
        return hint("matmul_scorer", "query_linear")
    if not _close(both_keys, one + other_keys):
        return hint("matmul_scorer", "key_linear")
    if not _close(mixed[0], one[0]):
        return hint("matmul_scorer", "mixed")
    try:
        alone = numbers(answer(queries[0, 1:].clone(), keys[0, 1:].clone()))
    except Exception as error:  # such as a matrix for each example of the batch above
        return hint("matmul_scorer", "alone", got=raised(error))
    if alone is None or alone.shape != (1, 4, 5) or not _close(alone, one[1:]):
        return hint("matmul_scorer", "alone", got=shape(alone))
    blind = sum(_close(one, other) for other in moved)
    if blind:
        return hint("matmul_scorer", "blind", blind=blind, size=QUERY_SIZE)
    return right("matmul_scorer")


def _no_weights(answered: Any, scale: float) -> Found:
    weights = numbers(answered)
    if weights is None or weights.numel() != 4:
        return "number", {"got": came(answered)}
    total = weights.sum().item()
    return ("total", {"total": f"{total:.2f}"}) if abs(total - 1) > 0.01 else ("other", {})


@quantity(
    numbers=(1, 0.5, 2, 0.75, 1.5),
    shown=lambda scale: {"most": 2 * scale},
    within=0.012,  # two decimals are enough
    unknown=_no_weights,
)
def vector_sum(scale: float) -> Numbers:
    """Judge the vector sum's weights where *bark* asks and all keys are multiplied by `scale`."""
    bark = four_words.keys()[3].double()
    keys = scale * four_words.keys().double()
    sums = (bark + keys).sum(1)
    rules = {
        "right": sums.softmax(0),
        "scores": sums,
        # By default they are also the right weights in reverse order.
        "dot": (keys @ bark).softmax(0),
        "scaled": (keys @ bark / 2**0.5).softmax(0),
        "uniform": torch.full((4,), 1 / 4),
    }
    return {name: rule.tolist() for name, rule in rules.items()}


def _close(scores: Tensor, others: Tensor) -> bool:
    return torch.allclose(scores, others, rtol=1e-3, atol=1e-4 * scores.abs().max().item())


def _same_weights(scores: Tensor, others: Tensor) -> bool:
    """Say whether they differ by one number for each query, whatever the size of the scores."""
    difference = scores - others
    spread = difference.amax(2) - difference.amin(2)
    return bool((spread <= 1e-5 * scores.abs().max()).all())
