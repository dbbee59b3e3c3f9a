"""Make the EPUBs: `python -m book._tools.epub --pandoc PANDOC`, `... ko zh` for some editions."""

import argparse
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from book._ext.content import citation, downloads
from book._ext.editions import catalogues
from book._ext.editions.languages import EDITIONS, ROOT, Edition
from book._tools.browser import launch, served
from book._tools.epub.pages import bound

STYLE = Path(__file__).with_name("epub.css")
SITE = ROOT / "_build" / "html"
# Pandoc writes the upright bold letters of vectors as bold italic ones (its library texmath does).
ITALIC, UPRIGHT = 0x1D468, 0x1D400  # where the 52 letters begin
BOLD_ITALIC = re.compile(f'"bold-italic">([{chr(ITALIC)}-{chr(ITALIC + 51)}])')


def write(browser: Browser, pandoc: str, site: Path, edition: Edition, path: Path) -> None:
    """Write the EPUB of an edition of a built site."""
    say = catalogues.words(edition)
    cited = citation.cited()
    with TemporaryDirectory() as name, served(site) as server:
        folder = Path(name)
        html = bound(browser, site, f"{server}/{edition.code}", edition, folder)
        (folder / "book.html").write_text(html, encoding="utf-8")
        about = {
            "title": say("Attention at Your Fingertips"),
            "lang": edition.tag,
            "author": ", ".join(author["name"] for author in cited["authors"]),
            "date": cited["date-released"].isoformat(),
            "rights": "CC BY 4.0",
        }
        written = folder / "book.epub"
        command = [
            *(pandoc, "book.html", "--from=html-auto_identifiers", "--to=epub3", "--mathml"),
            *("--split-level=1", "--toc-depth=2", f"--css={STYLE}"),
            f"--resource-path={folder}:{site / edition.code}",
            f"--epub-embed-font={site / '_static' / 'maths.woff2'}",
            *(f"--metadata={key}={value}" for key, value in about.items()),
            f"--output={written}",
        ]
        subprocess.run(command, cwd=folder, check=True)
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(written) as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.infolist():  # in this order, and packed as they were
                content = old.read(entry)
                if entry.filename.endswith(".xhtml"):
                    content = BOLD_ITALIC.sub(_upright, content.decode()).encode()
                new.writestr(entry, content)


def _upright(letter: re.Match[str]) -> str:
    return f'"bold">{chr(ord(letter[1]) - ITALIC + UPRIGHT)}'


def main() -> int:
    """Write the EPUBs of some editions, or of all, beside the PDFs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pandoc", required=True, help="the program, version 3")
    parser.add_argument("languages", nargs="*")
    given = parser.parse_args()
    catalogues.compile_all()
    with sync_playwright() as playwright, launch(playwright, all_fonts=True) as browser:
        for edition in EDITIONS:
            if given.languages and edition.code not in given.languages:
                continue
            path = SITE / downloads.FOLDER / downloads.epub(edition.code)
            write(browser, given.pandoc, SITE, edition, path)
            print(f"{path}: {path.stat().st_size / 1e6:.1f} MB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
