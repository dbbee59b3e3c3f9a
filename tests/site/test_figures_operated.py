"""Whatever a reader moves in a live figure sets the state that it says, and is painted.

Moving is the same in every language; what is written and spoken then is in test_figures_read.py.
That the numbers of each state are right is shown without a browser, in tests/unit/explorer.
"""

import json
from typing import Any

import pytest
from figures import LiveFigure
from playwright.sync_api import Page

from attn_lib.explorer.controls import Listed
from attn_lib.figures import FIGURES

# Which of the declared controls a native one belongs to.
DECLARED = "(control) => control.closest('[data-control]').dataset.control"


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_keyboard_moves_every_control(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.check()
    operate_all(figure, by_keyboard)


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_pointer_moves_every_control(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.set_viewport_size({"width": 1280, "height": 1600})
    operate_all(figure, by_pointer)


@pytest.mark.parametrize("name", ["kernel", "scale"])  # Range and Listed
def test_a_moved_slider_is_not_set_again(show: Any, name: str) -> None:
    """Firefox reports the end of a key's move only where no script has set the slider meanwhile."""
    figure = show(name).ready()
    slider = figure.element.locator("input[type=range]:visible").first
    slider.evaluate(
        """slider => {
          const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
          slider.dataset.set = "0";
          Object.defineProperty(slider, "value", {
            get,
            set(value) {
              slider.dataset.set = String(Number(slider.dataset.set) + 1);
              set.call(slider, value);
            },
          });
        }"""
    )
    before = slider.input_value()
    slider.press("ArrowRight")
    assert slider.get_attribute("data-set") == "0"
    assert slider.evaluate("slider => slider.value") != before
    slider.press("PageUp")  # a script moves it
    assert slider.get_attribute("data-set") != "0"


def operate_all(figure: LiveFigure, operate: Any) -> None:
    """Operate each control once, over all states that decide which there are and which are idle."""
    operated: set[str] = set()
    controls = figure.figure.controls
    conditions = {json.dumps({**c.when, **waking(c, controls)}) for c in controls}
    for condition in sorted(conditions):
        link = figure.figure.fragment(json.loads(condition))
        figure.go(link)
        for control in figure.controls():
            if str(control) in operated:
                continue
            operated.add(str(control))
            operate(figure, control)
            figure.element.locator(".attn-reset").click()
            figure.go(link)


def waking(control: Any, controls: Any) -> dict[str, Any]:
    """Settings of other controls by which this one is not idle."""
    others = {other.key: other for other in controls}
    return {
        key: next(value for value in offered(others[key]) if value not in values)
        for key, values in control.idle.items()
    }


def offered(control: Any) -> Any:
    return control.values if isinstance(control, Listed) else control.options


def value_of(figure: LiveFigure, control: Any) -> Any:
    """The value that the state holds for this control."""
    key, item = control.get_attribute("data-key"), int(control.get_attribute("data-item"))
    value = figure.state()[key]
    if control.locator("xpath=ancestor::fieldset[contains(@class, 'attn-ticks')]").count():
        return str(int(int(control.get_attribute("value")) in value))
    return value[item] if isinstance(value, tuple) else value


def placed(figure: LiveFigure, control: Any) -> Any:
    """The value that a slider shows by its place."""
    spec = figure.figure.controls[int(control.evaluate(DECLARED))]
    place = float(control.input_value())
    return spec.values[int(place)] if isinstance(spec, Listed) else place


def limits(control: Any) -> tuple[float, float]:
    return float(control.get_attribute("min")), float(control.get_attribute("max"))


def by_keyboard(figure: LiveFigure, control: Any) -> None:
    kind = control.get_attribute("type") or "select"
    control.focus()
    if kind == "range":
        lowest, highest = limits(control)
        for keys, place in (
            (["Home"], lowest),
            (["End"], highest),
            (["ArrowLeft"], None),
            (["PageDown"], None),
            (["Home", "ArrowRight", "ArrowRight"], None),
        ):
            for key in keys:
                control.press(key)
                assert value_of(figure, control) == placed(figure, control), key
            assert place is None or float(control.input_value()) == place
            assert control.get_attribute("aria-valuetext")
        figure.check()
    elif kind in ("radio", "checkbox"):
        before = value_of(figure, control)
        control.press("Space")
        assert value_of(figure, control) == (
            control.get_attribute("value") if kind == "radio" else str(int(control.is_checked()))
        )
        assert kind == "radio" or value_of(figure, control) != before
        figure.check()
    elif kind == "text":
        control.fill("Smola")
        control.press("Enter")
        assert value_of(figure, control) == "Smola"
        figure.check()
    elif kind == "number":
        before = value_of(figure, control)
        control.press("ArrowUp")
        assert value_of(figure, control) == int(control.input_value()) == before + 1
        figure.check()
    else:
        before = value_of(figure, control)
        control.press("ArrowDown" if before != options(control)[-1] else "ArrowUp")
        assert value_of(figure, control) != before
        figure.check()


def by_pointer(figure: LiveFigure, control: Any) -> None:
    kind = control.get_attribute("type") or "select"
    if kind == "range":
        box = control.bounding_box()
        lowest, highest = limits(control)
        for share, place in ((0.0, lowest), (0.4, None), (1.0, highest), (0.7, None)):
            position = {"x": 1 + share * (box["width"] - 2), "y": box["height"] / 2}
            control.click(position=position)
            assert place is None or float(control.input_value()) == place
            assert value_of(figure, control) == placed(figure, control)
        before = value_of(figure, control)
        drag(figure.page, control)
        assert before != value_of(figure, control) == placed(figure, control)
        figure.check()
    elif kind in ("radio", "checkbox"):
        # The label is what a pointer hits; the radio button itself is not drawn.
        before = value_of(figure, control)
        control.locator("xpath=..").click()
        assert value_of(figure, control) == (
            control.get_attribute("value") if kind == "radio" else str(int(control.is_checked()))
        )
        assert kind == "radio" or value_of(figure, control) != before
        figure.check()
    elif kind == "select":
        for option in options(control):
            control.select_option(option)
            assert value_of(figure, control) == option
        figure.check()


def options(control: Any) -> list[str]:
    found: list[str] = control.evaluate("(select) => [...select.options].map((o) => o.value)")
    return found


def drag(page: Page, control: Any) -> None:
    """Drag a slider's thumb from where it is to a fifth of the way."""
    box = control.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.7 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 5, middle, steps=4)
    page.mouse.up()
