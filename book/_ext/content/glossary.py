"""`{terms}`: the glossary, written from book/terminology.csv, the one list of terms.

Each entry has the term in the edition's language and in English, so that `` {term}`valid length` ``
leads to it in every edition; then what it means, where it is explained, and the other languages.
"""

import csv
import unicodedata
from collections.abc import Iterator

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.domains.std import Glossary

from book._ext.editions.languages import BOOK, EDITIONS

TERMS = BOOK / "terminology.csv"
LETTERS = "aăâbcdđeêfghijklmnoôơpqrstuưvwxyz"
TONES = dict.fromkeys(map(ord, "\u0300\u0301\u0303\u0309\u0323"))


class TermsDirective(Glossary):
    """A glossary directive whose content is the list of terms."""

    has_content = False
    option_spec = {}

    def run(self) -> list[nodes.Node]:
        """Write the entries of this edition and let Sphinx make a glossary of them."""
        self.env.note_dependency(str(TERMS))
        own = self.config.attn_edition
        ordered = sorted(rows(), key=lambda row: place(row[own]))
        lines = [line for row in ordered for line in entry(row, own)]
        self.content = StringList(lines, source=str(TERMS))
        return super().run()


def rows() -> list[dict[str, str]]:
    """All terms, as the file has them."""
    with TERMS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def meaning(row: dict[str, str], own: str) -> str:
    """What a term means: a column `definition_<language>`, where there is one, before English."""
    return row.get(f"definition_{own}") or row["definition"]


def place(term: str) -> tuple[list[tuple[bool, int]], str]:
    """Where a term stands: by its letters, as in the dictionaries of its language, then by tones.

    Vietnamese has letters of its own, such as đ after d, and five tone marks that are no letters.
    The Chinese standard has its common characters in the order of their sound, which Unicode has
    not; Korean syllables follow each other in both.
    """
    toneless = unicodedata.normalize("NFD", term.lower()).translate(TONES)
    letters = unicodedata.normalize("NFC", toneless)
    places = {c: int.from_bytes(c.encode("gb18030"), "big") for c in letters}
    return [(c in LETTERS, LETTERS.find(c) if c in LETTERS else places[c]) for c in letters], term


def entry(row: dict[str, str], own: str) -> Iterator[str]:
    """The lines of one term: names, then indented what it means and what others call it."""
    yield from dict.fromkeys([row[own], row["en"]])  # each name once, in this order
    chapter = f" → {{doc}}`{row['chapter']}`" if row["chapter"] else ""
    yield f"  {meaning(row, own)}{chapter}"
    yield ""
    others = [edition for edition in EDITIONS if edition.code not in {own, "en"}]
    yield "  " + " · ".join(
        f'{edition.name}: <span lang="{edition.tag}">{row[edition.code]}</span>'
        for edition in others
    )
    yield ""


def setup(app: Sphinx) -> None:
    """Give the directive its name."""
    app.add_directive("terms", TermsDirective)
