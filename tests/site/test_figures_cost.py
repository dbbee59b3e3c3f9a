"""The figure `cost` by hand: the edge of the block, dragged, is the slider of T."""

from typing import Any

from figures import LiveFigure

EDGE = ".attn-body .attn-stage .attn-handle"


def drag(figure: LiveFigure, down: float) -> None:
    """Take the edge of the block and move it down by so many pixels."""
    edge = figure.element.locator(EDGE)
    edge.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = edge.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    figure.page.mouse.move(x, y)
    figure.page.mouse.down()
    figure.page.mouse.move(x, y + down, steps=4)


def test_dragging_the_edge_and_the_slider_reach_the_same_link(show: Any) -> None:
    figure = show("cost", fragment="#cost?p=0").ready()
    side = figure.element.locator(".attn-body .attn-block").bounding_box()["width"]
    drag(figure, side * (512 - 64) / 2048)
    figure.page.mouse.up()
    assert figure.state()["t"] == 512
    figure.check()
    link = figure.page.evaluate("location.hash")
    slider = figure.element.locator('[data-key="t"]')
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowLeft")
    slider.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == link == "#cost?p=0&t=512"


def test_escape_restores_the_block(show: Any) -> None:
    figure = show("cost", fragment="#cost?p=0").ready()
    drag(figure, 120)
    assert figure.state()["t"] != 64
    figure.page.keyboard.press("Escape")
    assert figure.state()["t"] == 64
    figure.page.mouse.up()
