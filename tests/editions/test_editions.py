"""The editions as they stand: whatever is translated says and computes the same as in English."""

import json

import pytest

from book._ext.editions.languages import EDITIONS
from book._ext.editions.translation import chapters as contents
from book._tools.editions.check import check_ids, findings
from book._tools.editions.numerals import written_out
from book._tools.editions.read import ENGLISH, chapters, languages, page, read_cells
from book._tools.editions.terms import avoided_terms, read_terms
from book._tools.editions.wording import bad_wording
from book._tools.markup import parse
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
    assert {path.stem for path in (LIBRARY / "live/words").glob("*.json")} == site | {ENGLISH}


def test_every_term_is_agreed_in_every_language():
    assert [
        (t.name, lang) for t in read_terms() for lang, form in t.forms.items() if not form
    ] == []


@pytest.mark.parametrize("language", languages())
def test_the_words_of_the_figures_are_the_agreed_ones(language):
    own = [folder / f"{language}.json" for folder in WORDS]
    catalogues = (BOOK / "_locale" / language).rglob("*.po")
    definitions = (BOOK / "terminology.csv").read_text(encoding="utf-8")
    words = "\n".join(path.read_text(encoding="utf-8") for path in own if path.exists())
    assert list(avoided_terms(words, language)) == []
    words = "\n".join([words, definitions, *(path.read_text("utf-8") for path in catalogues)])
    assert list(bad_wording(words, language)) == []


CHINESE = [name for name in chapters("zh") if name.endswith(".ipynb")]


@pytest.mark.parametrize("chapter", CHINESE)
def test_every_chinese_chapter_says_once_what_its_students_search_for(chapter):
    cells = read_cells(page("zh", chapter))
    assert any("注意力机制" in cell.source for cell in cells)


# Numbers of a figure that one language says in other words.
SAID_OTHERWISE = {
    ("heads", "ko"): {"4"},
    ("mask", "ko"): {"2", "3.1353"},
}


def texts(words, path=()):
    """(path, text) of every text; a list is one, as its items may share the numbers otherwise."""
    if isinstance(words, dict):
        for key, value in words.items():
            yield from texts(value, (*path, key))
    else:
        yield path, json.dumps(words, ensure_ascii=False)


@pytest.mark.parametrize("language", languages())
def test_the_words_of_the_figures_have_the_numbers_of_the_english_ones(language):
    """In digits or in words; 0 and 1 are often neither: "nothing", "a single head"."""
    wrong = []
    for folder in WORDS:
        english, own = (
            dict(texts(json.loads((folder / f"{code}.json").read_text(encoding="utf-8"))))
            for code in (ENGLISH, language)
        )
        free = {"0", "1"} | SAID_OTHERWISE.get((folder.name, language), set())
        for path in english.keys() & own.keys():
            here, there = parse(own[path]), parse(english[path])
            lost = there.numbers - here.numbers - written_out(here.prose, language)
            new = here.numbers - there.numbers - written_out(there.prose, ENGLISH)
            if (lost | new) - free:
                wrong.append((folder.name, *path, lost | new))
    assert wrong == []
