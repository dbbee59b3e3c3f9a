"""Right, wrong and odd answers to the exercises of the bug museum."""

from itertools import combinations

import torch

from attn_lib import check, museum
from tests.unit.check.hints import accepted, refused


def test_five_tests_are_the_smallest_suite_and_the_only_one_of_its_size():
    def complete(size):
        return [s for s in combinations(museum.TESTS, size) if len(museum.caught_by(s)) == 9]

    assert complete(4) == []
    assert complete(5) == [(4, 5, 7, 8, 9)]


test_smallest_suite_accepts_it_in_any_form = accepted(
    check.smallest_suite,
    [4, 5, 7, 8, 9],
    (9, 8, 7, 5, 4),
    {4, 5, 7, 8, 9},
    frozenset({4, 5, 7, 8, 9}),
    torch.tensor([4, 5, 7, 8, 9]),
)


test_smallest_suite_says_what_is_missing = refused(
    check.smallest_suite,
    ([1], "tanh, inplace, fill, nosqrt, squeeze, repeat, nan"),
    ([3, 5, 7, 8, 9], "Not caught by these tests: nosqrt."),
    ([4, 5, 7, 8], "Not caught by these tests: nan."),
    (list(range(1, 10)), "by 9 tests. One of these could go: 1, 2, 3, 6"),
    ([2, 4, 5, 7, 8, 9], "could go: 2."),
    ([0, 4], "numbers from 1 to 9"),
    ([4.5], "numbers from 1 to 9"),
    ([], "numbers from 1 to 9"),
    ("4578", "such as [1, 2]. Got '4578'."),
    ([4, float("nan")], "numbers from 1 to 9"),
    ({4, "a"}, "numbers from 1 to 9"),
    (None, "numbers from 1 to 9"),
)


def softmax_of_filled(scores, valid_lens, fill):
    visible = torch.arange(scores.shape[2]) < valid_lens.reshape(-1, 1, 1)
    return torch.softmax(scores.masked_fill(~visible, fill), -1)


class RepairedTanh(museum.TanhBeforeSum):
    def scores(self, queries, keys):
        hidden = (queries @ self.W_q.T).unsqueeze(2) + (keys @ self.W_k.T).unsqueeze(1)
        return torch.tanh(hidden) @ self.w_v


class RepairedScale(museum.NotScaled):
    def scores(self, queries, keys):
        return super().scores(queries, keys) / queries.shape[2] ** 0.5


class RepairedFill(museum.FilledWithAMillion):
    def weights(self, scores, valid_lens):
        return softmax_of_filled(scores, valid_lens, -torch.inf).nan_to_num(0)


class RepairedSqueeze(museum.SqueezedAway):
    forward = museum.DotProduct.forward


test_repair_accepts_what_is_right = accepted(
    check.repair,
    RepairedTanh,
    RepairedTanh(),
    RepairedScale,
    RepairedFill,
    RepairedSqueeze,
    museum.DropoutLeftOn().eval(),
    lambda: museum.DropoutLeftOn().eval(),
)


class SquareInPlaceOfRoot(museum.NotScaled):
    def scores(self, queries, keys):
        return super().scores(queries, keys) / queries.shape[2] ** 2


class RootOfTwo(museum.NotScaled):
    def scores(self, queries, keys):
        return super().scores(queries, keys) / 2**0.5


class OnlyForTheToys(museum.NotScaled):
    def scores(self, queries, keys):
        scores = super().scores(queries, keys)
        return scores / 2**0.5 if keys.shape[1] in (4, 10) else scores


class StillUniform(museum.FilledWithAMillion):
    def weights(self, scores, valid_lens):
        return softmax_of_filled(scores, valid_lens, -1e9)


class Stops(museum.NotScaled):
    def scores(self, queries, keys):
        return queries @ keys


class ScalesTheQueriesItself(museum.NotScaled):
    def scores(self, queries, keys):
        queries /= queries.shape[2] ** 0.5
        return super().scores(queries, keys)


class SqueezesLast(museum.SqueezedAway):
    def forward(self, queries, keys, values, valid_lens):
        output = museum.DotProduct.forward(self, queries, keys, values, valid_lens)
        return output if values.shape[0] == 2 else output[:, 0]


test_repair_says_what_is_wrong = refused(
    check.repair,
    (museum.TanhBeforeSum, "still there. Test 3 expected a ≠ b and got 0.4365 = 0.4365"),
    (museum.DropoutLeftOn, "still there. Test 1"),
    (StillUniform, "still there. Test 5 expected 0 0 0 0 and got 0.25"),
    (SquareInPlaceOfRoot, "still there. Test 4"),
    (Stops, "Your code stopped: RuntimeError"),
    (RootOfTwo, "Nine tests are no proof"),
    (OnlyForTheToys, "Nine tests are no proof"),
    (SqueezesLast, "should have shape (3, 5, 4), and it has (3, 4)"),
    (ScalesTheQueriesItself, "has changed the tensors"),
    (museum.DotProduct, "derives from an exhibit"),
    (museum.Additive(), "derives from an exhibit"),
    (lambda: 3, "Got int"),
    (torch.nn.Linear(2, 2), "Got Linear"),
    (torch.nn.Linear, "Your code stopped: TypeError"),
    ("tanh", "Got str"),
)


def test_repair_leaves_the_readers_random_numbers_alone():
    class Draws(RepairedScale):
        def __init__(self):
            super().__init__()
            self.unused = torch.nn.Linear(2, 2)

    before = torch.get_rng_state()
    assert check.repair(Draws)
    assert torch.equal(before, torch.get_rng_state())
