"""A reader with a browser, whom the tests of figures and of the site's pages share."""

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from attn_lib.language import LANGUAGES as LANGUAGES
from book._tools.browser import await_fonts

ROOT = Path(__file__).resolve().parents[2]


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true.

    Playwright's own `wait_for_function` asks again by `eval`, which the pages' policy forbids.
    """
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {expression}")


def live(page: Page, timeout: float = 5_000) -> Page:
    """The page, once all its figures are live; the time is in milliseconds."""
    expect(page.locator("attn-explorer:not([data-ready])")).to_have_count(0, timeout=timeout)
    return page


class Contexts:
    """Contexts of a browser by their options, used again: they have most files already."""

    def __init__(self, browser: Browser):
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = defaultdict(list)

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """A context in which nothing is stored but files."""
        free = self._free[json.dumps(options, sort_keys=True)]
        return free.pop() if free else self._browser.new_context(**options)

    def give_back(self, context: BrowserContext, options: dict[str, Any]) -> None:
        """Close its pages and forget what they stored."""
        context.clear_cookies()
        for page in context.pages:
            stored = {"origin": page.evaluate("origin"), "storageTypes": "local_storage"}
            context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
            page.close()
        self._free[json.dumps(options, sort_keys=True)].append(context)

    def close(self) -> None:
        """Close those that were given back."""
        for context in chain.from_iterable(self._free.values()):
            context.close()


@dataclass
class Visit:
    """One reader: pages in a browser context of their own, and what went wrong on them."""

    contexts: Contexts
    page: Page | None = None  # the last one opened
    closing: list[Callable[[], None]] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    scripts: bool = True  # whether its browser runs any

    def __call__(self, address: str, *, clock: bool = False, **context_options: Any) -> Page:
        """Open an address as a new reader; wait for the page, its fonts and its live figures.

        The reader prefers less motion: what a link or a button asks for is there at once. With
        `clock=True` the test may let time pass, by `page.clock.run_for(1800)`.
        """
        options = {"reduced_motion": "reduce"} | context_options
        self.scripts = options.get("java_script_enabled", True)
        context = self.contexts.take(options)
        host = urlsplit(address).netloc

        def note(request: Request) -> None:
            if request.url.startswith(("http:", "https:")):
                self.requests.append(request.url)
                if urlsplit(request.url).netloc != host:
                    self.foreign.append(request.url)

        context.on("request", note)
        page = context.new_page()
        if clock:
            context.clock.install()
            self.closing.append(context.close)
        else:
            self.closing.append(partial(self.contexts.give_back, context, options))
            self.closing.append(partial(context.remove_listener, "request", note))
        page.on("pageerror", lambda error: self.errors.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._note(page, message))
        self.page = page
        return self.turn(address)

    def turn(self, address: str, **context_options: Any) -> Page:
        """Go on to another page; the first one is opened as by a new reader."""
        if self.page is None:
            return self(address, **context_options)
        self.page.goto(address)
        await_fonts(self.page)
        if self.scripts:
            live(self.page)
        return self.page

    def close(self) -> None:
        """Close what was opened."""
        while self.closing:
            self.closing.pop()()
        self.page = None

    def check(self) -> None:
        """Fail if a request left the site or a page logged an error."""
        foreign, errors, self.foreign, self.errors = self.foreign, self.errors, [], []
        assert foreign == [], "requests left the site"
        assert not errors, errors

    def _note(self, page: Page, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{page.url}: {message.text} ({message.location['url']})")
