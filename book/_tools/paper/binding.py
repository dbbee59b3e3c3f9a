"""An edition of the built site, bound: its pages in order, between a cover and the solutions."""

from collections.abc import Collection
from pathlib import Path

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from playwright.sync_api import Browser

from book._ext.content import citation
from book._ext.editions import catalogues, translation
from book._ext.editions.languages import BOOK, Edition
from book._tools import fonts
from book._tools.browser import served
from book._tools.paper import pages, press, stills

# A list of signatures, which is looked up and not read; its links into the code lead to the site.
NOT_ON_PAPER = {"api"}


def parts(only: Collection[str] = ()) -> list[tuple[str, list[str]]]:
    """The captions and pages of book/_toc.yml, in reading order."""
    contents = translation.contents()
    found = [("", [contents["root"]])]
    found += [
        (part["caption"], [chapter["file"] for chapter in part["chapters"]])
        for part in contents["parts"]
    ]
    kept = [
        (caption, [n for n in names if n not in NOT_ON_PAPER and (not only or n in only)])
        for caption, names in found
    ]
    return [(caption, names) for caption, names in kept if names]


def _citation(edition: Edition, address: str) -> str:
    """One line that names this edition, from CITATION.cff."""
    say = catalogues.words(edition)
    source = citation.cited()
    authors = ", ".join(author["name"] for author in source["authors"])
    year, version = source["date-released"].year, say("Version {version}")
    return " ".join(
        (
            f"{authors} ({year}).",
            f"{source['title']}.",
            f"{edition.name}, {version.format(version=source['version'])}.",
            address,
        )
    )


def write(
    browser: Browser, site: Path, edition: Edition, only: Collection[str] = ()
) -> tuple[bytes, dict[str, int]]:
    """Make the PDF of an edition.

    Args:
        browser: A Chromium.
        site: The built site.
        edition: Its language.
        only: Names of pages, if not the whole book is wanted.

    Returns:
        The PDF, and the page of each place that a link leads to.
    """
    say = catalogues.words(edition)
    with served(site) as server:
        folder = f"{server}/{edition.code}"
        chapters = {
            name: pages.read(site / edition.code / f"{name}.html")
            for _, names in parts(only)
            for name in names
        }
        for chapter in chapters.values():
            taken = stills.take(browser, f"{folder}/{chapter.name}.html", chapter.figures)
            pages.prepare(chapter, taken, say("Move this figure at {address}"))
        book = _bound(edition, chapters, parts(only))
        fonts.need(browser, book.get_text())

        def numbered(numbers: dict[str, int]) -> str:
            pages.number(book, numbers)
            return book.decode(formatter="minimal")

        return press.with_page_numbers(browser, numbered, f"{folder}/paper.html")


def _bound(
    edition: Edition, chapters: dict[str, pages.Chapter], order: list[tuple[str, list[str]]]
) -> BeautifulSoup:
    """One page of all chapters, which are taken apart for it."""
    say = catalogues.words(edition)
    forth, back = say("Solution: page {number}"), say("Exercise: page {number}")
    solved = [
        (chapter, found)
        for chapter in chapters.values()
        if (found := pages.solutions(chapter, forth, back))
    ]
    title = say("Attention at Your Fingertips")
    address = f"{next(iter(chapters.values())).address.rpartition('/')[0]}/"
    templates = Environment(
        loader=FileSystemLoader(BOOK / "_templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    html = templates.get_template("paper.html").render(
        edition=edition,
        title=title,
        say=say,
        address=address,
        citation=_citation(edition, address),
        # In the order in which the pages name them, each once.
        styles=list(dict.fromkeys(s for chapter in chapters.values() for s in chapter.styles)),
        paper=Path(__file__).with_name("paper.css").read_text(encoding="utf-8"),
        parts=[
            (caption and say(caption), [chapters[name] for name in names])
            for caption, names in order
        ],
        solutions=solved,
    )
    book = BeautifulSoup(html, "html.parser")
    pages.turn_links(book, chapters.values())
    return book
