"""Notebooks that run where nobody has the repository: in Colab, or in a folder of a reader's own.

The build derives them from the chapters' notebooks. What such a copy needs, it fetches from the
published site: the library by its first cell, pictures by their address. The menu of a page
downloads it; Colab, which opens notebooks of GitHub alone, finds it on a branch (`make colab`).
"""

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from book._ext.content import downloads, own_sentence
from book._ext.editions.catalogues import words
from book._ext.editions.languages import EDITIONS, Edition

BRANCH = "colab"
SOURCES = "_sources"  # in the folder of an edition; Sphinx puts there what a page's menu downloads
PICTURE = re.compile(r"(?<=]\()\.\./(pictures/[\w-]+\.svg)(?=\))")
MODELS = "../models/"
INSTALL = """\
# {read} {page}
# {install}
from importlib.util import find_spec

if find_spec("attn_lib") is None:
    %pip install --quiet "attn-lib[figures] @ {wheel}"
"""
FETCH = """
# {weights}
from pathlib import Path
from urllib.request import urlretrieve

model_file = Path("{name}")
if not model_file.exists():
    urlretrieve("{folder}" + model_file.name, model_file)
"""


def setup(app: Sphinx) -> None:
    """Lead to the derived notebook where the theme leads to the repository's."""
    app.connect("html-page-context", _lead_to_copy, priority=900)  # after the theme


def _lead_to_copy(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    options = app.config.html_theme_options
    original = f"/{options['repository_branch']}/{context.get('doc_path')}/"
    for menu in context.get("header_buttons", []):
        for button in menu.get("buttons", []):
            if button["text"] == "Colab":
                copy = f"/{BRANCH}/{app.config.attn_edition}/"
                # The theme's picture of it weighs as much as a page.
                button |= {"url": button["url"].replace(original, copy), "icon": "fas fa-infinity"}


def write(site: Path, base: str) -> None:
    """Derive the notebooks that the pages of a finished site offer.

    Args:
        site: the folder of the site.
        base: its address, with a slash at its end.
    """
    for edition in EDITIONS:
        for path in sorted((site / edition.code / SOURCES).glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            copy = derive(notebook, edition, path.stem, base)
            text = json.dumps(copy, ensure_ascii=False, indent=1)
            path.write_text(text + "\n", encoding="utf-8")


def derive(notebook: dict[str, Any], edition: Edition, page: str, base: str) -> dict[str, Any]:
    """Return a notebook that fetches what it needs.

    Args:
        notebook: a chapter, as JSON has it.
        edition: that of the chapter.
        page: its name.
        base: the address of the published site, with a slash at its end.
    """
    say = words(edition)
    source = INSTALL.format(
        read=say("Text, formulas and references are laid out on the page:"),
        page=f"{base}{edition.code}/{page}.html",
        install=say("Fetches the book's library from its site, unless it is here."),
        wheel=f"{base}{downloads.FOLDER}/{downloads.wheel()}",
    )
    if any(MODELS in line for cell in notebook["cells"] for line in cell["source"]):
        source += FETCH.format(
            weights=say("Fetches the weights of the real model: {size} MB.").format(
                size=round(own_sentence.FILE.stat().st_size / 1e6)
            ),
            folder=f"{base}_static/sentence/",
            name=own_sentence.FILE.name,
        )
    first = {
        "cell_type": "code",
        "id": "anywhere",
        "metadata": {},
        "source": source.rstrip(),
        "outputs": [],
        "execution_count": None,
    }
    return notebook | {"cells": [first, *(_on_its_own(cell, base) for cell in notebook["cells"])]}


def _on_its_own(cell: dict[str, Any], base: str) -> dict[str, Any]:
    """Return a cell that names no file of the repository."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "code":
        return cell | {"source": source.replace(MODELS, "")}
    return cell | {"source": PICTURE.sub(rf"{base}_static/\1", source)}
