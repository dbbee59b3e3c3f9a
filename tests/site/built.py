"""What the site tests share: the built pages, and a small book to build."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from reader import LANGUAGES, ROOT

from attn_lib.live.figures import FIGURES
from book._ext.editions.languages import EDITIONS

TAGS = {edition.code: edition.tag for edition in EDITIONS}
REPOSITORY = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]


def read(path: Path) -> BeautifulSoup:
    """Parse a built page."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def pages_with_figures(site: Path) -> Iterator[tuple[str, str, str]]:
    """Find (language, page, figure) in the built site."""
    for page in sorted(site.glob("??/*.html")):
        text = page.read_text(encoding="utf-8")
        for name in FIGURES:
            if f'<attn-explorer data-figure="{name}"' in text:
                yield page.parent.name, page.name, name


@dataclass(frozen=True)
class Book:
    """A small book in a folder of its own, built by the configuration of the real one."""

    folder: Path

    @property
    def html(self) -> Path:
        """Where its built pages lie."""
        return self.folder / "_build/html"

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
