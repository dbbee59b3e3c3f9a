"""The words around the text: each edition speaks its own language, and only that one."""

import re
from pathlib import Path

import pytest
import yaml
from around import english_words, phrases
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from built import read
from reader import LANGUAGES, ROOT, Visit

TRANSLATED = LANGUAGES[1:]
DOMAINS = ("site", "sphinx", "booktheme", "exercise", "exhibits")


def one_for_each_set_of_scripts(folder: Path) -> list[str]:
    """Pages such that any other one runs the same scripts as one of them; and the search."""
    names = {}
    for path in sorted(folder.glob("*.html")):
        scripts = re.findall(r'<script\b[^>]*\bsrc="([^"]+)"', path.read_text(encoding="utf-8"))
        names[frozenset(scripts)] = path.name
    assert len(names) > 1
    return [*names.values(), "search.html"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_scripts_add_no_english_word_around_the_chapters(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    """What each page says without scripts is looked at in test_pages.py."""
    page = visit(f"{site}/{language}/index.html")
    for name in one_for_each_set_of_scripts(site_folder / language):
        page.goto(f"{site}/{language}/{name}")
        said = phrases(BeautifulSoup(page.content(), "html.parser"))
        assert len(said) > 20, name
        assert english_words(said, language) == set(), name


def test_the_same_look_finds_english_words_on_an_english_page(site_folder: Path) -> None:
    found = english_words(phrases(read(site_folder / "en/masked-softmax.html")), "en")
    assert {"search", "download", "next", "previous", "language", "text"} <= found


def read_catalogue(language: str, domain: str) -> Catalog:
    with (ROOT / f"book/_locale/{language}/LC_MESSAGES/{domain}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_are_complete(language: str, domain: str) -> None:
    catalogue = {message.id: message.string for message in read_catalogue(language, domain)}
    expected = {message.id for message in read_catalogue("vi", domain)}
    assert catalogue.keys() == expected
    for phrase, translation in catalogue.items():
        if not phrase:
            continue  # the header
        assert translation, phrase
        slots = re.compile(r"\{\w+\}|%s")
        assert sorted(slots.findall(translation)) == sorted(slots.findall(phrase))


def test_every_phrase_of_our_own_is_used_and_translated() -> None:
    programs = {*(ROOT / "book/_ext").rglob("*.py"), *(ROOT / "book/_tools/paper").glob("*.py")}
    programs |= {ROOT / "book/_tools/student.py"}
    # These speak from catalogues of their own.
    programs -= {ROOT / f"book/_ext/content/{name}.py" for name in ("scores", "exhibits")}
    sources = [*programs, *(ROOT / "book/_templates").rglob("*.html")]
    used = {
        phrase
        for path in sources
        for _, phrase in re.findall(r"say\(([\"'])(.+?)\1\)", path.read_text(encoding="utf-8"))
    }
    contents = yaml.safe_load((ROOT / "book/_toc.yml").read_text(encoding="utf-8"))
    used |= {part["caption"] for part in contents["parts"]}
    assert used == {message.id for message in read_catalogue("ko", "site") if message.id}


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("en", r"Exercise 5\.\d+\s+\d+ minutes", r"difficulty (\d) of 3"),
        ("vi", r"Bài tập 5\.\d+\s+\d+ phút", r"độ khó (\d) trên 3"),
        ("ko", r"연습문제 5\.\d+\s+\d+\W*분", r"난이도 3단계 가운데 (\d)"),
        ("zh", r"练习 5\.\d+\s+\d+\W*分钟", r"难度(\d)，最高3"),
    ],
)
def test_an_exercise_says_how_hard_it_is_and_then_its_name(
    visit: Visit, site: str, language: str, line: str, said: str
) -> None:
    page = visit(f"{site}/{language}/masked-softmax.html")
    titles = page.locator(".exercise > .admonition-title").all()
    assert len(titles) > 2
    for title in titles:
        words = title.text_content().strip()
        assert re.fullmatch(rf"{line}\s+[^●]*[^●)）]", words), words
        discs = title.locator("[role=img]")  # some stand in closed boxes
        marks = re.fullmatch(said, discs.get_attribute("aria-label"))
        assert discs.locator(".attn-full").count() == int(marks[1])
        icon = title.evaluate("(title) => getComputedStyle(title, '::after').content")
        assert icon == "none"  # the theme's would lie on the words
