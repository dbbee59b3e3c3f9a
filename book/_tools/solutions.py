"""Where exercises and their solutions stand on a page, and a page without the solutions.

They are found by their directives, as cells of all shapes hold them. `make student` makes a course
of what is found here, `make student-site` a site of what `without` leaves.
"""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from book._tools.editions.read import join_front_matter, source_hash, split_front_matter

Cell = dict[str, Any]

DIRECTIVE = re.compile(
    r"^(?P<fence>`{3,})\{(?P<kind>exercise|solution(?:-start|-end)?)\} ?(?P<argument>.*)\n"
    r"(?P<body>(?:.*\n)*?)(?P=fence)[ \t]*$\n?",
    re.MULTILINE,
)
OPTION = re.compile(r"^:[\w-]+:.*\n", re.MULTILINE)
# What a lesson says of an exercise.
NOTE = re.compile(r"^(:::\{step\} exercise .*\n(?::.*\n)*)(?:.*\n)*?(?=:::$)", re.MULTILINE)


class Piece(NamedTuple):
    """What belongs together in a cell of text, or a whole cell of code."""

    cell: Cell
    text: str
    exercise: re.Match[str] | None = None  # the directive with which the text ends
    solves: str = ""  # the label of the exercise to whose solution this belongs, without `ex-`


def pieces(cells: list[Cell]) -> Iterator[Piece]:
    """Take cells apart; one may hold several exercises and solutions."""
    within = ""  # the exercise whose solution this is
    for cell in cells:
        source, at = "".join(cell["source"]), 0
        for found in () if is_code(cell) else DIRECTIVE.finditer(source):
            before, label = source[at : found.start()], found["argument"].strip()
            at = found.end()
            if found["kind"] == "exercise":
                yield Piece(cell, before + found[0], found)
                continue
            yield Piece(cell, before, solves=within)
            label = within or label.removeprefix("ex-")
            said = OPTION.sub("", found["body"]) if found["kind"] == "solution" else ""
            yield Piece(cell, said, solves=label)
            within = label if found["kind"] == "solution-start" else ""
        yield Piece(cell, source[at:], solves=within)


def without(page: dict[str, Any], english: dict[str, Any]) -> dict[str, Any]:
    """Return a page of the book without its solutions; all else stays, outputs as well.

    Args:
        page: The page.
        english: The page that it translates, with its solutions, or itself. A passage that follows
            it is stamped as following what is left of it.
    """
    hashes = {
        source_hash("".join(cell["source"])): source_hash(_left(parts))
        for cell, parts in _by_cell(english)
    }
    cells = []
    for cell, parts in _by_cell(page):
        if all(part.solves for part in parts if part.text.strip()):
            continue
        metadata = cell["metadata"]
        if stamp := metadata.get("i18n", {}).get("source"):
            metadata = metadata | {"i18n": {"source": hashes.get(stamp, stamp)}}
        cells.append(cell | {"source": _left(parts), "metadata": metadata})
    return page | {"cells": cells}


def read(path: Path) -> dict[str, Any]:
    """Return a page of the book as a notebook; one without code has a single cell."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return dict(json.loads(text))
    front, body = split_front_matter(text)
    return {"cells": [{"cell_type": "markdown", "id": "page", "source": body, "metadata": front}]}


def write(path: Path, page: dict[str, Any]) -> None:
    """Store what `read` has returned."""
    if path.suffix == ".ipynb":
        text = json.dumps(page, ensure_ascii=False, indent=1)
    else:
        (cell,) = page["cells"]
        front = cell["metadata"]
        text = join_front_matter(front, cell["source"]) if front else cell["source"]
    path.write_text(text.rstrip() + "\n", encoding="utf-8")


def _by_cell(notebook: dict[str, Any]) -> list[tuple[Cell, list[Piece]]]:
    groups = groupby(pieces(notebook["cells"]), key=lambda piece: piece.cell["id"])
    return [(parts[0].cell, parts) for _, group in groups if (parts := list(group))]


def _left(parts: list[Piece]) -> str:
    left = "".join(part.text for part in parts if not part.solves)
    return NOTE.sub(r"\1", left).strip()


def is_code(cell: Cell) -> bool:
    """Whether a cell holds code."""
    return bool(cell["cell_type"] == "code")
