"""Glossary, the library's pages and teaching plan: complete, and links lead where they say."""

import ast
import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from built import read
from figures import LiveFigure
from playwright.sync_api import expect
from reader import LANGUAGES, ROOT, Visit

import attn_lib
import attn_lib.d2l.v017
from attn_lib.language import words
from attn_lib.live.figures import FIGURES
from book._ext.content import downloads
from book._ext.editions.translation import chapters

with (ROOT / "book/terminology.csv").open(encoding="utf-8", newline="") as file:
    TERMS = list(csv.DictReader(file))

LIBRARY = [name for name in chapters() if name.startswith("api-")]
TALLEST = 12 * 740  # pixels: twelve screens of a phone, and less than any chapter with a figure


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_can_take_the_book_along(site_folder: Path, language: str) -> None:
    page = read(site_folder / language / "how-to-use.html")
    canonical = page.select_one("link[rel=canonical]")["href"]
    home = canonical.removesuffix(f"{language}/how-to-use.html")
    offered = {
        link["href"]: link.get_text()
        for link in page.select(f'article a[href^="{home}{downloads.FOLDER}/"]')
    }
    said = {name: f"({size}\xa0MB)" for name, size in downloads.MEGABYTES.items()}
    book = downloads.pdf(language)
    assert offered == {
        f"{home}download/{book}": f"PDF {said[book]}",
        f"{home}download/{downloads.epub(language)}": "EPUB",
        f"{home}download/{downloads.cards(language)}": "TXT",
        f"{home}download/{downloads.ARCHIVE}": f"ZIP {said[downloads.ARCHIVE]}",
        f"{home}download/{downloads.CHECKSUM}": "SHA-256",
        f"{home}download/{downloads.wheel()}": downloads.wheel(),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_glossary_has_every_term_in_every_language(site_folder: Path, language: str) -> None:
    page = read(site_folder / language / "glossary.html")
    entries = page.select("dl.glossary > dd")
    assert len(entries) == len(TERMS)
    texts = []
    for entry in entries:
        names = [name.get_text(strip=True).rstrip("#") for name in entry.find_previous_siblings()]
        texts.append(" ".join([*names, entry.get_text(" ", strip=True)]))
    for row in TERMS:
        forms = [row[code] for code in LANGUAGES]
        assert any(all(form in text for form in forms) for text in texts), row["term"]


def test_every_term_is_explained() -> None:
    assert [row["term"] for row in TERMS if not row["definition"].endswith(".")] == []


@lru_cache
def described(site_folder: Path, language: str = "en") -> dict[str, list[str]]:
    """The names that each page of the library describes, methods among them."""
    return {
        page: [
            signature["id"]
            for signature in read(site_folder / language / f"{page}.html").select("dt.sig[id]")
        ]
        for page in LIBRARY
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_public_name_stands_on_one_page(site_folder: Path, language: str) -> None:
    found = [name for names in described(site_folder, language).values() for name in names]
    assert sorted(found) == sorted(set(found))
    old_constructors = ("AdditiveAttention", "DotProductAttention", "MultiHeadAttention")
    public = {
        *(f"attn_lib.{name}" for name in attn_lib.__all__ if name != "check"),
        *(f"attn_lib.check.{name}" for name in attn_lib.check.__all__),
        *(f"attn_lib.d2l.{name}" for name in attn_lib.d2l.__all__),
        *(f"attn_lib.d2l.v017.{name}" for name in old_constructors),
    }
    assert public <= set(found)
    assert set(found) == {n for names in described(site_folder).values() for n in names}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_overview_leads_to_every_name(site_folder: Path, language: str) -> None:
    overview = read(site_folder / language / "api.html")
    for page, names in described(site_folder, language).items():
        links = overview.select(f'.attn-names a[href^="{page}.html#"]')
        listed = [link["href"].partition("#")[2] for link in links]
        methods = [name for name in names if name.rpartition(".")[0] in names]
        assert listed == [name for name in names if name not in methods]
        for link in links:
            line = link.find_parent("li")
            assert line["id"] == f"attn_lib.{link.get_text()}"
            assert len(line.get_text(" ", strip=True)) > len(link.get_text()) + 10, line["id"]
        # Addresses from the time when all descriptions stood on that page.
        assert all(overview.find(id=name) for name in names)
    # What comes from docstrings says that it is English.
    lines = overview.select(".attn-names li")
    assert len(overview.select(".attn-names [lang=en]")) == len(lines)


def names_in(code: str) -> Iterator[str]:
    """What a chapter takes from modules of attn_lib, such as attn_lib.museum.run."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("attn_lib."):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "museum":
            yield f"attn_lib.museum.{node.attr}"


def test_what_chapters_import_is_described(site_folder: Path) -> None:
    known = {name for names in described(site_folder).values() for name in names}
    used = {
        name
        for chapter in (ROOT / "book/en").glob("*.ipynb")
        for cell in nbformat.read(chapter, as_version=4).cells
        if cell.cell_type == "code"
        for name in names_in(cell.source)
    }
    assert {"attn_lib.museum.run", "attn_lib.multihead.split_heads"} <= used
    # A module counts as described where something in it is.
    known |= {name.rpartition(".")[0] for name in known}
    assert used <= known


def test_a_description_has_the_sections_of_its_docstring(site_folder: Path) -> None:
    page = read(site_folder / "en/api-masking.html")
    entry = page.find(id="attn_lib.masked_softmax").find_next_sibling("dd")
    headings = [heading.get_text(strip=True) for heading in entry.select("dt, .rubric")]
    assert headings == ["Parameters:", "Shape:", "Returns:", "Raises:", "Source", "Example"]


def links_to_states(site_folder: Path) -> set[tuple[str, str]]:
    """(page, fragment) of every link in the prose of the English pages to a state of a figure."""
    found = set()
    for path in (site_folder / "en").glob("*.html"):
        for link in read(path).select('article a[href*="#"]:not(.headerlink)'):
            address = urlsplit(link["href"])
            figure = re.fullmatch(r"([a-z]+)(\?.*)?", address.fragment)
            if figure and figure[1] in FIGURES and not link.find_parent("attn-explorer"):
                found.add((unquote(address.path) or path.name, address.fragment))
    return found


def test_links_in_prose_to_a_state_of_a_figure(
    visit: Visit, site: str, site_folder: Path, where: dict[tuple[str, str], str]
) -> None:
    by_figure: dict[str, list[tuple[str, str]]] = {}
    for page, fragment in sorted(links_to_states(site_folder)):
        by_figure.setdefault(fragment.partition("?")[0], []).append((page, fragment))
    assert len(by_figure) >= 8
    for name, links in by_figure.items():
        page = visit(f"{site}/{where['en', name]}")
        figure = LiveFigure(page, FIGURES[name]).unfold().ready()
        for at, fragment in links:
            assert f"en/{at}" == where["en", name]
            figure.go(f"#{fragment}")
            assert words("frame")["not_understood"] not in figure.summary, fragment
            kept = FIGURES[name].fragment(figure.state()).partition("?")[2]
            settings = re.sub(r"&?ask=[01]$", "", fragment.partition("?")[2])
            assert sorted(settings.split("&")) == sorted(kept.split("&")), fragment


def test_the_lessons_link_to_states(site_folder: Path) -> None:
    pages = (read(path) for path in (site_folder / "en").glob("lesson-*.html"))
    targets = [link["href"] for page in pages for link in page.select("li > p > a[href*='.html#']")]
    assert len([target for target in targets if "?" in target]) > 20


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_pages_of_the_library_are_short(visit: Visit, site: str) -> None:
    """In Chinese: descriptions are English everywhere, and its lines are the highest."""
    assert len(LIBRARY) > 5
    for name in ("api", *LIBRARY):
        page = visit(f"{site}/zh/{name}.html", **PHONE)
        assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST, name
        visit.close()


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("api", "attn_lib.memory.kept_bytes", "api-memory"),
        ("api", "attn_lib.museum.run", "api-museum"),  # in a closed box
        ("api-attention", "attn_lib.memory.kept_bytes", "api-memory"),
        ("api-scoring", "attn_lib.soft_cap", "api-scales"),
        ("api-flex", "attn_lib.flex.chain", "api-flex-biases"),
    ],
)
def test_an_old_address_leads_to_the_line_of_its_name(
    visit: Visit, site: str, old: str, name: str, new: str
) -> None:
    page = visit(f"{site}/ko/{old}.html#{name}", **PHONE)
    line = page.locator(":target")
    expect(line).to_be_in_viewport()
    line.get_by_role("link").click()
    page.wait_for_url(f"**/ko/{new}.html#{name}")
