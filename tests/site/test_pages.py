"""What the built pages contain, read without a browser."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from fontTools.ttLib import TTFont
from reader import LANGUAGES, ROOT, TAGS

TOC = yaml.safe_load((ROOT / "book/_toc.yml").read_text(encoding="utf-8"))
CHAPTERS = [TOC["root"]] + [
    chapter["file"] for part in TOC["parts"] for chapter in part["chapters"]
]
EVERY_PAGE = [(language, chapter) for language in LANGUAGES for chapter in CHAPTERS]
NOTEBOOKS = [page for page in EVERY_PAGE if (ROOT / f"book/en/{page[1]}.ipynb").exists()]
REPOSITORY = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["url"]

every_page = pytest.mark.parametrize(("language", "chapter"), EVERY_PAGE)
every_notebook = pytest.mark.parametrize(("language", "chapter"), NOTEBOOKS)


def read(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def own_file(language: str, chapter: str, suffix: str) -> Path:
    """The file that a page is made from: the edition's, or the English one."""
    path = ROOT / f"book/{language}/{chapter}{suffix}"
    return path if path.exists() else ROOT / f"book/en/{chapter}{suffix}"


@every_page
def test_page_names_its_language_and_its_alternates(
    site_folder: Path, language: str, chapter: str
) -> None:
    page = read(site_folder / language / f"{chapter}.html")
    assert page.html["lang"] == TAGS[language]
    alternates = {
        link["hreflang"]: urlsplit(link["href"]).path
        for link in page.select("link[rel=alternate][hreflang]")
    }
    assert alternates.keys() == set(TAGS.values())
    for other in LANGUAGES:
        assert alternates[TAGS[other]].endswith(f"/{other}/{chapter}.html")


@every_page
def test_switcher_leads_to_the_same_chapter(site_folder: Path, language: str, chapter: str) -> None:
    page = site_folder / language / f"{chapter}.html"
    links = read(page).select(".attn-languages a")
    targets = [(page.parent / link["href"]).resolve() for link in links]
    assert targets == [(site_folder / other / f"{chapter}.html").resolve() for other in LANGUAGES]
    assert all(target.exists() for target in targets)
    assert [link["data-language"] for link in links if link.has_attr("aria-current")] == [language]


@every_page
def test_chapters_in_the_sidebar_come_in_one_order(
    site_folder: Path, language: str, chapter: str
) -> None:
    page = site_folder / language / f"{chapter}.html"
    links = read(page).select("nav.bd-docs-nav a.reference.internal")
    found = [
        chapter if link["href"] == "#" else link["href"].removesuffix(".html") for link in links
    ]
    assert found == CHAPTERS


@every_notebook
def test_launch_and_download_give_the_notebook_of_this_page(
    site_folder: Path, language: str, chapter: str
) -> None:
    path = site_folder / language / f"{chapter}.html"
    page, source = read(path), own_file(language, chapter, ".ipynb")
    launch = page.select_one('.dropdown-launch-buttons a[href*="binder"]')["href"]
    assert unquote(launch).endswith(f"urlpath=lab/tree/{source.relative_to(ROOT)}")
    assert f"/{urlsplit(REPOSITORY).path.strip('/')}/" in launch
    download = path.parent / page.select_one("a.btn-download-source-button")["href"]
    assert json.loads(download.read_text(encoding="utf-8")) == json.loads(
        source.read_text(encoding="utf-8")
    )


@every_notebook
def test_edit_button_opens_the_source_of_this_page(
    site_folder: Path, language: str, chapter: str
) -> None:
    page = read(site_folder / language / f"{chapter}.html")
    source = own_file(language, chapter, ".ipynb").relative_to(ROOT)
    assert page.select_one("a.btn-source-edit-button")["href"] == f"{REPOSITORY}/edit/main/{source}"


@every_page
def test_footer_names_both_licences(site_folder: Path, language: str, chapter: str) -> None:
    footer = read(site_folder / language / f"{chapter}.html").select_one(".attn-licence")
    assert "CC BY 4.0" in footer.text
    assert "BSD-3-Clause" in footer.text


def test_pages_load_nothing_from_another_host(site_folder: Path) -> None:
    loaded = []
    for path in site_folder.rglob("*.html"):
        for tag in read(path).select("script[src], link[href], img[src], iframe, source[src]"):
            if tag.name == "link" and {"alternate", "canonical"} & set(tag.get("rel", [])):
                continue
            address = tag.get("src") or tag.get("href") or "iframe"
            if re.match(r"(https?:)?//|iframe", address):
                loaded.append((path.name, address))
    for path in site_folder.rglob("*.css"):
        addresses = re.findall(
            r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", path.read_text()
        )
        loaded += [(path.name, address) for address in addresses]
    assert loaded == []


def test_every_local_file_that_a_page_names_exists(site_folder: Path) -> None:
    missing = []
    for path in site_folder.rglob("*.html"):
        for tag in read(path).select("script[src], link[href], img[src], a[href]"):
            address = urlsplit(tag.get("src") or tag.get("href"))
            if address.scheme or address.netloc or not address.path:
                continue
            if not (path.parent / unquote(address.path)).exists():
                missing.append((str(path.relative_to(site_folder)), address.path))
    assert missing == []


def test_what_the_build_leaves_behind_is_not_published(site_folder: Path) -> None:
    names = {path.name for path in site_folder.rglob("*")}
    assert not {"jupyter_execute", ".doctrees", ".buildinfo", "fontawesome.js"} & names
    assert not [name for name in names if name.endswith((".map", ".pickle", ".doctree"))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_icon_fonts_hold_every_icon_that_the_pages_show(site_folder: Path, language: str) -> None:
    static = site_folder / language / "_static"
    held = {
        code
        for font in ("fa-solid-900", "fa-brands-400")
        for code in TTFont(static / f"{font}.woff").getBestCmap()
    }
    rules = re.findall(
        r'([^{}]*):before\{content:"\\([0-9a-f]{4})"\}',
        (static / "styles/pydata-sphinx-theme.css").read_text(encoding="utf-8"),
    )
    glyph = {name: code for names, code in rules for name in re.findall(r"\.(fa-[\w-]+)", names)}
    shown: set[str] = set()
    for path in (site_folder / language).glob("*.html"):
        for icon in read(path).select("[class*=fa-]"):
            shown |= {name for name in icon["class"] if name in glyph}
    assert "fa-bars" in shown
    assert {name for name in shown if int(glyph[name], 16) not in held} == set()


def test_only_pages_with_a_live_figure_load_its_script(site_folder: Path) -> None:
    with_figure = 0
    for language, chapter in EVERY_PAGE:
        page = read(site_folder / language / f"{chapter}.html")
        scripts = [script["src"] for script in page.select('script[type="module"][src]')]
        figures = page.select("attn-explorer")
        assert ("_static/attn/explorer.js" in scripts) == bool(figures), (language, chapter)
        with_figure += bool(figures)
    assert with_figure > 0


def test_landing_page_offers_four_languages_without_a_script(site_folder: Path) -> None:
    page = read(site_folder / "index.html")
    sections: list[Tag] = page.select("main section")
    assert [section["lang"] for section in sections] == [TAGS[code] for code in LANGUAGES]
    for section, language in zip(sections, LANGUAGES, strict=True):
        assert section.h2.text.strip()
        assert section.p.text.strip()
        assert section.select_one("a.button")["href"] == f"{language}/index.html"
    assert not page.select("script:not([src])")
