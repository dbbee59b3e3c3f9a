import torch

import attn_lib


def mulberry32(seed):
    """The generator as its author wrote it, one number at a time."""
    state = seed
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        t = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        t ^= (t + ((t ^ (t >> 7)) * (t | 61) & 0xFFFFFFFF)) & 0xFFFFFFFF
        yield (t ^ (t >> 14)) / 2**32


def test_numbers_that_the_figures_print():
    first = attn_lib.mulberry32(1, 3)
    torch.testing.assert_close(
        first, torch.tensor([0.627074, 0.002736, 0.527447]).double(), rtol=0, atol=5e-7
    )


def test_sequential_form():
    for seed in (0, 1, 818, 2**32 - 1):
        stream = mulberry32(seed)
        expected = [next(stream) for _ in range(1000)]
        assert attn_lib.mulberry32(seed, 1000).tolist() == expected
        assert attn_lib.mulberry32(seed, 10, start=990).tolist() == expected[990:]


def test_dropout_masks_of_the_figure():
    """Draw 1 of seed 818 keeps 01 and 011111, draw 2 keeps 00 and 101101 (p = 0.5)."""
    draws = (attn_lib.mulberry32(818, 40) >= 0.5).int().reshape(2, 2, 10)
    assert draws[:, 0, :2].tolist() == [[0, 1], [0, 0]]
    assert draws[:, 1, :6].tolist() == [[0, 1, 1, 1, 1, 1], [1, 0, 1, 1, 0, 1]]


def test_normals():
    numbers = attn_lib.normals(1, 20000)
    assert abs(numbers.mean()) < 0.02
    assert abs(numbers.var() - 1) < 0.03
    assert torch.equal(attn_lib.normals(1, 5, start=7), numbers[7:12])
