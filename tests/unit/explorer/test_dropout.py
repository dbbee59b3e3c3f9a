"""The figure `dropout`: the numbers a published notebook printed, and those around them."""

import pytest
import torch

from attn_lib.figures import explore
from attn_lib.figures.dropout import FIGURE, drop

RIGHT = [[2, 3, 4, 5], [10, 11, 12, 13]]


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def assert_rows(part, rows):
    got = torch.tensor(part["rows"])
    torch.testing.assert_close(got, torch.tensor(rows).float(), atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("settings", "output"),
    [
        ({}, RIGHT),
        ({"mode": "train", "p": 0}, RIGHT),
        # p = 0.5, as published.
        ({"mode": "train"}, [[4, 5, 6, 7], [20, 21.6667, 23.3333, 25]]),
        ({"mode": "train", "n": 2}, [[0] * 4, [13.3333, 14.6667, 16, 17.3333]]),
        ({"mode": "train", "n": 3}, [[4, 6, 8, 10], [13.3333, 15, 16.6667, 18.3333]]),
        (
            {"mode": "train", "p": 0.1},
            [[2.2222, 3.3333, 4.4444, 5.5556], [11.1111, 12.2222, 13.3333, 14.4444]],
        ),
        ({"mode": "train", "p": 0.9}, [[20, 25, 30, 35], [0] * 4]),
        ({"mode": "train", "p": 1}, [[0] * 4, [0] * 4]),
    ],
)
def test_output(settings, output):
    assert_rows(view(**settings).parts["output"], output)


@pytest.mark.parametrize(
    ("n", "kept", "sums"),
    [
        (1, ["01", "011111"], ["1", "1.67"]),
        (2, ["00", "101101"], ["0", "1.33"]),
        (5, ["11", "001000"], ["2.00", "0.33"]),
        (8, ["00", "000010"], ["0", "0.33"]),
    ],
)
def test_draw_keeps_these_weights(n, kept, sums):
    part = view(mode="train", n=n).parts["kept"]
    for row, dropped, wanted in zip(part["rows"], part["dropped"], kept, strict=True):
        assert "".join("01"[w > 0] for w in row[: len(wanted)]) == wanted
        assert "".join("10"[d] for d in dropped[: len(wanted)]) == wanted
        assert not any(dropped[len(wanted) :])
    assert part["notes"] == sums


@pytest.mark.parametrize(
    ("n", "mean"),
    [
        (10, [[2, 2.8, 3.6, 4.4], [9.6, 10.5667, 11.5333, 12.5]]),
        (1000, [[1.9320, 2.9280, 3.9240, 4.9200], [9.9133, 10.9213, 11.9293, 12.9373]]),
    ],
)
def test_mean_of_all_draws_comes_back_to_the_right_answer(n, mean):
    assert_rows(view(mode="train", n=n).parts["mean"], mean)


def test_one_draw_in_four_drops_both_weights():
    assert view(mode="train", n=1000).slots["zeros"] == "270"
    assert view(mode="train", n=1, p=1).slots["zeros"] == "1"


def test_evaluation_has_no_mean_and_drops_nothing():
    parts = view(p=0.9, n=7).parts
    assert parts["mean"] is None
    assert parts["kept"]["rows"] == parts["weights"]["rows"]
    assert not any(map(any, parts["kept"]["dropped"]))


def test_drop_is_what_torch_does_with_the_same_mask():
    torch.manual_seed(0)
    weights = torch.full((1000,), 0.5, dtype=torch.float64)
    by_torch = torch.nn.functional.dropout(weights, 0.3)
    u = (by_torch > 0).double()  # 0 where torch dropped: below p; 1 where it kept
    torch.testing.assert_close(drop(weights, 0.3, u), by_torch)


def test_readers_function_takes_the_place():
    forgets_to_divide = FIGURE.compute(
        FIGURE.state(mode="train"), drop=lambda weights, p, u: weights * (u >= p)
    )
    assert forgets_to_divide.slots["out1"] == "2.00"


@pytest.mark.parametrize("settings", [{"n": 0}, {"n": 1001}, {"n": 1.5}, {"p": 1.1}, {"mode": 1}])
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)


def test_button_in_jupyter_goes_to_the_next_draw_and_round():
    explorer = explore("dropout", mode="train", n=999)
    redraw = explorer.controls[2].boxes[0].children[1]
    seen = []
    for _ in range(3):
        redraw.click()
        seen.append(explorer.state["n"])
    assert seen == [1000, 1, 2]
    assert explorer.view == FIGURE.compute(explorer.state)
