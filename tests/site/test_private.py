"""No script but the site's own files, and pages that do without what a browser may refuse."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect
from reader import Visit, read

CHAPTER = "masked-softmax"
# Types that a browser runs; JSON in a script element is data.
PROGRAMS = {None, "", "module", "text/javascript", "importmap"}

REFUSE_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("refused", "SecurityError"); },
  });
"""
FULL_STORAGE = """
Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
"""


@dataclass(frozen=True)
class Found:
    """What a page has that could run a script or reach another window."""

    inline: list[str]
    handlers: list[tuple[str, str]]
    script_links: list[str]
    policy: str
    before_policy: int  # scripts that are not held to it
    new_windows: list[list[str]]  # the rel of each link that opens one


@pytest.fixture(scope="module")
def pages(site_folder: Path) -> dict[Path, Found]:
    """Each page is parsed once for all questions."""
    found = {}
    for path in sorted(site_folder.rglob("*.html")):
        page = read(path)
        scripts = page.select("script:not([src])")
        policy = page.select_one("meta[http-equiv=Content-Security-Policy]")
        found[path] = Found(
            inline=[str(tag) for tag in scripts if tag.get("type") in PROGRAMS],
            handlers=[
                (tag.name, name)
                for tag in page.find_all(True)
                for name in tag.attrs
                if name.startswith("on")
            ],
            script_links=[str(tag) for tag in page.select("a[href^='javascript:']")],
            policy=policy["content"],
            before_policy=len(policy.find_all_previous("script")),
            new_windows=[link.get("rel", []) for link in page.select("a[target=_blank]")],
        )
    return found


def test_no_page_holds_a_script_in_itself(pages: dict[Path, Found]) -> None:
    assert len(pages) > 50
    for path, page in pages.items():
        assert (page.inline, page.handlers, page.script_links) == ([], [], []), path


def test_every_page_has_the_policy(pages: dict[Path, Found]) -> None:
    for path, page in pages.items():
        assert "script-src 'self' 'wasm-unsafe-eval';" in page.policy, path
        assert page.before_policy == 0, path


def test_the_policy_stops_a_script_of_others(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.intruder = true";
          document.body.append(script);
          const picture = "<img src='data:,' onerror='window.intruder = true'>";
          document.body.insertAdjacentHTML("beforeend", picture);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.intruder") is None
    assert any("Content Security Policy" in error for error in visit.errors)
    visit.errors.clear()  # they are what this test wanted to see


def test_a_new_window_cannot_reach_back(pages: dict[Path, Found]) -> None:
    rels = [rel for page in pages.values() for rel in page.new_windows]
    assert len(rels) > 50
    assert [rel for rel in rels if "noopener" not in rel] == []


@pytest.mark.parametrize("script", [REFUSE_STORAGE, FULL_STORAGE], ids=["refused", "full"])
def test_pages_work_where_storage_does_not(visit: Visit, site: str, script: str) -> None:
    page = visit(f"{site}/en/index.html", color_scheme="light")
    page.context.add_init_script(script)
    page.goto(f"{site}/en/{CHAPTER}.html")
    expect(page.locator("attn-explorer").first).to_have_attribute("data-ready", "")
    button = page.locator(".theme-switch-button").first
    button.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Control+k")
    expect(page.locator("#pst-search-dialog input")).to_be_focused()
    page.keyboard.type("softmax")
    expect(page.locator("#pst-search-dialog .attn-results a").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".attn-languages summary").click()
    page.locator(".attn-languages a[data-language=ko]").click()
    page.wait_for_url(f"**/ko/{CHAPTER}.html")


def test_a_figure_whose_script_does_not_come_says_so(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/index.html")
    script = "**/attn/figures/mask.js"
    page.route(script, lambda route: route.abort())
    page.goto(f"{site}/ko/{CHAPTER}.html")
    figure = page.locator("attn-explorer")
    note = figure.locator(".attn-failed")
    expect(note).to_be_visible()
    expect(figure.locator("td[data-weight]").first).to_be_visible()  # the still figure stays
    assert any("could not be loaded" in error for error in visit.errors)
    visit.errors.clear()
    page.unroute(script)
    note.locator("button").click()
    expect(figure).to_have_attribute("data-ready", "")
    expect(note).to_be_hidden()
