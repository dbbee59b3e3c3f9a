"""Right, wrong and odd answers to the exercises on places in the score."""

import math

import torch

from attn_lib import check
from attn_lib.examples import four_words
from tests.unit.check.hints import answered


def page(bias):
    keys = four_words.keys()
    return torch.softmax(keys @ keys[0] + torch.tensor(bias), 0) @ four_words.pages()


test_alibi_page = answered(
    check.alibi_page,
    (page([-1.0, -0.75, -0.5, -0.25]), "right"),
    (15.128982, "right"),
    (15.13, "right"),
    (page([-2.0, -1.5, -1.0, -0.5]), "half"),
    (page([0.0, 0.0, 0.0, 0.0]), "none"),
    (page([1.0, 0.75, 0.5, 0.25]), "gain"),
    (page([-0.25, -0.5, -0.75, -1.0]), "gain"),
    (20, "other"),
    ("cats", "number"),
    ([1, 2], "number"),
)


test_slowest_turn = answered(
    check.slowest_turn,
    (2 * math.pi * 1_000_000 ** (63 / 64), "right"),
    (5_063_255.8, "right"),
    (1_000_000 ** (63 / 64), "radian"),
    (2 * math.pi * 1_000_000, "beyond"),
    (2 * math.pi * 1_000_000 ** (127 / 128), "features"),
    (2 * math.pi, "fastest"),
    (math.pi * 1_000_000 ** (63 / 64), "half_turn"),
    (12, "other"),
    (None, "number"),
)
