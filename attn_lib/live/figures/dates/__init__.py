"""Figure `dates`: a trained model reads what you type, and shows where it looked.

A hand goes along the symbols that it writes: what is said is of the symbol in hand, and at the last
one of the whole date.
"""

import copy
import re
from datetime import date
from functools import cache
from typing import Any

from attn_lib.examples import dates
from attn_lib.examples.dates.write import ALL_YEARS, OUR_YEARS
from attn_lib.language import words
from attn_lib.live.host.controls import Choice, Line, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight

# A probability from here on reads 1.00.
SURE = 0.995
# So many weights of a row are written out, from here on; the rest, if it is as much together.
WRITTEN_OUT = 3
WORTH_WORDS = 0.05
# Below this probability the least sure symbol is called a guess.
UNSURE = 0.6
# From here on nearly all of a row's weight lies on one character.
ALONE = 0.9
# The years of the texts that each model was trained on.
YEARS = {"additive": ALL_YEARS, "dot": ALL_YEARS, "recent": OUR_YEARS}
# The rows that write the last digit of the month and of the day.
MONTH, DAY = 6, 9
# What stands for a hidden character in what may be seen; no date has it.
HIDDEN = "_"
# So many characters are named: of the unknown ones, of the hidden ones, of a repeated word.
NAMED = 9
# Weights so near to a half are about half each.
HALVES = (0.4, 0.6)
# Which part of the date each of the ten symbols belongs to.
FIELDS = ("year",) * 4 + ("",) + ("month",) * 2 + ("",) + ("day",) * 2
# The text that the question is about, and what may be made of it; row 4 ends its year.
ASKED, YEAR = "04/03/2024", 4
CANDIDATES = ("2024-04-03", "2024-03-04", "2024-03-03")
# Where the month stands in a date, tried in this order; compute.js reads the same list.
_NUMBER = "[0-9]{1,2}"
MONTH_PATTERNS = (
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)",
    "([0-9]{1,2}|[一二三四五六七八九十]+) *月",
    f"({_NUMBER}|[일이삼사오육칠팔구십유시]+)월(?!요일)",
    f"th[aá]ng ({_NUMBER}|(?:mười|muoi)(?: (?:một|mot|hai))?|[^ ,./0-9]+)",
    "[0-9]{4}(0[1-9]|1[0-2])[0-9]{2}",
    f"[0-9]{{4}}[-./] *({_NUMBER})",
    "(1[0-2]|0?[1-9])/(?:1[3-9]|2[0-9]|3[01])/[0-9]{2}",
    f"{_NUMBER}[-./] *({_NUMBER})[-./] *[0-9]",
)


def data() -> dict[str, Any]:
    """Return what the page computes with."""
    own = words("dates")
    reading = _read(ASKED, {"model": "additive", "temp": 1.0}, [1.0] * len(ASKED))
    # The answer needs no model: it is here, as exactly as it is shown.
    weights, chances = (
        [[round(number, 7) for number in row] for row in rows.tolist()]
        for rows in (reading.weights, reading.chances)
    )
    return {
        "month": MONTH_PATTERNS,
        "between": own["between_characters"],
        "fields": FIELDS,
        "hidden": HIDDEN,
        "years": YEARS,
        "why": own["why"],
        "looked": own["looked"],
        "candidates": CANDIDATES,
        "known": {"text": ASKED, "iso": reading.iso, "weights": weights, "chances": chances},
    }


def compute(state: State) -> View:
    """Compute the figure."""
    text = dates.normalise(state["t"]).strip()
    unknown = dates.unknown_letters(text)
    first, end = month_span(text)
    slots = {
        "text": text,
        "unknown": words("dates")["between_characters"].join(unknown[:NAMED]),
        "month": text[first:end],
        "iso": "",
        "sure": "",
        "place": "",
        "least": "",
        "hidden": "",
        "whole": "",
        "row": str(state["row"]),
        "first": "",
        "first_chance": "",
        "second": "",
        "second_chance": "",
        "why": "",
        "looked": "",
        "part": format_number(state["m"], None),
        "temp": format_number(state["temp"], None),
    }
    if unknown:
        part: dict[str, Any] = {"letters": list(text), "symbols": "", "rows": []}
        flags = ["unknown" if letter in unknown else "" for letter in text]
        part |= {"confidence": [], "least": None, "seen": text, "flags": flags}
        return View(parts={"map": part}, slots=slots, summary=("unknown",))
    seen = _seen(text, state["see"])
    allow = [
        0.0 if letter == HIDDEN else state["m"] if first <= j < end else 1.0
        for j, letter in enumerate(seen)
    ]
    reading = _read(text, state, allow)
    least = int(reading.confidence.argmin())
    slots |= {
        "iso": reading.iso,
        "sure": format_weight(reading.confidence[least].item()),
        "place": str(least + 1),
        "least": reading.iso[least],
    }
    slots |= _likeliest(reading.chances[state["row"] - 1].tolist())
    slots["looked"] = _written_out(text, reading.weights[state["row"] - 1].tolist())
    slots["why"] = _why(text, reading.weights[state["row"] - 1].tolist(), slots["first"])
    # Where even the least sure symbol reads 1.00, no row stands out.
    is_sure = reading.confidence[least].item() >= SURE
    part = {
        "letters": list(text),
        "symbols": reading.iso,
        "rows": reading.weights.tolist(),
        "confidence": reading.confidence.tolist(),
        "least": None if is_sure else least,
        "seen": seen,
        "flags": ["hidden" if left == 0 else "faded" if left < 1 else "" for left in allow],
    }
    summary = ["sure" if is_sure else "reads"]
    if state["row"] < len(FIELDS):
        summary = ["row"]
    elif 0 in allow:
        slots["hidden"] = _runs(text, allow)
        slots["whole"] = _read(text, state, [1.0] * len(text)).iso
        doubt = "doubtful" if reading.confidence[least].item() < UNSURE else "overconfident"
        misled = "misled_sure" if is_sure else "misled"
        summary = [*summary, "kept"] if slots["whole"] == reading.iso else [misled, doubt]
    else:
        remark, more = _remark(text, state, allow, reading)
        summary += remark
        slots |= more
    return View(parts={"map": part}, slots=slots, summary=tuple(summary))


def _read(text: str, state: State, allow: list[float]) -> dates.Reading:
    (reading,) = dates.read_all([text], _model(state["model"]), [allow], state["temp"])
    return reading


def _remark(
    text: str, state: State, allow: list[float], reading: dates.Reading
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return what is most worth saying of a reading to which no character was hidden.

    What was set comes first, unless the answer is the same; then what is odd about answer and text.
    """
    temp = state["temp"]
    plain = reading.iso if temp == 1 else _read(text, state | {"temp": 1.0}, allow).iso
    tempered = "evened" if temp > 1 else "sharpened"
    if plain != reading.iso:
        return (tempered, "other_at_1"), {"plain": plain}
    if state["m"] < 1:
        # Of a month that is not found, no weight was reduced.
        return ("faded" if min(allow) < 1 else "no_month",), {}
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", reading.iso):
        return ("no_date",), {}
    if beyond := _beyond(text, YEARS[state["model"]], reading):
        return ("copied" if beyond["year"] == beyond["written"] else "replaced",), beyond
    if not _exists(reading.iso):
        return ("no_such_day",), {}
    # A single character has all of the weight at any temperature.
    if temp != 1 and len(text) > 1:
        return (tempered, "same_at_1"), {}
    if repeated := _repeated(text, reading):
        return ("repeated",), repeated
    shared = _shared(text, reading)
    return ("shared",) if shared else ("press",), shared


def _exists(iso: str) -> bool:
    """Return whether a calendar has the day."""
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def _beyond(text: str, years: tuple[int, int], reading: dates.Reading) -> dict[str, str]:
    """Return what became of a year that no text of the training had, if it is the only one."""
    found = [number for number in re.finditer("[0-9]+", text) if len(number[0]) == len("yyyy")]
    if len(found) != 1 or years[0] <= int(found[0][0]) <= years[1]:
        return {}
    places = enumerate(range(*found[0].span()))
    return {
        "year": found[0][0],
        "written": reading.iso[: len("yyyy")],
        "first_year": str(years[0]),
        "last_year": str(years[1]),
        "right": str(sum(_top(reading.weights[i].tolist()) == j for i, j in places)),
    }


def _repeated(text: str, reading: dates.Reading) -> dict[str, str]:
    """Return a word that stands in a text several times, if month and day are both read from it."""
    month, day = (_top(reading.weights[row].tolist()) for row in (MONTH, DAY))
    spans = [word.span() for word in re.finditer("[^ ]+", text)]
    for first, end in spans:
        same = [span for span in spans if text[slice(*span)] == text[first:end]]
        at = [[i for i, (a, b) in enumerate(same, 1) if a <= top < b] for top in (month, day)]
        if len(same) > 1 and end - first <= NAMED and all(at):
            places = {"month_at": str(at[0][0]), "day_at": str(at[1][0])}
            return {"word": text[first:end], "times": str(len(same)), **places}
    return {}


def _shared(text: str, reading: dates.Reading) -> dict[str, str]:
    """Return the two characters that month and day both look at, about half each."""
    rows = [reading.weights[row].tolist() for row in (MONTH, DAY)]
    first, second = (
        [j for j, weight in enumerate(row) if HALVES[0] <= weight <= HALVES[1]] for row in rows
    )
    if first != second or len(first) != len(HALVES) or text[first[0]] == text[first[1]]:
        return {}
    return {"one": _visible(text[first[0]]), "two": _visible(text[first[1]])}


def _top(weights: list[float]) -> int:
    """Return where the largest weight lies."""
    return max(range(len(weights)), key=lambda j: weights[j])


def _seen(text: str, see: str) -> str:
    """Return what may be seen of a text: all of it, unless `see` was said of this text."""
    see = dates.normalise(see).strip()
    fits = len(see) == len(text) and all(
        said in (HIDDEN, letter) for said, letter in zip(see, text, strict=True)
    )
    return see if fits else text


def _runs(text: str, allow: list[float]) -> str:
    """Return the hidden characters, an ellipsis where others stand between them.

    >>> _runs("1 may", [0, 1, 1, 0, 0])
    '1…ay'
    """
    marked = zip(text, allow, strict=True)
    hidden = "".join("\n" if left else _visible(letter) for letter, left in marked)
    named = "…".join(filter(None, hidden.split("\n")))
    return named if len(named) <= NAMED else f"{named[:NAMED]}…"


def _likeliest(chances: list[float]) -> dict[str, str]:
    """Return the two symbols that a row might write, each with its probability."""
    first, second, *_ = sorted(range(len(chances)), key=lambda i: -chances[i])
    return {
        "first": dates.SYMBOLS[first],
        "first_chance": format_weight(chances[first]),
        "second": dates.SYMBOLS[second],
        "second_chance": format_weight(chances[second]),
    }


def _written_out(text: str, weights: list[float]) -> str:
    """Return a row's largest weights in words, in the order of the text, and what is left.

    A character that stands in the text several times is named with its number among them.
    """
    own = words("dates")["looked"]
    largest = sorted(range(len(weights)), key=lambda j: -weights[j])[:WRITTEN_OUT]
    named = [j for j in sorted(largest) if weights[j] >= WORTH_WORDS]
    if not named:
        return str(own["none"] if any(weights) else own["nothing"])
    said = []
    for j in named:
        name = own["once" if text.count(text[j]) == 1 else "again"]
        place = text[: j + 1].count(text[j])
        said.append((name.format(letter=_visible(text[j]), place=place), weights[j]))
    others = sum(weight for j, weight in enumerate(weights) if j not in named)
    if others >= WORTH_WORDS:
        # What is written adds up to 1.
        said.append((own["others"], 1 - sum(float(format_weight(weight)) for _, weight in said)))
    return " · ".join(f"{name}\N{NO-BREAK SPACE}{format_weight(weight)}" for name, weight in said)


def _why(text: str, weights: list[float], symbol: str) -> str:
    """Return what makes a symbol of a row's weights, unless the row copies its character."""
    top, why = _top(weights), words("dates")["why"]
    if weights[top] == 0:
        return str(why["state"])
    if weights[top] < ALONE:
        return str(why["average"])
    return "" if text[top] == symbol else str(why["made"].format(top=_visible(text[top])))


def _visible(letter: str) -> str:
    return "␣" if letter == " " else letter


def month_span(text: str) -> tuple[int, int]:
    """Return where the month stands: its first character and the one after its last.

    >>> month_span("15 march 2024"), month_span("2024년 3월 15일"), month_span("2024")
    ((3, 8), (6, 7), (0, 0))
    """
    for pattern in MONTH_PATTERNS:
        if found := re.search(pattern, text):
            return found.span(1)
    return 0, 0


@cache
def _model(name: str) -> dates.DateReader:
    """Return a model in float64, so that page and kernel show the same nine digits."""
    return copy.deepcopy(dates.load(name)).double()


FIGURE = Figure(
    id="dates",
    chapter="reading-dates",
    controls=(
        Line(key="t", default="15 March 2024", longest=dates.LONGEST),
        # The softmax divides by what is left, so that only small parts tell.
        Listed(key="m", values=(0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0), default=1.0),
        Listed(key="temp", values=(0.5, 1.0, 2.0, 5.0, 100.0), default=1.0),
        Choice(key="model", options=("additive", "dot", "recent"), default="additive"),
        # At first the row that decides the month.
        Range(key="row", min=1, max=len(FIELDS), step=1, default=7),
        # The text with some characters hidden; of another text it says nothing.
        Line(key="see", default="all", longest=dates.LONGEST),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={"t": ASKED, "row": YEAR},
        after={"t": ASKED, "row": len(FIELDS)},
        places=((0.0,), (1.0,), (2.0,)),  # lines of the list of candidates
        ms=2800,
    ),
    # What is said at the last symbol is of the whole date.
    tries=(
        {"t": "ngày năm tháng năm năm 2005", "row": 10},
        {"t": "2024년 10월 9일", "m": 0.0, "row": 10},
        {"t": "二〇二四年三月十五日", "temp": 5.0, "row": 10},
        {"t": "2150-07-14", "model": "recent", "row": 10},
        {"t": "31 February 2024", "row": 10},
    ),
    surprise={"t": ASKED, "row": len(FIELDS)},
    data=data,
    hues={"looked": "weight"},
)
