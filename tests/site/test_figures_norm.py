"""The tip of key 2 in figure `norm`: mouse, finger and keys move it both ways."""

from typing import Any

import pytest
from figures import LiveFigure
from test_figures_grabbed import PHONE, Finger, hand  # noqa: F401 - hand is a fixture

from attn_lib.figures import FIGURES

REACH = 4.6


def plane(figure: LiveFigure) -> Any:
    """Return a function from a place of the plane to pixels of the window."""
    stage = figure.element.locator(".attn-body .attn-stage")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = stage.evaluate(
        """(e) => {
             const { x, y } = e.getBoundingClientRect();
             return [x + e.clientLeft, y + e.clientTop, e.clientWidth, e.clientHeight];
           }"""
    )
    left, top, width, height = box
    unit = (min(width, height) - 8) / (2 * REACH)
    return lambda x, y: (left + width / 2 + x * unit, top + height / 2 - y * unit)


def test_tip_is_dragged_both_ways_and_snaps(hand: Any) -> None:  # noqa: F811
    figure, hand = hand("norm")
    at = plane(figure)
    hand.down(*at(1, -1))
    hand.move(*at(3.9, -2.1))
    assert (figure.state()["x"], figure.state()["y"]) == (4, -2)
    assert figure.page.evaluate("location.hash") == ""
    figure.check()
    hand.up()
    assert figure.page.evaluate("location.hash") == FIGURES["norm"].fragment({"x": 4, "y": -2})
    assert figure.element.locator(".attn-body .attn-handle").evaluate(
        "(e) => e === document.activeElement"
    )


def test_handle_lies_on_the_tip(hand: Any) -> None:  # noqa: F811
    figure, _ = hand("norm")
    for x, y in ((1, -1), (-4, 4), (0, 0), (2.5, 3)):
        figure.go(FIGURES["norm"].fragment({"x": x, "y": y}))
        expected = plane(figure)(x, y)
        box = figure.element.locator(".attn-body .attn-handle").bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert middle == pytest.approx(expected, abs=2)


def test_escape_puts_the_tip_back(hand: Any) -> None:  # noqa: F811
    figure, hand = hand("norm")
    at = plane(figure)
    hand.down(*at(1, -1))
    hand.move(*at(-2, 3))
    assert figure.state()["x"] == -2
    figure.page.keyboard.press("Escape")
    hand.up()
    assert (figure.state()["x"], figure.state()["y"]) == (1, -1)
    assert figure.page.evaluate("location.hash") == ""


def test_keys_move_the_tip_and_it_says_what_came(show: Any) -> None:
    figure = show("norm").ready()
    handle = figure.element.locator(".attn-body .attn-handle")
    for key in ("Shift+ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        handle.press(key)
    assert (figure.state()["x"], figure.state()["y"]) == (4, -2)
    assert figure.page.evaluate("location.hash") == "#norm?x=4&y=-2"
    assert "0.50" in handle.get_attribute("aria-valuetext")
    figure.check()


def test_finger_beside_the_tip_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    finger = Finger(figure)
    x, y = plane(figure)(-3, 0)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert (figure.state()["x"], figure.state()["y"]) == (1, -1)
    assert figure.page.evaluate("scrollY") != before


def test_tap_places_the_tip(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    figure.page.touchscreen.tap(*plane(figure)(-2, 2.5))
    assert (figure.state()["x"], figure.state()["y"]) == (-2, 2.5)
    figure.check()


def test_height_keeps_still(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    heights = set()
    for settings in ({}, *FIGURES["norm"].tries, {"x": -4, "y": -4}, {"x": -3.5, "sub": "on"}):
        figure.go(FIGURES["norm"].fragment(settings))
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1
