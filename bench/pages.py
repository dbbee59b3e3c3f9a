"""What a reader waits for: bytes of a first visit, time to a live figure, time to a redrawn table.

`make bench` prints a table for every page with a live figure: its bytes and the time to a live
figure on this machine, and the rest as on a slow phone (1.6 Mbit/s, answers after 150 ms, a
processor four times slower). A frame lasts 16.7 ms. It measures, and judges nothing: the numbers
depend on the machine.

The machine has other things to do meanwhile, and the same move takes twice as long one time as
another. So each move is made five times or more, and its median counts: `redraw` is the median of
these over the moves of a slider, `p95` is what 95 % of its moves stay below. `single p95` is that
of all measurements, with what the machine did in between. All are of the slowest slider.
"""

import statistics
from io import BytesIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from reader import LANGUAGES, live

from book._tools.browser import QuietHandler, launch, served
from book._tools.weight import SITE, Traffic, sent, watched

MOVES = 150  # of each slider
STRETCH = 15  # so many steps to and so many fro: each move is made five times
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 2e5}
SLOWER = 4
PHONE = {"width": 360, "height": 740}

Move = tuple[str, float]  # which it was, and how many milliseconds it took

# When the last figure came to life, and how long the main thread was busy at a stretch. The page
# keeps the time itself: asking it would wait for the same thread.
WATCH = """
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
  }).observe({ type: "longtask", buffered: true });
  new MutationObserver(() => {
    window.ready = performance.now();
  }).observe(document, { subtree: true, attributeFilter: ["data-ready"] });
"""

# Moves a slider to and fro in its steps, as a reader does, and takes the time from its event to the
# changed and laid out figure; returns each with the move that it was.
MOVE = """async ([slider, moves, stretch]) => {
  const figure = slider.closest("attn-explorer");
  const times = [];
  let [step, gone] = [1, 0];
  for (let move = 0; move < moves; move += 1) {
    const redrawn = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`${slider.name} changes nothing`)), 5000);
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(figure, { subtree: true, childList: true, characterData: true });
    });
    const end = step > 0 ? slider.max : slider.min;
    if (slider.value === end || gone === stretch) [step, gone] = [-step, 0];
    gone += 1;
    slider.stepUp(step);
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await redrawn;
    figure.getBoundingClientRect();
    times.push([`${slider.value} by ${step}`, performance.now() - start]);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""


def first_visit(browser: Browser, address: str) -> tuple[Page, Traffic, float]:
    """Open a page with an empty cache; the time is that from the click to the last live figure."""
    page, traffic = watched(browser, SITE)
    page.add_init_script(WATCH)
    page.goto(address)
    ready = live(page).evaluate("window.ready")
    page.wait_for_load_state("networkidle")
    return page, traffic, ready


class Compressing(QuietHandler):
    """A server that compresses text, as hosts do."""

    def send_head(self) -> Any:
        """Send the headers; return what is to follow them."""
        path = Path(self.translate_path(self.path))
        body, compressed = sent(path) if path.is_file() else (b"", False)
        if not compressed:
            return super().send_head()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)


def slow_visit(browser: Browser, address: str) -> tuple[float, float, list[list[Move]]]:
    """As on a slow phone: milliseconds to the last live figure; the longest task; the redraws."""
    context = browser.new_context(viewport=PHONE)
    context.add_init_script(WATCH)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address)
    live(page, timeout=60_000)
    page.wait_for_timeout(1000)  # what waited for the figures comes now
    ready, longest = page.evaluate("[window.ready, window.longest]")
    times = redraws(page)
    context.close()
    return ready, longest, times


def redraws(page: Page) -> list[list[Move]]:
    """The moves of each slider that moves something, each until the figure is redrawn."""
    sliders = page.locator("attn-explorer input[type=range]:enabled").filter(visible=True)
    times = []
    for slider in sliders.all():
        # The pointer is there before it moves the slider: a figure may fetch what it computes with.
        slider.focus()
        page.wait_for_timeout(500)
        times.append(page.evaluate(MOVE, [slider.element_handle(), MOVES, STRETCH]))
    return times


def typical(moves: list[Move]) -> list[float]:
    """The median time of each move that was made several times."""
    times: dict[str, list[float]] = {}
    for move, time in moves:
        times.setdefault(move, []).append(time)
    return [statistics.median(of_one) for of_one in times.values()]


def p95(times: list[float]) -> float:
    """What 95 % of some times stay below."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]


def pages(language: str) -> list[Path]:
    """The pages of an edition that have a live figure."""
    found = sorted((SITE / language).glob("*.html"))
    return [path for path in found if "<attn-explorer" in path.read_text(encoding="utf-8")]


def main() -> None:
    """Measure every page with a live figure."""
    print(
        f"{'page':<32}{'files':>6}{'KB':>8}{'KB gzip':>9}{'live ms':>9}"
        f"{'slow: live ms':>15}{'task ms':>9}{'redraw ms':>11}{'p95':>6}{'single p95':>12}"
    )
    with (
        sync_playwright() as playwright,
        launch(playwright) as browser,
        served(SITE, Compressing) as address,
    ):
        for path in (path for language in LANGUAGES for path in pages(language)):
            name = path.relative_to(SITE).as_posix()
            slow, longest, times = slow_visit(browser, f"{address}/{name}")
            page, traffic, ready = first_visit(browser, f"{address}/{name}")
            redrawn = f"{'no slider':>11}"
            if times:
                typicals = [typical(moves) for moves in times]
                single = max(p95([time for _, time in moves]) for moves in times)
                redrawn = (
                    f"{max(map(statistics.median, typicals)):>11.1f}"
                    f"{max(map(p95, typicals)):>6.1f}{single:>12.1f}"
                )
            print(
                f"{name:<32}{traffic.files:>6}{traffic.plain / 1000:>8.0f}"
                f"{traffic.compressed / 1000:>9.0f}{ready:>9.0f}"
                f"{slow:>15.0f}{longest:>9.0f}{redrawn}",
                flush=True,
            )
            page.context.close()


if __name__ == "__main__":
    main()
