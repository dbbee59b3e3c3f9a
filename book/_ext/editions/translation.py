"""What an edition has and what it lacks.

An edition is the English book with the translation laid over it. So a chapter that nobody has
translated yet is there in English, under the address its translation will have.
"""

import shutil
from pathlib import Path
from typing import Any

import yaml
from sphinx_external_toc.parsing import parse_toc_yaml

from book._ext.content import exhibits
from book._ext.editions.languages import BOOK, Edition


def chapters() -> list[str]:
    """The document names in book/_toc.yml, in reading order."""
    return list(parse_toc_yaml(BOOK / "_toc.yml"))


def pages() -> list[str]:
    """All pages of an edition: behind the chapter on the bug museum come its exhibits."""
    listed = chapters()
    if exhibits.CHAPTER in listed:
        at = listed.index(exhibits.CHAPTER) + 1
        listed[at:at] = exhibits.PAGES
    return listed


def contents() -> dict[str, Any]:
    """What `book/_toc.yml` says, with the exhibits below their chapter."""
    found: dict[str, Any] = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    for part in found.get("parts", []):
        for chapter in part["chapters"]:
            if chapter["file"] == exhibits.CHAPTER:
                chapter["sections"] = [{"file": page} for page in exhibits.PAGES]
    return found


def numbered_chapters() -> list[str]:
    """Those of them that have a number, without the pages for reference."""
    parts = (part for part in contents().get("parts", []) if part.get("numbered"))
    return [chapter["file"] for part in parts for chapter in part["chapters"]]


def lay_out(edition: Edition, folder: Path) -> None:
    """Fill `folder` with the English book and, over it, this edition's own files."""
    shutil.rmtree(folder, ignore_errors=True)
    # copy2 keeps the times of change, by which Sphinx knows the pages it need not read again.
    shutil.copytree(BOOK / "en", folder, copy_function=shutil.copy2)
    # The programs that the page on other frameworks shows.
    shutil.copytree(BOOK / "frameworks", folder / "frameworks", copy_function=shutil.copy2)
    shutil.copytree(BOOK / edition.code, folder, copy_function=shutil.copy2, dirs_exist_ok=True)
    if exhibits.CHAPTER in chapters():
        exhibits.lay_out(folder)


def source(edition: Edition, chapter: str) -> Path | None:
    """The edition's own file of a chapter, or None where it has none yet."""
    candidates = (BOOK / edition.code / f"{chapter}{suffix}" for suffix in (".ipynb", ".md"))
    return next((path for path in candidates if path.exists()), None)


def has(edition: Edition, page: str) -> bool:
    """Whether the edition has a page in its own language; the exhibits are written in each."""
    return page in exhibits.PAGES or source(edition, page) is not None


def untranslated(edition: Edition) -> list[str]:
    """The chapters that this edition shows in English."""
    return [chapter for chapter in chapters() if source(edition, chapter) is None]
