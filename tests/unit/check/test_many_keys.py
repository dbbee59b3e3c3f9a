"""Right, wrong and odd answers to the exercises on many keys."""

import math

import pytest
import torch

from attn_lib import check, soft_cap
from attn_lib.examples import four_words
from tests.unit.check.hints import answered

test_crowd_gain = answered(
    check.crowd_gain,
    (6.5, "right"),
    (torch.tensor(666.0).log(), "right"),
    ([6.50], "right"),
    (math.log(999), "all"),
    (math.log(333), "one"),
    (8.70, "nine"),
    (666, "no_logarithm"),
    (math.log10(666), "base"),
    (1e9, "far"),
    (math.nan, "far"),
    (2, "other"),
    ("much", "number"),
    ([1, 2], "number"),
)


def test_the_right_gain_gives_half_among_all_keys():
    keys = four_words.keys()
    text = torch.cat([keys[:1], keys[1:].repeat(333, 1)])
    cosines = torch.nn.functional.cosine_similarity(keys[:1], text)
    assert (6.50 * cosines).softmax(0)[0].item() == pytest.approx(0.5, abs=0.002)


test_capped_leak = answered(
    check.capped_leak,
    (0.0313, "right"),
    (soft_cap(torch.tensor([16.0, 0, -math.inf, -math.inf]), 2).softmax(0)[2:].sum(), "right"),
    (0.01563, "one"),
    (0, "nothing"),
    (0.1925, "as_zero"),
    (0.0806, "minus_one"),
    (0.5, "other"),
    (None, "number"),
    ([0.0156, 0.0156], "number"),
)
