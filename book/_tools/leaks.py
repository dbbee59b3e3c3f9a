"""Which solutions an archive of the site still tells: `python -m book._tools.leaks ARCHIVE`.

What stands in solutions is found in the notebooks line by line, and so otherwise than by what takes
them out. It is looked for in every file of the archive, in pages, notebooks, scripts and the
search alike, by letters and digits alone, so that markup does not matter.
"""

import argparse
import gzip
import html
import io
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from book._ext.editions.languages import BOOK, EDITIONS, ROOT
from book._tools import solutions

# A solution, or what a lesson says of an exercise.
BEGIN = re.compile(r"([`:]{3,})\{(?:solution(-start|-end)?\}|step\} exercise) ?(\S*)")
HEAD = re.compile(r"def [^:]*:")  # a page's field opens with it
# Between two of these lies prose that a page shows as it was written.
MARKUP = re.compile(r"\$+[^$]*\$+|\{[\w:-]+\}`+[^`]*`+|\]\([^)]*\)|[`*\[\]]|<[^>]*>|\|")
# Shorter ones may be said by chance: letters of Latin script, syllables, characters.
LONG = {"ko": 16, "zh": 12}
LONG_ELSE = 30
# Nothing is read in these: pictures, letters, programs, and the search's list of single words.
OPAQUE = {".png", ".webp", ".ico", ".woff2", ".wasm", ".pagefind", ".pf_index", ".pf_meta", ".bin"}


def lines(page: dict[str, Any]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the lines of a page's solutions, by the label of the exercise, and all others.

    What a solution's code prints belongs to the solution.
    """
    inside: defaultdict[str, list[str]] = defaultdict(list)
    outside: list[str] = []
    fence, label, is_open = "", "", False
    for cell in page["cells"]:
        for line in "".join(cell["source"]).splitlines():
            if begin := BEGIN.match(line):
                fence, part, label = begin[1], begin[2], begin[3] or label
                is_open = part == "-start" or (is_open and part != "-end")
            elif fence and line.rstrip() == fence:
                fence = ""
            elif not line.startswith((":class:", ":minutes:")):
                (inside[label] if fence or is_open else outside).append(line.strip())
        (inside[label] if is_open else outside).extend(_printed(cell))
    return dict(inside), outside


def _printed(cell: dict[str, Any]) -> Iterator[str]:
    for output in cell.get("outputs", []):
        for text in (output.get("text", ""), output.get("data", {}).get("text/plain", "")):
            yield from "".join(text).splitlines()


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return re.sub(r"[\W_]", "", text)


def signs(line: str, language: str) -> set[str]:
    """Return what a line of a solution is known by, on a page and in its source."""
    if HEAD.fullmatch(line):
        return set()
    found = {letters(part) for part in (line, *MARKUP.split(line))}
    return {sign for sign in found if len(sign) >= LONG.get(language, LONG_ELSE)}


@cache
def told_by_all() -> str:
    """Return the letters of what is no secret: the library, its words, programs that are shown."""
    paths = [*(BOOK / "frameworks").glob("*.py"), *(ROOT / "attn_lib").rglob("*.*")]
    told = [path.read_text(encoding="utf-8") for path in paths if path.suffix in {".py", ".json"}]
    return letters(" ".join(told))


@cache
def secrets(language: str) -> dict[str, set[str]]:
    """Return the signs of each solution of an edition that stand nowhere else in the book."""
    parted = [lines(solutions.read(path)) for path in (BOOK / language).glob("*.*")]
    told = told_by_all() + letters(" ".join(line for _, outside in parted for line in outside))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for label, line in ((lb, line) for solved, _ in parted for lb in solved for line in solved[lb]):
        found[label] |= {sign for sign in signs(line, language) if sign not in told}
    return dict(found)


def texts(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield name and letters of each file of an archive, of archives in it too.

    Raises:
        ValueError: A file cannot be read.
    """
    for name in archive.namelist():
        body, suffix = archive.read(name), Path(name).suffix
        if suffix in OPAQUE:
            continue
        if zipfile.is_zipfile(io.BytesIO(body)):
            with zipfile.ZipFile(io.BytesIO(body)) as inner:
                yield from ((f"{name}/{part}", text) for part, text in texts(inner))
            continue
        try:
            text = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{name} may hold solutions and cannot be read: {error}") from None
        if suffix == ".html":
            text = html.unescape(re.sub(r"<[^>]*>", "", text))
        yield name, letters(text)


def leaks(archive: Path) -> Iterator[tuple[str, str, str]]:
    """Yield each solution that an archive tells: the exercise, the file, what it tells."""
    known = {edition.code: secrets(edition.code) for edition in EDITIONS}
    with zipfile.ZipFile(archive) as opened:
        for name, text in texts(opened):
            own = [code for code in known if re.search(rf"/{code}[/_]", name)] or list(known)
            for label, found in ((lb, s) for code in own for lb, s in known[code].items()):
                told = sorted((sign for sign in found if sign in text), key=len)
                if told:
                    yield label, name, told[-1]


def main(arguments: list[str] | None = None) -> int:
    """Print what an archive tells; the status is 1 if it tells anything."""
    ask = argparse.ArgumentParser(prog="python -m book._tools.leaks")
    ask.add_argument("archive", type=Path)
    found = list(leaks(ask.parse_args(arguments).archive))
    for label, name, told in found:
        print(f"{label} in {name}: {told[:80]}")
    print(f"{len({label for label, *_ in found})} exercises have a solution there.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
