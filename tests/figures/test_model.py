"""The maps of figure `model`: fetched when it is used, and its frame is dragged over them."""

from typing import Any

import pytest
from figures import LiveFigure, centred
from hands import PHONE, Finger
from playwright.sync_api import expect
from reader import until

DESKTOP = {"viewport": {"width": 1280, "height": 900}}


def tile(figure: LiveFigure, layer: int, head: int) -> tuple[float, float]:
    """The middle of a map, in pixels of the window."""
    tiles = figure.element.locator(".attn-body .attn-tiles")
    box = centred(tiles)
    return (
        box["x"] + box["width"] * (head - 0.5) / 12,
        box["y"] + box["height"] * (layer - 0.5) / 12,
    )


def painted(figure: LiveFigure) -> int:
    """How many pixels of the maps have a colour."""
    count: int = figure.element.locator(".attn-tiles canvas").first.evaluate(
        """(canvas) => {
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
          return data.filter((part, i) => i % 4 === 3 && part > 0).length;
        }"""
    )
    return count


def test_the_frame_is_dragged_over_the_maps(pointer: Any) -> None:
    figure, pointer = pointer("model")
    pointer.down(*tile(figure, 3, 7))
    figure.page.wait_for_function("document.querySelector('[data-waiting]') === null")
    # Sideways first: a finger that begins upwards or downwards scrolls.
    for layer, head in ((3, 2), (1, 12), (12, 1)):
        pointer.move(*tile(figure, layer, head))
        assert (figure.state()["l"], figure.state()["h"]) == (layer, head)
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#model?l=12&h=1"
    slider = figure.element.locator("[data-key=h]")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#model?l=12&h=2"


def test_a_finger_taps_a_map_and_scrolls_past_them(show: Any) -> None:
    figure = show("model", **PHONE).ready()
    figure.page.touchscreen.tap(*tile(figure, 5, 6))
    figure.page.wait_for_url(lambda address: address.endswith("#model?l=5&h=6"))
    finger = Finger(figure)
    x, y = tile(figure, 8, 3)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert figure.state()["l"] == 5
    assert figure.page.evaluate("scrollY") != before


def test_a_row_chooses_its_piece(show: Any) -> None:
    figure = show("model", **DESKTOP).ready()
    figure.element.locator(".attn-body .attn-model-row tbody tr").nth(2).click()
    figure.page.wait_for_url(lambda address: address.endswith("#model?w=3"))
    expect(figure.said).to_contain_text("From “teacher”")


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_maps_of_the_page_s_language_are_painted_once_the_figure_is_used(
    show: Any, lang: str
) -> None:
    figure = show("model", lang, **DESKTOP).ready()
    assert painted(figure) == 0
    with figure.page.expect_request(f"**/attn/maps/heads-{lang}.js"):
        figure.element.locator("[data-key=h]").focus()
    figure.element.locator("[data-key=h]").press("ArrowLeft")
    figure.page.wait_for_url(lambda address: address.endswith("#model?h=6"))
    until(figure.page, "document.querySelector('[data-waiting]') === null")
    assert painted(figure) > 10_000
