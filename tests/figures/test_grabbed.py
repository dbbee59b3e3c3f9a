"""What a reader drags in a figure: mouse, finger and keys reach the same states and links."""

from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE, Finger, Mouse
from playwright.sync_api import Locator
from reader import until

from attn_lib.live.figures import FIGURES


def strip(figure: LiveFigure, example: int) -> Locator:
    found = figure.element.locator(f".attn-body [data-example='{example}']")
    found.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    return found


def cells(figure: LiveFigure, example: int) -> list[tuple[float, float]]:
    """The middles of the score cells of an example's first query."""
    boxes = [
        cell.bounding_box()
        for cell in strip(figure, example)
        .locator("[data-query]")
        .first.locator("[data-place]")
        .all()
    ]
    return [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]


def test_wall_is_dragged_and_the_address_is_written_on_release(pointer: Any) -> None:
    figure, pointer = pointer("mask")
    middles = cells(figure, 0)
    wide = middles[1][0] - middles[0][0]
    boundary, y = middles[1][0] + wide / 2, middles[1][1]
    # Taken three pixels beside it, the wall keeps this distance.
    pointer.down(boundary + 3, y)
    pointer.move(boundary + 3 + wide * 1.4, y)
    assert figure.state()["len"] == (3, 3)
    assert figure.page.evaluate("location.hash") == ""
    figure.check()
    pointer.move(boundary + 3 - wide * 1.4, y)
    assert figure.state()["len"] == (1, 3)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#mask?len=1,3"
    figure.check()
    slider = figure.element.locator("[data-key=len]:visible").first
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowRight")
    assert figure.state()["len"] == (2, 3)
    assert figure.page.evaluate("location.hash") == "#mask"


@pytest.mark.parametrize("name", ["mask", "norm", "scale"])
def test_what_is_in_hand_has_no_ring_until_a_key_is_pressed(show: Any, name: str) -> None:
    figure = show(name, viewport={"width": 1280, "height": 900}).ready()
    mouse = Mouse(figure)
    things = ".attn-body :is(.attn-wall i, .attn-handle, .attn-stage)"
    thing = figure.element.locator(things).locator("visible=true").first
    thing.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = thing.bounding_box()
    mouse.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.up()
    style = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert figure.page.evaluate("document.activeElement.closest('attn-explorer') !== null")
    assert figure.page.evaluate(style) == "none"
    figure.page.keyboard.press("ArrowRight")
    assert figure.page.evaluate(style) == "solid"


def test_wall_stands_between_the_cells_and_above_the_thumb(pointer: Any) -> None:
    figure, _ = pointer("mask")
    for length in range(5):
        figure.go(f"#mask?len={length},3")
        middles = [x for x, _ in cells(figure, 0)]
        wide = middles[1] - middles[0]
        wall = strip(figure, 0).locator("> .attn-wall i").bounding_box()
        assert wall["x"] + wall["width"] / 2 == pytest.approx(
            middles[0] - wide / 2 + length * wide, abs=1.5
        )
        slider = figure.element.locator("[data-key=len]:visible").first
        thumb = slider.evaluate(
            """(e) => {
                 const { x, width } = e.getBoundingClientRect();
                 const thumb = parseFloat(getComputedStyle(e).getPropertyValue("--thumb"));
                 return x + thumb / 2 + ((e.value - e.min) / (e.max - e.min)) * (width - thumb);
               }"""
        )
        assert thumb == pytest.approx(wall["x"] + wall["width"] / 2, abs=1.5)


def test_press_makes_a_cell_the_last_or_takes_the_last_away(pointer: Any) -> None:
    figure, pointer = pointer("mask")
    for pressed, length in ((3, 4), (3, 3), (0, 1), (0, 0), (1, 2)):
        pointer.down(*cells(figure, 1)[pressed])
        pointer.up()
        assert figure.state()["len"] == (2, length)
        assert figure.page.evaluate("location.hash") == FIGURES["mask"].fragment(
            {"len": (2, length)}
        )
        figure.check()


def test_escape_puts_the_wall_back(pointer: Any) -> None:
    figure, pointer = pointer("mask", "#mask?len=3,1")
    middles = cells(figure, 0)
    pointer.down(*middles[2])
    pointer.move(middles[0][0], middles[0][1])
    assert figure.state()["len"] != (3, 1)
    figure.page.keyboard.press("Escape")
    assert figure.state()["len"] == (3, 1)
    pointer.move(middles[1][0], middles[1][1])
    pointer.up()
    assert figure.state()["len"] == (3, 1)
    assert figure.page.evaluate("location.hash") == "#mask?len=3,1"


def test_one_length_for_each_query_has_a_wall_for_each(pointer: Any) -> None:
    figure, pointer = pointer("mask", "#mask?dim=2")
    # The second query of the first example.
    first = strip(figure, 0).locator("[data-query='1'] [data-place]").first.bounding_box()
    pointer.down(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    pointer.up()
    assert figure.state()["len"] == (1, 1, 2, 4)
    assert figure.page.evaluate("location.hash") == "#mask?dim=2&len=1,1,2,4"
    figure.check()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_grip_of_a_query_lies_above_the_numbers(show: Any, viewport: dict[str, int]) -> None:
    figure = show("mask", fragment="#mask?dim=2", viewport=viewport).ready()
    row = figure.element.locator(".attn-body [data-query='1']")
    grip = row.locator(".attn-wall i").evaluate(
        """(e) => {
             const { top, height } = getComputedStyle(e, "::after");
             return e.getBoundingClientRect().top + parseFloat(top) + parseFloat(height);
           }"""
    )
    names = row.locator("thead").evaluate(
        """(e) => {
             const text = document.createRange();
             text.selectNodeContents(e.querySelector("th"));
             return text.getBoundingClientRect().top;
           }"""
    )
    assert grip <= names


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_choice_of_lengths_stays_under_the_pointer(show: Any, viewport: dict[str, int]) -> None:
    figure = show("mask", viewport=viewport).ready()
    choice = figure.element.locator("label", has=figure.page.locator("[data-key=dim][value='2']"))
    choice.scroll_into_view_if_needed()
    before = choice.bounding_box()
    choice.click()
    assert figure.state()["dim"] == "2"
    assert choice.bounding_box() == before


def test_vertical_swipe_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("mask", **PHONE).ready()
    finger = Finger(figure)
    middles = cells(figure, 0)
    before, state = figure.page.evaluate("scrollY"), figure.state()
    finger.down(*middles[3])
    finger.move(middles[3][0] + 2, middles[3][1] - 150)
    finger.up()
    until(figure.page, f"scrollY > {before} + 50")
    assert figure.state() == state
    assert figure.page.evaluate("location.hash") == ""


def test_second_finger_is_not_a_drag(show: Any) -> None:
    figure = show("mask", **PHONE).ready()
    finger = Finger(figure)
    middles = cells(figure, 0)
    finger.down(*middles[3])
    finger._send("touchStart", middles[3], middles[0])
    finger._send("touchMove", middles[3], (middles[0][0] + 60, middles[0][1]))
    assert figure.state()["len"] == (2, 3)
    finger.up()
