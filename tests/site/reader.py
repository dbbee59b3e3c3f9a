"""What the site tests share: a reader with a browser, a small book to build."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from book._ext.editions.languages import EDITIONS
from book._tools.browser import await_fonts

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = tuple(edition.code for edition in EDITIONS)
TAGS = {edition.code: edition.tag for edition in EDITIONS}
REPOSITORY = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]


def read(path: Path) -> BeautifulSoup:
    """Parse a built page."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


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

        The reader prefers less motion: what a link or a button asks for is there at once.
        """
        options = {"reduced_motion": "reduce"} | context_options
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


@dataclass(frozen=True)
class Book:
    """A small book in a folder of its own, built by the configuration of the real one."""

    folder: Path

    def build(self) -> subprocess.CompletedProcess[str]:
        """`jupyter-book build`, strict, as `make book` calls it."""
        return subprocess.run(
            [
                Path(sys.executable).parent / "jupyter-book",
                "build",
                "-W",
                "-n",
                "--keep-going",
                ".",
            ],
            cwd=self.folder,
            # The extension of the copy, not that of this repository.
            env=os.environ | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def write(self, page: str, text: str) -> None:
        """Write book/<page>, for example "ko/first.md"."""
        path = self.folder / "book" / page
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def empty_book(folder: Path) -> Book:
    """The real book's configuration and frame without its chapters, in an empty folder."""
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy2(ROOT / name, folder)
    editions = shutil.ignore_patterns(*LANGUAGES, "__pycache__", "_toc.yml")
    # book/_locale has folders with the languages' names as well.
    shutil.copytree(ROOT / "book", folder / "book", ignore=editions)
    shutil.copytree(ROOT / "book/_locale", folder / "book/_locale", dirs_exist_ok=True)
    shutil.copytree(
        ROOT / "attn_lib", folder / "attn_lib", ignore=shutil.ignore_patterns("__pycache__")
    )
    for language in LANGUAGES:
        (folder / "book" / language).mkdir()
    return Book(folder)
