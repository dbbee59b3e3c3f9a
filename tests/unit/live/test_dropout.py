"""The figure `dropout`: the row of cats, draw by draw, and where no draw ever is."""

import ipywidgets
import pytest
import torch

from attn_lib.live.figures import explore
from attn_lib.live.figures.dropout import FIGURE, OUTCOMES, drop
from attn_lib.live.host.controls import idle

ROW = [0.7758, 0.1050, 0.1050, 0.0142]


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def assert_rows(part, rows):
    got = torch.tensor(part["rows"])
    torch.testing.assert_close(got, torch.tensor(rows).float(), atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("settings", "row"),
    [
        # Draw 1 is that of the picture: cats and dogs are kept.
        ({}, [1.5516, 0, 0.2100, 0, 1.7616]),
        ({"p": 0}, [*ROW, 1]),
        ({"mode": "eval"}, [*ROW, 1]),
        ({"mode": "eval", "p": 1}, [*ROW, 1]),
        ({"p": 1}, [0] * 5),
    ],
)
def test_row(settings, row):
    assert_rows(view(**settings).parts["now"], [row])


@pytest.mark.parametrize(
    ("settings", "factors", "written"),
    [
        ({}, [2, 0, 2, 0], "2"),
        ({"p": 0.7, "n": 200}, None, "3.333"),
        ({"p": 0.6, "n": 200}, None, "2.5"),
        ({"p": 0}, [1] * 4, "1"),
        ({"p": 1}, [0] * 4, "∞"),
        ({"mode": "eval"}, [1] * 4, "2"),
    ],
)
def test_a_kept_weight_is_divided_by_what_is_left(settings, factors, written):
    shown = view(**settings)
    if factors:
        assert shown.parts["factors"]["rows"] == [factors]
    else:
        kept = [factor for factor in shown.parts["factors"]["rows"][0] if factor]
        assert kept == pytest.approx([1 / (1 - settings["p"])] * len(kept))
        assert kept
    assert shown.slots["factor"] == written
    texts = shown.parts["factors"]["texts"]
    assert set(texts) <= ({"0", written} if settings.get("mode") != "eval" else {"1"})


@pytest.mark.parametrize("p", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
def test_the_sentence_writes_the_sums_as_the_tables_do(p):
    shown = view(p=p, n=200)
    for part, slot in (("now", "sum"), ("mean", "mean")):
        total = shown.parts[part]["rows"][0][-1]
        assert shown.slots[slot] == (str(int(total)) if total in (0, 1) else f"{total:.3f}")


@pytest.mark.parametrize("settings", [{}, {"n": 5}, {"p": 0.8, "n": 3}, {"n": 1000}])
def test_for_every_word_the_next_draw_is_known_that_differs_in_it_alone(settings):
    shown = view(**settings)
    kept = [factor != 0 for factor in shown.parts["factors"]["rows"][0]]
    for word, n in enumerate(shown.parts["weights"]["next"]):
        other = view(**settings | {"n": n}).parts["factors"]["rows"][0]
        changed = [(factor != 0) != was for factor, was in zip(other, kept, strict=True)]
        assert changed == [i == word for i in range(4)]


@pytest.mark.parametrize("settings", [{"p": 0}, {"p": 1}, {"mode": "eval"}])
def test_where_all_or_nothing_is_dropped_no_word_can_be_turned(settings):
    assert view(**settings).parts["weights"]["next"] == [None] * 4


@pytest.mark.parametrize("settings", [{}, {"n": 5}, {"p": 0.8, "n": 3}, {"p": 0, "n": 999}])
def test_for_every_sum_the_next_draw_that_has_it_is_known(settings):
    sums = view(**settings).parts["sums"]
    n = settings.get("n", 1)
    for outcome, later in enumerate(sums["next"]):
        # The draws in between add nothing to this pile.
        until = {**settings, "n": (later or 1001) - 1}
        if until["n"] >= n:
            assert view(**until).parts["sums"]["rows"][outcome][1] == sums["rows"][outcome][1]
        if later:
            assert view(**{**settings, "n": later}).parts["sums"]["recent"][-1] == outcome
    assert any(sums["next"])


def test_after_the_last_draw_there_is_no_next_one():
    assert view(n=1000).parts["sums"]["next"] == [None] * 12
    assert view(p=1).parts["sums"]["next"] == [2] + [None] * 11


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_between_rows_with_and_without_cats_lies_a_gap(p):
    part = view(p=p).parts["sums"]
    sums = [total for total, _ in part["rows"]]
    assert part["gap"] == [pytest.approx(sums[5]), pytest.approx(sums[6])]
    assert max(sums[:6]) == sums[5] < sums[6] == min(sums[6:])


def test_in_jupyter_the_button_says_when_it_goes_back_to_the_start():
    figure = explore("dropout", n=999)
    button = next(box for box in _boxes(figure) if isinstance(box, ipywidgets.Button))
    said = [button.description]
    for _ in range(2):
        button.click()
        said.append(button.description)
    assert said == ["Draw again", "From the start", "Draw again"]
    assert figure.state["n"] == 1


def _boxes(box):
    return [box, *(inner for child in getattr(box, "children", ()) for inner in _boxes(child))]


@pytest.mark.parametrize("p", [0, 0.1, 0.2, 0.5, 0.9, 1])
@pytest.mark.parametrize("n", [1, 2, 3, 200, 1000])
def test_the_sentence_says_what_the_last_draw_was_and_where_all_lie(n, p):
    shown = view(n=n, p=p)
    if p in (0, 1):
        assert shown.summary == ("everything" if p else "nothing",)
        assert float(shown.slots["mean"]) == 1 - p
        return
    has_cats = shown.parts["factors"]["rows"][0][0] > 0
    assert shown.summary[0] == ("kept" if has_cats else "dropped")
    lie = [count for total, count in shown.parts["sums"]["rows"] if 0.5 < total < 1.5]
    assert shown.slots["between"] == str(sum(lie))
    assert shown.summary[1:] == ((("between" if sum(lie) else "none"),) if n > 1 else ())


def test_the_last_draws_are_known_one_by_one():
    shown = view(n=50).parts["sums"]["recent"]
    assert shown == [view(n=n).parts["sums"]["recent"][-1] for n in range(19, 51)]
    assert len(view(n=3).parts["sums"]["recent"]) == 3


def test_a_reply_tells_the_gap_which_is_none_where_nothing_or_all_is_dropped():
    assert {view().slots[name] for name in ("low", "high")} == {"0.45", "1.55"}
    for p in (0, 1):
        assert view(p=p).parts["sums"]["gap"] is None
        assert view(p=p).slots["low"] == ""


def test_evaluation_mode_leaves_p_and_draws_without_effect():
    controls = {control.key: control for control in FIGURE.controls}
    for key in ("p", "n"):
        assert idle(controls[key], FIGURE.state(mode="eval"))
        assert not idle(controls[key], FIGURE.state())
    seen = view(mode="eval")
    assert view(mode="eval", p=0.9, n=7).parts == seen.parts


def test_in_jupyter_they_are_disabled():
    explorer = explore("dropout", n=3, mode="eval")
    assert [box.disabled for box in explorer.controls[1].items] == [True]
    assert [one.disabled for one in explorer.controls[2].boxes[0].children] == [True, True]
    explorer.set(mode="train")
    assert not explorer.controls[1].items[0].disabled
    assert [one.disabled for one in explorer.controls[2].boxes[0].children] == [False, False]


def test_there_are_sixteen_equally_likely_rows_with_twelve_sums():
    sums = sorted(total for total, _ in view().parts["sums"]["rows"])
    expected = [0, 0.0284, 0.2100, 0.2384, 0.4200, 0.4484]
    expected += [1.5516, 1.5800, 1.7616, 1.7900, 1.9716, 2]
    assert_rows({"rows": [sums]}, [expected])
    assert len(OUTCOMES) == 12


def test_no_draw_lies_between_half_and_three_halves():
    seen = view(n=1000)
    assert seen.slots["between"] == "0"
    assert float(seen.slots["mean"]) == pytest.approx(1, abs=0.05)
    counts = [count for _, count in seen.parts["sums"]["rows"]]
    assert sum(counts) == 1000
    assert min(counts) > 30  # every outcome has a probability of at least 1/16


def test_mean_of_many_draws_is_the_row():
    got = torch.tensor(view(n=1000).parts["mean"]["rows"][0])
    torch.testing.assert_close(got[:4], torch.tensor(ROW), atol=0.03, rtol=0)


def test_evaluation_mode_has_no_draws():
    parts = view(mode="eval").parts
    assert parts["sums"] is None
    assert parts["mean"] is None


def test_p_1_drops_everything_without_dividing_by_zero():
    assert drop(torch.ones(3), 1, torch.rand(3)).tolist() == [0, 0, 0]


def test_a_function_of_the_reader_takes_the_place_of_drop():
    shown = explore("dropout", n=50, drop=lambda weights, p, u: weights * (u >= p))
    assert float(shown.view.slots["mean"]) == pytest.approx(0.5, abs=0.1)
