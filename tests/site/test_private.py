"""The policy of scripts, and pages that do without what a browser may refuse."""

import pytest
from playwright.sync_api import expect
from reader import Visit

CHAPTER = "masked-softmax"

REFUSE_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("refused", "SecurityError"); },
  });
"""
FULL_STORAGE = """
Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
"""


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


@pytest.mark.parametrize("script", [REFUSE_STORAGE, FULL_STORAGE], ids=["refused", "full"])
def test_pages_work_where_storage_does_not(visit: Visit, site: str, script: str) -> None:
    page = visit(f"{site}/en/index.html", color_scheme="light")
    page.add_init_script(script)
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
