"""The notebooks that Colab opens, laid out as on the branch `colab`: `make colab`.

Colab opens notebooks of GitHub alone. The hosted workflow makes one commit of this folder and
pushes it when the site is published.
"""

import shutil
import sys

from book._ext.editions.languages import EDITIONS, ROOT
from book._ext.site.anywhere import BRANCH, SOURCES
from book._tools.links import published

README = """\
# Attention at Your Fingertips, for Colab

These notebooks are made from those of the book, of which this branch keeps no history: do not edit
them here. Read the book at <{site}>, where the rocket button of a chapter opens its notebook.
"""


def main() -> int:
    """Copy the notebooks of the built site, one folder a language, and say where they are."""
    folder = ROOT / "_build" / BRANCH
    shutil.rmtree(folder, ignore_errors=True)
    for edition in EDITIONS:
        (folder / edition.code).mkdir(parents=True)
        for path in (ROOT / "_build" / "html" / edition.code / SOURCES).glob("*.ipynb"):
            shutil.copy2(path, folder / edition.code)
    (folder / "README.md").write_text(README.format(site=published()), encoding="utf-8")
    print(f"{len(list(folder.rglob('*.ipynb')))} notebooks: {folder.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
