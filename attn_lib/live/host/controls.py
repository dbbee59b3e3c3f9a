"""The controls of a figure and the values each one takes.

A control is declared once, here in Python. The page receives the declaration as JSON
beside the figure, so the sliders, the ipywidgets and the links to states all obey the same limits
(`front/state.js`).
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from attn_lib.live.host.numbers import MOST_JOINED, format_count, format_number
from attn_lib.live.host.typed import (
    TypedError,
    read_line,
    read_numbers,
    read_words,
    words_of,
)

# One value of a setting: a number or a name, as its control's `item` returns it.
Item = Any
# What a link says for a checklist with nothing ticked.
NONE = "none"
# A setting is one such value or a tuple of several; a state holds every setting of a figure by key.
Value = Any
State = dict[str, Value]


@dataclass(frozen=True, kw_only=True)
class Control:
    """One setting of a figure.

    Args:
        key: its name in a link, e.g. ``len`` in ``#mask?len=2,3``.
        default: one value, or a tuple where the setting holds several numbers.
        hue: ``"query"``, ``"key"`` or ``"value"`` where the control moves one of these.
        when: the control exists only while these other keys have these values. Two controls may
            share a key if their conditions exclude each other.
        words: the name of its labels, if not `key`.
        idle: while another key has one of these values, the control keeps its own but moves
            nothing; it is shown disabled.
        counts: the key of typed words; once there are any, the default is their number in each row.
    """

    key: str
    default: Value
    hue: str = ""
    when: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    idle: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    counts: str = ""

    def item(self, raw: Item) -> Item:
        """Return `raw` as one value of this control; ValueError says what was expected."""
        raise NotImplementedError

    def items(self, value: Value) -> tuple[Item, ...]:
        """Return what stands on each of the control's sliders, or the single value."""
        return value if isinstance(value, tuple) else (value,)

    @property
    def name(self) -> str:
        """What tells the control from the figure's others: the name of its labels."""
        return self.words or self.key

    @property
    def defaults(self) -> tuple[Item, ...]:
        """The default as a tuple, also where it is a single value."""
        return self.items(self.default)

    def default_in(self, state: State) -> Value:
        """Return the default in a state that holds all controls declared before this one."""
        if not (words := state.get(self.counts)):
            return self.default
        rows = words_of(words)
        return tuple(len(row) for row in rows for _ in range(len(self.defaults) // len(rows)))

    def value(self, raw: Any) -> Value:
        """Return `raw` as this control's value.

        Raises:
            ValueError: the count, the type, the range or the step is wrong; the text names the key.
        """
        raw = raw.tolist() if hasattr(raw, "tolist") else raw  # of NumPy or torch
        items = tuple(raw) if isinstance(raw, list | tuple) else (raw,)
        if len(items) != len(self.defaults):
            raise ValueError(f"{self.key} must have {len(self.defaults)} value(s). Got {raw!r}.")
        checked = tuple(self.item(item) for item in items)
        return checked if isinstance(self.default, tuple) else checked[0]

    @property
    def digits(self) -> int | None:
        """How many decimals the control's value shows: as many as its step has.

        None: as many as the value itself has.
        """
        return 0

    def written(self, value: float) -> str:
        """Write one of its values as its slider shows it."""
        return format_count(value) if value > MOST_JOINED else format_number(value, self.digits)

    def declaration(self) -> dict[str, Any]:
        """Return what the browser needs to know, ready for JSON."""
        said = {"kind": type(self).__name__, "digits": self.digits, **asdict(self)}
        for unused in ("idle", "counts"):
            if not said[unused]:
                del said[unused]
        return said


@dataclass(frozen=True, kw_only=True)
class Range(Control):
    """A slider from `min` to `max` in steps of `step`."""

    min: float
    max: float
    step: float

    def item(self, raw: Item) -> Item:  # noqa: D102 - see Control
        steps = (raw - self.min) / self.step if _is_number(raw) else 0.5
        if abs(steps - round(steps)) > 1e-9 or not self.min <= raw <= self.max:
            raise ValueError(
                f"{self.key} must lie in {self.min}...{self.max} in steps of {self.step}. "
                f"Got {raw!r}."
            )
        return int(raw) if isinstance(self.step, int) else float(raw)

    @property
    def digits(self) -> int:  # noqa: D102 - see Control
        return _decimals(self.step)


@dataclass(frozen=True, kw_only=True)
class Count(Range):
    """A number to type, beside a button that goes one step on and from `max` back to `min`."""


@dataclass(frozen=True, kw_only=True)
class Listed(Control):
    """A slider that steps through `values`."""

    values: tuple[float, ...]

    def item(self, raw: Item) -> Item:  # noqa: D102 - see Control
        for value in self.values:
            if _is_number(raw) and abs(raw - value) < 1e-9:
                return value
        raise ValueError(f"{self.key} must be one of {self.values}. Got {raw!r}.")

    @property
    def digits(self) -> None:  # noqa: D102 - see Control
        return None


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few named options: radio buttons, a list or, for ("0", "1"), a checkbox."""

    options: tuple[str, ...]
    look: str = "radio"

    def item(self, raw: Item) -> Item:  # noqa: D102 - see Control
        if str(raw) not in self.options:
            raise ValueError(f"{self.key} must be one of {', '.join(self.options)}. Got {raw!r}.")
        return str(raw)


@dataclass(frozen=True, kw_only=True)
class Line(Control):
    """A line of text the reader types; how it is read is up to the figure."""

    longest: int

    def item(self, raw: Item) -> Item:  # noqa: D102 - see Control
        text = str(raw)
        # Composed as the figure composes it: some signs become several letters.
        length = len(unicodedata.normalize("NFKC", text).strip())
        if not 1 <= length <= self.longest or any(ord(letter) < 32 for letter in text):
            raise ValueError(f"{self.key} must be 1 to {self.longest} characters. Got {raw!r}.")
        return text


@dataclass(frozen=True, kw_only=True)
class Word(Line):
    """A short word the reader types: letters of any script, NFC, also with - and ' within."""

    longest: int = 12

    def item(self, raw: Item) -> Item:  # noqa: D102 - see Control
        word = unicodedata.normalize("NFC", str(raw)).strip(" ")
        parts = re.split("[-'’]", word)
        if not (all(part.isalpha() for part in parts) and len(word) <= self.longest):
            raise ValueError(f"{self.key} must be 1 to {self.longest} letters. Got {raw!r}.")
        return word


@dataclass(frozen=True, kw_only=True)
class Checklist(Control):
    """Checkboxes for `options`.

    Its value is the ascending tuple of all that are ticked, in a link ``1,3,4`` or ``none``.
    """

    options: tuple[int, ...]

    def items(self, value: Value) -> tuple[Item, ...]:  # noqa: D102 - see Control
        return (value,)

    def value(self, raw: Any) -> Value:  # noqa: D102 - see Control
        raw = raw.tolist() if hasattr(raw, "tolist") else raw
        ticked = () if raw == NONE else tuple(raw) if isinstance(raw, list | tuple) else (raw,)
        ascending = tuple(option for option in self.options if option in ticked)
        if ticked != ascending or not all(map(_is_number, ticked)):
            raise ValueError(
                f"{self.key} must be an ascending list of {self.options}, or {NONE}. Got {raw!r}."
            )
        return ascending


@dataclass(frozen=True, kw_only=True)
class Typed(Control):
    """The reader's own in place of the figure's example; "" is the example.

    Its value is the short text that `read` makes of what was typed (`typed.py`).
    """

    default: Value = ""
    rows: int
    columns: int
    longest: int

    def read(self, text: str) -> str:
        """Return typed text as a value; TypedError says what is wrong with it."""
        raise NotImplementedError

    def spell(self, value: str) -> str:
        """Return a value as the reader would type it."""
        raise NotImplementedError

    def value(self, raw: Any) -> Value:  # noqa: D102 - see Control
        listed = raw.tolist() if hasattr(raw, "tolist") else raw
        text = listed if isinstance(listed, str) else self._typed(listed)
        try:
            return self.read(text)
        except TypedError as wrong:
            raise ValueError(f"{self.key}: {wrong.sentence}") from wrong

    def _typed(self, listed: Any) -> str:
        return json.dumps(listed, default=str)


@dataclass(frozen=True, kw_only=True)
class Numbers(Typed):
    """Typed rows of numbers, none larger than `limit`: `rows` of them, or `fewest` to `rows`."""

    fewest: int | None = None
    limit: float
    example: str
    decimals: int = 2
    longest: int = 400

    def read(self, text: str) -> str:  # noqa: D102 - see Typed
        return read_numbers(
            text,
            rows=self.rows,
            fewest=self.fewest,
            columns=self.columns,
            limit=self.limit,
            decimals=self.decimals,
            longest=self.longest,
            example=self.example,
        )

    def spell(self, value: str) -> str:  # noqa: D102 - see Typed
        return value and f"[[{value.replace(',', ', ').replace(';', '], [')}]]"


@dataclass(frozen=True, kw_only=True)
class Words(Typed):
    """Typed sentences: `rows` of them, each of at most `columns` words."""

    letters: int = 12
    longest: int = 200

    def read(self, text: str) -> str:  # noqa: D102 - see Typed
        return read_words(
            text,
            rows=self.rows,
            columns=self.columns,
            letters=self.letters,
            longest=self.longest,
        )

    def spell(self, value: str) -> str:  # noqa: D102 - see Typed
        return value.replace(",", " ").replace(";", "; ")

    def _typed(self, listed: Any) -> str:
        return "; ".join(" ".join(map(str, row)) for row in listed)


@dataclass(frozen=True, kw_only=True)
class Text(Typed):
    """A typed line of text, in which signs of `without` have no place."""

    rows: int = 1
    columns: int = 1
    without: str = ""

    def read(self, text: str) -> str:  # noqa: D102 - see Typed
        return read_line(text, longest=self.longest, without=self.without)

    def spell(self, value: str) -> str:  # noqa: D102 - see Typed
        return value


# Every figure has it: whether the question is asked. A link to a state of the reader's own asks
# nothing unless it says ask=1; with ask=0 no other does (`Figure.state`).
ASK = Choice(key="ask", options=("1", "0"), default="1")


def active(controls: tuple[Control, ...], state: State) -> list[Control]:
    """Return the controls that exist in `state`, in declared order."""
    return [c for c in controls if all(state.get(key) == value for key, value in c.when.items())]


def idle(control: Control, state: State) -> bool:
    """Return whether the control moves nothing in `state`."""
    return any(state.get(key) in values for key, values in control.idle.items())


def _is_number(raw: object) -> bool:
    return isinstance(raw, int | float) and not isinstance(raw, bool)


def _decimals(number: float) -> int:
    return len(f"{number:g}".partition(".")[2])
