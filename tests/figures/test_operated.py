"""Whatever a reader moves in a live figure sets the state that it says, and is painted.

Moving is the same in every language; what is written and spoken then is in test_read.py.
That the numbers of each state are right is shown without a browser, in tests/unit/live.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from figures import LiveFigure
from playwright.sync_api import Locator

from attn_lib.live.figures import FIGURES
from attn_lib.live.host.controls import Listed

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

# Whether nothing lies on it; a radio button itself is not drawn, but its label is.
MET = """(control) => {
  const seen = ["radio", "checkbox"].includes(control.type) ? control.parentElement : control;
  const { x, y, width, height } = seen.getBoundingClientRect();
  return seen.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""

# What it shows, and what its figure takes the state to be.
LOOK = """(control) => ({
  state: control.closest("attn-explorer").state,
  value: control.value,
  checked: control.checked,
  spoken: control.getAttribute("aria-valuetext"),
})"""


# A character is pressed in a drawing (test_dates.py), own numbers and words are typed
# (test_typed.py).
ELSEWHERE = {"see", "own", "words"}
# How far keys lead is the same for all sliders of a kind, Range and Listed: two figures try it.
OF_BOTH_KINDS = ["kernel", "scale"]


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_keyboard_moves_every_control(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.check()
    for control in every_control(figure):
        by_keyboard(control)


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_a_pointer_meets_every_control_and_moves_one_of_each_kind(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.set_viewport_size({"width": 1280, "height": 3000})
    moved = set()
    for control in every_control(figure):
        assert control.native.evaluate(MET), control.key
        if control.kind not in moved:
            by_pointer(control)
            moved.add(control.kind)


@pytest.mark.parametrize("name", OF_BOTH_KINDS)
def test_a_moved_slider_is_not_set_again(show: Any, name: str) -> None:
    """Firefox reports the end of a key's move only where no script has set the slider meanwhile."""
    figure = show(name).ready().open_fold()
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


# Of several sliders with one name each sets its own number.
KEYS = [
    (["End"], "highest"),
    (["Home"], "lowest"),
    (["End", "ArrowLeft"], None),
    (["PageDown"], None),
    (["Home", "ArrowRight", "ArrowRight"], None),
]


class Look(NamedTuple):
    """A control at one moment."""

    value: Any  # what the state holds for it
    shown: Any  # what it shows
    place: str  # a slider's own value, which may count the declared ones
    spoken: str | None


@dataclass
class Control:
    """A native control of a figure, and what it stands for there."""

    figure: LiveFigure
    native: Locator
    kind: str  # a type of <input>, or "select"
    spec: Any  # the declared control that it belongs to
    key: str
    item: int
    value: str  # a tick's
    among: bool  # one of several ticks
    options: list[str]

    @property
    def lowest(self) -> float:
        return float(self.native.get_attribute("min"))

    @property
    def highest(self) -> float:
        return float(self.native.get_attribute("max"))

    def look(self) -> Look:
        read = self.native.evaluate(LOOK)
        value = self.figure.settled(read["state"])[self.key]
        if self.among:
            value = str(int(int(self.value) in value))
        elif isinstance(value, tuple):
            value = value[self.item]
        shown = read["value"]
        if self.kind == "range":
            place = float(shown)
            shown = self.spec.values[int(place)] if isinstance(self.spec, Listed) else place
        elif self.kind == "checkbox":
            shown = str(int(read["checked"]))
        return Look(value, shown, read["value"], read["spoken"])

    def settles(self, because: object = None) -> Look:
        """The same, once the state is seen to hold what is shown."""
        look = self.look()
        assert look.value == look.shown, because
        return look


def control_of(figure: LiveFigure, native: Locator) -> Control:
    read = native.evaluate(DECLARED)
    spec = figure.figure.controls[int(read.pop("declared"))]
    return Control(figure, native, spec=spec, **read)


def every_control(figure: LiveFigure) -> Iterator[Control]:
    """Each control once, over all states that decide which there are and which are idle."""
    operated: dict[str, Control] = {}
    controls = figure.figure.controls
    figure.element.evaluate("(e) => e.querySelectorAll('details').forEach((e) => (e.open = true))")
    conditions = {json.dumps({**c.when, **waking(c, controls)}) for c in controls}
    for condition in sorted(conditions):
        link = figure.figure.fragment(json.loads(condition))
        figure.go(link)
        for selector, native in figure.controls().items():
            if selector in operated:
                continue
            control = operated[selector] = control_of(figure, native)
            if control.key in ELSEWHERE:
                continue
            yield control
            figure.go(link)
    assert {c.key for c in controls} - ELSEWHERE <= {control.key for control in operated.values()}


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
    before = control.look().value
    if control.kind == "range":
        tries_all = control.figure.figure.id in OF_BOTH_KINDS
        for keys, place in KEYS[: 1 if control.item else None if tries_all else 2]:
            for key in keys:
                native.press(key)
                look = control.settles(key)
            assert place is None or float(look.place) == getattr(control, place)
            assert look.spoken
    elif control.kind in ("radio", "checkbox"):
        native.press("Space")
        assert control.settles().value != before or control.kind == "radio"
    elif control.kind == "text":
        native.fill("Smola")
        native.press("Enter")
        assert control.settles().value == "Smola"
    elif control.kind == "number":
        native.press("ArrowUp")
        look = control.look()
        assert look.value == int(look.shown) == before + 1
    else:
        native.press("ArrowDown" if before != control.options[-1] else "ArrowUp")
        assert control.settles().value != before
    control.figure.check()


def by_pointer(control: Control) -> None:
    native = control.native
    before = control.look().value
    if control.kind == "range":
        box = native.bounding_box()
        native.click(position={"x": box["width"] - 1, "y": box["height"] / 2})
        look = control.settles()
        assert float(look.place) == control.highest
        if not control.item:
            drag(control)
            assert control.settles().value != look.value
    elif control.kind in ("radio", "checkbox"):
        native.locator("xpath=..").click()
        assert control.settles().value != before or control.kind == "radio"
    elif control.kind == "select":
        for option in control.options:
            native.select_option(option)
            assert control.settles().value == option
    control.figure.check()


def drag(control: Control) -> None:
    """Drag a slider's thumb from its start to beyond the middle."""
    box, mouse = control.native.bounding_box(), control.figure.page.mouse
    middle = box["y"] + box["height"] / 2
    mouse.move(box["x"] + 8, middle)
    mouse.down()
    mouse.move(box["x"] + 0.6 * box["width"], middle, steps=4)
    mouse.up()
