"""The words around the text: each edition speaks its own language, and only that one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from playwright.sync_api import Page
from reader import LANGUAGES, ROOT, Visit

TRANSLATED = LANGUAGES[1:]
DOMAINS = ("site", "sphinx", "booktheme", "exercise", "exhibits")

# English words of the theme, its extensions and our own templates. "Binder", "Ctrl", file
# suffixes and the licences' names are the same in every language.
ENGLISH = re.compile(
    r"\b(about|announcement|back|by|chapters?|click|code|collapse|colou?r|contents?|copied|copy|"
    r"dark|download|edit|error|exercise|expand|figure|fig|fullscreen|hide|home|index|issue|"
    r"language|launch|licen[cs]e|light|link|main|menu|mode|navigation|next|note|notebook|open|"
    r"page|permalink|previous|print|read|references|repository|search|section|settings|show|"
    r"sidebar|site|skip|solution|source|suggest|system|table|text|theme|tip|title|to|toggle|top|"
    r"translated|version|warning|your)\b",
    re.IGNORECASE,
)
ALLOWED = {"vi": {"notebook"}, "ko": set(), "zh": set()}

# Every text and every attribute that is shown or spoken, outside the chapter itself and outside
# what repeats chapter titles. The live figures have tests of their own.
CHROME = """() => {
  const skipped = `article, script, style, noscript, .bd-toc, #jb-print-docs-body h1,
    #jb-print-docs-body nav, .attn-neighbour, .attn-next__question, .bd-docs-nav ul,
    .attn-languages li, .navbar-brand`;
  const names = ['title', 'aria-label', 'placeholder', 'alt', 'data-bs-title', 'data-tooltip',
    'data-bs-original-title', 'data-none', 'data-found', 'data-failed',
    'data-disk'];
  const found = [];
  const walk = (element) => {
    if (element.matches(skipped)) return;
    for (const name of names)
      if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) found.push(node.data.trim());
      if (node.nodeType === Node.ELEMENT_NODE) walk(node);
    }
  };
  walk(document.body);
  return found;
}"""


def english_words(phrases: list[str], language: str) -> set[str]:
    text = "\n".join(phrases).replace("CC BY", "")
    return {word.lower() for word in ENGLISH.findall(text)} - ALLOWED[language]


def pages(site_folder: Path, language: str) -> Iterator[str]:
    yield from sorted(path.name for path in (site_folder / language).glob("*.html"))


def chrome(page: Page) -> list[str]:
    return page.evaluate(CHROME)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_english_word_stands_around_the_chapters(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    page = visit(f"{site}/{language}/index.html")
    for name in pages(site_folder, language):
        page.goto(f"{site}/{language}/{name}")
        phrases = chrome(page)
        assert len(phrases) > 20, name
        assert english_words(phrases, language) == set(), name


def test_the_same_look_finds_english_words_on_an_english_page(visit: Visit, site: str) -> None:
    phrases = chrome(visit(f"{site}/en/masked-softmax.html"))
    found = {word.lower() for phrase in phrases for word in ENGLISH.findall(phrase)}
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
