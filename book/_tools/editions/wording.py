"""The list of turns that no teacher born in the language would use, book/wording.csv.

A row is a pattern, what to write instead, and a sentence with the fault in it, which a test
plants. What no pattern can see is for a reader's ear.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from book._tools.notebooks import BOOK


@dataclass(frozen=True)
class Rule:
    """One row of wording.csv."""

    language: str
    pattern: re.Pattern[str]
    write: str
    planted: str


@cache
def read_rules() -> list[Rule]:
    """The rows of book/wording.csv."""
    with (BOOK / "wording.csv").open(encoding="utf-8", newline="") as file:
        return [
            Rule(row["language"], re.compile(row["pattern"]), row["write"], row["planted"])
            for row in csv.DictReader(file)
        ]


def bad_wording(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Pairs (words found, what to write) for every such turn in a text."""
    for rule in read_rules():
        if rule.language == language:
            for match in rule.pattern.finditer(text):
                yield match[0].strip(), rule.write
