"""Right, wrong and odd answers to the exercises on fast attention."""

import pytest
import torch

from attn_lib import check
from attn_lib.check.fast_attention import BLOCKS, measure


@pytest.mark.parametrize(
    "answer",
    [
        lambda Q, K, H: max(1, Q // H),
        lambda Q, K, H: torch.tensor(max(1.0, Q // H)),
        64,
        [64],
    ],
)
def test_block_size_accepts_the_right_size(answer):
    assert check.block_size(answer)


def test_block_sizes_are_the_largest_that_fit():
    for Q, K, H, best in BLOCKS:
        assert best == 1 or best * K * H <= Q * K
        assert (best + 1) * K * H > Q * K


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda Q, K, H: Q // H, "less than one query"),
        (lambda Q, K, H: Q / H, "round down"),
        (lambda Q, K, H: max(1, round(Q / H)), "Q = 95, K = 50, H = 8 and T = 12"),
        (lambda Q, K, H: K // H, "A larger T would be no worse"),
        (lambda Q, K, H: Q, "The block is the larger one"),
        (lambda Q, K, H: -(-Q // H), "The block is the larger one"),
        (lambda Q, K, H: 1, "A larger T would be no worse"),
        (lambda Q, K, H: "many", "a single number"),
        (lambda Q, K, H: float("nan"), "a single number"),
        (lambda Q, K, H: 1 / 0, "ZeroDivisionError"),
        (lambda Q: 1, "TypeError"),
        (16, "a block has 16,777,216 bytes and the scores have 67,108,864"),
        (65, "The block is the larger one"),
        ([1, 2], "a single number"),
        (None, "a single number"),
    ],
)
def test_block_size_says_what_is_wrong(answer, says):
    verdict = check.block_size(answer)
    assert not verdict
    assert says in verdict.text


def formula(Q, K, H, T):
    return 4 * Q * K * H, max(4 * min(T, Q) * K * H, 4 * Q * K), 4 * Q * K


@pytest.mark.parametrize("answer", [formula, measure, lambda *sizes: torch.tensor(formula(*sizes))])
def test_count_bytes_accepts_formula_and_measurement(answer):
    assert check.count_bytes(answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda *s: [n / 4 for n in formula(*s)], "4 bytes"),
        (lambda Q, K, H, T: (4 * Q * K, 0, 0), "direct form makes 1540 bytes"),
        (lambda Q, K, H, T: (4 * Q * K * H, 0, 4 * Q * K * H), "dot product makes 308"),
        (lambda Q, K, H, T: (4 * Q * K * H, max(4 * T * K * H, 4 * Q * K), 4 * Q * K), "not 100"),
        (lambda Q, K, H, T: (4 * Q * K * H, 4 * min(T, Q) * K * H, 4 * Q * K), "kept, too"),
        (
            lambda Q, K, H, T: (4 * Q * K * H, 4 * min(T, Q) * K * H + 4 * Q * K, 4 * Q * K),
            "not the sum",
        ),
        (
            lambda *s: (1, 2),
            "three numbers were expected: direct, in blocks, dot product. Got (1, 2)",
        ),
        (lambda *s: [[1, 2, 3]], "direct form makes 1540 bytes"),
        (lambda *s: "many", "three numbers"),
        (lambda Q: 1, "TypeError"),
        (4096, "Got int"),
    ],
)
def test_count_bytes_says_what_is_wrong(answer, says):
    verdict = check.count_bytes(answer)
    assert not verdict
    assert says in verdict.text
