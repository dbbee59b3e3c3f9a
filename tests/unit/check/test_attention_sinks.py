"""Right, wrong and odd answers to the exercises on sinks."""

import math

import pytest
import torch

from attn_lib import check, masked_softmax
from tests.unit.check.hints import answered

test_sink_half = answered(
    check.sink_half,
    (math.log(4), "right"),
    (1.386, "right"),
    (torch.tensor([4.0]).log(), "right"),
    (0, "plus_one"),
    (4, "exponential"),
    (0.5, "half"),
    (-math.log(4), "sign"),
    (2, "other"),
    ("four", "number"),
    ([1, 2], "number"),
)


def test_the_right_score_leaves_half():
    weights = masked_softmax(torch.zeros(1, 1, 4), sink=math.log(4))
    assert weights.sum().item() == pytest.approx(0.5)


def by_column(scores, lens, sink):
    keep = torch.arange(scores.shape[-1]) < lens[:, None, None]
    scores = scores.masked_fill(~keep, -torch.inf)
    column = torch.full_like(scores[..., :1], sink)
    return torch.cat([scores, column], -1).softmax(-1)[..., :-1]


def divided(scores, lens, sink):
    exps = scores.exp() * (torch.arange(scores.shape[-1]) < lens[:, None, None])
    return exps / (exps.sum(-1, keepdim=True) + sink)


test_with_sink = answered(
    check.with_sink,
    (by_column, "right"),
    (lambda X, lens, z: divided(X, lens, math.exp(z)), "right"),
    (divided, "bare"),
    (lambda X, lens, z: masked_softmax(X, lens), "no_sink"),
    (lambda X, lens, z: masked_softmax(X, sink=z), "no_mask"),
    (lambda X, lens, z: masked_softmax(X, lens, sink=0.0), "plus_one"),
    (lambda X, lens, z: divided(X, lens, 0.0), "nan"),
    (lambda X, lens, z: masked_softmax(X + 1, lens, sink=z), "other"),
    (lambda X, lens, z: X.sum(-1), "shape"),
    (lambda X, lens, z: None, "shape"),
    (lambda X: X, "raises"),
    (0.5, "function"),
)
