"""What a reader waits for: bytes of a first visit, time to a live figure, time to a redrawn table.

`make bench` prints a table for every page with a live figure. It measures, and judges nothing:
the numbers depend on the machine.
"""

import statistics
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from reader import LANGUAGES

from book._tools.browser import launch, served
from book._tools.weight import SITE, Traffic, watched

MOVES = 100

# Moves a slider to and fro as a hand does, and takes the time from its event to the changed and
# laid out figure.
MOVE = """async ([slider, moves]) => {
  const figure = slider.closest("attn-explorer");
  const times = [];
  for (let move = 0; move < moves; move += 1) {
    const redrawn = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`${slider.name} changes nothing`)), 5000);
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(figure, { subtree: true, childList: true, characterData: true });
    });
    slider.value = move % 2 ? slider.min : slider.max;
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await redrawn;
    figure.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def first_visit(browser: Browser, address: str) -> tuple[Page, Traffic, float]:
    """Open a page with an empty cache; the time is that from the click to the last live figure."""
    page, traffic = watched(browser, SITE)
    page.goto(address)
    expect(page.locator("attn-explorer:not([data-ready])")).to_have_count(0)
    ready = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    return page, traffic, ready


def redraws(page: Page) -> list[float]:
    """Milliseconds from slider event to redrawn figure, over the first slider of each figure."""
    times: list[float] = []
    for figure in page.locator("attn-explorer").all():
        slider = figure.locator("input[type=range]").first
        if slider.count():
            times += page.evaluate(MOVE, [slider.element_handle(), MOVES])
    return times


def pages(language: str) -> list[Path]:
    """The pages of an edition that have a live figure."""
    found = sorted((SITE / language).glob("*.html"))
    return [path for path in found if "<attn-explorer" in path.read_text(encoding="utf-8")]


def main() -> None:
    """Measure every page with a live figure."""
    print(
        f"{'page':<32}{'files':>6}{'KB':>8}{'KB gzip':>9}{'live ms':>9}{'redraw ms':>11}{'p95':>6}"
    )
    with sync_playwright() as playwright, launch(playwright) as browser, served(SITE) as address:
        for path in (path for language in LANGUAGES for path in pages(language)):
            name = path.relative_to(SITE).as_posix()
            page, traffic, ready = first_visit(browser, f"{address}/{name}")
            times = redraws(page)
            p95 = statistics.quantiles(times, n=20)[-1]
            print(
                f"{name:<32}{traffic.files:>6}{traffic.plain / 1000:>8.0f}"
                f"{traffic.compressed / 1000:>9.0f}{ready:>9.0f}"
                f"{statistics.median(times):>11.1f}{p95:>6.1f}"
            )
            page.context.close()


if __name__ == "__main__":
    main()
