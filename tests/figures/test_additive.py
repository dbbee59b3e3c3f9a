"""The query of the figure `additive`, dragged in either unit."""

from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure
from hands import PHONE, Finger
from playwright.sync_api import Locator
from reader import LANGUAGES, until

from attn_lib.live.figures import FIGURES
from attn_lib.live.host.numbers import format_number

# The horizontal axis of the drawings, and the pixels beside it.
ENDS, LEFT, RIGHT = (-8.5, 9.5), 28, 14


def stage(figure: LiveFigure, unit: int) -> Locator:
    found = figure.element.locator(f".attn-body [data-unit='{unit}']")
    found.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    return found


def at(figure: LiveFigure, unit: int, place: float) -> tuple[float, float]:
    """The pixels of a place on a unit's axis."""
    box = stage(figure, unit).bounding_box()
    across = (place - ENDS[0]) / (ENDS[1] - ENDS[0]) * (box["width"] - LEFT - RIGHT)
    return box["x"] + LEFT + across, box["y"] + box["height"] / 2


@pytest.mark.parametrize(("unit", "place"), [(0, -2.0), (1, 3.0)])
def test_query_is_dragged_in_either_unit(pointer: Any, unit: int, place: float) -> None:
    figure, pointer = pointer("additive")
    start = unit  # W_q q = (0, 1) for t = 1
    x, y = at(figure, unit, start)
    pointer.down(x + 3, y)
    pointer.move(at(figure, unit, place)[0] + 3, y)
    assert figure.state()["t"] == 3
    assert figure.page.evaluate("location.hash") == ""
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#additive?t=3"
    figure.check()
    slider = figure.element.locator("[data-key=t]")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowLeft")
    assert figure.state()["t"] == 2.5
    figure.check()


def test_knob_of_unit_2_stands_above_the_thumb(pointer: Any) -> None:
    figure, _ = pointer("additive")
    for t in (-6, 0.5, 7):
        figure.go(f"#additive?t={t}")
        knob = stage(figure, 1).locator("circle").bounding_box()
        thumb = figure.element.locator("[data-key=t]").evaluate(
            """(e) => {
                 const { x, width } = e.getBoundingClientRect();
                 const thumb = parseFloat(getComputedStyle(e).getPropertyValue("--thumb"));
                 return x + thumb / 2 + ((e.value - e.min) / (e.max - e.min)) * (width - thumb);
               }"""
        )
        assert thumb == pytest.approx(knob["x"] + knob["width"] / 2, abs=1.5)


def test_escape_puts_the_query_back(pointer: Any) -> None:
    figure, pointer = pointer("additive", "#additive?t=2")
    pointer.down(*at(figure, 1, 2))
    pointer.move(*at(figure, 1, 5))
    assert figure.state()["t"] == 5
    figure.page.keyboard.press("Escape")
    assert figure.state()["t"] == 2
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#additive?t=2"


def test_vertical_swipe_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("additive", **PHONE).ready()
    finger = Finger(figure)
    x, y = at(figure, 0, -4)
    before, state = figure.page.evaluate("scrollY"), figure.state()
    finger.down(x, y)
    finger.move(x + 2, y - 150)
    finger.up()
    until(figure.page, f"scrollY > {before} + 50")
    assert figure.state() == state


def test_height_is_constant_on_a_phone(show: Any) -> None:
    figure = show("additive", **PHONE).ready()
    states = [*FIGURES["additive"].tries, *({"t": t, "tanh": "none"} for t in (-6, 0.5, 7))]
    heights = set()
    for settings in ({}, *states):
        figure.go(FIGURES["additive"].fragment({**settings, "ask": "0"}))
        heights.add(figure.element.locator("figure").bounding_box()["height"])
    assert len(heights) == 1


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_keep_off_the_dashed_curve_and_the_query(show: Any, lang: str, width: int) -> None:
    figure = show("additive", lang, viewport={"width": width, "height": 900}).ready()
    for t in (-6, -3, -1.5, 0, 0.5, 1, 2, 3, 3.5, 7):
        figure.go(f"#additive?t={t}&tanh=before")
        for unit in (0, 1):
            drawing = stage(figure, unit)
            lines = ".attn-ghost, .attn-query-stem, .attn-rise"
            assert drawing.evaluate(TOUCHED, [".attn-hue-key text", lines]) == [], (t, unit)
            assert drawing.evaluate(OVERLAPPING, ".attn-tag") == [], (t, unit)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_stand_beside_the_query_on_a_phone(show: Any, lang: str) -> None:
    figure = show("additive", lang, **PHONE).ready()
    for t in (-6, -1.5, 0.5, 1, 6, 7):
        figure.go(f"#additive?t={t}")
        for unit in (0, 1):
            drawing = stage(figure, unit)
            lines = [".attn-hue-key text", ".attn-query-stem, .attn-rise"]
            assert drawing.evaluate(TOUCHED, lines) == [], (t, unit)
            assert drawing.evaluate(OVERLAPPING, ".attn-tag, .attn-end") == [], (t, unit)


@pytest.mark.parametrize("width", [1280, 360])
def test_rises_are_seen_without_tanh_and_heights_add_up(show: Any, width: int) -> None:
    figure = show("additive", viewport={"width": width, "height": 900}).ready()
    for t, scale in ((1, 6), (-6, 6), (6, 6)):
        figure.go(f"#additive?t={t}&tanh=none")
        heights = figure.check().parts["heights"]["rows"]
        for unit in (0, 1):
            drawing = stage(figure, unit)
            rises = drawing.locator(".attn-rise").evaluate_all(
                "all => all.map((e) => e.getTotalLength())"
            )
            assert sorted(rises)[2] > 24, "longer than the dot at its end"
            knob = drawing.locator("circle").evaluate("e => e.cy.baseVal.value + e.r.baseVal.value")
            axis = drawing.locator(".attn-axis-line").first.evaluate("e => e.getBBox().y")
            assert knob <= axis + 0.2
        for word, pile in enumerate(figure.element.locator(".attn-body .attn-heaped").all()):
            zero, first, second, total, tip = pile.evaluate(
                """(e) => [e, ...e.children].map((one) => {
                     const { top, bottom } = one.getBoundingClientRect();
                     return [top, bottom];
                   })"""
            )
            ends = [sum(zero) / 2 - scale * heights[0][word], sum(total) / 2]
            assert min(abs(end - ends[0]) for end in first) < 0.5
            assert tip[0] == pytest.approx(ends[0], abs=0.5)
            assert sorted(second) == pytest.approx(sorted(ends), abs=0.5)


def test_slider_is_in_one_view_with_curves_and_weights_on_a_phone(show: Any) -> None:
    figure = show("additive", **PHONE).ready()
    top = stage(figure, 0).bounding_box()["y"]
    weights = figure.element.locator(".attn-body [data-part=weights]").bounding_box()
    # A phone of 740 px, less the header that stays.
    assert weights["y"] + weights["height"] - top < 680
    # So is the switch with the curves that it changes.
    curve = stage(figure, 1).bounding_box()
    switch = figure.element.locator(".attn-body .attn-segments").bounding_box()
    assert 0 < curve["y"] + curve["height"] - switch["y"] < 680
    # From cause to effect: the slider, the heights and their sums, the weights.
    slider, piles, weights = (
        figure.element.locator(f".attn-body {part}").bounding_box()
        for part in ("[data-key=t]", ".attn-piles", "[data-part=weights]")
    )
    assert 0 < piles["y"] - slider["y"] - slider["height"] < 24
    assert 0 <= weights["y"] - piles["y"] - piles["height"] < 24


def test_scores_below_the_heights_are_those_of_the_view(show: Any) -> None:
    figure = show("additive").ready()
    for link in ("", "?t=-2", "?t=3&tanh=before", "?tanh=none"):
        figure.go(f"#additive{link}")
        scores = figure.check().parts["heights"]["rows"][-1]
        shown = figure.element.locator(".attn-body .attn-piles .attn-number").all_text_contents()
        assert shown == [format_number(score, 2) for score in scores]
