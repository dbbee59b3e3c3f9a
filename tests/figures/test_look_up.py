"""What a reader drags in the figures of the first two chapters, and what lies in a closed box."""

from typing import Any

import pytest
from figures import OUTSIDE, OVERLAPPING, LiveFigure
from hands import LOOKS, PHONE, Finger, Mouse, Window
from playwright.sync_api import expect


def stage(figure: LiveFigure) -> dict[str, float]:
    found = figure.element.locator(".attn-body .attn-stage").first
    found.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    return dict(found.bounding_box())


def tip(figure: LiveFigure) -> tuple[float, float]:
    """The middle of the query's handle."""
    stage(figure)
    box = figure.element.locator(".attn-body .attn-handle").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_query_is_dragged_among_the_words_and_keys_go_on(pointer: Any) -> None:
    figure, pointer = pointer("arrows", "#arrows?x=0&y=0")
    middle_x, middle_y = tip(figure)
    figure.go("#arrows?x=1&y=1&ask=0")
    x, y = tip(figure)
    unit = x - middle_x
    assert unit == pytest.approx(middle_y - y, abs=1)
    pointer.down(x + 3, y)
    pointer.move(x + 3 - 2 * unit, y + unit)
    figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#arrows?x=-1&y=0"
    figure.check()
    handle = figure.element.locator(".attn-body .attn-handle")
    expect(handle).to_be_focused()
    expect(handle).to_have_attribute(
        "aria-valuetext", "query (−1.00,\u00a00.00), output (−0.762,\u00a00.000)"
    )
    handle.press("ArrowUp")
    handle.press("Shift+ArrowRight")
    assert figure.state() | {"x": 0.25, "y": 0.25} == figure.state()


@LOOKS
def test_no_name_lies_on_another_or_beside_the_picture(
    show: Any, lang: str, window: Window
) -> None:
    figure = show("arrows", lang, **window).ready()
    drawing = figure.element.locator(".attn-body .attn-scene")
    far = [(-3, -3), (3, -3), (-3, 3)]
    for x, y in ((1.25, 0.5), (-1, -1), (3, 1.75), (-1.75, 1.75), *far):
        figure.go(figure.figure.fragment({"x": x, "y": y}))
        assert drawing.evaluate(OVERLAPPING, ".attn-label") == [], (x, y)
        assert drawing.evaluate(OUTSIDE) == [], (x, y)


def test_a_hand_that_leaves_the_near_view_is_shown_from_afar_once_it_is_let_go(
    show: Any,
) -> None:
    figure = show("arrows", fragment="#arrows?x=-1.75&y=1.75").ready()
    unit = figure.element.locator(".attn-body .attn-square")
    near = unit.bounding_box()["width"]
    x, y = tip(figure)
    mouse = Mouse(figure)
    mouse.down(x, y)
    mouse.move(x - 60, y - 60)
    assert (figure.state()["x"], figure.state()["y"]) == (-1.75, 1.75)
    mouse.up()
    figure.element.locator(".attn-hand").press("ArrowUp")
    assert figure.state()["y"] == 2
    assert unit.bounding_box()["width"] < 0.7 * near
    x, y = tip(figure)
    mouse.down(x, y)
    mouse.move(x + 60, y + 60)
    assert unit.bounding_box()["width"] < 0.7 * near, "what is in hand stays under it"
    mouse.up()
    assert unit.bounding_box()["width"] == pytest.approx(near, abs=1)
    figure.check()


def test_escape_brings_the_query_back(pointer: Any) -> None:
    figure, pointer = pointer("arrows", "#arrows?x=-2&y=0.5")
    x, y = tip(figure)
    pointer.down(x, y)
    pointer.move(x + 60, y + 40)
    assert figure.state()["x"] != -2
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert (figure.state()["x"], figure.state()["y"]) == (-2, 0.5)


@pytest.mark.parametrize("name", ["arrows", "kernel"])
def test_a_swipe_over_the_drawing_scrolls_and_changes_nothing(show: Any, name: str) -> None:
    figure = show(name, **PHONE).ready()
    box = stage(figure)
    top = figure.page.evaluate("scrollY")
    finger = Finger(figure)
    finger.down(box["x"] + 20, box["y"] + 150)
    finger.move(box["x"] + 20, box["y"] + 20)
    finger.up()
    figure.page.wait_for_function("(top) => scrollY > top + 50", arg=top)
    assert figure.state() == figure.start


@pytest.mark.parametrize("name", ["arrows", "lookup"])
def test_height_is_the_same_in_every_state(show: Any, name: str) -> None:
    figure = show(name, **PHONE).ready().open_fold()
    heights = set()
    for settings in ({}, *figure.figure.tries, figure.figure.prediction.after):
        figure.go(figure.figure.fragment({**settings, "ask": "0"}))
        heights.add(round(figure.height))
    assert len(heights) == 1
