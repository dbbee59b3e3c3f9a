"""The site as readers get it: served over HTTP, opened in a Chromium that cannot leave it.

A test opens pages with `visit`. At its end every request that was meant for another host and
every error that a page logged is a failure, whatever else the test looked at.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from figures import LiveFigure, pages_with_figures
from playwright.sync_api import Browser, sync_playwright
from reader import ROOT, Visit

import attn_lib
from attn_lib.figures import FIGURES
from book._tools.browser import launch, served


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The built site."""
    folder = ROOT / "_build" / "html"
    if not (folder / "pagefind").exists():
        pytest.fail("the site is not built; `make book` builds it")
    return folder


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """The address at which the built site is served."""
    with served(site_folder) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Open pages: `page = visit(f"{site}/ko/index.html", locale="ko-KR")`."""
    visit = Visit(chromium)
    yield visit
    visit.close()
    visit.check()


# Live figures


@pytest.fixture(scope="session")
def where(site_folder: Path) -> dict[tuple[str, str], str]:
    """The page of each figure in each language, e.g. ("ko", "mask"): "ko/masked-softmax.html"."""
    return {(lang, name): f"{lang}/{page}" for lang, page, name in pages_with_figures(site_folder)}


@pytest.fixture(autouse=True)
def speak_english_afterwards() -> Iterator[None]:
    yield
    attn_lib.set_language("en")


@pytest.fixture(scope="module")
def stay(chromium: Browser) -> Iterator[Visit]:
    """A reader whose page stays open from test to test: loading it is most of a test's time."""
    visit = Visit(chromium)
    yield visit
    visit.close()


@pytest.fixture
def show(stay: Visit, visit: Visit, site: str, where: dict[tuple[str, str], str]) -> Iterator[Any]:
    """Open a figure: `show("mask", "ko", "#mask?len=0,3")`.

    Where its page is open already, only the figure is made anew. Options of the browser's
    context ask for a page of the test's own.
    """

    def show(name: str, lang: str = "en", fragment: str = "", **options: Any) -> LiveFigure:
        attn_lib.set_language(lang)
        address = f"{site}/{where[lang, name]}"
        if options:
            return LiveFigure(visit(address + fragment, **options), FIGURES[name]).unfold()
        if stay.page and stay.page.url.partition("#")[0] == address:
            return LiveFigure(stay.page, FIGURES[name]).unfold().arrive(fragment)
        stay.close()
        return LiveFigure(stay(address + fragment), FIGURES[name]).unfold()

    yield show
    stay.check()
