"""The Jupyter host: ipywidgets sliders, attn_lib on every move, the same drawing as on the page."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count
from typing import Any

import anywidget
import ipywidgets
import traitlets

from attn_lib.language import words
from attn_lib.live.host import develop, page
from attn_lib.live.host.bundle import stylesheet, widget
from attn_lib.live.host.controls import (
    Checklist,
    Choice,
    Control,
    Count,
    Line,
    Listed,
    Range,
    State,
    Typed,
    active,
    idle,
)
from attn_lib.live.host.figure import Figure, View
from attn_lib.live.host.published import page_of
from attn_lib.live.host.stored import MIME, stored
from attn_lib.live.host.typed import TypedError

# Two figures in one notebook share no id.
_instances = count(1)


class FigureView(anywidget.AnyWidget):
    """The drawn figure; `front/widget.js` paints each new `view` into it."""

    html = traitlets.Unicode().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)


@cache
def _view_of(figure: str) -> type[FigureView]:
    """Return the class of a figure's widget, which holds its script and its styles."""
    own = {"_esm": widget(figure), "_css": stylesheet(figure), "__module__": __name__}
    # anywidget keeps one style sheet for all classes of a name.
    return type(f"FigureView_{figure}", (FigureView,), own)


class Explorer(ipywidgets.Box):
    """A live figure.

    In Jupyter, sliders recompute it with attn_lib; `state` and `view` hold what it shows.
    As stored output it is its numbers as text, beside what a page draws it from (`stored`).
    """

    def __init__(self, figure: Figure, settings: State, functions: dict[str, Callable[..., Any]]):
        self.figure = figure
        self.state = figure.state(**(settings or figure.opening))
        self.view = figure.compute(self.state, **functions)
        self._functions = functions
        self._following = False
        self._answers = 0
        instance = f"-{next(_instances)}"
        html = page.render(
            figure,
            self.state,
            self.view,
            with_controls=False,
            published=page_of(figure),
            instance=instance,
        )
        self._figure_view = _view_of(figure.id)(html=html, view=self._message())
        self._figure_view.on_msg(self._follow)
        if develop.is_on():
            develop.follow(self._send_scripts)
        self.controls = [_Setting(control, figure) for control in figure.controls]
        for setting in self.controls:
            for item in setting.items:
                item.observe(self._moved, names="value")
        self._show_settings()
        # What may be typed in place of the example comes last, as on the page.
        shown = sorted(self.controls, key=lambda setting: isinstance(setting.control, Typed))
        boxes = [box for setting in shown for box in setting.boxes]
        # `front/widget.css` puts them beside the figure, or above it where there is no room.
        sliders = ipywidgets.Box(boxes, _dom_classes=["attn-sliders"])
        super().__init__([sliders, self._figure_view], _dom_classes=["attn-notebook"])

    def set(self, **settings: Any) -> None:
        """Go to the state with these settings, the defaults elsewhere."""
        self._show(self.figure.state(**settings))
        self._show_settings()

    def close(self) -> None:
        """Close the figure with all widgets that it is made of."""
        for part in {*_within(self)} - {self}:
            part.close()
        super().close()

    def _send_scripts(self) -> bool:
        """Give the browser the scripts and styles as they are now; False once this is closed."""
        _view_of.cache_clear()
        view = self._figure_view
        view._esm, view._css = widget(self.figure.id), stylesheet(self.figure.id)
        return view.comm is not None

    def _moved(self, _change: object) -> None:
        if self._following:
            return
        state: State = {}
        for setting in self.controls:
            control = setting.control
            # Other words are counted anew.
            is_new = state.get(control.counts) != self.state.get(control.counts)
            if active((control,), state) and not is_new:
                state[control.key] = setting.value
        # What is asked stays so while a hand moves.
        self._show(self.figure.state(**state, ask=self.state["ask"]), self._note())
        self._show_settings()

    def _note(self) -> str | None:
        return next((setting.note for setting in self.controls if setting.note), None)

    def _follow(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        # An answer is a change even where the state is the same: the browser waits for it.
        self._answers += 1
        self.set(**content["state"])

    def _show(self, state: State, note: str | None = None) -> None:
        self.state = state
        try:
            self.view = self.figure.compute(state, **self._functions)
        except Exception as error:
            # Nobody sees a traceback of a callback: the figure says it, beside the last numbers.
            if not self._functions:
                raise
            failed: str = words("frame")["function_failed"]
            note = failed.format(error=f"{type(error).__name__}: {error}")
        self._figure_view.view = self._message(note)

    def _message(self, note: str | None = None) -> dict[str, Any]:
        """Return what the browser shows: the view, its state and a sentence to add."""
        if note is None and self._functions and _has_nan(self.view.parts):
            note = words("frame")["function_not_a_number"]
        return _plain(
            {
                "parts": self.view.parts,
                "slots": self.view.slots,
                "summary": self.view.summary,
                "state": self.state,
                "note": note,
                "answers": self._answers,
            }
        )

    def _show_settings(self) -> None:
        """Let the sliders show the state, without taking that for a move of the reader."""
        self._following = True
        try:
            alive = active(self.figure.controls, self.state)
            for setting in self.controls:
                setting.show(self.state, self.view, setting.control in alive)
        finally:
            self._following = False

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs) or {}
        bundle |= stored(self.figure, self.state, self.view)
        if self._functions:  # a page computes with attn_lib's, not with the reader's
            del bundle[MIME]
        return bundle


def _within(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    """Find a widget, its layout and style, and so on for what it contains."""
    yield widget
    for name in widget.keys:
        held = getattr(widget, name)
        for other in held if isinstance(held, tuple) else (held,):
            if isinstance(other, ipywidgets.Widget):
                yield from _within(other)


class _Setting:
    """The ipywidgets of one control, one for each of its values."""

    def __init__(self, control: Control, figure: Figure):
        self.control = control
        self.words = words(figure.id)["controls"][control.name]
        self.labels = page.labels(self.words, len(control.defaults))
        # On a page their place tells equal names apart.
        if len(set(self.labels)) < len(self.labels):
            self.labels = [f"{label} {i}" for i, label in enumerate(self.labels, 1)]
        self.items = [_item(control, self.words, value) for value in control.defaults]
        self.boxes = [_with_button(item, control, self.words) for item in self.items]
        # What the figure shows while what is typed is wrong.
        self._good = control.default

    @property
    def value(self) -> Any:
        if isinstance(self.control, Typed):
            return self._good if self.note else self.control.read(self.items[0].value)
        if isinstance(self.control, Checklist):
            return self.items[0].value
        values = [_raw(self.control, item.value) for item in self.items]
        return values if isinstance(self.control.default, tuple) else values[0]

    @property
    def note(self) -> str | None:
        """What to tell the reader who typed something that is no value."""
        if isinstance(self.control, Typed):
            try:
                self.control.read(self.items[0].value)
            except TypedError as wrong:
                return wrong.sentence
            return None
        if not isinstance(self.control, Line) or _is_text(self.control, self.items[0].value):
            return None
        note: str = self.words["not_understood"]
        return note

    def show(self, state: State, view: View, alive: bool) -> None:
        shown = state[self.control.key] if alive else self.control.default_in(state)
        if isinstance(self.control, Typed) and self.note and shown == self._good:
            return  # The reader mends what is wrong.
        self._good = shown
        values = self.control.items(shown)
        for item, value, label in zip(self.items, values, self.labels, strict=True):
            item.value = _shown(self.control, value)
            item.description = label.format(**view.slots)
        for box in self.boxes:
            if self.control.idle:
                for one in getattr(box, "children", (box,)):
                    one.disabled = idle(self.control, state)
            box.layout.display = None if alive else "none"


class _Ticks(ipywidgets.VBox):
    """Checkboxes; what is ticked is the value."""

    value = traitlets.Tuple()
    description = traitlets.Unicode()
    # While a value is being shown, the boxes change one by one.
    _showing = False

    def __init__(self, control: Checklist, own: dict[str, Any], value: tuple[int, ...]):
        names = zip(control.options, own["options"], strict=True)
        self._boxes = {n: ipywidgets.Checkbox(description=name, indent=False) for n, name in names}
        label = ipywidgets.Label()
        traitlets.dlink((self, "description"), (label, "value"))
        super().__init__([label, *self._boxes.values()], value=value)
        for box in self._boxes.values():
            box.observe(self._count, "value")

    def _count(self, _change: object) -> None:
        if not self._showing:
            self.value = tuple(option for option, box in self._boxes.items() if box.value)

    @traitlets.observe("value")
    def _tick(self, _change: object) -> None:
        self._showing = True
        for option, box in self._boxes.items():
            box.value = option in self.value
        self._showing = False


def _item(control: Control, own: dict[str, Any], value: Any) -> Any:
    if isinstance(control, Count):
        return ipywidgets.BoundedIntText(value, min=control.min, max=control.max)
    if isinstance(control, Range):
        kind = ipywidgets.IntSlider if isinstance(control.step, int) else ipywidgets.FloatSlider
        limits = {"min": control.min, "max": control.max, "step": control.step}
        digits = "d" if isinstance(control.step, int) else f".{control.digits}f"
        return kind(value, readout_format=digits, **limits)
    if isinstance(control, Listed):
        return ipywidgets.SelectionSlider(options=control.values, value=value)
    if isinstance(control, Checklist):
        return _Ticks(control, own, value)
    if isinstance(control, Choice) and control.look == "checkbox":
        return ipywidgets.Checkbox(value == "1", indent=False)
    if isinstance(control, Choice):
        options = [(own["options"][name], name) for name in control.options]
        if control.look == "select":
            return ipywidgets.Dropdown(options=options, value=value)
        # Buttons of their usual width would cut long names short.
        return ipywidgets.ToggleButtons(
            options=options, value=value, style={"button_width": "auto"}
        )
    if isinstance(control, Typed):
        example = getattr(control, "example", "") or own["example"]
        return ipywidgets.Text(control.spell(value), placeholder=example, continuous_update=False)
    if isinstance(control, Line):
        # Every letter would count at once, and an empty field would fill itself again.
        return ipywidgets.Text(value, continuous_update=False)
    raise TypeError(f"no Jupyter control for {type(control).__name__}")


def _with_button(item: Any, control: Control, own: dict[str, Any]) -> Any:
    """Return a number's field beside its button; other widgets stand alone."""
    if not isinstance(control, Count):
        return item
    button = ipywidgets.Button()
    from_start = words("frame")["from_start"]

    def name(_change: object = None) -> None:
        button.description = own["next"] if item.value < control.max else from_start

    def go_on(_button: object) -> None:
        item.value = control.min if item.value >= control.max else item.value + control.step

    name()
    item.observe(name, "value")
    button.on_click(go_on)
    return ipywidgets.HBox([item, button])


def _raw(control: Control, value: Any) -> Any:
    """Return a widget's value as the control's: a checkbox stands for "1" and "0"."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(control, Line) and not _is_text(control, value):
        return control.default
    return value


def _is_text(control: Line, text: str) -> bool:
    try:
        control.item(text)
    except ValueError:
        return False
    return True


def _shown(control: Control, value: Any) -> Any:
    if isinstance(control, Typed):
        return control.spell(value)
    return value == "1" if isinstance(control, Choice) and control.look == "checkbox" else value


def _plain(data: Any) -> Any:
    """Return data as JSON has it: lists and texts, no infinity, nothing that is not a number."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and math.isnan(data):
        return None
    if isinstance(data, float) and math.isinf(data):
        return "-Infinity" if data < 0 else "Infinity"
    return data


def _has_nan(data: Any) -> bool:
    if isinstance(data, Mapping):
        return any(map(_has_nan, data.values()))
    if isinstance(data, list | tuple):
        return any(map(_has_nan, data))
    return isinstance(data, float) and math.isnan(data)
