"""The source of an EPUB, one page that reads without a script; Pandoc has the rest."""

from pathlib import Path

from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from attn_lib.language import words
from book._ext.editions.languages import EDITIONS
from book._tools.epub import __main__ as epub
from book._tools.epub.pages import bound
from book._tools.paper import binding

CHAPTER = "masked-softmax"


def test_a_chapter_is_bound_with_a_picture_of_its_figure(
    chromium: Browser, site: str, site_folder: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(binding, "parts", lambda: [("", [CHAPTER])])
    page = bound(chromium, site_folder, f"{site}/en", EDITIONS[0], tmp_path)
    book = BeautifulSoup(page, "html.parser")
    assert not book.select("section, script, attn-explorer, details, button, input")
    titles = [heading.get_text() for heading in book.select("h1")]
    assert len(titles) == 2  # the chapter and the solutions
    names = {str(element["id"]) for element in book.select("[id]")}
    inside = {str(link["href"])[1:] for link in book.select('a[href^="#"]')}
    assert inside <= names
    assert len(book.select("#solutions ~ .attn-solution")) == len(book.select(".exercise"))
    (picture,) = book.select('img[src="mask.svg"]')
    assert picture["alt"] == words("mask")["question"]
    assert "<svg" in (tmp_path / "mask.svg").read_text(encoding="utf-8")


def test_vectors_are_upright_again() -> None:
    written = '<mi mathvariant="bold-italic">\U0001d48c</mi>'
    upright = epub.BOLD_ITALIC.sub(epub._upright, written)
    assert upright == '<mi mathvariant="bold">\U0001d424</mi>'
