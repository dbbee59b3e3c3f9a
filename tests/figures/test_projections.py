"""What a reader drags, presses and hears in the figure of the matrices behind queries and keys."""

from typing import Any

import pytest
from figures import OVERLAPPING, LiveFigure
from hands import PHONE
from playwright.sync_api import expect
from reader import LANGUAGES

NO_BREAK = "\u00a0"


def handle(figure: LiveFigure, name: str) -> tuple[float, float]:
    """The middle of a handle, once its drawing is in the window."""
    found = figure.element.locator(f".attn-body [data-handle={name}]")
    found.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def unit(figure: LiveFigure) -> float:
    """Pixels of one unit in the drawing of a matrix: from its middle to where "cat" goes."""
    x, _ = handle(figure, "k0")
    stage = figure.element.locator(".attn-body [data-matrix=k] .attn-stage").bounding_box()
    return float(x - stage["x"] - stage["width"] / 2)


def test_noun_is_dragged_and_keys_go_on(pointer: Any) -> None:
    figure, pointer = pointer("projections", "#projections?ask=0")
    one = unit(figure)
    x, y = handle(figure, "q1")
    pointer.down(x + 2, y)
    pointer.move(x + 2 + one / 2, y - 2 * one)
    figure.check()
    pointer.up()
    assert figure.state()["q"] == (1, 0, 0.5, 1)
    noun = figure.element.locator(".attn-body [data-handle=q1]")
    expect(noun).to_be_focused()
    expect(noun).to_have_attribute(
        "aria-valuetext", "noun goes to 0.50 right, 1.00 up; purr finds purr, 0.64"
    )
    noun.press("ArrowLeft")
    noun.press("Shift+ArrowDown")
    assert figure.state()["q"] == (1, 0, 0.25, -0.25)
    figure.check()


def test_with_one_matrix_either_drawing_moves_it(pointer: Any) -> None:
    figure, pointer = pointer("projections", "#projections?m=one&k=0,1,-1,0")
    x, y = handle(figure, "k0")
    pointer.down(x, y)
    pointer.move(x, y - unit(figure))
    pointer.up()
    assert figure.state()["q"] == (1, 1, 0, -1)
    # The other matrix is kept for when there are two again.
    figure.element.locator("[data-key=m][value=two]").check(force=True)
    assert figure.state()["k"] == (0, 1, -1, 0)
    figure.check()


def test_a_press_takes_hold_of_the_upper_of_two_ends_and_beside_them_of_none(show: Any) -> None:
    figure = show("projections", fragment="#projections?q=1,1,1,1").ready()
    x, y = handle(figure, "q1")
    mouse = figure.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y + unit(figure))
    mouse.up()
    assert figure.state()["q"] == (1, 1, 1, 0)
    stage = figure.element.locator(".attn-body [data-matrix=q] .attn-stage").bounding_box()
    mouse.click(stage["x"] + 12, stage["y"] + stage["height"] - 12)
    assert figure.state()["q"] == (1, 1, 1, 0)


def test_escape_brings_a_matrix_back(pointer: Any) -> None:
    figure, pointer = pointer("projections", "#projections?q=1,0,0,1")
    x, y = handle(figure, "q0")
    pointer.down(x, y)
    pointer.move(x - 40, y + 30)
    assert figure.state()["q"] != (1, 0, 0, 1)
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert figure.state()["q"] == (1, 0, 0, 1)


def test_a_row_chooses_its_word_and_so_do_buttons(show: Any) -> None:
    figure = show("projections").ready()
    made = figure.element.locator(".attn-body [data-sentence=asks]")
    expect(made).to_have_text(f"purr looks for a cat noun: (1,{NO_BREAK}1)")
    rows = figure.element.locator(".attn-body .attn-finders tbody tr")
    rows.nth(2).click()
    assert figure.state()["w"] == "dogs"
    expect(made).to_have_text(f"dogs looks for a dog verb: (−1,{NO_BREAK}−1)")
    figure.element.locator("[data-key=w][value=bark]").check(force=True)
    expect(rows.nth(3)).to_have_class("attn-asker")
    figure.check()


def test_every_number_of_a_matrix_has_a_slider_of_its_own(show: Any) -> None:
    figure = show("projections").ready()
    figure.element.locator(".attn-entries > summary").click()
    for key in "qk":
        for item in range(4):
            slider = figure.element.locator(f"[data-key={key}][data-item='{item}']")
            before = figure.state()[key][item]
            slider.press("ArrowRight")
            assert figure.state()[key][item] == before + 0.25
    figure.check()
    figure.go("#projections?m=one")
    expect(figure.element.locator("[data-key=k][data-item='0']")).to_be_disabled()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_lie_on_no_other_and_the_height_stays(show: Any, lang: str, width: int) -> None:
    figure = show("projections", lang, viewport={"width": width, "height": 900}).ready()
    heights = set()
    states = [
        {},
        *figure.figure.tries,
        {"m": "one"},
        {"m": "one", "q": (1.5, 0, 0.5, 0.5)},
        {"w": "cats", "q": (1.5, 1.5, 1.5, 1.5), "k": (1.5, 1.5, 1.5, -1.5)},
        {"w": "bark", "q": (-1.5, 0.25, 0.75, -1.5)},
    ]
    for settings in states:
        figure.go(figure.figure.fragment({**settings, "ask": "0"}))
        heights.add(round(figure.element.bounding_box()["height"]))
        for stage in figure.element.locator(".attn-body .attn-projected .attn-stage").all():
            assert stage.evaluate(OVERLAPPING, "text") == [], settings
    assert len(heights) == 1


def test_the_phone_shows_plane_and_matrices_in_one_view(show: Any) -> None:
    figure = show("projections", "ko", **PHONE).ready()
    projected = figure.element.locator(".attn-body .attn-projected").bounding_box()
    assert projected["height"] < 740 - 60  # the page's header
