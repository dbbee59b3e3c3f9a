"""How good a reader is, and how far its maps can be trusted: shares over many dates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from attn_lib.examples.dates.model import DateReader
from attn_lib.examples.dates.reader import Reading, read_all
from attn_lib.examples.dates.write import WrittenDate

# Where in yyyy-mm-dd the digits of each part stand.
ROWS = {"year": (0, 1, 2, 3), "month": (5, 6), "day": (8, 9)}


def exact_share(readings: Sequence[Reading], dates: Sequence[WrittenDate]) -> float:
    """Return the share of dates of which all ten symbols are right."""
    pairs = zip(readings, dates, strict=True)
    return sum(reading.iso == date.iso for reading, date in pairs) / len(dates)


def span_share(
    readings: Sequence[Reading], dates: Sequence[WrittenDate], parts: Collection[str] = tuple(ROWS)
) -> float:
    """Return the share of digits whose largest weight lies where their part is written.

    Left out are hyphens and the zero that fills up a month or day, since both stand nowhere in
    the text. ``parts`` says which digits count: a mean over all of them is half made by the year,
    and says little about the rows that a question asks for.

    Example:
        >>> from attn_lib.examples import dates
        >>> import torch
        >>> from attn_lib.examples.dates.measure import span_share
        >>> written = dates.WrittenDate("15 May", "2024-05-15", "en", {"month": (3, 6)})
        >>> weights = torch.zeros(10, 6)
        >>> weights[6, 4] = 1.0
        >>> reading = dates.Reading("15 may", "2024-05-15", weights, chances=torch.ones(10, 1))
        >>> span_share([reading], [written])
        1.0
        >>> span_share([reading], [written], parts=["month"])
        1.0
    """
    hits = [
        span[0] <= int(reading.weights[row].argmax()) < span[1]
        for reading, date in zip(readings, dates, strict=True)
        for row, span in sourced_rows(date, parts)
    ]
    return sum(hits) / len(hits)


def chance_share(dates: Sequence[WrittenDate]) -> float:
    """Return the span share of a reader that looks anywhere with equal probability."""
    chances = [
        (span[1] - span[0]) / len(date.text) for date in dates for _, span in sourced_rows(date)
    ]
    return sum(chances) / len(chances)


def sourced_rows(
    date: WrittenDate, parts: Collection[str] = tuple(ROWS)
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each digit's row that has a source in the text, with the span of that source."""
    for part, span in date.spans.items():
        for row in ROWS[part] if part in parts else ():
            filling = part != "year" and row == ROWS[part][0] and date.iso[row] == "0"
            if not filling:
                yield row, span


def hide(date: WrittenDate, part: str) -> list[float]:
    """Return one factor for each character: 0 where the part stands, 1 elsewhere."""
    first, end = date.spans[part]
    return [0.0 if first <= j < end else 1.0 for j in range(len(date.text))]


def hidden_month_share(
    dates: Sequence[WrittenDate], model: DateReader | None = None, hidden: str = "month"
) -> float:
    """Return the share of months that are still right when attention may not look at them.

    With another part hidden it is the control: what hiding alone does to the months.
    """
    allow = [hide(date, hidden) for date in dates]
    readings = read_all([date.text for date in dates], model, allow)
    pairs = zip(readings, dates, strict=True)
    return sum(reading.iso[5:7] == date.iso[5:7] for reading, date in pairs) / len(dates)
