"""Which score changes stand in the model files of transformers, read from their syntax trees.

`model_file.py` finds the causal text attention of a file, `ideas.py` says how an idea shows in it,
`labels.py` compares the answers with those of a reader. `census.json` has what was found and is
written by `make census`; the picture and the tables of the page `scores` show it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from book.atlas import FOLDER, Use, files_with, rows
from book.atlas.census import labels
from book.atlas.census.ideas import IDEAS, Idea, found
from book.atlas.census.model_file import ModelFile

__all__ = ["IDEAS", "STORED", "YEARS", "Census", "Idea", "differences", "stored", "taken"]

STORED = FOLDER / "census.json"
YEARS = ("≤2022", "2023", "2024", "2025", "2026")

COPYRIGHT = re.compile(r"[Cc]opyright (?:\(c\) )?(20\d\d)")

# Lines of a new file that look like a change of the score and that no pattern may count.
HINTS = re.compile(
    r"scores? = .*(tanh|relu|sigmoid|log)|attn_weights = .*(tanh|relu|sigmoid)"
    r"|sparsemax|entmax|softmax_off|softmax1|temperature|stick.?break|forget_gate|null_key|logit_cap"
)


@dataclass(frozen=True)
class Census:
    """What was found in one release."""

    release: str
    files: dict[str, dict[str, Any]]  # model: year and ideas
    lines: dict[str, dict[str, int]]  # file: what stands in which line; its year under ""
    checked: dict[str, dict[str, list[int]]]  # part of the labels, question: right, wrong, missed

    def json(self) -> str:
        """As it is stored."""
        return json.dumps(vars(self), indent=1, ensure_ascii=False) + "\n"

    def sizes(self) -> list[int]:
        """How many files a year has."""
        return [len(models) for models in self._by_year()]

    def counts(self, idea: str) -> list[int]:
        """How many files of a year have the idea."""
        return [sum(idea in self.files[name]["ideas"] for name in of) for of in self._by_year()]

    def without_a_year(self) -> int:
        """How many files name none."""
        return sum(not file["year"] for file in self.files.values())

    def place(self, use: Use) -> tuple[int, int]:
        """The line and the year of a use; the year is 0 where the file names none."""
        found = self.lines[use.file]
        return found[use.pattern], found[""]

    def _by_year(self) -> list[list[str]]:
        return [
            [name for name, file in self.files.items() if _years(file["year"]) == year]
            for year in YEARS
        ]


@cache
def stored() -> Census:
    """The census that the page shows."""
    return Census(**json.loads(STORED.read_text(encoding="utf-8")))


def taken(models: Path, release: str) -> Census:
    """Read the model files in `transformers/models`.

    Raises:
        ValueError: A row names a line that is not there, or a search that found nothing does now.
    """
    files = {}
    for path in sorted(models.glob("*/modeling_*.py")):
        text = path.read_text(encoding="utf-8")
        configurations = sorted(path.parent.glob("configuration_*.py"))
        configured = "\n".join(one.read_text(encoding="utf-8") for one in configurations)
        layers = ModelFile(text, configured).text_layers
        if layers:
            files[path.parent.name] = {"year": _year(text), "ideas": found(layers)}
    lines: dict[str, dict[str, int]] = {}
    for row in rows():
        for use in row.used_by:
            if use.file:
                text = (models / use.file).read_text(encoding="utf-8")
                line = _line(use.pattern, text)
                if not line:
                    raise ValueError(f"{row.id}: {use.file} has no line with {use.pattern}.")
                lines.setdefault(use.file, {"": _year(text)})[use.pattern] = line
        if row.searched and (unlooked := files_with(row.searched, models)):
            raise ValueError(
                f"{row.id}: {unlooked[0]} has {row.searched}, which no file should have."
            )
    return Census(release, files, dict(sorted(lines.items())), _checked(files, models))


def differences(old: Census, new: Census, models: Path) -> Iterator[str]:
    """What a reader of the counts has to know: models that came and went, and what moved."""
    for name in sorted(new.files.keys() - old.files.keys()):
        yield f"came: {name}: {', '.join(new.files[name]['ideas'])}"
        for path in sorted((models / name).glob("modeling_*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if HINTS.search(line):
                    yield f"  read {path.name}:{number}: {line.strip()}"
    for name in sorted(old.files.keys() - new.files.keys()):
        yield f"went: {name}"
    for name in sorted(new.files.keys() & old.files.keys()):
        if old.files[name] != new.files[name]:
            yield f"changed: {name}: {old.files[name]} -> {new.files[name]}"
    for idea in IDEAS:
        before, after = old.counts(idea.name), new.counts(idea.name)
        if before != after:
            yield f"{idea.words}: {before} -> {after}"


def _checked(files: dict[str, dict[str, Any]], models: Path) -> dict[str, dict[str, list[int]]]:
    """The answers beside those labels whose files are there."""
    there = {name: said for name, said in labels.labels().items() if (models / name).is_dir()}
    answers = {name: file["ideas"] for name, file in files.items()}
    return labels.compared(answers, there, [idea.name for idea in IDEAS])


def _line(pattern: str, text: str) -> int:
    """The number of the first line with a pattern; 0 where there is none."""
    lines = enumerate(text.split("\n"), start=1)
    return next((number for number, line in lines if re.search(pattern, line)), 0)


def _year(text: str) -> int:
    found = COPYRIGHT.search(text)
    return int(found[1]) if found else 0


def _years(year: int) -> str:
    """The column of a year; "" where there is none."""
    return YEARS[0] if 0 < year <= 2022 else str(year or "")
