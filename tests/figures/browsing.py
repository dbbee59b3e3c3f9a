"""Fixtures of the tests of figures and of the site: readers whose browser cannot leave a server.

A test opens pages with `visit`. At its end every request that was meant for another host and
every error that a page logged is a failure, whatever else the test looked at.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from reader import Contexts, Visit

import attn_lib
from book._tools.browser import launch


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Iterator[Contexts]:
    contexts = Contexts(chromium)
    yield contexts
    contexts.close()


@pytest.fixture
def visit(contexts: Contexts) -> Iterator[Visit]:
    """Open pages: `page = visit(f"{site}/ko/index.html", locale="ko-KR")`."""
    visit = Visit(contexts)
    yield visit
    visit.close()
    visit.check()


@pytest.fixture(autouse=True)
def speak_english_afterwards() -> Iterator[None]:
    yield
    attn_lib.set_language("en")
