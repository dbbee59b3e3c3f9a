"""Right, wrong and odd answers to the exercises on kernel regression."""

import pytest
import torch

from attn_lib import check
from attn_lib.check.kernel_regression import leave_one_out_error
from tests.unit.check.hints import accepted, refused


def near(queries, keys, width):
    return ((queries[:, None] - keys).abs() < width).float()


def clamped(queries, keys, width):
    hits = near(queries, keys, width)
    return hits / hits.sum(1, keepdim=True).clamp(min=1)


def nan_to_num(queries, keys, width):
    hits = near(queries, keys, width)
    return torch.nan_to_num(hits / hits.sum(1, keepdim=True))


def divided(queries, keys, width):
    hits = near(queries, keys, width)
    return hits / hits.sum(1, keepdim=True)


def with_epsilon(epsilon):
    def weights(queries, keys, width):
        hits = near(queries, keys, width)
        return hits / (hits.sum(1, keepdim=True) + epsilon)

    return weights


def filled_with_mean(queries, keys, width):
    weights = divided(queries, keys, width)
    return weights.where(~weights.isnan(), 1 / keys.shape[0])


def nearest_in_gap(queries, keys, width):
    distances = (queries[:, None] - keys).abs()
    nearest = (distances == distances.amin(1, keepdim=True)).float()
    hits = near(queries, keys, width)
    return torch.where(hits.sum(1, keepdim=True) > 0, clamped(queries, keys, width), nearest / 2)


def with_edge(queries, keys, width):
    return clamped(queries, keys, width + 1e-6)


def triangular(queries, keys, width):
    heights = (1 - (queries[:, None] - keys).abs() / width).clamp(min=0)
    total = heights.sum(1, keepdim=True)
    return heights / total.where(total > 0, 1)


test_kernel_gap_accepts_every_right_function = accepted(
    check.kernel_gap,
    clamped,
    nan_to_num,
    lambda *a: clamped(*a).tolist(),
    lambda *a: list(clamped(*a)),
    lambda *a: clamped(*a).numpy(),
    lambda *a: clamped(*a).half(),
)


test_kernel_gap_names_the_misconception = refused(
    check.kernel_gap,
    (0, "Hand over the function itself"),
    (lambda queries, keys: queries, "Your function stopped: TypeError"),
    (lambda q, x, width: clamped(q, x, width).T, "shape (Q, K) = (5, 6). Got (6, 5)"),
    (lambda q, x, width: "none", "Got str"),
    (lambda *a: clamped(*a).squeeze(), "shape (Q, K) = (1, 6). Got (6,)"),
    (divided, "divide 0 by 0"),
    (filled_with_mean, "all equal"),
    (nearest_in_gap, "sum to 1.00"),
    (near, "Yours sums to 3.0000"),
    (with_epsilon(0.1), "Yours sums to 0.9677"),
    (with_epsilon(1e-6), "Yours gives it 0.9999990"),
    (triangular, "not those of the boxcar"),
    (with_edge, "exactly one width away"),
)


test_loo_width_accepts_the_best_width = accepted(check.loo_width, 2, 2.0, torch.tensor(2.0), [2])


test_loo_width_names_the_misconception = refused(
    check.loo_width,
    ("wide", "one number"),
    (None, "one number"),
    ([1, 2], "one number"),
    (3, "one of the widths of the figure: 0.1, 0.25"),
    (float("nan"), "one of the widths"),
    (0.1, "each point predicts itself"),
    (1, "error 1.9750. A wider kernel"),
    (5, "error 2.8016. A narrower kernel"),
)


@pytest.mark.parametrize(
    ("width", "error"),
    [(0.25, 2.4167), (0.5, 2.4103), (1, 1.9750), (1.5, 1.6983), (2, 1.6085), (5, 2.8016)],
)
def test_leave_one_out_errors_of_the_specification(width, error):
    assert leave_one_out_error(width) == pytest.approx(error, abs=1e-4)
