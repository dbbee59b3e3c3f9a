"""From HTML to PDF: the fonts that a language needs, page numbers, and nothing cut off."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from playwright.sync_api import Browser, Page, Route
from pypdf import PdfReader

# The site's layout is kept and printed smaller: 16 pixels of text are 9.6 points on paper.
SCALE = 0.8
SIDES = 16  # millimetres beside the text, as in paper.css
WIDTH = int((210 - 2 * SIDES) / 25.4 * 96 / SCALE)
HEIGHT = (
    int((297 - 34) / 25.4 * 96 / SCALE) - 90
)  # of a figure, below the line of code that shows it
PASSES = 4  # two are enough, unless a number is so much longer that a line breaks elsewhere


@dataclass(frozen=True)
class Script:
    """What Chromium needs to write a language."""

    families: tuple[str, ...]  # any of them will do
    sample: str
    package: str  # where Debian has the first of them


SCRIPTS = {
    "ko": Script(
        ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic"),
        "한글",
        "fonts-noto-cjk",
    ),
    "zh": Script(
        ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei"),
        "汉字",
        "fonts-noto-cjk",
    ),
}

# What is wider than the column is set smaller until it fits; what still sticks out is named.
# A figure that is a little too long for a page is set smaller too.
FIT = """(height) => {
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (!["auto", "scroll"].includes(style.overflowX) || element.closest("svg, math")) continue;
    for (let i = 0; i < 3 && element.scrollWidth > element.clientWidth + 1; i++) {
      element.style.zoom = (Number(style.zoom) * element.clientWidth / element.scrollWidth) * 0.995;
    }
    element.style.overflow = "visible";
  }
  for (const figure of document.querySelectorAll(".attn-figure")) {
    const times = figure.getBoundingClientRect().height / height;
    if (times > 1 && times < 1.2) figure.style.zoom = 0.98 / times;
    if (times < 1.2) figure.style.breakInside = "avoid";
  }
  const edge = document.documentElement.clientWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter((element) => !element.closest(".attn-sr, .attn-wall, svg"))
    .filter((element) => element.getBoundingClientRect().right > edge)
    .map((element) => `${element.closest("[id]")?.id}: ${element.tagName} ${element.className}`);
}"""


def need_fonts(browser: Browser, code: str, scripts: dict[str, Script] = SCRIPTS) -> None:
    """Make sure that the letters of an edition are there.

    Raises:
        RuntimeError: They are not; the message names the package that has them.
    """
    script = scripts.get(code)
    if script is None:
        return
    page = browser.new_page()
    try:
        families = ", ".join(f"'{family}'" for family in script.families)
        page.set_content(f'<p style="font-family: {families}">{script.sample}</p>')
        devtools = page.context.new_cdp_session(page)
        devtools.send("DOM.enable")
        devtools.send("CSS.enable")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "p"})["nodeId"]
        used = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    finally:
        page.close()
    if not {font["familyName"] for font in used} & set(script.families):
        raise RuntimeError(
            f"No font for the edition {code!r}: one of {', '.join(script.families)} is needed.\n"
            f"On Debian: apt-get install {script.package}"
        )


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
        pdf = printed(browser, write(numbers), address)
        found = places(PdfReader(BytesIO(pdf)))
        if found == numbers:
            return pdf, numbers
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
