"""Right, wrong and odd answers to the exercises on other weights than softmax's."""

import math

import torch

from attn_lib import check, masked_softmax
from attn_lib import sparsemax as library_sparsemax
from tests.unit.check.hints import answered

test_lifted = answered(
    check.lifted,
    ([0, 0.5, 0.5, 0, 0, 0], "right"),
    (torch.tensor([[0, 0.5, 0.5, 0, 0, 0]]), "right"),
    ([0.134471, 0.365528, 0.365528, 0.134471, 0, 0], "softmax"),
    ([0.25, 0.25, 0.25, 0.25, 0, 0], "equal"),
    ([-0.5, 0.5, 0.5, -0.5, 0, 0], "negative"),
    ([0, 1, 1, 0, 0, 0], "sum"),
    ([0, 0, 1, 0, 0, 0], "other"),
    ([0.5, 0.5], "number"),
    ("half", "number"),
)


test_rivals = answered(
    check.rivals,
    (8, "right"),
    (torch.tensor([8.0]), "right"),
    (math.exp(2), "whole"),
    (7, "before"),
    (9, "itself"),
    (3, "log"),
    (2, "score"),
    (16, "other"),
    ("eight", "number"),
    ([7, 8], "number"),
)


def test_eight_rivals_are_the_first_that_leave_less_than_half():
    scores = torch.zeros(1, 1, 9)
    scores[..., 0] = 2
    assert masked_softmax(scores)[0, 0, 0] < 0.5 < masked_softmax(scores[..., :8])[0, 0, 0]


def by_sorting(scores, *, shifted=True):
    if shifted:
        scores = scores - scores.amax(-1, keepdim=True)
    ranked = scores.sort(-1, descending=True).values
    lifts = (1 - ranked.cumsum(-1)) / torch.arange(1, scores.shape[-1] + 1)
    size = (ranked + lifts > 0).sum(-1, keepdim=True).clamp(min=1)
    return (scores + lifts.gather(-1, size - 1)).clamp(min=0)


def all_lifted(scores):
    return scores + (1 - scores.sum(-1, keepdim=True)) / scores.shape[-1]


def cut_and_divided(scores):
    positive = scores.clamp(min=0)
    return positive / positive.sum(-1, keepdim=True).clamp(min=1e-9)


test_sparsemax = answered(
    check.sparsemax,
    (library_sparsemax, "right"),
    (by_sorting, "right"),
    (lambda X: by_sorting(X, shifted=False), "large"),
    (masked_softmax, "softmax"),
    (lambda X: by_sorting(X.mT).mT, "axis"),
    (lambda X: by_sorting(X.reshape(-1)).reshape(X.shape), "all_rows"),
    (all_lifted, "all_keys"),
    (cut_and_divided, "divided"),
    (lambda X: all_lifted(X).clamp(min=0), "sum"),
    (lambda X: by_sorting(2 * X), "other"),
    (lambda X: X.sum(-1), "shape"),
    (lambda X: None, "shape"),
    (lambda X, lens: X, "raises"),
    (0.5, "function"),
)
