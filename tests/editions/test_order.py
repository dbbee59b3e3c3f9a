"""Nothing is used before it is told: a chapter needs and names only what lies behind it.

Only its last lines look ahead: to the next chapter, and under "Further reading" perhaps farther.

Editions have the same links (see test_editions), so the English ones are enough.
"""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from book._ext.editions.languages import BOOK
from book._ext.editions.translation import numbered_chapters
from book._tools.editions.read import ENGLISH, read_cells
from book._tools.markup import parse

CHAPTERS = numbered_chapters()
TEXTS = {
    chapter: [
        cell.source
        for cell in read_cells(BOOK / ENGLISH / f"{chapter}.ipynb")
        if cell.kind == "markdown"
    ]
    for chapter in CHAPTERS
}
HOME = {
    label: chapter
    for chapter, texts in TEXTS.items()
    for text in texts
    for label in parse(text).labels
}
NEXT = "## Next: "
FARTHER = "**Further reading:**"


def chapters_in(text: str) -> Iterator[str]:
    """The chapters that a text points to, by their name or by a label in them."""
    for reference in parse(text).references:
        kind, _, target = reference.partition(" ")
        chapter = target if kind == "doc" else HOME.get(target)
        if chapter in CHAPTERS:
            yield chapter


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_points_forward_only_where_it_says_what_comes_next(chapter: str) -> None:
    ahead = CHAPTERS[CHAPTERS.index(chapter) + 1 :]
    told = [text for text in TEXTS[chapter] if not text.startswith(NEXT)]
    assert any("**You need**" in text for text in told)
    assert {name: text for text in told for name in chapters_in(text) if name in ahead} == {}


@pytest.mark.parametrize(("chapter", "following"), [*pairwise(CHAPTERS)])
def test_a_chapter_says_what_comes_next(chapter: str, following: str) -> None:
    (said,) = (text for text in TEXTS[chapter] if text.startswith(NEXT))
    assert list(chapters_in(said.partition(FARTHER)[0])) == [following]
