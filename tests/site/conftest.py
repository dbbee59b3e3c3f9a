"""The site as readers get it: served over HTTP, opened in a Chromium that cannot leave it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import *  # noqa: F403 - fixtures
from built import pages_with_figures
from reader import ROOT

from book._tools.browser import served


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
def where(site_folder: Path) -> dict[tuple[str, str], str]:
    """The page of each figure in each language, e.g. ("ko", "mask"): "ko/masked-softmax.html"."""
    return {(lang, name): f"{lang}/{page}" for lang, page, name in pages_with_figures(site_folder)}
