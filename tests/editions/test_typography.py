"""book._ext.typography finds what no line may break, and nothing else."""

import pytest

from book._ext.typography import WHOLE


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("形状为(B, Q, K)，即(2, 10, 8)。", ["(B, Q, K)", "(2, 10, 8)"]),
        ("“咬”是(−1, −1)", ["(−1, −1)"]),
        ("都变成2024-03-15。", ["2024-03-15"]),
        ("会产生64 MiB的张量，4.7 ms", ["64 MiB", "4.7 ms"]),
        ("Q = K = 512, U = 64", ["Q = K = 512", "U = 64"]),
        ("two words (see, for example), 3 small ones and (Q, K and V)", []),
    ],
)
def test_shapes_dates_units_and_equations_are_whole(text, whole):
    assert [found.group() for found in WHOLE.finditer(text)] == whole
