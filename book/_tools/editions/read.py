"""The pages of the editions: their cells, and how each passage stands to the English one.

A translated passage carries a stamp, the hash of the English text it was made from. Its state
follows from that alone: the stamp of the present English text is fresh, that of another is stale,
and a passage that still is the text it is stamped with has not been translated. Of a code cell the
passage is what it prints, and what is said of its picture.
"""

import hashlib
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml
from nbformat import NotebookNode

from book._tools import notebooks
from book._tools.editions import printed
from book._tools.markup import DESCRIPTIONS, parse
from book._tools.notebooks import BOOK

ENGLISH = "en"

# Where a code cell keeps words for the reader of its picture: metadata.mystnb.<group>.<name>.
PICTURE_WORDS = (("image", "alt"), ("figure", "caption"))


class State(StrEnum):
    """How a translated passage stands to the English one."""

    FRESH = "fresh"
    STALE = "stale"
    UNTRANSLATED = "untranslated"


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook, or the whole text of a Markdown page."""

    id: str
    kind: str
    source: str
    stamp: str | None = None
    alt: str = ""  # what a code cell says of its picture
    settings: Mapping[str, Any] = field(default_factory=dict)  # tags, attachments: no words

    @property
    def passage(self) -> str:
        """The text that is translated: all of a Markdown cell, of code what it says."""
        if self.kind == "markdown":
            return self.source
        return "\n".join(filter(None, (self.alt, printed.passage(self.source))))

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate in it."""
        if self.kind == "markdown":
            return has_words(self.source)
        return has_words(self.alt) or printed.has_words(self.source)


def source_hash(source: str) -> str:
    """The stamp of a text: the first 16 hex digits of its SHA-256.

    Outer blanks are left out, and so are the names that a page describes: they are no words.
    """
    text = DESCRIPTIONS.sub("", source).strip()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def has_words(passage: str) -> bool:
    """Whether there is anything to translate; a bare directive or formula is no prose."""
    return re.search(r"[^\W\d_]", parse(passage).prose) is not None or r"\text" in passage


def state(english: Cell, own: Cell) -> State:
    """How a passage stands to its English counterpart."""
    if not english.has_words:
        return State.FRESH
    if own.stamp == source_hash(own.passage):
        return State.UNTRANSLATED
    if own.kind == "code" and own.passage == english.passage:
        return State.UNTRANSLATED  # with or without a stamp: code comes over as it is
    return State.FRESH if own.stamp == source_hash(english.passage) else State.STALE


def states(english: list[Cell], own: list[Cell]) -> dict[str, State]:
    """The state of every cell that both pages have."""
    counterpart = {(cell.id, cell.kind): cell for cell in english}
    return {
        cell.id: state(counterpart[cell.id, cell.kind], cell)
        for cell in own
        if (cell.id, cell.kind) in counterpart
    }


def read_cells(path: Path) -> list[Cell]:
    """The cells of a notebook; a Markdown page is one cell, stamped in its front matter."""
    if path.suffix == ".md":
        front, body = split_front_matter(path.read_text(encoding="utf-8"))
        return [Cell("page", "markdown", body, front.get("i18n", {}).get("source"))]
    return [_cell(cell) for cell in notebooks.read(path).cells]


def passages(source: str, suffix: str) -> list[str]:
    """All passages of a page of which only the text is at hand, such as an old version."""
    if suffix == ".md":
        return [split_front_matter(source)[1]]
    return [_cell(cell).passage for cell in notebooks.parse(source, "an old version").cells]


def _cell(cell: NotebookNode) -> Cell:
    settings = deepcopy(dict(cell.metadata))
    stamp = settings.pop("i18n", {}).get("source")
    alt = []
    for group, name in picture_words(cell.metadata):
        alt.append(settings["mystnb"][group][name])
        settings["mystnb"][group][name] = ""
    if "attachments" in cell:
        settings["attachments"] = cell.attachments
    return Cell(cell.id, cell.cell_type, cell.source, stamp, "\n".join(alt), settings)


def picture_words(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The places in a code cell's `metadata.mystnb` that hold words about its picture."""
    groups = metadata.get("mystnb", {})
    return [(group, name) for group, name in PICTURE_WORDS if name in groups.get(group, {})]


def split_front_matter(text: str) -> tuple[dict[str, dict[str, str]], str]:
    """The YAML at the top of a Markdown page, and the page below it."""
    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if match is None:
        return {}, text
    return yaml.safe_load(match[1]) or {}, text[match.end() :]


def join_front_matter(front: Mapping[str, Any], body: str) -> str:
    """A Markdown page from its two parts."""
    return f"---\n{yaml.safe_dump(dict(front), allow_unicode=True)}---\n{body}"


def languages() -> list[str]:
    """The translated editions: every two-letter folder of the book but the English one."""
    return sorted(folder.name for folder in BOOK.glob("[a-z][a-z]") if folder.name != ENGLISH)


def chapters(language: str) -> list[str]:
    """The file names of an edition's pages."""
    return sorted(p.name for p in (BOOK / language).glob("*") if p.suffix in {".md", ".ipynb"})


def page(language: str, chapter: str) -> Path:
    """Where an edition has, or would have, a page."""
    return BOOK / language / chapter
