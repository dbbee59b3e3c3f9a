"""A page for each exhibit of the museum: an address with a card, in each language."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from built import TAGS, read
from PIL import Image
from playwright.sync_api import expect
from reader import LANGUAGES, Visit

from attn_lib.live.figures import FIGURES
from book._ext.content import exhibits
from book._ext.editions.catalogues import words
from book._ext.editions.languages import edition_of
from book._ext.site import cards


@pytest.mark.parametrize("name", exhibits.PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_in_its_language_with_a_card(
    site_folder: Path, language: str, name: str
) -> None:
    page = read(site_folder / language / f"{name}.html")
    said = {tag["property"]: tag["content"] for tag in page.select("meta[property^='og:']")}
    assert page.html["lang"] == TAGS[language]
    assert page.select_one(".attn-notice, div[lang=en]") is None
    title = exhibits.title(exhibits.PAGES[name], edition_of(language))
    letters = "".join(re.findall(r"\w", title))
    for heading in (said["og:title"], page.select_one("article h1").get_text()):
        assert "".join(re.findall(r"\w", heading)) == letters
    assert 20 <= len(said["og:description"]) <= 200
    assert said["og:url"].endswith(f"/{language}/{name}.html")
    assert said["og:image"].endswith(f"/_static/cards/{name}.png")
    assert said["og:image:alt"] == cards.words(name)
    with Image.open(site_folder / f"_static/cards/{name}.png") as card:
        assert card.size == cards.SIZE
    there = {link["hreflang"] for link in page.select("link[rel=alternate][hreflang]")}
    assert there == {*TAGS.values(), "x-default"}

    ids = [tag["id"] for tag in page.select("[id]")]
    assert len(set(ids)) == len(ids)
    text = page.article.get_text()
    assert not re.search(r"\*\*|\{(doc|ref|cite|claim)|\]\(", text)
    # There is no file of this page to edit or to download.
    assert page.select(".btn-source-edit-button, .btn-download-source-button") == []
    assert page.select_one("nav.bd-docs-nav li.current.active > a").get_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_museum_leads_to_each_and_each_to_the_next(site_folder: Path, language: str) -> None:
    folder = site_folder / language
    chapter = read(folder / f"{exhibits.CHAPTER}.html")
    linked = [link["href"] for link in chapter.select("article table a[href^=exhibit-]")]
    pages = [f"{name}.html" for name in exhibits.PAGES]
    assert sorted(linked) == sorted(pages)
    following = {page: read(folder / page).select_one("a.attn-next")["href"] for page in pages}
    assert list(following.values())[:-1] == pages[1:]
    places = ElementTree.parse(site_folder / "sitemap.xml").getroot().itertext()
    mapped = {urlsplit(place).path.rpartition(f"/{language}/")[2] for place in places}
    assert set(pages) <= mapped


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_opens_its_exhibit_in_the_figure(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/exhibit-fill.html")
    page.get_by_text(words(edition_of(language), exhibits.DOMAIN)("Open it in the figure")).click()
    figure = page.locator('attn-explorer[data-figure="museum"][data-ready]')
    state = figure.evaluate("(figure) => figure.state")
    assert (state["bug"], state["t"]) == ("fill", [5])
    assert FIGURES["museum"].chapter == exhibits.CHAPTER
    expect(figure.locator('[data-kind="faulty"]').first).to_be_visible()


def test_a_caption_links_to_its_picture(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/{exhibits.CHAPTER}.html")
    link = page.locator('a.headerlink[href="#picture"]')
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#picture")).to_be_in_viewport()
    assert page.url.endswith("#picture")
