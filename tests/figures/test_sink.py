"""What a reader drags and hears in the figure of the bin among the words."""

from typing import Any

import pytest
from figures import centred
from playwright.sync_api import expect
from reader import LANGUAGES


def middle(figure: Any, what: str) -> tuple[float, float]:
    """The middle of an element once it is in the window."""
    box = centred(figure.element.locator(f".attn-body {what}"))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_who_takes_hold_of_the_score_has_a_bin(pointer: Any) -> None:
    figure, pointer = pointer("sink", "#sink?ask=0")
    y = middle(figure, "[data-drawing=scores]")[1]
    axis = figure.element.locator(".attn-body [data-drawing=scores] .attn-axis-line").first
    unit = axis.bounding_box()["width"] / 12
    zero = axis.bounding_box()["x"] + 6 * unit
    pointer.down(zero, y)
    pointer.move(zero + 2 * unit, y)
    pointer.up()
    assert (figure.state()["bin"], figure.state()["s"]) == ("on", 2)
    figure.check()
    slider = figure.element.locator("[data-key=s]")
    expect(slider).to_be_enabled()
    slider.press("ArrowRight")
    assert figure.state()["s"] == 2.5


def test_the_query_is_dragged_and_says_who_keeps_silent(pointer: Any) -> None:
    figure, pointer = pointer("sink", "#sink?bin=on&s=2&x=0&y=0")
    knob = figure.element.locator(".attn-body [data-handle=q]")
    x, y = middle(figure, "[data-handle=q]")
    expect(knob).to_have_attribute(
        "aria-valuetext", "query (0.00,\u00a00.00); 0.65 in the bin, 0.35 for the words"
    )
    pointer.down(x, y)
    pointer.move(x + 40, y - 40)
    pointer.up()
    assert figure.state()["x"] > 0
    assert figure.state()["y"] > 0
    figure.check()
    knob.press("ArrowLeft")
    figure.check()


def test_without_a_bin_its_score_cannot_be_set(show: Any) -> None:
    figure = show("sink").ready()
    expect(figure.element.locator("[data-key=s]")).to_be_disabled()
    figure.element.locator("[data-key=bin][value=on]").check(force=True)
    expect(figure.element.locator("[data-key=s]")).to_be_enabled()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_lie_on_no_other_and_the_height_stays(show: Any, lang: str, width: int) -> None:
    figure = show("sink", lang, viewport={"width": width, "height": 900}).ready()
    states = [
        {},
        *figure.figure.tries,
        {"bin": "on", "s": 2},
        {"bin": "on", "s": -1, "x": 1, "y": 0.5},
        {"bin": "on", "s": -6, "x": -3, "y": 3},
        {"bin": "on", "s": 6, "x": 3, "y": 3},
    ]
    heights = figure.heights(states)
    assert len(set(heights.values())) == 1, heights
