"""A page of each kind with its figures live, by axe; what words can break, in every language.

Pages of a kind share their frame and styles, and every figure is looked at in both themes on its
bare page (tests/figures/test_read.py). Colours and structure are the same in every edition
(tests/editions holds that), so all rules are for the English pages.
"""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe import CONTRAST, broken, found, in_both_themes
from built import REPOSITORY
from reader import LANGUAGES, Visit

from book._tools.browser import served

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
# Opening page, chapter, tabs, atlas, terms, sources, tables, a page of the library, prose, search.
PAGES = [
    *("index", "masked-softmax", "other-frameworks", "scores", "glossary", "references"),
    *("notation", "api-scoring", "accessibility", "search"),
]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visit: Visit, site: str, name: str) -> None:
    assert in_both_themes(visit(f"{site}/en/{name}.html", color_scheme="light")) == []


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
