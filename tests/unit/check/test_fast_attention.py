"""Right, wrong and odd answers to the exercises on fast attention."""

import math

import torch

from attn_lib import check
from attn_lib.check.fast_attention import BLOCKS, measure
from tests.unit.check.hints import accepted, answered, refused

test_block_size_accepts_the_right_size = accepted(
    check.block_size,
    lambda Q, K, U: max(1, Q // U),
    lambda Q, K, U: torch.tensor(max(1.0, Q // U)),
    64,
    [64],
)


def test_block_sizes_are_the_largest_that_fit():
    for Q, K, U, best in BLOCKS:
        assert best == 1 or best * K * U <= Q * K
        assert (best + 1) * K * U > Q * K


test_block_size_says_what_is_wrong = refused(
    check.block_size,
    (lambda Q, K, U: Q // U, "less than one query"),
    (lambda Q, K, U: Q / U, "round down"),
    (lambda Q, K, U: max(1, round(Q / U)), "Q = 95, K = 50, U = 8 and T = 12"),
    (lambda Q, K, U: K // U, "T = 64 still fits"),
    (lambda Q, K, U: Q, "The block is the larger one"),
    (lambda Q, K, U: -(-Q // U), "The block is the larger one"),
    (lambda Q, K, U: 1, "still fits"),
    (lambda Q, K, U: "many", "a single number"),
    (lambda Q, K, U: float("nan"), "a single number"),
    (lambda Q, K, U: 1 / 0, "ZeroDivisionError"),
    (lambda Q: 1, "TypeError"),
    (16, "a block has 16,777,216 bytes and the scores have 67,108,864"),
    (65, "The block is the larger one"),
    ([1, 2], "a single number"),
    (None, "a single number"),
)


def formula(Q, K, U, T):
    return 4 * Q * K * U, max(4 * min(T, Q) * K * U, 4 * Q * K), 4 * Q * K


test_count_bytes_accepts_formula_and_measurement = accepted(
    check.count_bytes, formula, measure, lambda *sizes: torch.tensor(formula(*sizes))
)


test_count_bytes_says_what_is_wrong = refused(
    check.count_bytes,
    (lambda *s: [n / 4 for n in formula(*s)], "4 bytes"),
    (lambda Q, K, U, T: (4 * Q * K, 0, 0), "direct form makes 1540 bytes"),
    (lambda Q, K, U, T: (4 * Q * K * U, 0, 4 * Q * K * U), "dot product makes 308"),
    (lambda Q, K, U, T: (4 * Q * K * U, max(4 * T * K * U, 4 * Q * K), 4 * Q * K), "not 100"),
    (lambda Q, K, U, T: (4 * Q * K * U, 4 * min(T, Q) * K * U, 4 * Q * K), "kept, too"),
    (
        lambda Q, K, U, T: (4 * Q * K * U, 4 * min(T, Q) * K * U + 4 * Q * K, 4 * Q * K),
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
)


def online(blocks, start=float("-inf"), again_s=True, again_o=True):
    m, s, o = torch.tensor(start), torch.tensor(0.0), torch.tensor(0.0)
    for scores, values in blocks:
        new = torch.maximum(m, scores.max())
        e, again = torch.exp(scores - new), torch.exp(m - new)
        s = (again if again_s else 1) * s + e.sum()
        o = (again if again_o else 1) * o + e @ values
        m = new
    return o, s


def divided(blocks, **faults):
    o, s = online(blocks, **faults)
    return o / s


def number_by_number(blocks):
    m, s, o = float("-inf"), 0.0, 0.0
    for scores, values in blocks:
        for a, v in zip(scores.tolist(), values.tolist(), strict=True):
            new = max(m, a)
            s, o = (x * math.exp(m - new) + math.exp(a - new) * y for x, y in ((s, 1), (o, v)))
            m = new
    return o / s


def joined(blocks):
    scores, values = (torch.cat(parts) for parts in zip(*blocks, strict=True))
    return scores.softmax(0) @ values


def without_m(blocks):
    s, o = 0, 0
    for scores, values in blocks:
        s, o = s + scores.exp().sum(), o + scores.exp() @ values
    return o / s


def averaged(blocks):
    outputs = [scores.softmax(0) @ values for scores, values in blocks]
    return sum(outputs) / len(outputs)


test_online_softmax_accepts_what_keeps_three_numbers = accepted(
    check.online_softmax, divided, number_by_number, lambda b: divided(b).item()
)


test_online_softmax_says_what_is_wrong = answered(
    check.online_softmax,
    (lambda b: divided(b, again_s=False, again_o=False), "rescale"),
    (lambda b: divided(b, again_o=False), "only_s"),
    (lambda b: divided(b, again_s=False), "only_o"),
    (lambda b: divided(b, start=0.0), "underflow"),
    (lambda b: online(b)[0], "undivided"),
    (without_m, "overflow"),
    (averaged, "average"),
    (lambda b: [s.softmax(0) @ v for s, v in b][-1], "last"),
    (lambda b: 1.0, "other"),
    (joined, "joined"),
    (lambda b: "many", "number"),
    (lambda b: online(b), "number"),
    (lambda: 1, "raises"),
    (3, "function"),
)


def test_a_largest_score_that_comes_last_is_tried():
    """Without it the old sums would never be rescaled, and this answer would pass."""
    verdict = check.online_softmax(lambda b: divided(b, again_s=False, again_o=False))
    assert "-2, 0 | 0, 2" in verdict.text
