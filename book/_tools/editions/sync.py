"""Carry over from an English page what is the same in every language.

Cells, their order, code, tags and attachments become those of the English page. Prose stays with
its cell: what was translated is never overwritten, and where its English text has changed the old
stamp says so. A new passage comes in English, stamped with itself, which marks it as untranslated.
Printed texts stay with their call as long as it prints the same: where its program or a number in
it has changed, the call comes in English, and the old stamp of the cell says that it is stale.
A live figure is computed in the edition's language, without running the notebook.
"""

import re
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from book._tools import notebooks
from book._tools.editions import figures, printed
from book._tools.editions.check import same_program
from book._tools.editions.read import (
    ENGLISH,
    Cell,
    chapters,
    join_front_matter,
    languages,
    page,
    picture_words,
    read_cells,
    source_hash,
    split_front_matter,
)
from book._tools.markup import DESCRIPTIONS

ASCII = set(map(chr, range(128)))
SET_LANGUAGE = re.compile(r"(set_language\(\s*[\"'])\w+([\"'])")


@dataclass
class Change:
    """What a synchronised page has got and lost, by cell id."""

    path: Path
    new: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)  # untranslated, and now the present English
    written: bool = False
    run: bool = False  # the programs have changed: their outputs are to be computed anew

    def __str__(self) -> str:
        parts = [
            f"{what} {', '.join(cells)}"
            for what, cells in (
                ("new in English:", self.new),
                ("removed:", self.removed),
                ("renamed:", self.renamed),
                ("code:", self.code),
                ("English text renewed:", self.text),
            )
            if cells
        ]
        return "; ".join(parts) or ("order or settings" if self.written else "nothing")


def targets(files: list[Path]) -> list[Path]:
    """The translated pages that belong to these files; to all English pages if there are none.

    A translated page that does not exist yet is begun when it is named itself.

    Raises:
        ValueError: A file is no page of the book, or English has no such page.
    """
    found = []
    for file in files or [page(ENGLISH, chapter) for chapter in chapters(ENGLISH)]:
        language, chapter = file.parent.name, file.name
        if language not in {ENGLISH, *languages()}:
            raise ValueError(f"FILES must be pages like book/vi/masked-softmax.ipynb. Got {file}.")
        if chapter not in chapters(ENGLISH):
            raise ValueError(f"FILES must have English pages of the same name. Got {file}.")
        if language == ENGLISH:
            found += [
                page(other, chapter) for other in languages() if page(other, chapter).exists()
            ]
        else:
            found.append(page(language, chapter))
    return found


def sync(path: Path) -> Change:
    """Bring one translated page in step with the English page of its name."""
    english = page(ENGLISH, path.name)
    change = Change(path)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if path.suffix == ".md":
        text = _page(english, path, before, change)
    else:
        text = _notebook(english, path, change)
    change.written = text != before
    if change.written:
        path.write_text(text, encoding="utf-8")
    return change


def _page(english: Path, path: Path, before: str, change: Change) -> str:
    """A Markdown page is one passage: it is kept, unless it still is the English text.

    What it lets Sphinx describe comes over like code.
    """
    front, body = split_front_matter(before)
    [source] = read_cells(english)
    if before:
        [own] = read_cells(path)
        if own.stamp != source_hash(own.source):
            described = DESCRIPTIONS.findall(source.source)
            if len(described) != len(DESCRIPTIONS.findall(body)):
                return before
            carried = DESCRIPTIONS.sub(lambda _: described.pop(0), body)
            if carried == body:
                return before
            change.code.append("page")
            return join_front_matter(front, carried)
    fresh = front | {"i18n": {"source": source_hash(source.source)}}
    text = join_front_matter(fresh, source.source)
    if text != before:
        (change.text if before else change.new).append("page")
    return text


def _notebook(english: Path, path: Path, change: Change) -> str:
    source = notebooks.read(english)
    own = notebooks.read(path) if path.exists() else nbformat.v4.new_notebook()
    facts = {cell.id: cell for cell in (read_cells(path) if path.exists() else [])}
    cells = {(cell.id, cell.cell_type): cell for cell in own.cells}
    originals = {(cell.id, cell.cell_type) for cell in source.cells}
    # A cell that only got another name keeps its translation: its stamp knows the text.
    adrift = {
        facts[cell.id].stamp: cell
        for key, cell in cells.items()
        if key not in originals and cell.cell_type == "markdown"
    }
    adopted, synced = set(), []
    for original, fact in zip(source.cells, read_cells(english), strict=True):
        cell = cells.get((original.id, original.cell_type))
        if cell is None and fact.kind == "markdown" and fact.has_words:
            cell = adrift.pop(source_hash(fact.passage), None)
            if cell is not None:
                adopted.add(cell.id)
                change.renamed.append(f"{cell.id} to {original.id}")
        synced.append(_cell(original, fact, cell, facts, path.parent.name, change))
    change.removed += [
        cell.id
        for cell in own.cells
        if (cell.id, cell.cell_type) not in originals and cell.id not in adopted
    ]
    change.run = _programs(own.cells) != _programs(synced) or any(
        cell.cell_type == "code" and cell.execution_count is None for cell in synced
    )
    own.cells = synced
    own.metadata = deepcopy(source.metadata)
    own.nbformat, own.nbformat_minor = source.nbformat, source.nbformat_minor
    return notebooks.serialise(own)


def _cell(
    original: NotebookNode,
    fact: Cell,
    own: NotebookNode | None,
    facts: dict[str, Cell],
    language: str,
    change: Change,
) -> NotebookNode:
    """The English cell with this edition's words in it."""
    cell = deepcopy(original)
    known = None if own is None else facts[own.id]
    kept = _is_translated(fact, known)
    if cell.cell_type == "code":
        _keep_code(cell, own, kept, language, change)
        if not fact.alt and printed.passage(cell.source) == fact.passage:
            kept = False  # nothing of the translation is left
        if not fact.has_words:
            return cell
    elif not fact.passage:
        return cell
    if own is None or known is None or not known.passage:
        change.new.append(cell.id)
    elif kept:
        if known.stamp is not None:
            cell.metadata["i18n"] = {"source": known.stamp}
        _keep_words(cell, own)
        return cell
    elif known.passage != fact.passage:
        change.text.append(cell.id)
    cell.metadata["i18n"] = {"source": source_hash(fact.passage)}
    return cell


def _is_translated(english: Cell, own: Cell | None) -> bool:
    """Whether the words of a cell are a translator's, and not an English text, today's or older."""
    if own is None or not own.passage:
        return False
    if own.kind == "code" and own.stamp is None:  # never stamped: has it letters of its own?
        return any(map(str.isalpha, set(own.passage) - ASCII - set(english.passage)))
    return english.has_words and own.stamp != source_hash(own.passage)


def _keep_words(cell: NotebookNode, own: NotebookNode) -> None:
    """Put the translated words of `own` into a copy of the English cell."""
    if cell.cell_type == "markdown":
        cell.source = own.source
        return
    there = own.metadata.get("mystnb", {})
    for group, name in picture_words(cell.metadata):
        if name in there.get(group, {}):
            cell.metadata.mystnb[group][name] = there[group][name]


def _programs(cells: list[NotebookNode]) -> list[tuple[str, str]]:
    """What has to be run: a figure alone leaves nothing behind that other cells could use."""
    return [
        (cell.id, cell.source)
        for cell in cells
        if cell.cell_type == "code" and not figures.is_figure_alone(cell)
    ]


def _keep_code(
    cell: NotebookNode, own: NotebookNode | None, translated: bool, language: str, change: Change
) -> None:
    """Set the edition's language, and keep what of this edition still belongs to the program.

    Comments stay where the whole program is the same, printed texts where their call is, and
    outputs where the program says the same as before.
    """
    english = cell.source = SET_LANGUAGE.sub(rf"\g<1>{language}\g<2>", cell.source)
    if figures.is_figure_alone(cell):
        if own is None or own.source != cell.source:
            change.code.append(cell.id)
        cell.outputs = [figures.computed(output, language) for output in cell.outputs]
        return
    if own is None:
        cell.outputs, cell.execution_count = [], None
        change.code.append(cell.id)
        return
    same = same_program(english, own.source)
    if same and _comments_are_translated(own.source):
        cell.source = own.source
    cell.source = _with_printed_texts(cell.source, english, own.source, translated, language)
    if same and printed.passage(cell.source) == printed.passage(own.source):
        # The count is English's, unless the cell was never run: a figure above it may be new.
        cell.outputs = own.outputs
        cell.execution_count = own.execution_count and cell.execution_count
    else:
        cell.outputs, cell.execution_count = [], None
        change.code.append(cell.id)


def _with_printed_texts(
    source: str, english: str, own: str, translated: bool, language: str
) -> str:
    """A program, `english` or `own`, with the translated calls that still say what English says."""
    theirs, ours = printed.calls(english), printed.calls(own)
    new = {}
    for one, other in printed.pairs(english, own):
        keeps = translated and not any(printed.lost_numbers(theirs[one], ours[other], language))
        wanted = ours[other] if keeps else theirs[one]
        number, present = (one, theirs[one]) if source == english else (other, ours[other])
        if wanted.texts != present.texts:
            new[number] = wanted.source
    return printed.exchanged(source, new)


def _comments_are_translated(source: str) -> bool:
    """Whether a comment has a letter that English has not; every other comment is English."""
    comments = "".join(line.partition("#")[2] for line in source.splitlines())
    return any(letter.isalpha() and not letter.isascii() for letter in comments)
