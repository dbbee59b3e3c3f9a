"""Figure `dropout`, to be pressed: a sum that was not yet there is drawn for."""

from typing import Any

import pytest
from playwright.sync_api import expect
from test_figures_grabbed import PHONE

WIDE = {"viewport": {"width": 1280, "height": 900}}


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_press_draws_on_until_a_row_has_that_sum(show: Any, how: dict[str, Any]) -> None:
    figure = show("dropout", **how).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    present = stage.locator(".attn-now")
    press = stage.tap if how is PHONE else stage.click
    for _ in range(4):
        part = figure.check().parts["sums"]
        box = stage.bounding_box()
        dot = present.bounding_box()
        middle = dot["x"] + dot["width"] / 2 - box["x"]
        pressed = (middle + 8) / 2
        press(position={"x": pressed, "y": box["height"] / 2})
        n = figure.state()["n"]
        assert n in part["next"]
        assert figure.check().parts["sums"]["now"] == part["next"].index(n)
        dot = present.bounding_box()
        assert abs(dot["x"] + dot["width"] / 2 - box["x"] - pressed) <= abs(middle - pressed)
    figure.go("#dropout?mode=eval")
    press(position={"x": 20, "y": 60})
    assert figure.page.evaluate("location.hash") == "#dropout?mode=eval"


@pytest.mark.parametrize(("name", "last"), [("dropout", "n=1000"), ("shapes", "i=8")])
def test_the_button_says_when_it_goes_back_to_the_start(show: Any, name: str, last: str) -> None:
    figure = show(name, fragment=f"#{name}?{last}").ready()
    button = figure.element.locator("[data-control]:not([hidden]) [data-next]")
    expect(button).to_have_text("From the start")
    button.click()
    assert figure.state()[last[0]] == 1
    expect(button).to_have_text("Draw again" if name == "dropout" else "Next line")
    figure.check()
