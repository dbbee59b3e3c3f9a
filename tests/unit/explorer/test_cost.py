"""The figure `cost`: its arithmetic, and real tensors of the sizes that it claims."""

import pytest
import torch

from attn_lib.figures.cost import FIGURE, bytes_text
from attn_lib.memory import LargestTensor
from attn_lib.scoring import direct_scores

KiB, MiB, GiB = 2**10, 2**20, 2**30


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def largest(**settings):
    return [row[2] for row in view(**settings).parts["memory"]["rows"]]


@pytest.mark.parametrize(
    ("settings", "direct", "blocked", "dot", "operations"),
    [
        ({}, 8192, 8192, 1024, (8192, 4096)),
        ({"n": (512, 512), "h": 64}, 67108864, 2097152, 1048576, (67108864, 33554432)),
        (
            {"n": (4096, 4096), "h": 64},
            4294967296,
            67108864,
            67108864,
            (4294967296, 2147483648),
        ),
        ({"n": (4096, 4096), "h": 64, "t": 256}, 4 * GiB, 256 * MiB, 64 * MiB, (2**32, 2**31)),
        ({"n": (1, 1), "h": 1, "t": 1}, 4, 4, 4, (4, 2)),
        ({"n": (1, 4096), "h": 64}, MiB, MiB, 16 * KiB, (2**20, 2**19)),
        ({"n": (4096, 4096), "h": 1024, "t": 1}, 64 * GiB, 64 * MiB, 64 * MiB, (2**36, 2**35)),
    ],
)
def test_states(settings, direct, blocked, dot, operations):
    assert largest(**settings) == [direct, blocked, dot]
    additive, in_blocks, product = view(**settings).parts["operations"]["rows"][0]
    assert (additive, product) == operations
    assert in_blocks == additive


@pytest.mark.parametrize(("Q", "K", "h"), [(16, 64, 8), (64, 16, 1), (1, 256, 8)])
def test_direct_form_makes_a_tensor_of_that_size(Q, K, h):
    a, b, v = torch.zeros(1, Q, h), torch.zeros(1, K, h), torch.zeros(h)
    with LargestTensor() as counted:
        direct_scores(a, b, v)
    assert counted.bytes == largest(n=(Q, K), h=h)[0]


@pytest.mark.parametrize(("t", "h"), [(1, 64), (16, 8), (16, 64), (64, 8)])
def test_blocks_make_no_larger_tensor(t, h):
    Q, K = 256, 64
    a, b, v = torch.zeros(1, Q, h), torch.zeros(1, K, h), torch.zeros(h)
    with LargestTensor() as counted:
        torch.cat([direct_scores(block, b, v) for block in a.split(t, 1)], 1)
    assert counted.bytes == largest(n=(Q, K), h=h, t=t)[1]


def test_blocks_of_t_reach_the_floor_when_t_is_at_most_q_over_h():
    for t, floor in ((1, True), (16, True), (64, True), (256, False)):
        shown = view(n=(4096, 4096), h=64, t=t)
        assert (shown.parts["memory"]["rows"][1][2] == 64 * MiB) == floor
        assert shown.summary[1] == ("scores" if floor else "block")


def test_summary_says_what_limits():
    assert view().summary == ("sizes", "whole")
    assert view(n=(4096, 4096), h=256).summary == ("sizes", "scores")
    assert view(n=(4096, 4096), h=1024).summary == ("sizes", "block", "too_large")


def test_axis_runs_from_4_bytes_to_64_gibibytes():
    assert view(n=(1, 1), h=1).parts["memory"]["places"] == [[0, 0], [0, 0], [0, None]]
    assert view(n=(4096, 4096), h=1024).parts["memory"]["places"][0][1] == 1


def test_bytes_in_words():
    assert bytes_text(12) == "12 B"
    assert bytes_text(3 * KiB) == "3 KiB"
    assert bytes_text(2048 * GiB) == "2048 GiB"


@pytest.mark.parametrize("settings", [{"n": (2, 16)}, {"n": 16}, {"h": 0}, {"t": 512}, {"t": "16"}])
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)
