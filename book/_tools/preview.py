"""Build single pages in seconds, to look at while they are written: `make page FILES=...`.

A page is built as in its edition, but not the site around it: its links lead to pages that may not
be there, fonts are the system's, styles are whole, and there is no search. The first call reads the
whole edition, unless `make book` has; later ones read what has changed.
"""

import argparse
import sys
from pathlib import Path

from book._ext.editions import builds, catalogues
from book._ext.editions.languages import EDITIONS, ROOT, edition_of
from book._ext.site import assets, judges, styles

BUILD = ROOT / "_build"


def build(language: str, files: list[Path]) -> int:
    """Build pages of one edition, print where they are, and return the exit status."""
    edition = edition_of(language)
    work, site = BUILD / "editions" / language, BUILD / "preview" / language
    names = [str(work / "source" / file.name) for file in files]
    flags = {"warningiserror": False, "keep_going": True, "freshenv": False, "filenames": names}
    status = builds.build_edition(edition, work, flags, nitpicky=True, html=site)
    if status:
        return status
    assets.write_figures(site / "_static")
    judges.write(site / "_static")
    styles.write_all(site / "_static")
    for file in files:
        print((site / file.name).with_suffix(".html").as_uri())
    return 0


def pages(parser: argparse.ArgumentParser, files: list[Path]) -> list[Path]:
    """The pages named on a command line, which ends where one of them is none."""
    codes = [edition.code for edition in EDITIONS]
    if not files:
        parser.error(f"which page? For example: {parser.prog} FILES=book/en/masked-softmax.ipynb")
    found = [path.resolve() for path in files]
    for path in found:
        if path.parent.name not in codes or not path.is_file():
            parser.error(f"a page lies in book/<{'|'.join(codes)}>/. There is no {path}.")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Build the pages named on the command line."""
    parser = argparse.ArgumentParser(prog="make page", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="book/<language>/<page>.ipynb or .md")
    files = pages(parser, parser.parse_args(arguments).files)
    catalogues.compile_all()
    folders = dict.fromkeys(path.parent.name for path in files)
    return max(build(code, [p for p in files if p.parent.name == code]) for code in folders)


if __name__ == "__main__":
    sys.exit(main())
