"""Figure `sparse`: the numbers of its specification, and what it promises on the whole line."""

import math

import pytest
import torch

from attn_lib import KernelAttention, explore
from attn_lib.examples.six_points import POINTS
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.sparse import DEEP, RIVALS

SPARSE = FIGURES["sparse"]
ALPHAS = (1, 1.05, 1.25, 1.5, 1.8, 2)

# Query, alpha, weights of the keys 0 1 2 3 7 8, width, fit: computed by another program.
SPECIFIED = [
    (2, 2, [0, 0.166667, 0.666667, 0.166667, 0, 0], 1.154701, 2.5),
    (5, 2, [0, 0, 0, 0.5, 0.5, 0], 2.236068, 5),
    (2, 1, [0.057629, 0.258274, 0.425822, 0.258274, 0.000002, 0], None, 2.7172),
    (2, 1.25, [0.012399, 0.252254, 0.483092, 0.252254, 0, 0], 2.58255, 2.744364),
    (2, 1.5, [0, 0.23219, 0.53562, 0.23219, 0, 0], 1.710977, 2.69657),
    (2, 1.75, [0, 0.202711, 0.594577, 0.202711, 0, 0], 1.343732, 2.608134),
    (5, 1, [0.000013, 0.001144, 0.037885, 0.461536, 0.461536, 0.037885], None, 4.884005),
    (5, 1.5, [0, 0, 0, 0.5, 0.5, 0], 2.613126, 5),
    (1.5, 2, [0, 0.5, 0.5, 0, 0, 0], 1.118034, 2.5),
    (1.5, 1.5, [0.033494, 0.466506, 0.466506, 0.033494, 0, 0], 1.726862, 2.5),
    (9, 2, [0, 0, 0, 0, 0, 1], 1.732051, 5),
    (-1, 2, [1, 0, 0, 0, 0, 0], 1.732051, 1),
    (5.25, 2, [0, 0, 0, 0, 1, 0], 2.25, 6),
    (4.75, 2, [0, 0, 0, 1, 0, 0], 2.25, 4),
    (7.5, 2, [0, 0, 0, 0, 0.5, 0.5], 1.118034, 5.5),
    (0, 2, [0.75, 0.25, 0, 0, 0, 0], 1.224745, 1.5),
]


def parts(**settings):
    return SPARSE.compute(SPARSE.state(**settings)).parts


@pytest.mark.parametrize(("x", "a", "weights", "width", "fit"), SPECIFIED)
def test_states_of_the_specification(x, a, weights, width, fit):
    shown = parts(x=x, a=a)
    row = shown["weights"]["rows"][0]
    assert row == pytest.approx(weights, abs=2e-6)
    assert shown["lift"]["width"] == (width if width is None else pytest.approx(width, abs=1e-6))
    assert sum(w * y for w, (_, y) in zip(row, POINTS, strict=True)) == pytest.approx(fit, abs=2e-6)


def everywhere(*alphas):
    for i in range(41):
        for a in alphas:
            yield i / 4 - 1, a, parts(x=i / 4 - 1, a=a)


def test_no_query_has_an_empty_row_and_the_width_ends_where_a_key_takes_all():
    widths = []
    for _, _, shown in everywhere(*ALPHAS):
        assert sum(shown["weights"]["rows"][0]) == pytest.approx(1, abs=1e-9)
        assert max(shown["lift"]["line"]) < DEEP
    for _, _, shown in everywhere(2):
        widths.append(shown["lift"]["width"])
    assert max(widths) == 2.25


def test_sparsemax_is_epanechnikovs_kernel_with_the_width_that_the_figure_shows():
    keys = torch.tensor([[[float(x)] for x, _ in POINTS]], dtype=torch.float64)
    for x, _, shown in everywhere(2):
        attention = KernelAttention("epanechnikov", width=shown["lift"]["width"])
        kernel = attention.weights(torch.tensor([[[x]]], dtype=torch.float64), keys, None)
        assert shown["weights"]["rows"][0] == pytest.approx(kernel[0, 0].tolist(), abs=1e-9)


def test_each_stem_reaches_the_curve():
    for x, _, shown in everywhere(*ALPHAS[1:]):
        line, width = shown["lift"]["line"], shown["lift"]["width"]
        for (key, _), weight in zip(POINTS, shown["weights"]["rows"][0], strict=True):
            step = (key - x) / width * 80 + 80
            if not 0 <= step < 160:
                assert weight == 0
                continue
            before, after = line[math.floor(step)], line[math.floor(step) + 1]
            curve = before + (after - before) * (step - math.floor(step))
            assert weight == pytest.approx(curve, abs=2e-3)


@pytest.mark.parametrize(
    ("n", "soft", "total", "bias_total"),
    [(1, 0.880797, 1.380797, 1.380797), (4, 0.648786, 2.880797, 1.448786),
     (16, 0.315919, 8.880797, 1.257096), (64, 0.103504, 32.880797, 1.088119)],
)  # fmt: skip
def test_rivals_of_the_specification(n, soft, total, bias_total):
    shown = parts(n=n)
    best = [row[0] for row in shown["crowd"]["rows"]]
    assert best == pytest.approx([soft, 1, 0.880797, soft], abs=1e-6)
    assert shown["crowd"]["notes"] == ["1.00", "1.00", f"{total:.2f}", f"{bias_total:.2f}"]
    at = RIVALS.index(n)
    assert [line[at] for line in shown["rivals"]["lines"]] == best[:3]


@pytest.mark.parametrize(
    ("settings", "summary"),
    [
        ({}, ("sparsemax", "some", "shore")),
        ({"x": 5}, ("sparsemax", "some", "gap")),
        ({"x": 5.25}, ("sparsemax", "one", "gap")),
        ({"a": 1}, ("softmax",)),
        ({"x": 5, "a": 1.05}, ("entmax", "all", "gap")),
    ],
)
def test_sentences(settings, summary):
    assert SPARSE.compute(SPARSE.state(**settings)).summary == summary


def test_the_answer_is_what_the_figure_shows_and_bets_are_levels_of_the_water():
    asked = SPARSE.prediction
    before, after = parts(**asked.before), parts(**asked.after)
    assert after["weights"]["rows"][0] == [0, 0, 0, 0, 1, 0]
    fixed, right, deeper = (level for _, level in asked.places)
    assert fixed == pytest.approx(max(before["lift"]["line"]))
    assert right == pytest.approx(max(after["lift"]["line"]))
    score = (asked.after["x"] - 3) ** 2 / 2  # so deep lies the top of the key at 3
    assert deeper > score == right
    assert asked.right == 1


def test_the_reader_may_bring_a_sparsemax():
    def nearest(scores):
        return (scores == scores.amax(-1, keepdim=True)).double()

    assert explore("sparse", sparsemax=nearest).view.parts["weights"]["rows"][0] == [
        0, 0, 1, 0, 0, 0
    ]  # fmt: skip
