"""What the built pages contain, read without a browser."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from fontTools.ttLib import TTFont
from reader import LANGUAGES, REPOSITORY, ROOT, TAGS, read

from attn_lib.typography import JOINER
from book._ext.fonts import THEME
from book._ext.translation import chapters

TOC = yaml.safe_load((ROOT / "book/_toc.yml").read_text(encoding="utf-8"))
LISTED = [
    {"file": TOC["root"]},
    *(chapter for part in TOC["parts"] for chapter in part["chapters"]),
]
EVERY_PAGE = [(language, chapter) for language in LANGUAGES for chapter in chapters()]


@dataclass(frozen=True)
class Built:
    """A page of an edition, parsed."""

    path: Path
    language: str
    chapter: str
    source: Path  # the edition's, or the English one
    html: BeautifulSoup


# Of the module: all tests of one page then run together, and it is parsed once.
@pytest.fixture(scope="module", params=EVERY_PAGE, ids="/".join)
def page(request: pytest.FixtureRequest, site_folder: Path) -> Built:
    language, chapter = request.param
    path = site_folder / language / f"{chapter}.html"
    editions = [ROOT / "book" / edition / chapter for edition in (language, "en")]
    names = [folder.with_suffix(suffix) for folder in editions for suffix in (".ipynb", ".md")]
    source = next(name for name in names if name.exists())
    return Built(path, language, chapter, source, read(path))


def test_page_names_its_language_and_those_that_have_it_too(page: Built) -> None:
    assert page.html.html["lang"] == TAGS[page.language]
    alternates = {
        link["hreflang"]: urlsplit(link["href"]).path
        for link in page.html.select("link[rel=alternate][hreflang]")
    }
    sources = list(ROOT.glob(f"book/??/{page.chapter}.*"))
    there = {path.parent.name for path in sources}
    assert alternates.keys() == {TAGS[other] for other in there} | {"x-default"}
    for other in there:
        assert alternates[TAGS[other]].endswith(f"/{other}/{page.chapter}.html")
    assert alternates["x-default"].endswith(f"/en/{page.chapter}.html")


def test_page_names_the_address_of_its_text(page: Built) -> None:
    canonical = page.html.select("link[rel=canonical]")
    assert len(canonical) == 1
    written_in = page.source.parent.name  # English, where nobody has translated it yet
    assert canonical[0]["href"].endswith(f"/{written_in}/{page.chapter}.html")
    assert page.html.select_one("meta[property='og:url']")["content"] == canonical[0]["href"]


def test_page_says_what_it_is_about(page: Built) -> None:
    description = page.html.select_one("meta[name=description]")["content"]
    assert 20 <= len(description) <= 200
    text = page.html.select_one("article").get_text(" ", strip=True)
    start = re.split(r"[√^_]", description)[0]  # a formula is written in letters there
    assert "".join(start.split())[:15] in "".join(text.split())
    assert "\\" not in description
    resource = json.loads(page.html.select_one("script[type='application/ld+json']").string)
    assert resource["@type"] == "LearningResource"
    assert resource["description"] == description
    assert resource["inLanguage"] == TAGS[page.source.parent.name]
    assert resource["license"].startswith("https://creativecommons.org/")


def test_page_offers_a_card_and_says_what_it_shows(page: Built, site_folder: Path) -> None:
    said = {
        tag.get("property") or tag["name"]: tag["content"]
        for tag in page.html.select("meta[property^='og:'], meta[name^='twitter:']")
    }
    home = page.html.select_one("link[rel=alternate][hreflang=x-default]")["href"]
    home = home.removesuffix(f"en/{page.chapter}.html")
    heading = page.html.select_one("article h1").get_text().removesuffix("#")
    heading = heading.replace(JOINER, "")  # for lines, of which a card has none
    assert "".join(said["og:title"].split()) == "".join(heading.split())
    name = f"cards/{page.chapter}.png"
    if not (ROOT / f"book/pictures/{page.chapter}.svg").exists():
        name = "card.png"
        assert "og:image:alt" not in said
    assert said["og:image"] == f"{home}_static/{name}"
    assert (site_folder / "_static" / name).exists()
    assert said["twitter:card"] == ("summary" if name == "card.png" else "summary_large_image")
    if name != "card.png":
        shown = page.html.select("article svg.attn-picture")
        assert said["og:image:alt"] in {picture["aria-label"] for picture in shown}


def test_title_says_nothing_twice(page: Built) -> None:
    parts = page.html.title.string.split(" – ")
    assert len(parts) == len(set(parts)) <= 2
    assert page.html.title.string.strip() == page.html.title.string


def test_no_mark_of_the_source_is_left_in_the_text(page: Built) -> None:
    code = ["code", "pre", "script", "style", "annotation"]
    prose = [
        text
        for text in page.html.article.find_all(string=True)
        if not text.find_parent(code) and not text.find_parent(class_=["sig", "field-list"])
    ]
    assert len(prose) > 10
    marks = re.compile(r"\*\*|\]\(|\{(doc|ref|eq|term)\}|\$")
    assert [text for text in prose if marks.search(text)] == []


def test_every_id_stands_once(page: Built) -> None:
    ids = [tag["id"] for tag in page.html.select("[id]")]
    assert [name for name in set(ids) if ids.count(name) > 1] == []


def test_viewport_is_named_once(page: Built) -> None:
    assert len(page.html.select("meta[name=viewport]")) == 1


def test_switcher_leads_to_the_same_chapter(page: Built, site_folder: Path) -> None:
    links = page.html.select(".attn-languages a")
    targets = [(page.path.parent / link["href"]).resolve() for link in links]
    chapter = f"{page.chapter}.html"
    assert targets == [(site_folder / other / chapter).resolve() for other in LANGUAGES]
    assert all(target.exists() for target in targets)
    current = [link["data-language"] for link in links if link.has_attr("aria-current")]
    assert current == [page.language]


def test_chapters_in_the_sidebar_come_in_one_order(page: Built) -> None:
    expected = []
    for chapter in LISTED:
        branch = [chapter["file"], *(section["file"] for section in chapter.get("sections", []))]
        expected += branch if page.chapter in branch else branch[:1]
    links = page.html.select("nav.bd-docs-nav a.reference.internal")
    found = [
        page.chapter if link["href"] == "#" else link["href"].removesuffix(".html")
        for link in links
    ]
    assert found == expected
    for button in page.html.select("nav.bd-docs-nav summary"):
        assert button["aria-label"]


def test_a_notebook_can_be_launched_and_downloaded(page: Built) -> None:
    launch = page.html.select_one('.dropdown-launch-buttons a[href*="binder"]')
    download = page.html.select_one("a.btn-download-source-button")
    target = page.path.parent / download["href"]
    if page.source.suffix == ".md":
        assert launch is None
        assert target.read_bytes() == page.source.read_bytes()
        return
    assert unquote(launch["href"]).endswith(f"urlpath=lab/tree/{page.source.relative_to(ROOT)}")
    assert f"/{urlsplit(REPOSITORY['url']).path.strip('/')}/" in launch["href"]
    assert json.loads(target.read_bytes()) == json.loads(page.source.read_bytes())


def test_edit_button_opens_the_source_of_this_page(page: Built) -> None:
    edit = page.html.select_one("a.btn-source-edit-button")
    assert edit["href"] == f"{REPOSITORY['url']}/edit/main/{page.source.relative_to(ROOT)}"


def test_footer_names_both_licences(page: Built) -> None:
    footer = page.html.select_one(".attn-licence")
    assert "CC BY 4.0" in footer.text
    assert "BSD-3-Clause" in footer.text


def test_footer_leads_to_how_to_cite(page: Built) -> None:
    link = page.html.select_one(".attn-licence a[href*='#']")
    name, _, target = link["href"].rpartition("#")
    cited = page.html if name == "" else read(page.path.parent / name)
    assert cited.find(id=target) is not None
    assert "@misc{" in cited.select_one("article pre").get_text()


def test_only_pages_with_a_live_figure_load_its_script(page: Built) -> None:
    scripts = [script["src"] for script in page.html.select("script[src]")]
    has_figure = page.html.select_one("attn-explorer") is not None
    assert ("../_static/attn/figures.js" in scripts) == has_figure


def test_a_page_loads_the_styles_of_its_own_figures(page: Built) -> None:
    sheets = [sheet["href"] for sheet in page.html.select("link[rel=stylesheet]")]
    named = [figure["data-figure"] for figure in page.html.select("attn-explorer")]
    wanted = ["figures", *(f"figures/{name}" for name in dict.fromkeys(named))] if named else []
    of_figures = sorted(sheet for sheet in sheets if "/attn/" in sheet)
    assert of_figures == sorted(f"../_static/attn/{name}.css" for name in wanted)
    # What stands in for them in a notebook stays there.
    assert not [style for style in page.html.select("style") if "attn-explorer" in style.get_text()]


@dataclass(frozen=True)
class Naming:
    """A tag that names a file or an icon, and its page."""

    path: Path
    tag: str
    attributes: Mapping[str, Any]

    @property
    def address(self) -> str | None:
        return self.attributes.get("src") or self.attributes.get("href")


# Of the module: to parse all pages takes half a minute.
@pytest.fixture(scope="module")
def namings(site_folder: Path) -> list[Naming]:
    chosen = "script[src], link[href], img[src], source[src], a[href], iframe, [class*=fa-]"
    return [
        Naming(path, tag.name, tag.attrs)
        for path in site_folder.rglob("*.html")
        for tag in read(path).select(chosen)
    ]


def test_pages_load_nothing_from_another_host(site_folder: Path, namings: list[Naming]) -> None:
    loaded = []
    for one in namings:
        if one.tag == "a" or {"alternate", "canonical"} & set(one.attributes.get("rel", [])):
            continue
        address = "iframe" if one.tag == "iframe" else one.address or ""
        if re.match(r"(https?:)?//|iframe", address):
            loaded.append((one.path.name, address))
    for path in site_folder.rglob("*.css"):
        addresses = re.findall(
            r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", path.read_text()
        )
        loaded += [(path.name, address) for address in addresses]
    assert loaded == []


def test_every_local_file_that_a_page_or_style_names_exists(
    site_folder: Path, namings: list[Naming]
) -> None:
    named = [(one.path, one.address) for one in namings if one.address] + [
        (path, address)
        for path in site_folder.glob("_static/**/*.css")
        for address in re.findall(r"url\(\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8"))
    ]
    missing = []
    for path, text in named:
        address = urlsplit(text)
        if address.scheme or address.netloc or not address.path:
            continue
        folder, place = path.parent, unquote(address.path)
        if place.startswith("/"):  # the page for errors names files from the site's own root
            folder, place = site_folder, place.split("/", 2)[2]
        if not (folder / place).exists():
            missing.append((str(path.relative_to(site_folder)), address.path))
    assert missing == []


def test_what_the_build_leaves_behind_is_not_published(site_folder: Path) -> None:
    names = {path.name for path in site_folder.rglob("*")}
    assert not {"jupyter_execute", ".doctrees", ".buildinfo", "fontawesome.js"} & names
    assert not [name for name in names if name.endswith((".map", ".pickle", ".doctree"))]


def test_icon_fonts_hold_every_icon_that_the_pages_show(
    site_folder: Path, namings: list[Naming]
) -> None:
    styles = (site_folder / "_static/book.css").read_text(encoding="utf-8")
    fonts = re.findall(r"data:font/woff2;base64,([\w+/=]+)", styles)
    assert len(fonts) == 2
    held = {code for font in fonts for code in TTFont(BytesIO(b64decode(font))).getBestCmap()}
    theme = (THEME / "styles/pydata-sphinx-theme.css").read_text(encoding="utf-8")
    rules = re.findall(r'([^{}]*):before\{content:"\\([0-9a-f]{4})"\}', theme)
    glyph = {name: code for names, code in rules for name in re.findall(r"\.(fa-[\w-]+)", names)}
    shown = {name for one in namings for name in one.attributes.get("class", []) if name in glyph}
    assert "fa-bars" in shown
    assert {name for name in shown if int(glyph[name], 16) not in held} == set()
    assert [name for name in shown if f".{name}" not in styles] == []


def test_landing_page_offers_four_languages_without_a_script(site_folder: Path) -> None:
    page = read(site_folder / "index.html")
    sections: list[Tag] = page.select("main section")
    assert [section["lang"] for section in sections] == [TAGS[code] for code in LANGUAGES]
    for section, language in zip(sections, LANGUAGES, strict=True):
        assert section.h2.text.strip()
        assert section.p.text.strip()
        assert section.select_one("a.button")["href"] == f"{language}/index.html"
    assert not page.select("script:not([src])")
