"""A reader with a browser, whom the tests of figures and of the site's pages share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

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


@dataclass
class Visit:
    """One reader: pages in a browser context of their own, and what went wrong on them."""

    browser: Browser
    page: Page | None = None  # the last one opened
    closing: list[Callable[[], None]] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __call__(self, address: str, **context_options: object) -> Page:
        """Open an address as a new reader; wait for the page, its fonts and its live figures.

        The reader prefers less motion: what a link or a button asks for is there at once. With
        `clock=True` the test may let time pass, by `page.clock.run_for(1800)`.
        """
        options = {"reduced_motion": "reduce"} | context_options
        has_clock = options.pop("clock", False)
        context = self.browser.new_context(**options)
        self.closing.append(context.close)
        host = urlsplit(address).netloc

        def check(route: Route) -> None:
            self.requests.append(route.request.url)
            if urlsplit(route.request.url).netloc == host:
                route.continue_()
            else:
                self.foreign.append(route.request.url)
                route.abort()

        if has_clock:
            context.clock.install()
        context.route(lambda url: url.startswith(("http:", "https:")), check)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._note(page, message))
        page.goto(address)
        await_fonts(page)
        if options.get("java_script_enabled", True):
            live(page)
        self.page = page
        return page

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
