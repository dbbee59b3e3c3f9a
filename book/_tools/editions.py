"""Hold the translated editions against the English one, cell by cell.

A translation is free in its words and bound in everything else: the same cells in the same order,
the same code, labels, maths, links, references and numbers, the agreed terms, and on every text
the hash of the English text it was made from, so that a later change in English shows up.
`make translations` reports, tests/editions fails, `make stamp` records that a text is up to date.
"""

import argparse
import ast
import csv
import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from book._tools import notebooks
from book._tools.markup import Markup, parse
from book._tools.notebooks import BOOK

ENGLISH = "en"
CELL_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

# A term that the English chapter uses this often has to occur, as agreed, in the translation.
FREQUENT = 3

# Small numbers may be written out: "two keys" is "2개의 키", "7 keys" is "bảy khóa". From 0 to 12.
# English names the months, the others number them; "may" and "march" are no months without a year.
NUMBER_WORDS = {
    "en": "zero zeros no,one ones once first single january,two twice second both pair february,"
    r"three third march_\d{4},four fourth april,five fifth may_\d{4},six sixth june,"
    "seven seventh july,eight eighth august,nine ninth september,ten tenth october,"
    "eleven november,twelve december",
    "vi": "số_không,một nhất,hai đôi,ba,bốn tư,năm,sáu,bảy,tám,chín,mười,mười_một,mười_hai",
    "ko": "영 제로,하나 한 첫,둘 두 양쪽,셋 세,넷 네,다섯,여섯,일곱,여덟,아홉,열,열하나 열한,"
    "열둘 열두",
    "zh": "零,一 首,二 两 双,三,四,五,六,七,八,九,十,十一,十二",
}


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook, or the whole text of a Markdown page."""

    id: str
    kind: str
    source: str
    stamp: str | None = None


@dataclass(frozen=True)
class Term:
    """One row of terminology.csv: what we say, and what we do not, in each language."""

    name: str
    forms: dict[str, str]
    avoided: dict[str, list[str]]
    unless: list[str]


@dataclass(frozen=True)
class Finding:
    """Something that has to be repaired; `rule` says which check has found it."""

    rule: str
    cell: str
    message: str

    def __str__(self) -> str:
        return f"[{self.cell}] {self.rule}: {self.message}"


# Reading


def source_hash(source: str) -> str:
    """The stamp of a text: the first 16 hex digits of its SHA-256, outer blanks left out."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:16]


def read_cells(path: Path) -> list[Cell]:
    """The cells of a notebook; a Markdown page is one cell, stamped in its front matter."""
    if path.suffix == ".md":
        front, body = split_front_matter(path.read_text(encoding="utf-8"))
        return [Cell("page", "markdown", body, front.get("i18n", {}).get("source"))]
    return [
        Cell(cell.id, cell.cell_type, cell.source, cell.metadata.get("i18n", {}).get("source"))
        for cell in notebooks.read(path).cells
    ]


def split_front_matter(text: str) -> tuple[dict[str, dict[str, str]], str]:
    """The YAML at the top of a Markdown page, and the page below it."""
    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if match is None:
        return {}, text
    return yaml.safe_load(match[1]) or {}, text[match.end() :]


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


def languages() -> list[str]:
    """The translated editions: every two-letter folder of the book but the English one."""
    return sorted(folder.name for folder in BOOK.glob("[a-z][a-z]") if folder.name != ENGLISH)


def chapters(language: str) -> list[str]:
    """The file names of an edition's pages."""
    return sorted(p.name for p in (BOOK / language).glob("*") if p.suffix in {".md", ".ipynb"})


# Checks


def compare(english: list[Cell], other: list[Cell], language: str) -> Iterator[Finding]:
    """Everything in which a translated page is not the English one, or not fit to print."""
    yield from check_order(english, other)
    counterpart = {cell.id: cell for cell in english}
    for cell in other:
        source = counterpart.get(cell.id)
        if source is None or source.kind != cell.kind:
            continue  # reported above
        if cell.kind == "markdown":
            yield from check_markup(source, cell, language)
            yield from check_freshness(source, cell)
            yield from check_script(cell, language)
        else:
            yield from check_code(source, cell, language)
        yield from check_avoided_terms(cell, language)
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
    """The same syntax tree, but for comments and for the language that the notebook sets."""
    try:
        expected, _ = code_tree(english.source)
        found, set_to = code_tree(other.source)
    except SyntaxError as error:
        yield Finding("code", other.id, f"not Python: {error}")
        return
    if expected != found:
        yield Finding("code", other.id, "the code is not that of the English cell")
    for name in set_to - {language}:
        yield Finding("code", other.id, f"set_language({name!r}) in the edition {language!r}")


def code_tree(source: str) -> tuple[str, set[str]]:
    """A cell's syntax tree with every set_language(...) emptied, and the languages it names."""
    tree = ast.parse(source)
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


def check_markup(english: Cell, other: Cell, language: str) -> Iterator[Finding]:
    """The same structure, labels, maths, links, references and numbers; the words are free."""
    expected, found = parse(english.source), parse(other.source)
    for rule in ("structure", "labels", "maths", "links", "references"):
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
    """Every number on both sides, in digits or, up to twelve, in a word."""
    missing = english.numbers - other.numbers - written_out(other.prose, language)
    extra = other.numbers - english.numbers - written_out(english.prose, ENGLISH)
    if missing or extra:
        yield Finding("numbers", cell, _difference(sorted(missing), sorted(extra)))


def written_out(prose: str, language: str) -> set[str]:
    """The numbers from 0 to 12 that a text names in words."""
    # A Korean numeral begins a word, 두 개; a Chinese one stands anywhere, 这两个.
    whole = {"ko": r"\b(?:{})", "zh": "(?:{})"}.get(language, r"\b(?:{})\b")
    return {
        str(number)
        for number, words in enumerate(NUMBER_WORDS.get(language, "").split(","))
        if words
        and re.search(whole.format(words.replace(" ", "|").replace("_", " ")), prose, re.IGNORECASE)
    }


def check_freshness(english: Cell, other: Cell) -> Iterator[Finding]:
    """The English text is still the one that was translated."""
    if other.stamp is None:
        yield Finding("fresh", other.id, "no i18n.source: `make stamp` writes it")
    elif other.stamp != source_hash(english.source):
        yield Finding("fresh", other.id, "the English text has changed since this translation")


def check_script(cell: Cell, language: str) -> Iterator[Finding]:
    """Letters in composed form; in Chinese, full-width punctuation beside Chinese characters."""
    if not unicodedata.is_normalized("NFC", cell.source):
        yield Finding("script", cell.id, "letters are not in composed form (Unicode NFC)")
    if language == "zh":
        for match in HALF_WIDTH.finditer(parse(cell.source).prose):
            yield Finding("script", cell.id, f"half-width punctuation in {match[0]!r}")


HAN = r"[\u3400-\u9fff]"
HALF_WIDTH = re.compile(
    rf"{HAN}[,;:?!].?|.?[,;?!] *{HAN}|{HAN}\.(?:\s|$)|\([^()\n]*{HAN}[^()\n]*\)"
)


def check_avoided_terms(cell: Cell, language: str) -> Iterator[Finding]:
    """None of the forms that the term list rules out, in prose or in a comment."""
    text = parse(cell.source).prose if cell.kind == "markdown" else cell.source
    for avoided, agreed in avoided_terms(text, language):
        yield Finding("terms", cell.id, f"{avoided!r} is ruled out, we say {agreed!r}")


def avoided_terms(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Pairs (form found, form agreed) for every ruled-out form in a text."""
    for term in read_terms():
        kept = text
        for phrase in term.unless:
            kept = re.sub(re.escape(phrase), " ", kept, flags=re.IGNORECASE)
        for form in term.avoided.get(language, []):
            if occurs(form, kept, language):
                yield form, term.forms[language]


def check_agreed_terms(english: list[Cell], other: list[Cell], language: str) -> Iterator[Finding]:
    """A term that the English page uses often occurs in its agreed form."""
    source, translation = _prose(english), _prose(other)
    for term in read_terms():
        name, agreed = term.forms[ENGLISH], term.forms[language]
        uses = len(re.findall(rf"\b{re.escape(name)}s?\b", source, re.IGNORECASE))
        if uses >= FREQUENT and not occurs(agreed, translation, language):
            yield Finding("terms", "page", f"{name!r} is {agreed!r} here, and never used")


def _prose(cells: list[Cell]) -> str:
    return "\n".join(parse(cell.source).prose for cell in cells if cell.kind == "markdown")


def occurs(form: str, text: str, language: str) -> bool:
    """Whether a term occurs: as whole words in Vietnamese, anywhere in Korean and Chinese."""
    if language in {"ko", "zh"}:  # particles follow without a blank; inner blanks are optional
        return re.sub(r"\s", "", form).lower() in re.sub(r"\s", "", text).lower()
    return re.search(rf"\b{re.escape(form)}\b", text, re.IGNORECASE) is not None


# Commands


def findings(language: str, chapter: str) -> list[Finding]:
    """What is to be repaired in one page of an edition."""
    if chapter not in chapters(ENGLISH):
        return [Finding("cells", "page", "the English edition has no such page")]
    try:
        english, other = read_cells(BOOK / ENGLISH / chapter), read_cells(BOOK / language / chapter)
    except ValueError as error:
        return [Finding("ids", "page", str(error))]
    return [*check_ids(other), *compare(english, other, language)]


def report() -> None:
    """Print, for each edition, its pages and what they miss."""
    for language in languages():
        there = chapters(language)
        print(f"\n{language}: {len(there)} of {len(chapters(ENGLISH))} pages")
        for chapter in chapters(ENGLISH):
            if chapter not in there:
                print(f"  {chapter:<32} missing, readers get the English page")
                continue
            found = findings(language, chapter)
            stale = sum(finding.rule == "fresh" for finding in found)
            print(
                f"  {chapter:<32} {len(found)} to repair, {stale} of them stale"
                if found
                else f"  {chapter:<32} up to date"
            )
            for finding in found:
                print(f"      {finding}")


def stamp(path: Path, cells: set[str] | None = None) -> list[str]:
    """Record that texts of a translated page follow the present English ones.

    Args:
        path: The translated page.
        cells: The ids of the cells to stamp; all of them if None.

    Returns:
        The ids of the cells whose stamp has changed.
    """
    hashes = {
        cell.id: source_hash(cell.source)
        for cell in read_cells(BOOK / ENGLISH / path.name)
        if cell.kind == "markdown"
    }
    chosen = {name: new for name, new in hashes.items() if cells is None or name in cells}
    stamped = [c.id for c in read_cells(path) if chosen.get(c.id, c.stamp) != c.stamp]
    if path.suffix == ".md":
        front, body = split_front_matter(path.read_text(encoding="utf-8"))
        front = front | {"i18n": {"source": chosen["page"]}}
        text = f"---\n{yaml.safe_dump(front, allow_unicode=True)}---\n{body}"
    else:
        notebook = notebooks.read(path)
        for cell in notebook.cells:
            if cell.id in chosen:
                cell.metadata["i18n"] = {"source": chosen[cell.id]}
        text = notebooks.serialise(notebook)
    if stamped:
        path.write_text(text, encoding="utf-8")
    return stamped


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("report", help="list what each edition misses")
    stamping = commands.add_parser("stamp", help="record that translations are up to date")
    stamping.add_argument("files", nargs="+", type=Path)
    stamping.add_argument("--cells", type=lambda ids: set(ids.split(",")), help="id1,id2,...")
    options = parser.parse_args(arguments)
    if options.command == "report":
        report()
        return 0
    for path in options.files:
        print(f"{path}: stamped {', '.join(stamp(path, options.cells)) or 'nothing'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
