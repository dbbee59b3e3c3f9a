"""Whatever a reader moves in a live figure sets the state that it says, and is painted.

Moving is the same in every language; what is written and spoken then is in test_figures_read.py.
That the numbers of each state are right is shown without a browser, in tests/unit/explorer.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from figures import LiveFigure
from playwright.sync_api import Locator

from attn_lib.explorer.controls import Listed
from attn_lib.figures import FIGURES

# What a native control is, and which of the declared ones it belongs to.
DECLARED = """(control) => ({
  declared: control.closest("[data-control]").dataset.control,
  kind: control.type.startsWith("select") ? "select" : control.type,
  key: control.dataset.key,
  item: Number(control.dataset.item),
  value: control.value,
  among: Boolean(control.closest("fieldset.attn-ticks")),
  options: [...(control.options ?? [])].map((option) => option.value),
})"""

# What it shows, and what its figure takes the state to be.
LOOK = """(control) => ({
  state: control.closest("attn-explorer").state,
  value: control.value,
  checked: control.checked,
  spoken: control.getAttribute("aria-valuetext"),
})"""


# A row and a character are pressed in a drawing (test_dates.py), own numbers and words are typed
# (test_figures_typed.py).
ELSEWHERE = {"row", "see", "own", "words"}


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


# Of several sliders with one name each sets its own number; how far keys lead is the same for all.
KEYS = [
    (["End"], "highest"),
    (["Home"], "lowest"),
    (["End", "ArrowLeft"], None),
    (["PageDown"], None),
    (["Home", "ArrowRight", "ArrowRight"], None),
]


@dataclass
class Control:
    """A native control of a figure, and what it stands for there."""

    figure: LiveFigure
    native: Locator
    kind: str  # a type of <input>, or "select"
    spec: Any  # the declared control that it belongs to
    key: str
    item: int
    value: str  # a radio button's, a tick's
    among: bool  # one of several ticks
    options: list[str]

    @property
    def lowest(self) -> float:
        return float(self.native.get_attribute("min"))

    @property
    def highest(self) -> float:
        return float(self.native.get_attribute("max"))

    def look(self) -> tuple[Any, Any, dict[str, Any]]:
        """What the state holds for it, what it shows by its place, and all that was read."""
        read = self.native.evaluate(LOOK)
        value = self.figure.settled(read["state"])[self.key]
        if self.among:
            value = str(int(int(self.value) in value))
        elif isinstance(value, tuple):
            value = value[self.item]
        if self.kind == "range":
            place = float(read["value"])
            shown = self.spec.values[int(place)] if isinstance(self.spec, Listed) else place
        elif self.kind == "checkbox":
            shown = str(int(read["checked"]))
        else:
            shown = self.value if self.kind == "radio" else read["value"]
        return value, shown, read

    def settles(self, because: object = None) -> Any:
        """Its value, once the state is seen to hold what it shows."""
        value, shown, _ = self.look()
        assert value == shown, because
        return value


def control_of(figure: LiveFigure, native: Locator) -> Control:
    read = native.evaluate(DECLARED)
    spec = figure.figure.controls[int(read.pop("declared"))]
    return Control(figure, native, spec=spec, **read)


def operate_all(figure: LiveFigure, operate: Any) -> None:
    """Operate each control once, over all states that decide which there are and which are idle."""
    operated: set[str] = set()
    controls = figure.figure.controls
    figure.element.evaluate("(e) => e.querySelectorAll('details').forEach((e) => (e.open = true))")
    conditions = {json.dumps({**c.when, **waking(c, controls)}) for c in controls}
    for condition in sorted(conditions):
        link = figure.figure.fragment(json.loads(condition))
        figure.go(link)
        for selector, native in figure.controls().items():
            if selector in operated or key_of(selector) in ELSEWHERE:
                continue
            operated.add(selector)
            operate(control_of(figure, native))
            figure.element.locator(".attn-reset").click()
            figure.go(link)
    assert {c.key for c in controls} - ELSEWHERE <= {key_of(selector) for selector in operated}


def key_of(selector: str) -> str:
    return re.findall(r'data-key="(\w+)"', selector)[0]


def waking(control: Any, controls: Any) -> dict[str, Any]:
    """Settings of other controls by which this one is not idle."""
    others = {other.key: other for other in controls}
    return {
        key: next(value for value in offered(others[key]) if value not in values)
        for key, values in control.idle.items()
    }


def offered(control: Any) -> Any:
    return control.values if isinstance(control, Listed) else control.options


def by_keyboard(control: Control) -> None:
    native = control.native
    native.focus()
    before = control.look()[0]
    if control.kind == "range":
        for keys, place in KEYS[: 1 if control.item else None]:
            for key in keys:
                native.press(key)
                control.settles(key)
            _, _, read = control.look()
            assert place is None or float(read["value"]) == getattr(control, place)
            assert read["spoken"]
    elif control.kind in ("radio", "checkbox"):
        native.press("Space")
        assert control.settles() != before or control.kind == "radio"
    elif control.kind == "text":
        native.fill("Smola")
        native.press("Enter")
        assert control.settles() == "Smola"
    elif control.kind == "number":
        native.press("ArrowUp")
        now, shown, _ = control.look()
        assert now == int(shown) == before + 1
    else:
        native.press("ArrowDown" if before != control.options[-1] else "ArrowUp")
        assert control.settles() != before
    control.figure.check()


def by_pointer(control: Control) -> None:
    native = control.native
    before = control.look()[0]
    if control.kind == "range":
        box = native.bounding_box()
        places = [(1.0, control.highest), (0.4, None), (0.0, control.lowest)]
        for share, place in places[: 1 if control.item else None]:
            native.click(position={"x": 1 + share * (box["width"] - 2), "y": box["height"] / 2})
            _, _, read = control.look()
            control.settles(share)
            assert place is None or float(read["value"]) == place
        if not control.item:
            before = control.settles()
            drag(control)
            assert control.settles() != before
    elif control.kind in ("radio", "checkbox"):
        # The label is what a pointer hits; the radio button itself is not drawn.
        native.locator("xpath=..").click()
        assert control.settles() != before or control.kind == "radio"
    elif control.kind == "select":
        for option in control.options:
            native.select_option(option)
            assert control.settles() == option
    control.figure.check()


def drag(control: Control) -> None:
    """Drag a slider's thumb from its start to beyond the middle."""
    box, mouse = control.native.bounding_box(), control.figure.page.mouse
    middle = box["y"] + box["height"] / 2
    mouse.move(box["x"] + 8, middle)
    mouse.down()
    mouse.move(box["x"] + 0.6 * box["width"], middle, steps=4)
    mouse.up()
