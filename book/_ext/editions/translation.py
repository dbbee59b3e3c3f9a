"""What an edition has and what it lacks.

An edition is the English book with the translation laid over it. So a chapter that nobody has
translated yet is there in English, under the address its translation will have.
"""

import shutil
from pathlib import Path

import yaml
from sphinx_external_toc.parsing import parse_toc_yaml

from book._ext.editions.languages import BOOK, Edition


def chapters() -> list[str]:
    """The document names in book/_toc.yml, in reading order."""
    return list(parse_toc_yaml(BOOK / "_toc.yml"))


def numbered_chapters() -> list[str]:
    """Those of them that have a number, without the pages for reference."""
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    parts = (part for part in contents.get("parts", []) if part.get("numbered"))
    return [chapter["file"] for part in parts for chapter in part["chapters"]]


def lay_out(edition: Edition, folder: Path) -> None:
    """Fill `folder` with the English book and, over it, this edition's own files."""
    shutil.rmtree(folder, ignore_errors=True)
    # copy2 keeps the times of change, by which Sphinx knows the pages it need not read again.
    shutil.copytree(BOOK / "en", folder, copy_function=shutil.copy2)
    # The programs that the page on other frameworks shows.
    shutil.copytree(BOOK / "frameworks", folder / "frameworks", copy_function=shutil.copy2)
    shutil.copytree(BOOK / edition.code, folder, copy_function=shutil.copy2, dirs_exist_ok=True)


def source(edition: Edition, chapter: str) -> Path | None:
    """The edition's own file of a chapter, or None where it has none yet."""
    candidates = (BOOK / edition.code / f"{chapter}{suffix}" for suffix in (".ipynb", ".md"))
    return next((path for path in candidates if path.exists()), None)


def untranslated(edition: Edition) -> list[str]:
    """The chapters that this edition shows in English."""
    return [chapter for chapter in chapters() if source(edition, chapter) is None]
