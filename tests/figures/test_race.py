"""Figure `race`: the rate in the hand, strips and maps that keep the answer, names apart."""

from typing import Any

import pytest
from figures import OVERLAPPING, LiveFigure, unasked
from hands import LOOKS, PHONE, WIDE, Finger, Mouse, Window

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.race.record import RATES, SIZES

CELLS = 3 * len(RATES)


def cell(figure: LiveFigure, m: int, d: int, rate: float) -> tuple[float, float]:
    """The middle of a cell of a map, in pixels of the window."""
    stage = figure.open_fold().element.locator(".attn-body [data-drawing=maps]")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    figure.ready()
    place = (m * len(SIZES) + SIZES.index(d)) * len(RATES) + RATES.index(rate)
    box = stage.locator(".attn-race-cell").nth(place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def looks(figure: LiveFigure, look: str) -> int:
    """How many cells of the strips look so."""
    return figure.element.locator(f".attn-body .attn-scene rect.attn-race-{look}").count()


def test_the_hand_goes_along_the_rates_and_marks_where_it_was(show: Any) -> None:
    figure = show("race", **WIDE).ready()
    knob = figure.element.locator(".attn-hand")
    box, wide = knob.bounding_box(), figure.element.locator(".attn-race-here").first.bounding_box()
    x, y = box["x"] + 22, box["y"] + 22
    mouse = Mouse(figure)
    mouse.down(x, y)
    mouse.move(x - 2 * (wide["width"] - 3), y - 30)
    assert (figure.state()["lr"], figure.state()["d"]) == (1, 512)
    mouse.up()
    figure.check()
    assert CELLS - 9 <= looks(figure, "unseen") <= CELLS - 6
    knob.press("End")
    assert figure.state()["lr"] == 1000
    knob.press("ArrowDown")
    assert figure.state()["lr"] == 300
    assert knob.get_attribute("aria-valuetext").startswith("learning rate 300; loss")


def test_the_frame_is_dragged_to_a_cell_of_any_map(pointer: Any) -> None:
    figure, pointer = pointer("race")
    pointer.down(*cell(figure, 0, 512, 10))
    for m, d, rate in ((1, 512, 0.03), (0, 128, 1), (2, 16, 300)):
        pointer.move(*cell(figure, m, d, rate))
        assert (figure.state()["d"], figure.state()["lr"]) == (d, rate)
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#race?lr=300&d=16"
    slider = figure.element.locator("[data-key=lr]")
    assert slider.evaluate("(e) => e === document.activeElement")


def test_a_finger_taps_a_cell_and_scrolls_past_the_maps(show: Any) -> None:
    figure = show("race", **PHONE).ready()
    figure.page.touchscreen.tap(*cell(figure, 1, 64, 0.3))
    assert (figure.state()["d"], figure.state()["lr"]) == (64, 0.3)
    finger = Finger(figure)
    x, y = cell(figure, 1, 64, 10)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert (figure.state()["d"], figure.state()["lr"]) == (64, 0.3)
    assert figure.page.evaluate("scrollY") != before


def test_nothing_tells_the_answer_until_it_is_given(show: Any) -> None:
    figure = show("race", **WIDE).ready().open_fold()
    medians = figure.element.locator(".attn-body .attn-race-medians")
    assert looks(figure, "unseen") == CELLS - 3
    assert not medians.is_visible()
    figure.bet(1)
    figure.page.wait_for_function("document.querySelector('[data-phase=answered]')")
    assert figure.state()["lr"] == 0.03
    assert looks(figure, "unseen") == 0
    assert medians.is_visible()
    for start_again in (figure.ask_again, figure.element.locator(".attn-reset").click):
        start_again()
        figure.page.wait_for_function("document.querySelector('attn-explorer').state.lr === 10")
        figure.ready()
        assert looks(figure, "unseen") == CELLS - 3
        figure.bet(1)
        figure.page.wait_for_function("document.querySelector('[data-phase=answered]')")


def test_the_right_bet_lies_where_its_line_ends(show: Any) -> None:
    figure = show("race", **WIDE).ready()
    figure.bet(0)
    figure.page.wait_for_function("document.querySelector('[data-phase=answered]')")
    figure.ready()
    ghost, end = (
        figure.element.locator(f".attn-body {mark}").first.bounding_box()
        for mark in (".attn-bet-ghost.attn-right circle", ".attn-race-end")
    )
    for side, size in (("x", "width"), ("y", "height")):
        assert ghost[side] + ghost[size] / 2 == pytest.approx(end[side] + end[size] / 2, abs=1)


def test_who_comes_by_a_link_sees_whole_strips(show: Any) -> None:
    figure = show("race", fragment="#race?opt=adam", **WIDE).ready()
    assert looks(figure, "unseen") == 0


@LOOKS
def test_bets_keep_off_one_another_wherever_the_lines_end(
    show: Any, lang: str, window: Window
) -> None:
    figure = show("race", lang, **window).ready()
    for state in ({"lr": 0.03}, *FIGURES["race"].tries, {"d": 128, "lr": 1}, {"lr": 0.001}):
        figure.go(unasked(figure.figure.fragment(state)))
        figure.go(figure.figure.fragment({**state, "ask": "1"}))
        assert figure.element.evaluate(OVERLAPPING, ".attn-bet") == [], state
