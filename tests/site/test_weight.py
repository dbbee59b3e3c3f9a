"""How light the site is: what a reader downloads, and what is kept of the packages' styles."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from reader import LANGUAGES

from book import atlas
from book._ext.editions.translation import chapters
from book._ext.site import scripts, styles
from book._tools import weight

# Bytes, compressed; `make weight` prints what they are. A chapter may have two figures. The promise
# is 150 kB for a first visit; nearer to it, it's time to look for what could be left out.
FIRST, NEXT = 146_500, 60_000
# The atlas grows by a row with each score: code, formula, costs and users.
ROW = 1_000


def test_first_visit_and_next_page_are_light(
    chromium: Browser, site_folder: Path, site: str
) -> None:
    pages = [f"en/{name}.html" for name in chapters()]
    # From front to back; the first chapter also brings the font of its formulas.
    added = weight.visits(chromium, site_folder, site, pages)
    following = dict(zip(pages[2:], (sum(sizes.values()) for sizes in added[2:]), strict=True))
    assert following.pop("en/scores.html") < ROW * len(atlas.rows())
    assert {page: size for page, size in following.items() if not 5_000 < size < NEXT} == {}
    # What adds most to others is the heaviest to begin with, the atlas too.
    adding = {page: sum(sizes.values()) for page, sizes in zip(pages, added, strict=True)}
    for page in (pages[0], *sorted(pages[1:], key=adding.__getitem__)[-5:]):
        (files,) = weight.visits(chromium, site_folder, site, [page])
        assert 20_000 < sum(files.values()) < FIRST, page


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_language_brings_only_its_own_words(
    chromium: Browser, site_folder: Path, site: str, language: str
) -> None:
    start = "ko" if language == "en" else "en"
    paths = [f"{code}/masked-softmax.html" for code in (start, language)]
    _, added = weight.visits(chromium, site_folder, site, paths)
    others = [name for name in added if not name.startswith(f"{language}/")]
    assert others == []
    assert [name for name in added if "_static" in name] == []
    assert sum(added.values()) < NEXT


def test_the_editions_share_their_files(site_folder: Path) -> None:
    assert [path for path in site_folder.glob("??/_static/**/*") if path.is_file()] == []


PACKAGE = """
/* a comment with .used { } in it */
@import "other.css";
@font-face { font-family: X; src: url(x.woff) }
:root { --pst-read: 1px; --pst-unread: 2px; --pst-through: var(--pst-read) }
.used, .unused { margin: var(--pst-read) }
.unused > .used { color: red }
a.used:not(.other)::after { content: "{;}" }
#here .used { color: blue }
#gone .used { color: green }
@media print { .used { color: black } .unused { color: white } }
@media screen { .unused { color: white } }
p { background: url("data:image/svg+xml;a,b") }
"""


def test_a_rule_stays_if_a_page_or_a_script_can_ask_for_it() -> None:
    known = styles.names(['<p class="used" id="here">unused gone'], ["let x = 'other'"])
    kept = styles.purged(PACKAGE, known)
    for rule in (
        ".used{margin",
        "a.used:not(.other)::after",
        "#here .used",
        "p{",
        'url("data:image/svg+xml;a,b")',
        "@media print {.used{color: black;}}".replace(";", ""),
    ):
        assert rule.replace(" ", "") in kept.replace(" ", ""), rule
    for gone in ("unused", "gone", "import", "font-face", "screen"):
        assert gone not in kept


def test_properties_that_nothing_reads_go() -> None:
    known = styles.names(['<p class="used" id="here">'], [])
    kept = styles.without_unused_properties([styles.purged(PACKAGE, known)], ["b { --own: 1 }"])
    assert "--pst-read" in kept
    assert "--pst-unread" not in kept
    assert "--pst-through" not in kept
    assert "--own: 1" in kept
    assert 'content: "{;}"' in kept


def test_styles_come_without_what_they_say_to_us(site_folder: Path) -> None:
    for name in ("book.css", "attn/figures.css", "attn/figures/mask.css"):
        assert "/*" not in (site_folder / "_static" / name).read_text(encoding="utf-8")


SCRIPT = """
/** What it is for. */
const a = b / c; // not a /regular expression/
const d = /\\/\\/  *[/"]/;  /* the rest */  const e = "//  no comment";
const f = `x  ${g ? ` // ${  h  }` : ""}  y`; /*
*/ i()
"""
LEAN = """const a = b / c;
const d = /\\/\\/  *[/"]/; const e = "//  no comment";
const f = `x  ${g ? ` // ${ h }` : ""}  y`;
i()
"""


def test_a_script_without_comments_does_the_same() -> None:
    assert scripts.without_comments(SCRIPT) == LEAN
    assert scripts.without_comments(LEAN) == LEAN


def test_scripts_come_without_what_they_say_to_us(site_folder: Path) -> None:
    shared = (site_folder / "_static/attn/figures.js").read_text(encoding="utf-8")
    assert "customElements.define" in shared
    for path in (site_folder / "_static").rglob("*.js"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.startswith((" ", "//", "/*"))] == [], path.name
