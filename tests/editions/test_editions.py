"""The editions as they stand: whatever is translated says and computes the same as in English."""

import pytest

from book._ext.languages import EDITIONS
from book._ext.translation import chapters as contents
from book._tools.editions.check import check_ids, findings
from book._tools.editions.read import ENGLISH, chapters, languages, page, read_cells
from book._tools.editions.terms import avoided_terms, read_terms
from book._tools.notebooks import BOOK

PAGES = [
    pytest.param(language, chapter, id=f"{language}/{chapter}")
    for language in languages()
    for chapter in chapters(language)
]
LIBRARY = BOOK.parent / "attn_lib"
# Where the words of figures and exercises lie, in a file for each language.
WORDS = sorted({path.parent for path in LIBRARY.rglob("en.json")})


@pytest.mark.parametrize(("language", "chapter"), PAGES)
def test_a_translated_page_follows_the_english_one(language, chapter):
    assert [str(finding) for finding in findings(language, chapter)] == []


@pytest.mark.parametrize("chapter", chapters(ENGLISH))
def test_english_cells_have_ids_of_their_own(chapter):
    assert [str(finding) for finding in check_ids(read_cells(page(ENGLISH, chapter)))] == []


def test_every_chapter_of_the_contents_exists_in_english():
    """A missing translation is listed by `make translations`; a missing original is a fault."""
    assert {chapter.rpartition(".")[0] for chapter in chapters(ENGLISH)} == set(contents())


def test_the_term_list_the_folders_and_the_site_know_the_same_languages():
    site = {edition.code for edition in EDITIONS} - {ENGLISH}
    assert set(languages()) == site
    assert all(set(term.avoided) == site for term in read_terms())
    assert {path.stem for path in (LIBRARY / "words").glob("*.json")} == site | {ENGLISH}


def test_every_term_is_agreed_in_every_language():
    assert [
        (t.name, lang) for t in read_terms() for lang, form in t.forms.items() if not form
    ] == []


@pytest.mark.parametrize("language", languages())
def test_the_words_of_the_figures_are_the_agreed_ones(language):
    own = [folder / f"{language}.json" for folder in WORDS]
    words = "\n".join(path.read_text(encoding="utf-8") for path in own if path.exists())
    assert list(avoided_terms(words, language)) == []
