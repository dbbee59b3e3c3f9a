"""What a reader downloads: first visit of each page, then the next one, then another language.

Bytes are those that a server sends which compresses text by gzip; a file counts once, however often
a page asks for it. The icon in the browser's tab does not: browsers ask for it when they like.
`make weight` prints a table, and tests/site/test_weight.py holds its limits.
"""

import gzip
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Response, sync_playwright
from sphinx_external_toc.parsing import parse_toc_yaml

from book._tools.browser import launch, served

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
COMPRESSED = {"", ".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".xml"}


def sent(path: Path) -> tuple[bytes, bool]:
    """What a server sends of a file, and whether it compresses that."""
    body, text = path.read_bytes(), path.suffix in COMPRESSED
    return gzip.compress(body, 6) if text else body, text


@dataclass
class Traffic:
    """What came from a site while a browser context was open."""

    site: Path
    sizes: dict[str, int] = field(default_factory=dict)  # compressed, by path
    plain: int = 0

    def add(self, response: Response) -> None:
        """Count a response once."""
        name = urlsplit(response.url).path.lstrip("/")
        path = self.site / name
        if not response.ok or name in self.sizes or not path.is_file() or path.stem == "favicon":
            return
        self.plain += path.stat().st_size
        self.sizes[name] = len(sent(path)[0])

    @property
    def files(self) -> int:
        """How many files came."""
        return len(self.sizes)

    @property
    def compressed(self) -> int:
        """How many bytes came."""
        return sum(self.sizes.values())


def watched(browser: Browser, site: Path) -> tuple[Page, Traffic]:
    """A page with an empty cache, and what it will load."""
    page, traffic = browser.new_context().new_page(), Traffic(site)
    page.on("response", traffic.add)
    return page, traffic


def visits(browser: Browser, site: Path, address: str, paths: list[str]) -> list[dict[str, int]]:
    """What each of some pages adds, opened one after the other: sizes by path."""
    page, traffic = watched(browser, site)
    added: list[dict[str, int]] = []
    for path in paths:
        before = set(traffic.sizes)
        page.goto(f"{address}/{path}")
        page.wait_for_load_state("networkidle")
        added.append({name: traffic.sizes[name] for name in traffic.sizes if name not in before})
    page.context.close()
    return added


def rows(browser: Browser, site: Path, address: str) -> Iterator[tuple[str, int, int, int, int]]:
    """(page, files, first visit, the page after it, the same in Korean) for each English page."""
    names = [f"{name}.html" for name in parse_toc_yaml(ROOT / "book/_toc.yml")]
    for name, following in zip(names, [*names[1:], names[0]], strict=True):
        paths = [f"en/{name}", f"en/{following}", f"ko/{following}"]
        first, after, other = visits(browser, site, address, paths)
        sizes = [sum(added.values()) for added in (first, after, other)]
        yield name, len(first), sizes[0], sizes[1], sizes[2]


def main() -> int:
    """Print the table."""
    print(f"{'KB gzip':<36}{'files':>6}{'first':>8}{'next':>8}{'its ko':>8}")
    with sync_playwright() as playwright, launch(playwright) as browser, served(SITE) as address:
        for name, files, *sizes in rows(browser, SITE, address):
            print(f"{name:<36}{files:>6}" + "".join(f"{size / 1000:>8.1f}" for size in sizes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
