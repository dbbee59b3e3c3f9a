"""Every page with its figures live, by the rules of WCAG 2.2 A and AA and axe's best practice.

Colours and structure are the same in every edition (tests/editions holds that), so all rules are
for the English pages, in both themes; those that words can break, for a page of each kind.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from built import REPOSITORY
from playwright.sync_api import Page
from reader import LANGUAGES, Visit

from book._ext.editions.translation import chapters
from book._tools.browser import served

# Without its preload, which fetches style sheets a second time and logs what it cannot read.
OPTIONS: dict[str, Any] = {"preload": False, "resultTypes": ["violations"]}
CONTRAST = "color-contrast"
# axe does not read MathML, so a column that is headed by a formula is empty to it; heads that are
# empty indeed are none on our pages (book/_ext/site/page.py).
MISREAD = "empty-table-header"
# Contrast is a matter of colours and size, so one text of each look tells it; for all of them axe
# takes most of its time.
MARK_LOOKS = """() => {
  const seen = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (!element.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight];
    for (let box = element; box; box = box.parentElement) {
      // A weight has its shade beside it.
      for (const behind of [box, ...box.querySelectorAll(":scope > .attn-shade")]) {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(behind);
        look.push(backgroundColor, backgroundImage, opacity);
      }
    }
    element.toggleAttribute("data-look", !seen.has(look.join()));
    seen.add(look.join());
  }
}"""
# Rules that look at names, titles, languages and headings: at what a translator writes.
OF_WORDS = [
    "aria-command-name",
    "aria-input-field-name",
    "aria-toggle-field-name",
    "aria-tooltip-name",
    "button-name",
    "document-title",
    "empty-heading",
    "frame-title",
    "heading-order",
    "html-has-lang",
    "html-lang-valid",
    "image-alt",
    "image-redundant-alt",
    "input-button-name",
    "label",
    "label-content-name-mismatch",
    "label-title-only",
    "landmark-unique",
    "link-name",
    "page-has-heading-one",
    "role-img-alt",
    "select-name",
    "summary-name",
    "svg-img-alt",
    "valid-lang",
]
PAGES = [*chapters(), "search"]


def found(page: Page) -> list[tuple[str, str]]:
    """(rule, the first element that breaks it) for each broken rule."""
    return broken(page, rules={CONTRAST: {"enabled": False}}) + pale(page)


def pale(page: Page) -> list[tuple[str, str]]:
    """The same for the rule of contrast alone."""
    page.evaluate(MARK_LOOKS)
    return broken(page, "[data-look]", runOnly=[CONTRAST])


def broken(page: Page, part: str | None = None, **options: Any) -> list[tuple[str, str]]:
    """The same for some rules, in the whole page or the parts that a selector names."""
    results = Axe().run(page, context=part, options=OPTIONS | options).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in results if rule["id"] != MISREAD]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visit: Visit, site: str, name: str) -> None:
    page = visit(f"{site}/en/{name}.html", color_scheme="light")
    assert found(page) == []
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert pale(page) == [], "dark"


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", ["index", "masked-softmax", "other-frameworks", "search"])
def test_axe_finds_nothing_in_the_words(visit: Visit, site: str, language: str, name: str) -> None:
    page = visit(f"{site}/{language}/{name}.html")
    assert broken(page, runOnly=OF_WORDS) == []


@pytest.mark.parametrize(
    "path", ["masked-softmax.html", "masked-softmax.html?present", "search.html"]
)
def test_what_is_announced_can_be_read_as_well(visit: Visit, site: str, path: str) -> None:
    """Of a status bar, which an output is too, Orca says the name and leaves out the text."""
    page = visit(f"{site}/en/{path}")
    assert page.locator("[aria-live]").count() > 0
    status = page.locator('[role="status"], output:not([aria-hidden="true"])')
    assert status.count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    ["index.html", "en/masked-softmax.html?present", "zh/masked-softmax.html?embed"],
)
def test_axe_finds_nothing_beside_the_chapters(
    visit: Visit, site: str, path: str, scheme: str
) -> None:
    assert found(visit(f"{site}/{path}", color_scheme=scheme)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_an_address_leads_nowhere(
    visit: Visit, site_folder: Path, tmp_path: Path, scheme: str
) -> None:
    # That page names its files from the root.
    name = urlsplit(REPOSITORY["url"]).path.rpartition("/")[2]
    (tmp_path / name).symlink_to(site_folder)
    with served(tmp_path) as host:
        assert found(visit(f"{host}/{name}/404.html", color_scheme=scheme)) == []
        visit.close()


def test_axe_sees_what_is_wrong(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/references.html")
    page.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("beforeend",
          "<img src='data:,'><p style='color: #ccc; background: #fff'>pale</p>")"""
    )
    assert {"image-alt", CONTRAST} <= {rule for rule, _ in found(page)}
    visit.errors.clear()  # the picture is none


# Keyboard

# Focus is seen by an outline, or by something that the focused element shows and others do not.
SHOWN = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const looks = (one) => {
    const style = getComputedStyle(one);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor,
      style.backgroundColor, style.textDecoration].join();
  };
  const near = [element.closest("label"), element.nextElementSibling, element.parentElement];
  const about = [element, ...near];
  const focused = about.map((one) => one && looks(one)).join(";");
  const ring = about.some((one) => one && getComputedStyle(one).outlineStyle !== "none"
    && parseFloat(getComputedStyle(one).outlineWidth) >= 2);
  element.blur();
  const plain = about.map((one) => one && looks(one)).join(";");
  element.focus({ preventScroll: true });
  const box = element.getBoundingClientRect();
  return { name: element.outerHTML.slice(0, 120), seen: ring || focused !== plain,
    figure: !!element.closest("attn-explorer"), there: box.width > 0 && box.height > 0 };
}"""
WALKED = ["index", "masked-softmax", "other-frameworks", "queries-keys-values"]


@pytest.mark.parametrize(
    ("name", "scheme"), [*((name, "light") for name in WALKED), ("masked-softmax", "dark")]
)
def test_focus_is_seen_at_every_stop(visit: Visit, site: str, name: str, scheme: str) -> None:
    page = visit(f"{site}/en/{name}.html", color_scheme=scheme)
    page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
    page.evaluate("document.activeElement.blur()")
    unseen, stops = [], 0
    for _ in range(300):
        page.keyboard.press("Tab")
        stop = page.evaluate(SHOWN)
        if stop is None:
            break
        stops += 1
        if not (stop["seen"] and stop["there"]):
            unseen.append(stop["name"])
    assert stops > 10
    assert unseen == []


@pytest.mark.parametrize("name", ["masked-softmax", "additive-attention", "reading-dates"])
def test_few_stops_lead_to_the_figure(visit: Visit, site: str, name: str) -> None:
    page = visit(f"{site}/en/{name}.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skip to the content
    stops = 1
    while not page.evaluate("document.activeElement.closest('attn-explorer') !== null"):
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= 25  # the words that its question needs stand above it, with their links
