"""What search engines, previews and lost readers find."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from built import TAGS, read
from PIL import Image, ImageChops
from playwright.sync_api import expect
from reader import LANGUAGES, Visit

from book import pictures
from book._ext.content import exhibits
from book._ext.editions.translation import pages
from book._ext.site import cards, findable

SPACES = {
    "map": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "html": "http://www.w3.org/1999/xhtml",
}


def test_the_map_lists_every_page_where_it_is_written(site_folder: Path) -> None:
    entries = ElementTree.parse(site_folder / "sitemap.xml").getroot().findall("map:url", SPACES)
    addresses = [entry.findtext("map:loc", None, SPACES) for entry in entries]
    assert len(addresses) == len(set(addresses))
    base = min(addresses, key=len)
    listed = {address.removeprefix(base) for address in addresses} - {""}
    canonical = {
        re.search(r'<link rel="canonical" href="(.*?)"', path.read_text("utf-8"))[1].removeprefix(
            base
        )
        for language in LANGUAGES
        for path in (site_folder / language / f"{page}.html" for page in pages())
    }
    assert listed == canonical
    for entry in entries[1:]:
        tags = [link.get("hreflang") for link in entry.findall("html:link", SPACES)]
        assert tags[-1] == "x-default"
        assert set(tags[:-1]) <= set(TAGS.values())


def test_robots_are_told_of_the_map(site_folder: Path) -> None:
    robots = (site_folder / "robots.txt").read_text(encoding="utf-8")
    assert re.search(r"^Sitemap: https://\S+/sitemap\.xml$", robots, re.MULTILINE)
    assert "Disallow" not in robots


def test_cards_have_the_size_that_previews_want_and_are_light(site_folder: Path) -> None:
    drawn = {path.stem for path in site_folder.glob("_static/cards/*.png")}
    drawn -= exhibits.PAGES.keys()
    assert drawn == {path.stem for path in pictures.FOLDER.glob("*.svg")} & set(pages())
    looks = set()
    for path in [site_folder / "_static/card.png", *site_folder.glob("_static/cards/*.png")]:
        with Image.open(path) as card:
            assert card.size == cards.SIZE
            assert len(card.getcolors(256)) > 10, path  # something is drawn on it
        assert path.stat().st_size < 40_000, path
        looks.add(path.read_bytes())
    assert len(looks) == len(drawn) + len(exhibits.PAGES) + 1


def test_a_card_shows_its_letters_on_every_machine(tmp_path: Path) -> None:
    svg = pictures.draw("masked-softmax").svg()
    for name, text in (("with", svg), ("without", re.sub(r"<text.*?</text>", "", svg))):
        (tmp_path / f"{name}.svg").write_text(text, encoding="utf-8")
    shown, bare = (
        cards.of_picture(tmp_path / f"{name}.svg").convert("L") for name in ("with", "without")
    )
    changed = sum(ImageChops.difference(shown, bare).histogram()[64:])
    assert changed > 2_000  # pixels


def test_the_landing_page_is_for_readers_of_other_languages(site_folder: Path) -> None:
    page = read(site_folder / "index.html")
    alternates = {link["hreflang"]: link["href"] for link in page.select("link[hreflang]")}
    assert alternates.keys() == {*TAGS.values(), "x-default"}
    assert all(address.startswith("https://") for address in alternates.values())
    assert page.select_one("link[rel=canonical]")["href"] == alternates["x-default"]
    assert page.select_one("meta[name=description]")["content"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lost_reader_is_answered_in_the_language_of_the_address(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    # The page names its files from the root of the published site, as it is served anywhere.
    page = visit(f"{site}/index.html")
    text = (site_folder / "404.html").read_text(encoding="utf-8")
    text = re.sub(r'="/[\w-]+/(?=_static|\w\w/)', '="/', text)
    page.route(
        "**/nowhere/**",
        lambda route: route.fulfill(status=404, body=text, content_type="text/html"),
    )
    page.goto(f"{site}/{language}/nowhere/page.html")
    visit.errors.clear()  # the browser logs the 404
    first = page.locator("main section").first
    expect(first).to_have_attribute("data-language", language)
    expect(first.locator("h2")).to_be_visible()
    first.locator("a").click()
    page.wait_for_url(f"**/{language}/index.html")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short.", "Short."),
        ("One sentence here. " * 20, ("One sentence here. " * 10).strip()),
        ("词" * 150 + "。" + "词" * 90, "词" * 150 + "。"),
        ("word " * 60, "word " * 38 + "word…"),
    ],
)
def test_a_description_ends_with_a_sentence_where_it_can(text: str, expected: str) -> None:
    from docutils.core import publish_doctree

    assert findable.description(publish_doctree(text)) == expected
