"""Make the PDFs: `python -m book._tools.paper`, or `... paper ko zh` for some editions."""

import sys
import time
from collections.abc import Collection

from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from book._ext.content import downloads
from book._ext.editions import catalogues
from book._ext.editions.languages import EDITIONS, ROOT
from book._tools.browser import launch
from book._tools.paper import binding

SITE = ROOT / "_build" / "html"


def main(codes: Collection[str]) -> int:
    """Make the PDFs of some editions, or of all."""
    catalogues.compile_all()
    with sync_playwright() as playwright, launch(playwright, all_fonts=True) as browser:
        for edition in EDITIONS:
            if codes and edition.code not in codes:
                continue
            begun = time.monotonic()
            pdf, _ = binding.write(browser, SITE, edition)
            path = SITE / downloads.FOLDER / downloads.pdf(edition.code)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(pdf)
            count = len(PdfReader(path).pages)
            seconds = time.monotonic() - begun
            print(f"{path}: {count} pages, {len(pdf) / 1e6:.1f} MB, {seconds:.0f} s", flush=True)
            downloads.hold(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
