"""Prove the outputs of a translated notebook from the English ones, without running it.

The programs are the same in every language, so what they compute is the same; an output differs
only where it speaks. English notebooks are all run. From an English output follows what the
translated one must be, to the letter: a hint of `attn_lib.check` by the template that it was made
from, the words of the running example and what the program prints one by one, and a live figure by
computing it anew. Where that does not give what is stored, nothing is proved, and the notebook has
to be run as well.
"""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from markupsafe import Markup
from nbformat import NotebookNode

from book._tools import notebooks
from book._tools.editions import figures, printed
from book._tools.editions.check import code_tree
from book._tools.editions.read import ENGLISH, chapters, languages, page
from book._tools.editions.words import read as read_words

LIBRARY = notebooks.BOOK.parent / "attn_lib"

# Run in every language, whatever is proved: a page with a figure, hints and the running example.
SAMPLE = "masked-softmax.ipynb"

SLOT = re.compile(r"\\\{(\w*)[^{}]*\\\}")


def to_run() -> list[tuple[Path, str]]:
    """The notebooks that have to be run, each with the reason why."""
    paths = [(page(ENGLISH, chapter), "English") for chapter in _notebooks(ENGLISH)]
    for language in languages():
        for chapter in _notebooks(language):
            path = page(language, chapter)
            if chapter == SAMPLE:
                paths.append((path, "sample"))
            elif open_cells := list(unproved(language, chapter)):
                paths.append((path, f"not proved by English: {', '.join(open_cells)}"))
    return paths


def _notebooks(language: str) -> list[str]:
    return [name for name in chapters(language) if name.endswith(".ipynb")]


def unproved(language: str, chapter: str) -> Iterator[str]:
    """The code cells of a translated notebook whose outputs do not follow from the English ones."""
    english, own = (
        [cell for cell in notebooks.read(page(edition, chapter)).cells if cell.cell_type == "code"]
        for edition in (ENGLISH, language)
    )
    if [cell.id for cell in english] != [cell.id for cell in own]:
        yield "cells"
        return
    for original, cell in zip(english, own, strict=True):
        if not (_same_code(original, cell) and _follows(original, cell, language)):
            yield cell.id


def _same_code(english: NotebookNode, own: NotebookNode) -> bool:
    try:
        return code_tree(english.source)[0] == code_tree(own.source)[0]
    except SyntaxError:
        return False


def _follows(english: NotebookNode, own: NotebookNode, language: str) -> bool:
    """Whether every output of a cell is what the English one says, in this language."""
    if english.execution_count != own.execution_count or len(english.outputs) != len(own.outputs):
        return False
    texts = [_texts(output) for output in english.outputs]
    found = [_texts(output) for output in own.outputs]
    if [outputs.keys() for outputs in texts] != [outputs.keys() for outputs in found]:
        return False
    translations = printed.dictionary(english.source, own.source)
    if translations is None:
        return False
    for output, wanted, given in zip(english.outputs, texts, found, strict=True):
        if figures.is_figure(output):
            try:
                if given != _texts(figures.computed(output, language)):
                    return False
            except ValueError:  # the English notebook is out of date as well
                return False
        elif not all(
            says_the_same(_exchanged(text, translations), given[kind], language)
            for kind, text in wanted.items()
        ):
            return False
    return True


def _texts(output: NotebookNode) -> dict[str, str]:
    """All that an output holds as text, by what it is: a stream's name, a MIME type, an error."""
    kind = output.output_type
    if kind == "stream":
        return {f"stream {output.name}": output.text}
    if kind == "error":
        return {"error": output.ename, "message": output.evalue}
    texts = {
        f"{kind} {mime}": data if isinstance(data, str) else json.dumps(data, sort_keys=True)
        for mime, data in output.data.items()
    }
    return texts | {"metadata": json.dumps(output.metadata, sort_keys=True)}


def says_the_same(english: str, own: str, language: str) -> bool:
    """Whether a text is the English one in another language, as attn_lib would have said it."""
    return (
        own == english
        or _columns(own) == _columns(_example_in(english, language))
        or own in _hints_in(english, language)
    )


def _columns(text: str) -> str:
    """A text without the blanks that line up its columns: longer words need fewer, or none."""
    return re.sub(r"[ ]+", " ", re.sub(r"[ ]+(?=\t)", "", text))


def _example_in(english: str, language: str) -> str:
    """A text with the running example's words in another language."""
    pairs = {text: own for text, own in words("examples", language) if text}
    if not pairs:
        return english
    longest_first = sorted(pairs, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda match: pairs[match[0]], english)


def _exchanged(text: str, translations: dict[str, str]) -> str:
    """A text with the pieces that a program prints in another language, whole words only."""
    if all(piece == own for piece, own in translations.items()):
        return text
    longest_first = sorted(translations, key=len, reverse=True)
    pattern = "|".join(map(_alone, longest_first))
    return re.sub(pattern, lambda match: translations[match[0]], text)


def _alone(piece: str) -> str:
    """A pattern that finds a text, but not within a longer word."""
    before = r"(?<!\w)" if piece[0].isalnum() else ""
    return before + re.escape(piece) + (r"(?!\w)" if piece[-1].isalnum() else "")


def _hints_in(english: str, language: str) -> Iterator[str]:
    """What the hint that an English text shows is in another language."""
    paragraph = re.fullmatch(r"<p>(.*)</p>", english, re.DOTALL)
    said = html.unescape(paragraph[1]) if paragraph else english
    sign, _, said = said.partition(" ")
    if sign not in {"✓", "✗"}:
        return
    for template, own in words("check", language):
        if match := re.fullmatch(_pattern(template), said, re.DOTALL):
            slots = match.groupdict()
            # What stands in a slot may be a word of the running example.
            example = {name: _example_in(text, language) for name, text in slots.items()}
            for filled in (slots, example):
                text = f"{sign} {own.format(**filled) if filled else own}"
                yield Markup("<p>{}</p>").format(text) if paragraph else text


@cache
def _pattern(template: str) -> str:
    """What a template says, with any text in its slots; in those of one name the same."""
    seen: set[str] = set()

    def slot(match: re.Match[str]) -> str:
        name = match[1]
        again = name in seen
        seen.add(name)
        return f"(?P={name})" if again else f"(?P<{name}>.*?)"

    return SLOT.sub(slot, re.escape(template))


@cache
def words(section: str, language: str) -> list[tuple[str, str]]:
    """Pairs of a text of attn_lib, in English and in another language, below one of its folders."""
    pairs: list[tuple[str, str]] = []
    for path in sorted((LIBRARY / section).rglob(f"{ENGLISH}.json")):
        own = read_words(path.with_name(f"{language}.json"))
        english = read_words(path)
        pairs += [(text, own[name]) for name, text in english.items() if name in own]
    return pairs
