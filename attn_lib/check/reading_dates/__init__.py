"""The exercises of the chapter on a model that reads dates."""

import math
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

from attn_lib.check.judging import raised
from attn_lib.check.verdict import Verdict, came, hint, one_number, right
from attn_lib.examples import dates
from attn_lib.examples.dates import DateReader, Reading, WrittenDate, measure
from attn_lib.examples.dates.reader import ISO_LENGTH

SpanShare = Callable[[list[Reading], list[WrittenDate]], Any]
HidingTest = Callable[[list[WrittenDate], DateReader], Any]


def span_share(answer: SpanShare) -> Verdict:
    """Judge a function (readings, dates) -> share of digits that look where they should."""
    if not callable(answer):
        return hint("span_share", "function", got=type(answer).__name__)
    written = dates.write_dates(40, random.Random(12))
    readings = _random_readings(written)
    share = _share("span_share", answer, readings, written)
    if isinstance(share, Verdict):
        return share
    expected = measure.span_share(readings, written)
    if math.isclose(share, expected, abs_tol=1e-6):
        return right("span_share")
    for name, mistake in _known_shares(readings, written).items():
        if math.isclose(share, mistake, abs_tol=1e-6):
            return hint("span_share", name)
    if math.isclose(share, 100 * expected, abs_tol=1e-4):
        return hint("span_share", "percent")
    return hint("span_share", "other", got=f"{share:.4f}")


def _random_readings(written: list[WrittenDate]) -> list[Reading]:
    """Return readings whose rows look into their span about half of the time."""
    generator = torch.Generator().manual_seed(3)
    readings = []
    for date in written:
        weights = torch.rand(ISO_LENGTH, len(date.text), generator=generator).softmax(1)
        for row, (first, end) in measure.sourced_rows(date):
            if torch.rand(1, generator=generator) < 0.4:
                weights[row, first:end] += 1.0
        weights /= weights.sum(1, keepdim=True)
        readings.append(Reading(date.text, date.iso, weights, torch.ones(ISO_LENGTH, 1)))
    return readings


def _known_shares(readings: list[Reading], written: list[WrittenDate]) -> dict[str, float]:
    """Return what known misconceptions give."""

    def mean(hits: list[Any]) -> float:
        return sum(map(float, hits)) / len(hits)

    sourced = [
        (reading.weights[row], span)
        for reading, date in zip(readings, written, strict=True)
        for row, span in measure.sourced_rows(date)
    ]
    digits = [
        (reading.weights[row], date.spans[part])
        for reading, date in zip(readings, written, strict=True)
        for part, rows in measure.ROWS.items()
        for row in rows
    ]
    hyphens = 2 * len(written)
    in_span = [a <= int(w.argmax()) < b for w, (a, b) in sourced]
    return {
        "zeros": mean([a <= int(w.argmax()) < b for w, (a, b) in digits]),
        "hyphens": sum(in_span) / (len(in_span) + hyphens),
        "weight": mean([w[a:b].sum() for w, (a, b) in sourced]),
        "end": mean([a <= int(w.argmax()) <= b for w, (a, b) in sourced]),
        "dates": mean(
            [measure.span_share([r], [d]) for r, d in zip(readings, written, strict=True)]
        ),
    }


def honest_map(answer: HidingTest) -> Verdict:
    """Judge a function (dates, model) -> share of months still right when they are hidden."""
    if not callable(answer):
        return hint("honest_map", "function", got=type(answer).__name__)
    written = _dates_to_hide()
    # The first copies most years wrongly: with it, months that are right are not whole dates.
    for name in ("recent", "past"):
        model = dates.load(name)
        share = _share("honest_map", answer, list(written), model)
        if isinstance(share, Verdict):
            return share
        expected = measure.hidden_month_share(written, model)
        if math.isclose(share, expected, abs_tol=1e-6):
            continue
        for mistake, value in _known_hidings(name).items():
            if math.isclose(share, value, abs_tol=1e-6):
                return hint("honest_map", mistake, share=f"{share:.2f}")
        if math.isclose(share, 100 * expected, abs_tol=1e-4):
            return hint("honest_map", "percent")
        return hint("honest_map", "other", got=f"{share:.4f}", wanted_of=len(written))
    return right("honest_map")


@cache
def _dates_to_hide() -> list[WrittenDate]:
    return [d for d in dates.write_dates(60, random.Random(5)) if not d.ambiguous]


@cache
def _known_hidings(name: str) -> dict[str, float]:
    """Return what known misconceptions give for one model."""
    written, model = _dates_to_hide(), dates.load(name)
    texts = [date.text for date in written]

    def share(readings: Sequence[Reading], part: slice) -> float:
        pairs = zip(readings, written, strict=True)
        return sum(reading.iso[part] == date.iso[part] for reading, date in pairs) / len(written)

    month, whole = slice(5, 7), slice(None)
    hidden = [measure.hide(date, "month") for date in written]
    kept = [[1 - factor for factor in row] for row in hidden]
    cut = [_without_month(date) for date in written]
    return {
        "seen": share(dates.read_all(texts, model), month),
        "whole": share(dates.read_all(texts, model, hidden), whole),
        "inverted": share(dates.read_all(texts, model, kept), month),
        "cut": share(dates.read_all(cut, model), month),
        "changed": 1 - share(dates.read_all(texts, model, hidden), month),
    }


def _without_month(date: WrittenDate) -> str:
    first, end = date.spans["month"]
    return date.text[:first] + date.text[end:]


def _share(exercise: str, answer: Callable[..., Any], *given: Any) -> float | Verdict:
    """Return the number that the reader's function gives, or the hint that it is none."""
    try:
        answered = answer(*given)
    except Exception as error:  # whatever the reader's function raises
        return hint(exercise, "raises", error=raised(error))
    share = one_number(answered)
    return hint(exercise, "number", got=came(answered)) if share is None else share
