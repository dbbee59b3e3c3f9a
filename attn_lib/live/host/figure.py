"""What a live figure is: controls, a computation and words. Hosts (`page`, `widget`) show it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any
from urllib.parse import quote, unquote

import torch
from markupsafe import Markup, escape

from attn_lib.language import words
from attn_lib.live.host.controls import (
    ASK,
    NONE,
    Choice,
    Control,
    Line,
    State,
    Text,
    Typed,
    Value,
    active,
)

# What the words of every figure must have, for `host/templates/`.
WORDS = (
    "question",
    "predict",
    "options",
    "replies",
    "before",
    "after",
    "caption",
    "tries",
    "controls",
    "sentences",
)
OPTIONS = 3  # that a prediction offers
FEWEST_TRIES = 2  # a reader goes from one to the other


@dataclass(frozen=True)
class View:
    """What a figure shows in one state.

    Args:
        parts: the numbers of each part, by the part's name in the template; None hides it.
        slots: formatted numbers for the sentences and for the sliders' spoken values.
        summary: the names of the sentences that sum this state up, in order.
    """

    parts: Mapping[str, Any]
    slots: Mapping[str, str]
    summary: tuple[str, ...]


@dataclass(frozen=True)
class Prediction:
    """The question asked first.

    Args:
        right: which option is right.
        before: the settings that the question starts from.
        after: the settings that answer it; the figure goes there.
        by: settings that it passes on its way there, where the straight way does not answer.
        places: where the picture would end up for each option, in units of the figure's drawing:
            there the options lie on it.
        ms: how long the picture takes on its way to the answer; longer where the way is the story.
    """

    right: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    places: tuple[tuple[float, ...], ...]
    by: tuple[Mapping[str, Any], ...] = ()
    ms: int = 1600


@dataclass(frozen=True)
class Figure:
    """A live figure.

    `id` names its folder in ``attn_lib/live/figures``, with its words, its body and its port to the
    browser; `chapter` is the page that shows it. `data` returns what only Python can find out and
    the port needs. `hues` names the slots of the live sentence that have the colour of a role.

    Raises:
        ValueError: what every figure needs is missing; the text says what, and where it belongs.
    """

    id: str
    chapter: str
    controls: tuple[Control, ...]
    compute: Callable[..., View]
    prediction: Prediction
    tries: tuple[Mapping[str, Any], ...]
    surprise: Mapping[str, Any] = field(default_factory=dict)
    data: Callable[[], Any] | None = None
    hues: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Say at import what a figure lacks, not later in a browser; compute where numbers are."""
        object.__setattr__(self, "compute", _on_cpu(self.compute))
        if self.data is not None:
            object.__setattr__(self, "data", _on_cpu(self.data))
        own = words(self.id)
        if missing := [name for name in WORDS if name not in own]:
            raise ValueError(f"{self.id}/en.json must have {', '.join(missing)}.")
        expected = {"options": OPTIONS, "replies": OPTIONS, "tries": len(self.tries)}
        for name, count in expected.items():
            if len(own[name]) != count:
                raise ValueError(
                    f"{self.id}/en.json must have {count} {name}. Got {len(own[name])}."
                )
        if len(self.tries) < FEWEST_TRIES:
            raise ValueError(
                f"{self.id} must have at least {FEWEST_TRIES} tries. Got {len(self.tries)}."
            )
        if self.prediction.right not in range(OPTIONS):
            raise ValueError(
                f"{self.id}: prediction.right must be one of 0, 1, 2. Got {self.prediction.right}."
            )
        if len(self.prediction.places) != OPTIONS:
            raise ValueError(
                f"{self.id}: prediction.places must be one for each option. "
                f"Got {len(self.prediction.places)}."
            )
        unnamed = [c.name for c in self.controls if c.name not in own["controls"]]
        if unnamed:
            raise ValueError(f"{self.id}/en.json must name the controls {', '.join(unnamed)}.")

    @property
    def takes(self) -> tuple[str, ...]:
        """The functions that a reader's may take the place of: those that `compute` is given.

        An exercise of the figure's chapter that is called alike hands its answer over on the page;
        the port, `compute.js`, takes it then by that name.
        """
        return tuple(name for name in signature(self.compute).parameters if name != "state")

    @property
    def opening(self) -> Mapping[str, Any]:
        """The settings that the figure opens with where nobody asks for others.

        It opens where its question begins. What a link leaves out stays the default, so that old
        links keep their states.
        """
        return self.prediction.before

    @property
    def all_controls(self) -> tuple[Control, ...]:
        """The figure's own controls and the one that every figure has."""
        return (*self.controls, ASK)

    def control(self, name: str) -> Control:
        """Return the control with this name; templates place controls by it."""
        return next(control for control in self.controls if control.name == name)

    def state(self, **settings: Any) -> State:
        """Return the complete state with these settings, the defaults elsewhere.

        Unless `ask` is given, the question is asked only where the figure opens and in the state
        that the question starts from: a state of the reader's own is about something else.

        Raises:
            ValueError: a setting is unknown or its value is not allowed; the text names it.
        """
        state = self._complete(settings)
        if "ask" not in settings and not self._is_asked(state):
            state["ask"] = "0"
        return state

    def _complete(self, settings: Mapping[str, Any]) -> State:
        state: State = {}
        for control in self.all_controls:
            if active((control,), state):
                given = settings.get(control.key, control.default_in(state))
                state[control.key] = control.value(given)
        unknown = sorted(set(settings) - set(state))
        if unknown:
            raise ValueError(
                f"{self.id} has the settings {', '.join(state)}. Got {', '.join(unknown)}."
            )
        return state

    def fragment(self, settings: Mapping[str, Any]) -> str:
        """Return the link to a state, e.g. ``#additive?k=3,1&q=-1``; defaults are left out."""
        state = self.state(**settings)
        changed = self.settings(state)
        pairs = [
            f"{control.key}={_join(control, state[control.key]) or NONE}"
            for control in active(self.all_controls, state)
            if control.key in changed
        ]
        return f"#{self.id}" + ("?" + "&".join(pairs) if pairs else "")

    def read(self, pairs: str) -> dict[str, Any]:
        """Return the settings that a link names behind its "?": ``k=3,1&q=-1``, as the page does.

        Raises:
            ValueError: a setting is unknown or its value is not allowed; the text names it.
        """
        given = dict(pair.partition("=")[::2] for pair in pairs.split("&") if pair)
        texts = {c.key for c in self.controls if isinstance(c, Choice | Line | Typed)}
        found = {
            key: unquote(value) if key in texts else _split(value) for key, value in given.items()
        }
        self.state(**found)
        return found

    def settings(self, state: State) -> State:
        """Return the settings that lead to a state: what is not the default there.

        What goes without saying is left out, too: that a state of the reader's own asks nothing.
        """
        return self._changed(state, self.all_controls if self._is_asked(state) else self.controls)

    def _is_asked(self, state: State) -> bool:
        """Whether the question belongs to a state: it opens the figure, or is `before`."""
        before = self._complete(self.prediction.before)
        return any(
            self._changed(state, self.controls) == self._changed(first, self.controls)
            for first in (self._complete({}), before)
        )

    def _changed(self, state: State, controls: tuple[Control, ...]) -> State:
        return {
            control.key: state[control.key]
            for control in active(controls, state)
            if state[control.key] != control.default_in(state)
        }

    def sentences(self, view: View) -> str:
        """Return the summary of a view in the current language."""
        templates = words(self.id)["sentences"]
        filled = (templates[name].format(**view.slots) for name in view.summary)
        return words("frame")["between_sentences"].join(filled)

    def marked(self, view: View) -> Markup:
        """Return the summary as HTML: what has a role is bold and in its colour."""
        templates = words(self.id)["sentences"]
        slots: dict[str, str] = {
            name: Markup('<b class="attn-hue-{}">{}</b>').format(self.hues[name], text)
            if name in self.hues
            else text
            for name, text in view.slots.items()
        }
        filled = [escape(templates[name]).format(**slots) for name in view.summary]
        return escape(words("frame")["between_sentences"]).join(filled)

    def declaration(self) -> dict[str, Any]:
        """Return what the browser needs to run the figure, ready for JSON."""
        own, frame = words(self.id), words("frame")
        del frame["as_text"]
        if not any(isinstance(control, Typed) for control in self.controls):
            del frame["typed"]
        asked = self.prediction
        declaration: dict[str, Any] = {
            "id": self.id,
            "before": self.fragment(asked.before),
            "controls": [control.declaration() for control in self.all_controls],
            "words": {
                "frame": frame,
                "controls": own["controls"],
                "sentences": own["sentences"],
                "handles": own.get("handles", {}),
                "hues": dict(self.hues),
            },
            "bet": {
                "after": self.fragment(asked.after),
                "right": asked.right,
                "places": asked.places,
                "ms": asked.ms,
            },
        }
        if asked.by:
            declaration["by"] = [dict(settings) for settings in asked.by]
        return declaration if self.data is None else declaration | {"data": _rounded(self.data())}


def _on_cpu(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the tensors of a figure on the CPU, whatever device is the reader's default."""

    @wraps(function)
    def computed(*arguments: Any, **more: Any) -> Any:
        with torch.device("cpu"):
            return function(*arguments, **more)

    return computed


def _rounded(data: Any) -> Any:
    """Return data with 9 decimals, which every processor agrees on: stored pages hold them."""
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_rounded(value) for value in data]
    return round(data, 9) if isinstance(data, float) else data


def _join(control: Control, value: Value) -> str:
    if isinstance(control, Typed):
        # Between numbers and words, commas and semicolons stay as they are.
        return quote(value, safe="!'()*" if isinstance(control, Text) else "!'(),;*")
    items = value if isinstance(value, tuple) else (value,)
    return ",".join(
        # What encodeURIComponent leaves as it is: the page compares links.
        f"{i:g}" if isinstance(i, float) and math.isfinite(i) else quote(str(i), safe="!'()*")
        for i in items
    )


def _split(text: str) -> Any:
    """Return numbers where they are some, else names; several between commas."""
    items: list[Any] = []
    for item in text.split(","):
        try:
            items.append(float(item))
        except ValueError:
            items.append(unquote(item))
    return items if len(items) > 1 else items[0]
