"""Right, wrong and odd answers to the exercises on scaling."""

import math

import pytest
import torch

from attn_lib import check
from tests.unit.check.hints import answered

test_score_variance = answered(
    check.score_variance,
    (lambda d, s, t: s * t * d**0.5, "right"),
    (lambda d, s, t: torch.tensor(d * s**2 * t**2).sqrt(), "right"),
    (lambda d, s, t: -s * t * d**0.5, "right"),
    (lambda d, s, t: d * s**2 * t**2, "variance"),
    (lambda d, s, t: -d, "other"),
    (lambda d, s, t: math.sqrt(d), "root_only"),
    (lambda d, s, t: d, "d_only"),
    (lambda d, s, t: d * s * t, "d_times"),
    (lambda d, s, t: math.sqrt(d) * s**2 * t**2, "squares"),
    (lambda d, s, t: 1 / (math.sqrt(d) * s * t), "inverse"),
    (lambda d, s, t: d**1 / 2, "other"),
    (lambda d, s, t: [d, s], "number"),
    (lambda d, s, t: None, "number"),
    (lambda d: math.sqrt(d), "raises"),
    (8, "function"),
)


def test_the_right_divisor_gives_variance_one():
    torch.manual_seed(0)
    d, s, t = 16, 2.0, 0.5
    scores = ((s * torch.randn(20000, d)) * (t * torch.randn(20000, d))).sum(1)
    assert (scores / (s * t * d**0.5)).var().item() == pytest.approx(1, abs=0.05)


test_which_d = answered(
    check.which_d,
    (8, "right"),
    (8.0, "right"),
    (torch.tensor(64.0).sqrt(), "right"),
    ([8], "right"),
    (math.sqrt(768), "whole"),
    (27.7, "whole"),
    (64, "no_root"),
    (64**1 / 2, "half"),
    (12, "heads"),
    (3.46, "heads_root"),
    (768, "width"),
    (5, "other"),
    ("eight", "number"),
    ([8, 8], "number"),
    (None, "number"),
)
