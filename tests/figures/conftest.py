"""Live figures in a Chromium, on the bare pages of `make workbench`: no book is built for them."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import *  # noqa: F403 - fixtures
from figures import LiveFigure
from hands import PHONE, Finger, Mouse
from playwright.sync_api import Browser
from reader import Visit

import attn_lib
from attn_lib.live.figures import FIGURES
from book._tools import reload
from book._tools.workbench import Pages, address


@pytest.fixture(scope="session")
def bench() -> Iterator[str]:
    """The address of the bare pages."""
    with reload.serving(Pages()) as server:
        yield server.address


@pytest.fixture(scope="module")
def stay(chromium: Browser) -> Iterator[Visit]:
    """A reader whose page stays open from test to test: loading it is most of a test's time."""
    visit = Visit(chromium)
    yield visit
    visit.close()


@pytest.fixture
def show(stay: Visit, visit: Visit, bench: str) -> Iterator[Any]:
    """Open a figure: `show("mask", "ko", "#mask?len=0,3")`.

    Where its page is open already, only the figure is made anew. Options of the browser's
    context ask for a page of the test's own.
    """

    def show(name: str, lang: str = "en", fragment: str = "", **options: Any) -> LiveFigure:
        attn_lib.set_language(lang)
        page = bench + address(name, lang)
        if options:
            return LiveFigure(visit(page + fragment, **options), FIGURES[name]).unfold()
        if stay.page and stay.page.url.partition("#")[0] == page:
            return LiveFigure(stay.page, FIGURES[name]).unfold().arrive(fragment)
        stay.close()
        return LiveFigure(stay(page + fragment), FIGURES[name]).unfold()

    yield show
    stay.check()


@pytest.fixture(params=["mouse", "finger"])
def pointer(request: pytest.FixtureRequest, show: Any) -> Any:
    """Open a figure for a mouse or finger: `figure, pointer = pointer("mask", "#mask?q=1")`."""

    def open_(name: str, fragment: str = "") -> tuple[LiveFigure, Mouse | Finger]:
        if request.param == "mouse":
            figure = show(name, fragment=fragment, viewport={"width": 1280, "height": 900})
            return figure.ready(), Mouse(figure)
        figure = show(name, fragment=fragment, **PHONE)
        return figure.ready(), Finger(figure)

    return open_
