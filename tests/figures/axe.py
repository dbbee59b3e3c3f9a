"""What axe finds on a page, by the rules of WCAG 2.2 A and AA and axe's best practice."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

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


def found(page: Page, part: str | None = None) -> list[tuple[str, str]]:
    """(rule, the first element that breaks it) for each broken rule in a page or its part."""
    return broken(page, part, rules={CONTRAST: {"enabled": False}}) + pale(page, part or "")


def pale(page: Page, part: str = "") -> list[tuple[str, str]]:
    """The same for the rule of contrast alone."""
    page.evaluate(MARK_LOOKS)
    return broken(page, f"{part} [data-look]", runOnly=[CONTRAST])


def in_both_themes(page: Page, part: str | None = None) -> list[tuple[str, str]]:
    """The same for all rules in light, where a page begins, and for contrast in dark."""
    light = found(page, part)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = pale(page, part or "")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    return light + dark


def broken(page: Page, part: str | None = None, **options: Any) -> list[tuple[str, str]]:
    """The same for some rules, in the whole page or the parts that a selector names."""
    results = Axe().run(page, context=part, options=OPTIONS | options).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in results if rule["id"] != MISREAD]
