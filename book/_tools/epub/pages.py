"""From the built pages of an edition to one page for a reader of books."""

import html
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser

from book._ext.editions import catalogues
from book._ext.editions.languages import Edition
from book._tools.paper import binding, pages, stills

# What no reader of books shows, or shows as text a second time.
LEFT_OUT = f"{pages.LEFT_OUT}, svg, .attn-effort, .attn-place, .attn-judge"


def bound(browser: Browser, site: Path, address: str, edition: Edition, folder: Path) -> str:
    """Return an edition as one page of HTML, whose pictures of figures lie in a folder.

    Args:
        browser: a Chromium.
        site: the built site.
        address: where the edition is served.
        edition: its language.
        folder: for the pictures.
    """
    say, own = catalogues.words(edition), catalogues.words(edition, "exercise")
    chapters = [
        pages.read(site / edition.code / f"{name}.html")
        for _, names in binding.parts()
        for name in names
    ]
    solved = []
    for chapter in chapters:
        if chapter.figures:
            save_pictures(browser, f"{address}/{chapter.name}.html", folder)
        prepare(chapter, say("Move this figure at {address}"))
        solved.append((chapter, pages.solutions(chapter, own("Solution"), own("Exercise"))))
    book = BeautifulSoup("<html><body></body></html>", "html.parser")
    assert book.body is not None
    for chapter in chapters:
        section = book.new_tag("section", id=chapter.name, attrs={"data-page": chapter.name})
        section.extend(list(chapter.body.children))
        book.body.append(section)
    end = book.new_tag("section", id="solutions")
    end.append(_heading(book, "h1", say("Solutions")))
    for chapter, found in solved:
        if found:
            part = book.new_tag("section", attrs={"data-page": chapter.name})
            part.append(_heading(book, "h2", chapter.title))
            part.extend(found)
            end.append(part)
    book.body.append(end)
    for link in book.select(f"a[{pages.SAY}]"):
        link.string = str(link[pages.SAY])
    pages.turn_links(book, chapters)
    _flatten(book)
    return str(book)


def _flatten(book: BeautifulSoup) -> None:
    """Take the sections away: Pandoc begins a chapter where a heading stands by itself."""
    headed: dict[str, str] = {}  # what a section was called, and what its heading is called
    for section in book.select("section[id]"):
        heading = section.find(["h1", "h2", "h3", "h4"])
        if isinstance(heading, Tag):
            heading["id"] = str(heading.get("id") or section["id"])
            headed[f"#{section['id']}"] = f"#{heading['id']}"
    for link in book.select("a[href]"):
        link["href"] = headed.get(str(link["href"]), str(link["href"]))
    for section in book.select("section"):
        section.unwrap()


def save_pictures(browser: Browser, address: str, folder: Path) -> None:
    """Save the figures of a page as they stand when it opens, each as SVG."""
    context = browser.new_context(accept_downloads=True, color_scheme="light")
    page = context.new_page()
    page.goto(address)
    for figure in page.query_selector_all("attn-explorer"):
        name = figure.get_attribute("data-figure")
        page.wait_for_selector(stills.READY.format(name), state="attached", timeout=stills.TIMEOUT)
        with page.expect_download(timeout=stills.TIMEOUT) as saved:
            figure.eval_on_selector("[data-save=svg]", "button => button.click()")
        saved.value.save_as(folder / f"{name}.svg")
    context.close()


def prepare(chapter: pages.Chapter, move: str) -> None:
    """Make a chapter readable without a script; `move` says where a figure can be moved."""
    for figure in chapter.body.select("attn-explorer"):
        name = str(figure["data-figure"])
        asked = figure.select_one(".attn-question")
        words = html.escape(asked.get_text() if asked else name)
        caption = f"<figcaption>{pages.where_it_moves(chapter, figure, move)}</figcaption>"
        still = f'<figure><img src="{name}.svg" alt="{words}">{caption}</figure>'
        figure.replace_with(BeautifulSoup(still, "html.parser"))
    pages.settle(chapter, LEFT_OUT)


def _heading(book: BeautifulSoup, level: str, words: str) -> Tag:
    heading = book.new_tag(level)
    heading.string = words
    return heading
