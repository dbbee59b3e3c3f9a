"""Hold a translated page against the English one: what has to be repaired before it is printed.

Cells, their order, their code and their settings are the same in every language, always:
`make sync` sees to that. Labels, maths, links, references, numbers and terms are held in fresh
passages only; one that is stale or untranslated is no fault, it is reported and says so on the
page.
"""

import ast
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from book._tools.editions import printed
from book._tools.editions.numerals import of_large_words, written_out
from book._tools.editions.read import (
    ENGLISH,
    Cell,
    State,
    chapters,
    page,
    read_cells,
    state,
    states,
)
from book._tools.editions.terms import avoided_terms, occurs, read_terms
from book._tools.editions.wording import bad_wording
from book._tools.markup import Markup, parse

CELL_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

# A term that the English chapter uses this often has to occur, as agreed, in the translation.
FREQUENT = 3


@dataclass(frozen=True)
class Finding:
    """Something that has to be repaired; `rule` says which check has found it."""

    rule: str
    cell: str
    message: str

    def __str__(self) -> str:
        return f"[{self.cell}] {self.rule}: {self.message}"


def findings(language: str, chapter: str) -> list[Finding]:
    """What is to be repaired in one page of an edition."""
    if chapter not in chapters(ENGLISH):
        return [Finding("cells", "page", "the English edition has no such page")]
    try:
        english, other = read_cells(page(ENGLISH, chapter)), read_cells(page(language, chapter))
    except ValueError as error:
        return [Finding("ids", "page", str(error))]
    return [*check_ids(other), *compare(english, other, language)]


def deviations(language: str, chapter: str) -> list[Finding]:
    """Ruled-out terms in stale passages: no fault until they are translated anew."""
    english, other = read_cells(page(ENGLISH, chapter)), read_cells(page(language, chapter))
    stale = {name for name, its in states(english, other).items() if its is State.STALE}
    return [
        finding
        for cell in other
        if cell.id in stale and cell.kind == "markdown"
        for finding in check_words(cell, language)
    ]


def compare(english: list[Cell], other: list[Cell], language: str) -> Iterator[Finding]:
    """Everything in which a translated page is not the English one, or not fit to print."""
    yield from check_order(english, other)
    counterpart = {(cell.id, cell.kind): cell for cell in english}
    for cell in other:
        source = counterpart.get((cell.id, cell.kind))
        if source is None:
            continue  # reported above
        if cell.settings != source.settings:
            yield Finding("settings", cell.id, "tags or attachments are not those of English")
        if cell.kind == "code":
            yield from check_code(source, cell, language)
            yield from check_words(cell, language)
        elif state(source, cell) is State.FRESH:
            yield from check_markup(source, cell, language)
            yield from check_script(cell, language)
            yield from check_words(cell, language)
    yield from check_agreed_terms(english, other, language)


def check_order(english: list[Cell], other: list[Cell]) -> Iterator[Finding]:
    """The same cells, of the same kind, in the same order, each named once."""
    expected = [(cell.id, cell.kind) for cell in english]
    found = [(cell.id, cell.kind) for cell in other]
    for name, kind in expected:
        if (name, kind) not in found:
            yield Finding("cells", name, f"the {kind} cell of the English page is missing")
    for name, kind in found:
        if (name, kind) not in expected:
            yield Finding("cells", name, f"the English page has no such {kind} cell")
    if expected != found and sorted(expected) == sorted(found):
        moved = next(b for a, b in zip(expected, found, strict=True) if a != b)
        yield Finding("cells", moved[0], "the cells stand in another order than in English")


def check_ids(cells: list[Cell]) -> Iterator[Finding]:
    """Every cell has an id of its own, in words that say what it is for."""
    seen: set[str] = set()
    for cell in cells:
        if not CELL_ID.fullmatch(cell.id) or re.fullmatch(r"[0-9a-f]{8}|cell-?\d+", cell.id):
            yield Finding("ids", cell.id, "an id is two or three words like why-padding")
        if cell.id in seen:
            yield Finding("ids", cell.id, "the id is used twice")
        seen.add(cell.id)


def check_code(english: Cell, other: Cell, language: str) -> Iterator[Finding]:
    """The same syntax tree, but for comments, printed texts and the language that is set."""
    try:
        expected, _ = code_tree(english.source)
        found, set_to = code_tree(other.source)
    except SyntaxError as error:
        yield Finding("code", other.id, f"not Python: {error}")
        return
    if expected != found:
        yield Finding("code", other.id, "the code is not that of the English cell")
    else:
        for numbers in printed.differing_numbers(english.source, other.source, language):
            yield Finding("numbers", other.id, f"printed: {_difference(*numbers)}")
    for name in set_to - {language}:
        yield Finding("code", other.id, f"set_language({name!r}) in the edition {language!r}")


def code_tree(source: str) -> tuple[str, set[str]]:
    """A cell's syntax tree without its language and printed texts, and the languages it names."""
    tree = ast.parse(source)
    printed.silence(tree)
    named = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="set_language") | ast.Name(id="set_language"),
                args=[ast.Constant(value=str(language)) as literal],
            ):
                named.add(language)
                literal.value = ""
    return ast.dump(tree), named


def same_program(source: str, other: str) -> bool:
    """Whether two cells do the same in the same language; comments and printed texts are free."""
    try:
        return code_tree(source) == code_tree(other)
    except SyntaxError:
        return source == other


def check_markup(english: Cell, other: Cell, language: str) -> Iterator[Finding]:
    """The same structure, labels, maths, links, references and numbers; the words are free."""
    expected, found = parse(english.source), parse(other.source)
    for rule in ("structure", "labels", "maths", "links", "references", "claims"):
        wanted, given = getattr(expected, rule), getattr(found, rule)
        if wanted != given:
            yield Finding(rule, other.id, _difference(wanted, given))
    yield from _check_numbers(expected, found, other.id, language)


def _difference(expected: list[str], found: list[str]) -> str:
    """What one list has and the other has not."""
    missing, extra = list(expected), []
    for item in found:
        if item in missing:
            missing.remove(item)
        else:
            extra.append(item)
    parts = [f"English has {missing}"] * bool(missing) + [f"here stands {extra}"] * bool(extra)
    return ", ".join(parts) or f"another order: {found} for {expected}"


def _check_numbers(english: Markup, other: Markup, cell: str, language: str) -> Iterator[Finding]:
    """Every number on both sides, in digits or in a word that the other language would write."""
    missing = english.numbers - other.numbers - written_out(other.prose, language)
    extra = other.numbers - english.numbers - written_out(english.prose, ENGLISH)
    extra -= of_large_words(other.prose, language, english.prose)
    if missing or extra:
        yield Finding("numbers", cell, _difference(sorted(missing), sorted(extra)))


def check_script(cell: Cell, language: str) -> Iterator[Finding]:
    """Letters in composed form, bold that ends; in Chinese, full-width punctuation beside Han."""
    if not unicodedata.is_normalized("NFC", cell.source):
        yield Finding("script", cell.id, "letters are not in composed form (Unicode NFC)")
    for paragraph in re.split(r"\n\s*\n", cell.source):
        parts = paragraph.split("**")
        for bold, after in zip(parts[1::2], parts[2::2], strict=False):
            # After punctuation and before a letter a closing pair of stars does not close.
            if unicodedata.category(bold[-1:] or " ").startswith("P") and after[:1].isalnum():
                yield Finding("script", cell.id, f"bold does not end after {bold[-8:]!r}")
    if language == "zh":
        for match in HALF_WIDTH.finditer(parse(cell.source).prose):
            yield Finding("script", cell.id, f"half-width punctuation in {match[0]!r}")


HAN = r"[\u3400-\u9fff]"
HALF_WIDTH = re.compile(
    rf"{HAN}[,;:?!].?|.?[,;?!] *{HAN}|{HAN}\.(?:\s|$)|\([^()\n]*{HAN}[^()\n]*\)"
)


def check_words(cell: Cell, language: str) -> Iterator[Finding]:
    """Nothing that the lists of terms and of wording rule out, in prose or in a comment."""
    text = parse(cell.source).prose if cell.kind == "markdown" else f"{cell.source}\n{cell.alt}"
    for avoided, agreed in avoided_terms(text, language):
        yield Finding("terms", cell.id, f"{avoided!r} is ruled out, we say {agreed!r}")
    for found, instead in bad_wording(text, language):
        yield Finding("wording", cell.id, f"{found!r}: better {instead!r}")


def check_agreed_terms(english: list[Cell], other: list[Cell], language: str) -> Iterator[Finding]:
    """A term that English uses often, in what is freshly translated, occurs in its agreed form."""
    fresh = {name for name, its in states(english, other).items() if its is State.FRESH}
    source, translation = _prose(english, fresh), _prose(other, fresh)
    for term in read_terms():
        name, agreed = term.forms[ENGLISH], term.forms[language]
        uses = len(re.findall(rf"\b{re.escape(name)}s?\b", source, re.IGNORECASE))
        if uses >= FREQUENT and not occurs(agreed, translation, language):
            yield Finding("terms", "page", f"{name!r} is {agreed!r} here, and never used")


def _prose(cells: list[Cell], chosen: set[str]) -> str:
    return "\n".join(
        parse(cell.source).prose for cell in cells if cell.kind == "markdown" and cell.id in chosen
    )
