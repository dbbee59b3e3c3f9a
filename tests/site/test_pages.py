"""What the built pages contain, read without a browser."""

import json
import re
from base64 import b64decode
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml
from around import english_words, phrases
from bs4 import BeautifulSoup, Tag
from built import REPOSITORY, TAGS, read
from fontTools.ttLib import TTFont
from reader import LANGUAGES, ROOT

from attn_lib import __version__
from attn_lib.typography import JOINER
from book._ext.content import exhibits
from book._ext.editions.languages import edition_of
from book._ext.editions.translation import chapters
from book._ext.site import anywhere
from book._ext.site.fonts import THEME

TOC = yaml.safe_load((ROOT / "book/_toc.yml").read_text(encoding="utf-8"))
LISTED = [
    {"file": TOC["root"]},
    *(chapter for part in TOC["parts"] for chapter in part["chapters"]),
]
# Types that a browser runs; JSON in a script element is data.
PROGRAMS = {None, "", "module", "text/javascript", "importmap"}
read_once = lru_cache(read)  # of the few pages that all others lead to


@dataclass(frozen=True)
class Built:
    """A page of an edition, parsed."""

    path: Path
    language: str
    chapter: str
    source: Path  # the edition's, or the English one
    html: BeautifulSoup

    # A selector is tried on every tag: a question that is about a part of the page asks there.

    @cached_property
    def head(self) -> Tag:
        return self.html.head

    @cached_property
    def menus(self) -> Tag:
        """What stands above the chapter."""
        return self.html.find(class_="bd-header-article")

    @cached_property
    def article(self) -> Tag:
        return self.html.find("article")

    @cached_property
    def footer(self) -> Tag:
        return self.html.find("footer", class_="bd-footer-content")


@dataclass(frozen=True)
class Naming:
    """A tag that names a file or an icon, and its page."""

    path: Path
    tag: str
    attributes: Mapping[str, Any]

    @property
    def address(self) -> str | None:
        return self.attributes.get("src") or self.attributes.get("href")


@dataclass
class Walk:
    """What was found on a way through all pages, each parsed once."""

    failures: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    seen: Counter[str] = field(default_factory=Counter)  # how much each question had to look at
    namings: list[Naming] = field(default_factory=list)

    def ask(self, question: Callable[[Any], int | None], subject: Any, name: str) -> None:
        try:
            looked_at = question(subject)
        except AssertionError as error:
            self.failures[question.__name__].append(f"{name}: {error}")
        else:
            self.seen[question.__name__] += 1 if looked_at is None else looked_at


# What is asked of each chapter of each edition, and of every file: search, errors, landing page.
# A question returns how many things it has looked at, if there are several on a page.
OF_PAGES: list[Callable[[Built], int | None]] = []
OF_FILES: list[Callable[[BeautifulSoup], int | None]] = []
LEAST: dict[str, int] = {}  # a question that has seen less has gone blind


def of_every_page(question: Callable[[Built], int | None]) -> Callable[[Built], int | None]:
    OF_PAGES.append(question)
    LEAST[question.__name__] = len(LANGUAGES) * len(chapters())
    return question


def of_every_file(least: int) -> Callable[[Any], Any]:
    def note(question: Callable[[BeautifulSoup], int | None]) -> Any:
        OF_FILES.append(question)
        LEAST[question.__name__] = least
        return question

    return note


@of_every_file(60)
def caption_names_the_address_of_its_picture(page: BeautifulSoup) -> int:
    pictures = page.find_all("svg", class_="attn-picture")
    for picture in pictures:
        link = page.select_one(f'a.headerlink[href="#{picture["id"]}"]')
        assert link["aria-label"] == link["title"] != ""
        assert page.html["lang"] == "en" or link["title"] != "Link to this image"
    return len(pictures)


def names_a_file_or_an_icon(tag: Tag) -> bool:
    icon = any(name.startswith("fa-") for name in tag.get("class", ()))
    return icon or tag.name == "iframe" or tag.has_attr("src") or tag.has_attr("href")


# Of the module: to parse all pages takes half a minute.
@pytest.fixture(scope="module")
def walk(site_folder: Path) -> Walk:
    walk = Walk()
    for path in sorted(site_folder.rglob("*.html")):
        name, html = path.relative_to(site_folder).as_posix(), read(path)
        walk.namings += [
            Naming(path, tag.name, tag.attrs) for tag in html.find_all(names_a_file_or_an_icon)
        ]
        for question in OF_FILES:
            walk.ask(question, html, name)
        if path.stem in chapters() and path.parent.name in LANGUAGES:
            built = built_page(path, html)
            for ask in OF_PAGES:
                walk.ask(ask, built, name)
    return walk


def built_page(path: Path, html: BeautifulSoup) -> Built:
    language, chapter = path.parent.name, path.stem
    editions = [ROOT / "book" / edition / chapter for edition in (language, "en")]
    names = [folder.with_suffix(suffix) for folder in editions for suffix in (".ipynb", ".md")]
    source = next(name for name in names if name.exists())
    return Built(path, language, chapter, source, html)


@of_every_page
def page_names_its_language_and_those_that_have_it_too(page: Built) -> None:
    assert page.html.html["lang"] == TAGS[page.language]
    alternates = {
        link["hreflang"]: urlsplit(link["href"]).path
        for link in page.head.select("link[rel=alternate][hreflang]")
    }
    sources = list(ROOT.glob(f"book/??/{page.chapter}.*"))
    there = {path.parent.name for path in sources}
    assert alternates.keys() == {TAGS[other] for other in there} | {"x-default"}
    for other in there:
        assert alternates[TAGS[other]].endswith(f"/{other}/{page.chapter}.html")
    assert alternates["x-default"].endswith(f"/en/{page.chapter}.html")


@of_every_page
def page_names_the_address_of_its_text(page: Built) -> None:
    canonical = page.html.find_all("link", rel="canonical")
    assert len(canonical) == 1
    written_in = page.source.parent.name  # English, where nobody has translated it yet
    assert canonical[0]["href"].endswith(f"/{written_in}/{page.chapter}.html")
    assert page.head.select_one("meta[property='og:url']")["content"] == canonical[0]["href"]


@of_every_page
def page_says_what_it_is_about(page: Built) -> None:
    description = page.head.select_one("meta[name=description]")["content"]
    assert 20 <= len(description) <= 200
    text = page.article.get_text(" ", strip=True)
    start = re.split(r"[√^_]", description)[0]  # a formula is written in letters there
    assert "".join(start.split())[:15] in "".join(text.split())
    assert "\\" not in description
    resource = json.loads(page.head.select_one("script[type='application/ld+json']").string)
    assert resource["@type"] == "LearningResource"
    assert resource["description"] == description
    assert resource["inLanguage"] == TAGS[page.source.parent.name]
    assert resource["license"].startswith("https://creativecommons.org/")


@of_every_page
def page_offers_a_card_and_says_what_it_shows(page: Built) -> None:
    said = {
        tag.get("property") or tag["name"]: tag["content"]
        for tag in page.head.select("meta[property^='og:'], meta[name^='twitter:']")
    }
    home = page.head.select_one("link[rel=alternate][hreflang=x-default]")["href"]
    home = home.removesuffix(f"en/{page.chapter}.html")
    heading = page.article.select_one("h1").get_text().removesuffix("#")
    heading = heading.replace(JOINER, "")  # for lines, of which a card has none
    assert "".join(said["og:title"].split()) == "".join(heading.split())
    name = f"cards/{page.chapter}.png"
    if not (ROOT / f"book/pictures/{page.chapter}.svg").exists():
        name = "card.png"
        assert "og:image:alt" not in said
    assert said["og:image"] == f"{home}_static/{name}"
    assert (page.path.parents[1] / "_static" / name).exists()
    assert said["twitter:card"] == ("summary" if name == "card.png" else "summary_large_image")
    if name != "card.png":
        shown = page.article.find_all("svg", class_="attn-picture")
        assert said["og:image:alt"] in {picture["aria-label"] for picture in shown}


@of_every_page
def title_says_nothing_twice(page: Built) -> None:
    parts = page.html.title.string.split(" – ")
    assert len(parts) == len(set(parts)) <= 2
    assert page.html.title.string.strip() == page.html.title.string


@of_every_page
def no_mark_of_the_source_is_left_in_the_text(page: Built) -> None:
    texts = page.article.find_all(string=True)
    assert len(texts) > 10
    marks = re.compile(r"\*\*|\]\(|\{(doc|ref|eq|term)\}|\$")
    code = ["code", "pre", "script", "style", "annotation"]
    assert [
        text
        for text in texts
        if marks.search(text)
        and not text.find_parent(code)
        and not text.find_parent(class_=["sig", "field-list"])
    ] == []


@of_every_page
def the_words_around_it_are_of_its_language(page: Built) -> None:
    """Scripts add to them: test_words.py."""
    said = phrases(page.html)
    assert len(said) > 20
    if page.language != "en":
        assert english_words(said, page.language) == set()


@of_every_page
def every_id_stands_once(page: Built) -> None:
    ids = [tag["id"] for tag in page.html.find_all(id=True)]
    assert [name for name, times in Counter(ids).items() if times > 1] == []


@of_every_page
def viewport_is_named_once(page: Built) -> None:
    assert len(page.html.find_all("meta", attrs={"name": "viewport"})) == 1


@of_every_page
def switcher_leads_to_the_same_chapter(page: Built) -> None:
    (switcher,) = page.html.find_all(class_="attn-languages")
    links = switcher.find_all("a")
    targets = [(page.path.parent / link["href"]).resolve() for link in links]
    chapter = f"{page.chapter}.html"
    assert targets == [(page.path.parents[1] / other / chapter).resolve() for other in LANGUAGES]
    assert all(target.exists() for target in targets)
    current = [link["data-language"] for link in links if link.has_attr("aria-current")]
    assert current == [page.language]


@of_every_page
def chapters_in_the_sidebar_come_in_one_order(page: Built) -> None:
    expected = []
    for chapter in LISTED:
        below = exhibits.PAGES if chapter["file"] == exhibits.CHAPTER else ()
        below = below or [section["file"] for section in chapter.get("sections", [])]
        branch = [chapter["file"], *below]
        expected += branch if page.chapter in branch else branch[:1]
    (sidebar,) = page.html.find_all("nav", class_="bd-docs-nav")
    links = sidebar.select("a.reference.internal")
    found = [
        page.chapter if link["href"] == "#" else link["href"].removesuffix(".html")
        for link in links
    ]
    assert found == expected
    for button in sidebar.select("summary"):
        assert button["aria-label"]


@of_every_page
def a_notebook_can_be_launched_and_downloaded(page: Built) -> None:
    launch = page.menus.select_one('.dropdown-launch-buttons a[href*="binder"]')
    google = page.menus.select_one('.dropdown-launch-buttons a[href*="colab"]')
    download = page.menus.select_one(".dropdown-more a.btn-download-source-button")
    target = page.path.parent / download["href"]
    if page.source.suffix == ".md":
        assert launch is google is None
        assert target.read_bytes() == page.source.read_bytes()
        return
    assert unquote(launch["href"]).endswith(f"urlpath=lab/tree/{page.source.relative_to(ROOT)}")
    assert f"/{urlsplit(REPOSITORY['url']).path.strip('/')}/" in launch["href"]
    repository = urlsplit(REPOSITORY["url"]).path
    place = f"blob/{anywhere.BRANCH}/{page.language}/{page.chapter}.ipynb"
    assert google["href"] == f"https://colab.research.google.com/github{repository}/{place}"
    site = page.head.select_one("link[rel=canonical]")["href"].rpartition(f"{page.language}/")[0]
    source, edition = json.loads(page.source.read_bytes()), edition_of(page.language)
    copy = anywhere.derive(source, edition, page.chapter, site)
    assert json.loads(target.read_bytes()) == copy
    pictures = re.findall(r"/(_static/pictures/[\w-]+\.svg)\)", str(copy))
    assert all((page.path.parents[1] / name).exists() for name in pictures)


@of_every_page
def edit_button_opens_the_source_of_this_page(page: Built) -> None:
    edit = page.menus.select_one(".dropdown-more a.btn-source-edit-button")
    assert edit["href"] == f"{REPOSITORY['url']}/edit/main/{page.source.relative_to(ROOT)}"


@of_every_page
def footer_names_both_licences(page: Built) -> None:
    footer = page.footer.select_one(".attn-licence")
    assert "CC BY 4.0" in footer.text
    assert "BSD-3-Clause" in footer.text


@of_every_page
def footer_leads_to_how_to_cite(page: Built) -> None:
    link = page.footer.select_one(".attn-licence a[href*='#']")
    name, _, target = link["href"].rpartition("#")
    cited = page.html if name == "" else read_once(page.path.parent / name)
    assert cited.find(id=target) is not None
    assert "@misc{" in cited.select_one("article pre").get_text()


@of_every_page
def footer_leads_to_the_form_in_the_page_s_language(page: Built) -> None:
    form = urlsplit(page.footer.select_one(".attn-report")["href"])
    asked = parse_qs(form.query)
    assert f"{form.scheme}://{form.netloc}{form.path}" == f"{REPOSITORY['url']}/issues/new"
    assert (ROOT / ".github/ISSUE_TEMPLATE" / asked["template"][0]).is_file()
    assert asked["template"] == [f"page-{page.language}.yml"]
    assert asked["page"][0].startswith("https://")
    assert asked["page"][0].endswith(f"/{page.language}/{page.chapter}.html ({__version__})")


@of_every_page
def only_pages_with_a_live_figure_load_its_script(page: Built) -> None:
    scripts = [script["src"] for script in page.html.find_all("script", src=True)]
    has_figure = page.html.find("attn-explorer") is not None
    assert ("../_static/attn/figures.js" in scripts) == has_figure


@of_every_page
def a_page_loads_the_styles_of_its_own_figures(page: Built) -> None:
    sheets = [sheet["href"] for sheet in page.html.find_all("link", rel="stylesheet")]
    named = [figure["data-figure"] for figure in page.html.find_all("attn-explorer")]
    wanted = ["figures", *(f"figures/{name}" for name in dict.fromkeys(named))] if named else []
    of_figures = sorted(sheet for sheet in sheets if "/attn/" in sheet)
    assert of_figures == sorted(f"../_static/attn/{name}.css" for name in wanted)
    # What stands in for them in a notebook stays there.
    assert not [
        style for style in page.html.find_all("style") if "attn-explorer" in style.get_text()
    ]


@of_every_file(least=50)
def it_holds_no_script_in_itself(page: BeautifulSoup) -> None:
    scripts = page.find_all("script", src=False)
    assert [str(tag) for tag in scripts if tag.get("type") in PROGRAMS] == []
    handlers = [name for tag in page.find_all(True) for name in tag.attrs if name.startswith("on")]
    assert handlers == []
    assert page.find_all("a", href=re.compile("^javascript:")) == []


@of_every_file(least=50)
def it_has_the_policy(page: BeautifulSoup) -> None:
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy["content"]
    assert policy.find_all_previous("script") == []  # they would not be held to it


@of_every_file(least=50)
def a_new_window_cannot_reach_back(page: BeautifulSoup) -> int:
    links = page.find_all("a", target="_blank")
    assert [link["href"] for link in links if "noopener" not in link.get("rel", [])] == []
    return len(links)


@of_every_file(least=1000)
def every_formula_is_mathml_with_its_tex(page: BeautifulSoup) -> int:
    formulas = page.find_all(class_="math")
    tex = "math annotation[encoding='application/x-tex']"
    assert [formula.text for formula in formulas if not formula.select_one(tex)] == []
    return len(formulas)


@pytest.mark.parametrize("question", [one.__name__ for one in (*OF_PAGES, *OF_FILES)])
def test_every_page(walk: Walk, question: str) -> None:
    assert walk.failures[question] == []
    assert walk.seen[question] >= LEAST[question]


def test_pages_load_nothing_from_another_host(site_folder: Path, walk: Walk) -> None:
    loaded = []
    for one in walk.namings:
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


def test_every_local_file_that_a_page_or_style_names_exists(site_folder: Path, walk: Walk) -> None:
    named = [(one.path, one.address) for one in walk.namings if one.address] + [
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


def test_links_to_files_of_the_repository_name_files_that_exist(walk: Walk) -> None:
    address = f"{REPOSITORY['url']}/blob/{REPOSITORY['branch']}/"
    addresses = {one.address or "" for one in walk.namings if one.tag == "a"}
    linked = [text.removeprefix(address) for text in addresses if text.startswith(address)]
    assert "CONTRIBUTING.md" in linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_what_the_build_leaves_behind_is_not_published(site_folder: Path) -> None:
    names = {path.name for path in site_folder.rglob("*")}
    assert not {"jupyter_execute", ".doctrees", ".buildinfo", "fontawesome.js"} & names
    assert not [name for name in names if name.endswith((".map", ".pickle", ".doctree"))]


def test_icon_fonts_hold_every_icon_that_the_pages_show(site_folder: Path, walk: Walk) -> None:
    styles = (site_folder / "_static/book.css").read_text(encoding="utf-8")
    fonts = re.findall(r"data:font/woff2;base64,([\w+/=]+)", styles)
    assert len(fonts) == 2
    held = {code for font in fonts for code in TTFont(BytesIO(b64decode(font))).getBestCmap()}
    theme = (THEME / "styles/pydata-sphinx-theme.css").read_text(encoding="utf-8")
    rules = re.findall(r'([^{}]*):before\{content:"\\([0-9a-f]{4})"\}', theme)
    glyph = {name: code for names, code in rules for name in re.findall(r"\.(fa-[\w-]+)", names)}
    shown = {
        name for one in walk.namings for name in one.attributes.get("class", []) if name in glyph
    }
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
