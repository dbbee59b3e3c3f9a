"""Live figures as they look on the page: the first state, and the surprising case.

Most figures draw by script, so their page is opened in the browser. What it shows is taken over as
HTML and SVG; what can be moved is left out.
"""

from collections.abc import Iterable
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from attn_lib.live.figures import FIGURES

WIDTH = 760  # pixels: as wide as a figure becomes
READY = 'attn-explorer[data-figure="{}"][data-ready]:not([data-waiting])'
TIMEOUT = 30_000
# Drawings have their sizes a frame after their figure has its script.
DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"

# A drawing gets a viewBox, so that it may be printed in another size than it was measured for.
TAKE = """(explorer) => {
  const view = explorer.querySelector(".attn-body > .attn-view");
  const drawings = [...view.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect());
  const copy = view.cloneNode(true);
  copy.querySelectorAll("svg").forEach((svg, i) => {
    if (svg.hasAttribute("viewBox") || !drawings[i].width) return;
    svg.setAttribute("viewBox", `0 0 ${drawings[i].width} ${drawings[i].height}`);
  });
  const picked = copy.querySelectorAll("label:has(:checked)");
  for (const label of picked) label.classList.add("attn-picked");
  const moved = "input, select, button, .attn-control, .attn-handle, .attn-preset";
  for (const element of copy.querySelectorAll(moved)) element.remove();
  for (const element of copy.querySelectorAll(".attn-live")) element.classList.remove("attn-live");
  return copy.outerHTML;
}"""

# Followed as a link on the page would be, and painted before the answer comes.
FOLLOW = """(link) => new Promise((done) => {
  addEventListener("hashchange", () => requestAnimationFrame(done), { once: true });
  location.hash = link;
})"""


class Stills(NamedTuple):
    """The view of one figure in two states, as HTML."""

    first: str
    surprise: str


def take(browser: Browser, address: str, names: Iterable[str]) -> dict[str, Stills]:
    """Open a built page and take its figures.

    Args:
        browser: A Chromium.
        address: Where the page is served.
        names: The figures on it.

    Returns:
        The stills of each figure.
    """
    context = browser.new_context(
        bypass_csp=True,
        reduced_motion="reduce",
        viewport={"width": 1280, "height": 1000},
    )
    try:
        page = context.new_page()
        page.goto(address)
        page.add_style_tag(
            content=f".attn-figure.attn-figure {{ width: {WIDTH}px; max-width: none }}"
        )
        # A figure in a closed box has no size to draw in.
        page.evaluate("document.querySelectorAll('details').forEach((box) => (box.open = true))")
        return {name: _of_figure(page, name) for name in names}
    finally:
        context.close()


def _of_figure(page: Page, name: str) -> Stills:
    figure = FIGURES[name]
    ready = page.locator(READY.format(name))
    views = []
    for settings in ({}, figure.surprise):
        ready.wait_for(state="attached", timeout=TIMEOUT)
        if settings:
            page.evaluate(FOLLOW, figure.fragment(figure.state(**settings)))
            ready.wait_for(state="attached", timeout=TIMEOUT)
        ready.scroll_into_view_if_needed()
        page.evaluate(DRAWN)
        views.append(ready.evaluate(TAKE))
    return Stills(*views)
