"""The list of terms, book/terminology.csv, and where a text keeps to it."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from book._tools.editions.read import ENGLISH
from book._tools.notebooks import BOOK


@dataclass(frozen=True)
class Term:
    """One row of terminology.csv: what we say, and what we do not, in each language."""

    name: str
    forms: dict[str, str]
    avoided: dict[str, list[str]]
    unless: list[str]


@cache
def read_terms() -> list[Term]:
    """The rows of book/terminology.csv."""
    with (BOOK / "terminology.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    languages = [column.removeprefix("avoid_") for column in rows[0] if column.startswith("avoid_")]
    return [
        Term(
            row["term"],
            {language: row[language] for language in [ENGLISH, *languages]},
            {language: _alternatives(row[f"avoid_{language}"]) for language in languages},
            _alternatives(row["unless"]),
        )
        for row in rows
    ]


def _alternatives(field: str) -> list[str]:
    """The forms in one field of the term list."""
    return [form.strip() for form in field.split("|") if form.strip()]


def avoided_terms(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Pairs (form found, form agreed) for every ruled-out form in a text."""
    for term in read_terms():
        kept = text
        for phrase in term.unless:
            kept = re.sub(re.escape(phrase), " ", kept, flags=re.IGNORECASE)
        for form in term.avoided.get(language, []):
            if occurs(form, kept, language):
                yield form, term.forms[language]


def occurs(form: str, text: str, language: str) -> bool:
    """Whether a term occurs: as whole words in Vietnamese, anywhere in Korean and Chinese."""
    if language in {"ko", "zh"}:  # particles follow without a blank; inner blanks are optional
        return re.sub(r"\s", "", form).lower() in re.sub(r"\s", "", text).lower()
    return re.search(rf"\b{re.escape(form)}\b", text, re.IGNORECASE) is not None
