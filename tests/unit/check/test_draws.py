"""Cases are drawn from a seed: the same from the same, others from the next."""

from attn_lib.check.judging import Draws


def test_a_seed_draws_the_same_numbers_again():
    assert Draws(7).normal(3, 2).tolist() == Draws(7).normal(3, 2).tolist()


def test_the_numbers_of_the_next_seed_are_not_moved_by_a_constant():
    steps = {
        round((Draws(seed + 1).uniform() - Draws(seed).uniform()) % 1, 6)
        for seed in range(2000, 2050)
    }
    assert len(steps) == 50
