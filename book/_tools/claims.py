"""Prove again what the ledger of claims says of a release: `make claims RELEASE=folder`.

The folder is an unpacked wheel, whose name and version stand in its METADATA. Without one the
command only lists what should be looked at again: what nobody has seen, or not for half a year.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

from pybtex.database import parse_file

from book import atlas
from book._tools.editions.read import ENGLISH, chapters, page, read_cells
from book._tools.markup import parse
from book._tools.notebooks import BOOK
from book.ledger import Claim, claims

HALF_A_YEAR = timedelta(days=183)
# An issue, a change or a file of other people's code.
THREAD = re.compile(
    r"https://(?:github\.com|gitlab\.com|huggingface\.co)/[^#?]+?/"
    r"(?:issues|pull|commit|blob|tree|discussions|merge_requests)/."
)
# The folder of a wheel that is not called as its package.
PACKAGES = {"fla-core": "fla"}
ATLAS = "scores"  # the page that is written from the rows of the atlas


class Page(NamedTuple):
    """What of a page points to the ledger, and what the ledger may point to."""

    claims: list[str]
    links: list[str]
    cells: set[str]  # ids of its code cells


def pages() -> dict[str, Page]:
    """The English pages, by name."""
    found = {}
    for chapter in chapters(ENGLISH):
        cells = read_cells(page(ENGLISH, chapter))
        texts = [parse(cell.source) for cell in cells if cell.kind == "markdown"]
        found[chapter.rpartition(".")[0]] = Page(
            [name for text in texts for name in text.claims],
            [link for text in texts for link in text.links],
            {cell.id for cell in cells if cell.kind == "code"},
        )
    for row in atlas.rows():
        found[ATLAS].links.extend(filter(None, [row.thread]))
        found[ATLAS].claims.extend(row.claims)
    return found


def works() -> set[str]:
    """The keys of `references.bib`."""
    return set(parse_file(BOOK / "references.bib").entries)


def disagreements(
    ledger: Mapping[str, Claim], book: Mapping[str, Page], papers: set[str]
) -> Iterator[str]:
    """Where the pages and the ledger do not agree, a line each."""
    told = {(claim.thread, name) for claim in ledger.values() for name in claim.pages}
    for name, its in book.items():
        for used in dict.fromkeys(its.claims):
            if used not in ledger:
                yield f"{name}: the claim {used} has no entry"
            elif name not in ledger[used].pages:
                yield f"{name}: the entry {used} does not name this page"
        for link in dict.fromkeys(its.links):
            if THREAD.match(link) and (link, name) not in told:
                yield f"{name}: no entry has the thread {link} and this page"
    for claim in ledger.values():
        for name in claim.pages:
            its = book.get(name, Page([], [], set()))
            if claim.id not in its.claims and claim.thread not in its.links:
                yield f"{claim.id}: the page {name} never makes this claim"
        if claim.kind == "paper" and claim.paper not in papers:
            yield f"{claim.id}: references.bib has no {claim.paper}"
        if claim.kind == "measured" and not _is_ours(claim.measured, book):
            yield f"{claim.id}: there is no code cell or script {claim.measured}"


def _is_ours(measured: str, book: Mapping[str, Page]) -> bool:
    name, hash_, cell = measured.partition("#")
    if hash_:
        return name in book and cell in book[name].cells
    return (BOOK.parent / measured).is_file()


def release_of(folder: Path) -> str:
    """The name and version of an unpacked wheel.

    Raises:
        ValueError: There is no wheel, or there are several.
    """
    found = list(folder.glob("*.dist-info/METADATA"))
    if len(found) != 1:
        raise ValueError(f"{folder} must be one unpacked wheel. Got {len(found)} METADATA files.")
    said = HeaderParser().parsestr(found[0].read_text(encoding="utf-8"))
    return f"{said['Name']} {said['Version']}"


def fault(claim: Claim, folder: Path) -> str:
    """Why an unpacked release does not prove a claim; "" if it does."""
    name = claim.release.split()[0]
    package = folder / PACKAGES.get(name, name.replace("-", "_"))
    files = sorted(path for path in package.glob(claim.file) if path.is_file())
    if not files:
        return f"there is no {claim.file}"
    pattern = re.compile(claim.pattern, re.MULTILINE)
    having = [path for path in files if pattern.search(path.read_text(encoding="utf-8"))]
    if claim.absent and having:
        return f"{having[0].relative_to(package)} has {claim.pattern}"
    if not claim.absent and not having:
        return f"{claim.file} has no {claim.pattern}"
    return ""


def proved(ledger: Iterable[Claim], folder: Path) -> tuple[list[str], int]:
    """Lines on each claim about a release, and how many of them failed.

    Raises:
        ValueError: The folder is no unpacked wheel.
    """
    release = release_of(folder)
    of_releases = [claim for claim in ledger if claim.kind == "release"]
    lines, failed, others = [], 0, 0
    for claim in of_releases:
        if claim.release != release:
            others += 1
            continue
        reason = fault(claim, folder)
        failed += bool(reason)
        lines.append(f"failed  {claim.id}: {reason}" if reason else f"proved  {claim.id}")
    count = len(lines)
    lines.append(f"{release}: {count - failed} proved, {failed} failed, {others} of other releases")
    return lines, failed


def aged(ledger: Iterable[Claim], today: date) -> Iterator[str]:
    """The claims that somebody should look at again, a line each."""
    for claim in ledger:
        evidence = getattr(claim, claim.kind)
        if claim.seen is None:
            yield f"never seen       {claim.id}: {evidence}"
        elif today - claim.seen > HALF_A_YEAR:
            yield f"seen {claim.seen}  {claim.id}: {evidence}"


def main(arguments: list[str] | None = None) -> int:
    """Prove and list. The status is 1 if a claim is not proved."""
    parser = argparse.ArgumentParser(prog="make claims", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="an unpacked wheel")
    given = parser.parse_args(arguments)
    ledger = claims().values()
    failed = 0
    if given.folder:
        try:
            lines, failed = proved(ledger, given.folder)
        except ValueError as error:
            parser.error(str(error))
        print("\n".join(lines))
    old = list(aged(ledger, date.today()))
    print("\n".join([*old, f"{len(old)} of {len(ledger)} entries to look at again"]))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
