"""How long a page is, and how far down its figure: `make measure` prints a table of all pages.

The numbers are those of the built English page, as a reader meets it with every box closed:
words are what stands there to be read, pixels are taken in a browser. A chapter that has a cell
`picture` is held to the limits that `faults` knows.
"""

import argparse
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, ViewportSize, sync_playwright
from sphinx_external_toc.parsing import parse_toc_yaml

from book._tools.browser import await_fonts, launch, served
from book._tools.columns import columns
from book._tools.editions.read import read_cells
from book._tools.notebooks import BOOK

SITE = BOOK.parent / "_build" / "html"
DESKTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740)
MOST_WORDS = 2450
MOST_PIXELS = 14_000
FIGURE_WITHIN = 1_800
PENCIL_FIRST = {"a-model-that-writes": 3_200}  # its bet stands on what the pencil finds
LONGEST_LINE = 76  # fits the column at 1280, in a closed box as well

# Neither code nor what code printed, nor formulas on a line of their own, nor figures, are words.
NOT_PROSE = "pre, .cell_output, div.math, attn-explorer, svg, .headerlink, .attn-code > summary"
MINUTES = re.compile(r"about (\d+) minutes")


@dataclass(frozen=True)
class Shape:
    """What was measured of one page."""

    page: str
    limited: bool  # a chapter that is held to the limits
    core: int  # words outside closed boxes
    curious: int  # words in boxes for the curious, without the answers there
    answers: int  # words in all other boxes: solutions, hints
    code: int  # lines of code outside closed boxes
    longest: int  # characters of the longest line of code, wherever it stands
    exercises: int  # outside the boxes for the curious
    stated: int | None  # minutes, in the box of the question
    pixels: int  # height at 1280
    figure: int | None  # top of the first figure at 1280
    pictures: int
    sideways: int  # pixels by which the page is wider than a phone of 360

    @property
    def minutes(self) -> int:
        """The honest time: 170 words or 8 lines of code a minute, and 3 minutes an exercise."""
        return 5 * math.ceil((self.core / 170 + self.code / 8 + 3 * self.exercises) / 5)

    @property
    def faults(self) -> list[str]:
        """The limits of a chapter that this page breaks, in words."""
        return list(self._faults())

    def _faults(self) -> Iterator[str]:
        if self.core > MOST_WORDS:
            yield f"{self.core} words outside boxes; {MOST_WORDS} at most"
        if self.pixels > MOST_PIXELS:
            yield f"{self.pixels} px high at 1280; {MOST_PIXELS} at most"
        within = PENCIL_FIRST.get(self.page, FIGURE_WITHIN)
        if self.figure is None or self.figure > within:
            yield f"the figure begins at {self.figure} px; {within} at most"
        if self.longest > LONGEST_LINE:
            yield f"a line of code has {self.longest} characters; {LONGEST_LINE} at most"
        if not self.pictures:
            yield "no picture"
        if self.sideways:
            yield f"{self.sideways} px too wide for a phone of 360"
        if self.stated != self.minutes:
            yield f"the box says {self.stated} minutes; they are {self.minutes}"


def is_limited(page: str) -> bool:
    """Whether a page of the English book is held to the limits: it has a cell `picture`."""
    notebook = BOOK / "en" / f"{page}.ipynb"
    return notebook.exists() and any(cell.id == "picture" for cell in read_cells(notebook))


def measure(browser: Browser, site: str, page: str, limited: bool) -> Shape:
    """Open `<site>/<page>.html` wide and narrow, and measure it."""
    html, pixels, figure, _ = _look(browser, f"{site}/{page}.html", DESKTOP)
    *_, width = _look(browser, f"{site}/{page}.html", PHONE)
    article = BeautifulSoup(html, "html.parser").select("article")[0]
    lines = [
        (code, line)
        for code in article.select("div.highlight pre")
        if not code.find_parent(class_="cell_output")
        for line in code.get_text().splitlines()
        if line.strip()
    ]
    exercises = article.select("div.exercise")
    box = article.select_one(".admonition.question")
    minutes = MINUTES.search(box.get_text()) if box else None
    return Shape(
        page=page,
        limited=limited,
        code=sum(not _lies_in(code, "attn-fold") for code, _ in lines),
        longest=max((len(line) for _, line in lines), default=0),
        exercises=sum(not _lies_in(exercise, "curious") for exercise in exercises),
        stated=int(minutes[1]) if minutes else None,
        pixels=pixels,
        figure=figure,
        pictures=len(article.select("svg.attn-picture")),
        sideways=max(0, width - PHONE["width"]),
        **_words(article),
    )


def _look(browser: Browser, address: str, size: ViewportSize) -> tuple[str, int, int | None, int]:
    """The page's HTML as it was sent; its height, the top of its first figure, its width."""
    page = browser.new_page(viewport=size)
    response = page.goto(address)
    if response is None or not response.ok:
        raise ValueError(f"No page is served at {address}.")
    html = response.text()
    await_fonts(page)
    height, figure, width = page.evaluate(
        """() => {
          const { scrollHeight, scrollWidth } = document.documentElement;
          const figure = document.querySelector("attn-explorer")?.getBoundingClientRect().top;
          return [scrollHeight, figure === undefined ? null : figure + scrollY, scrollWidth];
        }"""
    )
    page.close()
    return html, height, None if figure is None else round(figure), width


def _words(article: Tag) -> dict[str, int]:
    """Words outside boxes, in boxes for the curious, in other boxes. Takes the article apart."""
    for element in article.select(NOT_PROSE):
        element.decompose()
    for formula in article.select("span.math"):
        formula.string = "x"  # one word
    answers = curious = 0
    for box in article.select(".attn-fold:not(.curious)"):
        answers += _count(box.extract())
    for box in article.select(".attn-fold"):
        curious += _count(box.extract())
    return {"core": _count(article), "curious": curious, "answers": answers}


def _count(element: Tag) -> int:
    return sum(any(map(str.isalnum, word)) for word in element.get_text(" ").split())


def _lies_in(element: Tag, name: str) -> bool:
    return element.find_parent(class_=name) is not None


def table(shapes: list[Shape]) -> str:
    """The measurements, a page a line, and below them the limits that are broken."""
    heads = [
        *("page", "core", "curious", "answers", "code", "longest", "minutes", "box says"),
        *("px", "figure at", "pictures", "sideways", "limits"),
    ]
    rows = [
        (
            *(shape.page, shape.core, shape.curious, shape.answers, shape.code, shape.longest),
            *(shape.minutes, shape.stated, shape.pixels, shape.figure, shape.pictures),
            *(shape.sideways, "yes" if shape.limited else "no"),
        )
        for shape in shapes
    ]
    text = [heads, *(["-" if cell is None else str(cell) for cell in row] for row in rows)]
    lines = columns(text)
    faults = [f"{s.page}: {fault}" for s in shapes if s.limited for fault in s.faults]
    return "\n".join(lines + ([""] if faults else []) + faults)


def main() -> None:
    """Measure the pages that are named, or all English pages of the site."""
    parser = argparse.ArgumentParser(description="Measure the built English pages.")
    parser.add_argument("pages", nargs="*", help="for example masked-softmax; default: all")
    parser.add_argument("--site", type=Path, default=SITE)
    options = parser.parse_args()
    pages = options.pages or list(parse_toc_yaml(BOOK / "_toc.yml"))
    for page in pages:
        if not (options.site / "en" / f"{page}.html").exists():
            parser.error(f"no page {page!r} in {options.site / 'en'}; `make book` builds the site")
    with sync_playwright() as playwright, launch(playwright) as browser, served(options.site) as at:
        shapes = [measure(browser, f"{at}/en", page, is_limited(page)) for page in pages]
    print(table(shapes))


if __name__ == "__main__":
    main()
