"""From HTML to PDF: page numbers, and nothing cut off."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, Route
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

# The site's layout is kept and printed smaller: 16 pixels of text are 9.6 points on paper.
SCALE = 0.8
SIDES = 16  # millimetres beside the text, as in paper.css
WIDTH = int((210 - 2 * SIDES) / 25.4 * 96 / SCALE)
HEIGHT = int((297 - 34) / 25.4 * 96 / SCALE) - 90  # of a page below a line of code
PASSES = 4  # two are enough, unless a number is so much longer that a line breaks elsewhere

# What is wider than the column is set smaller until it fits; what still sticks out is named.
# A figure that is a little too long for a page is set smaller too.
# Sizes are all read before one is written: the browser lays out the whole book after each change.
FIT = """(height) => {
  const all = [...document.querySelectorAll("body *:not(svg *, math *)")];
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const scrolling = all.filter(scrolls);
  const zoom = new Map();
  for (let i = 0; i < 3; i++) {
    const wide = scrolling.filter((element) => element.scrollWidth > element.clientWidth + 1);
    const ratios = wide.map((element) => element.clientWidth / element.scrollWidth);
    wide.forEach((element, j) => {
      zoom.set(element, (zoom.get(element) ?? 1) * ratios[j] * 0.995);
      element.style.zoom = zoom.get(element);
    });
  }
  for (const element of scrolling) element.style.overflow = "visible";
  const figures = [...document.querySelectorAll(".attn-figure")];
  const times = figures.map((figure) => figure.getBoundingClientRect().height / height);
  figures.forEach((figure, i) => {
    if (times[i] > 1 && times[i] < 1.25) figure.style.zoom = 0.98 / times[i];
  });
  const edge = document.documentElement.clientWidth + 1;
  return all
    .filter((element) => element.getBoundingClientRect().right > edge)
    .filter((element) => !element.closest(".attn-sr, .attn-wall"))
    .map((element) => `${element.closest("[id]")?.id}: ${element.tagName} ${element.className}`);
}"""


def printed(browser: Browser, html: str, address: str) -> bytes:
    """Print a page.

    Args:
        browser: A Chromium.
        html: The page.
        address: Where it would stand on the served site: its style sheets are looked up from there.

    Returns:
        The PDF.

    Raises:
        RuntimeError: Something would be cut off at the right edge.
    """
    # Wide enough for a column of the width that it has on paper.
    page = browser.new_page(viewport={"width": WIDTH, "height": 1000})
    try:
        page.route(address, lambda route: _answer(route, html))
        page.emulate_media(media="print")
        page.goto(address, wait_until="load")
        page.evaluate("document.fonts.ready.then(() => true)")
        if cut := page.evaluate(FIT, HEIGHT):
            raise RuntimeError("Wider than a page: " + "; ".join(cut[:20]))
        return _pdf(page)
    finally:
        page.close()


def _answer(route: Route, html: str) -> None:
    route.fulfill(body=html, content_type="text/html; charset=utf-8")


def _pdf(page: Page) -> bytes:
    return page.pdf(
        prefer_css_page_size=True,
        scale=SCALE,
        print_background=True,
        outline=True,
        tagged=True,
    )


def with_page_numbers(
    browser: Browser, write: Callable[[dict[str, int]], str], address: str
) -> tuple[bytes, dict[str, int]]:
    """Print a page that names its own page numbers.

    Args:
        browser: A Chromium.
        write: Gives the HTML, from the page of each place that a link leads to.
        address: Where it would stand on the served site.

    Returns:
        The PDF, and the page of each place.
    """
    numbers: dict[str, int] = {}
    for _ in range(PASSES):
        html = write(numbers)
        pdf = printed(browser, html, address)
        found = places(PdfReader(BytesIO(pdf)))
        if found == numbers:
            return _with_titles(pdf, headings(html)), numbers
        numbers = found
    raise RuntimeError("The page numbers change with every printing.")


def places(reader: PdfReader) -> dict[str, int]:
    """The page of each place that a link leads to, counted from 1."""
    found = {}
    for name, place in reader.named_destinations.items():
        page = reader.get_destination_page_number(place)
        if page is not None:
            found[name.removeprefix("/")] = page + 1
    return found


def headings(html: str) -> list[str]:
    """The words of all headings, in their order."""
    found = BeautifulSoup(html, "html.parser").select("h1, h2, h3, h4, h5, h6")
    return [" ".join(heading.get_text().split()) for heading in found]


def _with_titles(pdf: bytes, titles: list[str]) -> bytes:
    """Give the outline its words: Chromium loses spaces where lines break, and doubles some.

    Raises:
        RuntimeError: There are more or fewer headings than entries.
    """
    writer = PdfWriter(clone_from=BytesIO(pdf))
    entries = list(_entries(writer.root_object["/Outlines"]))
    if len(entries) != len(titles):
        raise RuntimeError(f"{len(titles)} headings, {len(entries)} entries of the outline")
    for entry, title in zip(entries, titles, strict=True):
        entry[NameObject("/Title")] = TextStringObject(title)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def _entries(parent: Any) -> Iterator[Any]:
    """The entries of an outline below one of them, in reading order."""
    child = parent.get_object().get("/First")
    while child is not None:
        entry = child.get_object()
        yield entry
        yield from _entries(entry)
        child = entry.get("/Next")
