"""What a reader drags in a figure: mouse, finger and keys reach the same states and links."""

from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE, Finger, Mouse
from reader import until


def top(figure: LiveFigure, row: int = 1) -> tuple[float, float]:
    """The middle of the hand of a wall."""
    hand = figure.element.locator(f"[data-handle=row{row}]")
    hand.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = hand.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def key(figure: LiveFigure) -> float:
    """How wide a key is: from the name of one to the name of the next."""
    names = figure.element.locator(".attn-scene .attn-word.attn-middle")
    first, second = (names.nth(place).bounding_box() for place in range(2))
    return second["x"] + second["width"] / 2 - first["x"] - first["width"] / 2


def test_wall_is_dragged_and_the_address_is_written_on_release(pointer: Any) -> None:
    figure, pointer = pointer("mask")
    (x, y), wide = top(figure), key(figure)
    # Taken three pixels beside it, the wall keeps this distance.
    pointer.down(x + 3, y)
    pointer.move(x + 3 + wide * 1.4, y)
    assert figure.state()["len"] == (3, 3)
    assert figure.page.evaluate("location.hash") == ""
    figure.check()
    pointer.move(x + 3 - wide * 1.4, y)
    assert figure.state()["len"] == (1, 3)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#mask?len=1,3"
    figure.check()
    hand = figure.element.locator("[data-handle=row1]")
    assert hand.evaluate("(e) => e === document.activeElement")
    hand.press("ArrowRight")
    assert figure.state()["len"] == (2, 3)
    assert figure.page.evaluate("location.hash") == "#mask"


def test_wall_is_as_high_as_the_score_behind_it(pointer: Any) -> None:
    figure, pointer = pointer("mask")
    x, y = top(figure)
    for fill in ("zero", "1e6", "inf"):
        figure.go(f"#mask?fill={fill}&ask=0")
        there = top(figure)
        figure.go("#mask?ask=0")
        pointer.down(x, y)
        pointer.move(there[0], there[1])
        pointer.up()
        assert figure.state()["fill"] == fill
        figure.check()
        figure.go("#mask?ask=0")
    # Where it goes sideways only, what is zeroed after the softmax stays so.
    figure.go("#mask?fill=after")
    pointer.down(x, y)
    pointer.move(x + key(figure), y)
    pointer.up()
    assert (figure.state()["fill"], figure.state()["len"]) == ("after", (3, 3))


@pytest.mark.parametrize("name", ["mask", "norm", "scale"])
def test_what_is_in_hand_has_no_ring_until_a_key_is_pressed(show: Any, name: str) -> None:
    figure = show(name, viewport={"width": 1280, "height": 900}).ready()
    mouse = Mouse(figure)
    thing = figure.element.locator(".attn-hand:visible").first
    thing.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = thing.bounding_box()
    mouse.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.up()
    style = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert figure.page.evaluate("document.activeElement.closest('attn-explorer') !== null")
    assert figure.page.evaluate(style) == "none"
    figure.page.keyboard.press("ArrowRight")
    assert figure.page.evaluate(style) == "solid"


def test_escape_puts_the_wall_back(pointer: Any) -> None:
    figure, pointer = pointer("mask", "#mask?len=3,1")
    (x, y), wide = top(figure), key(figure)
    pointer.down(x, y)
    pointer.move(x - 2 * wide, y)
    assert figure.state()["len"] == (1, 1)
    figure.page.keyboard.press("Escape")
    assert figure.state()["len"] == (3, 1)
    pointer.move(x - wide, y)
    pointer.up()
    assert figure.state()["len"] == (3, 1)
    assert figure.page.evaluate("location.hash") == "#mask?len=3,1"


def test_one_length_for_each_query_has_a_wall_for_each(pointer: Any) -> None:
    figure, pointer = pointer("mask", "#mask?dim=2")
    # The second query of the first example.
    (x, y), wide = top(figure, 2), key(figure)
    pointer.down(x, y)
    pointer.move(x - 2 * wide, y)
    pointer.up()
    assert figure.state()["len"] == (1, 1, 2, 4)
    assert figure.page.evaluate("location.hash") == "#mask?dim=2&len=1,1,2,4"
    figure.check()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_choice_of_lengths_stays_under_the_pointer(show: Any, viewport: dict[str, int]) -> None:
    figure = show("mask", viewport=viewport).ready().open_fold()
    choice = figure.element.locator("label", has=figure.page.locator("[data-key=dim][value='2']"))
    choice.scroll_into_view_if_needed()
    before = choice.bounding_box()
    choice.click()
    assert figure.state()["dim"] == "2"
    assert choice.bounding_box() == before


def test_vertical_swipe_beside_the_hand_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("mask", **PHONE).ready()
    finger = Finger(figure)
    (x, y), wide = top(figure), key(figure)
    before, state = figure.page.evaluate("scrollY"), figure.state()
    finger.down(x + 1.5 * wide, y + 60)
    finger.move(x + 1.5 * wide + 2, y - 90)
    finger.up()
    until(figure.page, f"scrollY > {before} + 50")
    assert figure.state() == state
    assert figure.page.evaluate("location.hash") == ""


def test_second_finger_is_not_a_drag(show: Any) -> None:
    figure = show("mask", **PHONE).ready()
    finger = Finger(figure)
    first, second = top(figure), top(figure, 3)
    finger.down(*first)
    finger._send("touchStart", first, second)
    finger._send("touchMove", first, (second[0] - 60, second[1]))
    assert figure.state()["len"] == (2, 3)
    finger.up()
