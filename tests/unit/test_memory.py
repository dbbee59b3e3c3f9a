"""Counting bytes: views are free, each piece of memory counts once."""

import torch

from attn_lib.memory import LargestTensor, kept_bytes


def test_views_and_broadcasts_add_nothing():
    x = torch.zeros(3, 5)
    with LargestTensor() as largest:
        x.unsqueeze(1).expand(3, 1000, 5).transpose(0, 2)
    assert largest.bytes == 3 * 5 * 4
    with LargestTensor() as largest:
        x.unsqueeze(1).expand(3, 1000, 5) + 1
    assert largest.bytes == 3 * 1000 * 5 * 4


def test_largest_of_several_outputs_counts():
    with LargestTensor() as largest:
        torch.zeros(7, 2).max(0)
    assert largest.bytes == 7 * 2 * 4
    with LargestTensor() as largest:
        pass
    assert largest.bytes == 0


def test_kept_bytes_counts_each_piece_of_memory_once():
    x = torch.ones(10, requires_grad=True)
    assert kept_bytes(lambda x: x.exp() * 1, x) == 40
    assert kept_bytes(lambda x: x.exp().sin(), x) == 40
    assert kept_bytes(lambda x: x.sin(), x) == 0


def test_kept_bytes_of_nothing_to_differentiate():
    assert kept_bytes(lambda x: x.exp(), torch.ones(10)) == 0
