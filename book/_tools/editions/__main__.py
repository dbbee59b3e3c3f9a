"""`python -m book._tools.editions report | sync | stamp | start | to-run`, for the Makefile."""

import argparse
import os
import sys
import textwrap
from pathlib import Path

import book._tools.editions
from book._tools import notebooks
from book._tools.editions.check import Finding, deviations, findings
from book._tools.editions.outputs import to_run, unproved
from book._tools.editions.read import (
    ENGLISH,
    State,
    chapters,
    languages,
    page,
    read_cells,
    states,
)
from book._tools.editions.stamp import stamp
from book._tools.editions.start import start
from book._tools.editions.sync import sync, targets


def report() -> None:
    """Print a table, chapter by language, and below it what there is to do on each page."""
    columns = languages()
    print(f"{'':<34}" + "".join(f"{language:<30}" for language in columns))
    details = []
    for chapter in chapters(ENGLISH):
        row = f"{chapter:<34}"
        for language in columns:
            summary, lines = _page(language, chapter)
            row += f"{summary:<30}"
            if lines:
                details += [f"\n{language}/{chapter}", *lines]
        print(row.rstrip())
    for language in columns:
        for chapter in sorted(set(chapters(language)) - set(chapters(ENGLISH))):
            details += [f"\n{language}/{chapter}", *map(_line, findings(language, chapter))]
    print("\n".join(details))


def _page(language: str, chapter: str) -> tuple[str, list[str]]:
    """A page of an edition in a few words, and line by line."""
    path = page(language, chapter)
    if not path.exists():
        return "missing", []
    faults = findings(language, chapter)
    if any(fault.rule == "ids" for fault in faults):
        return f"{len(faults)} to repair", [_line(fault) for fault in faults]
    found = states(read_cells(page(ENGLISH, chapter)), read_cells(path))
    summary, lines = [], []
    for state in (State.STALE, State.UNTRANSLATED):
        cells = [name for name, its in found.items() if its is state]
        if cells:
            summary.append(f"{len(cells)} {state}")
            lines.append(
                textwrap.fill(
                    f"{state}: {', '.join(cells)}",
                    100,
                    initial_indent="  ",
                    subsequent_indent="    ",
                    break_on_hyphens=False,
                )
            )
    if faults:
        summary.append(f"{len(faults)} to repair")
    lines += [_line(fault) for fault in [*faults, *deviations(language, chapter)]]
    return ", ".join(summary) or "fresh", lines


def _line(finding: Finding) -> str:
    return f"  {finding}"


def carry_over(files: list[Path], run: bool) -> int:
    """Synchronise translated pages, and run those whose outputs no longer follow from English."""
    to_run = []
    for path in targets(files):
        change = sync(path)
        if change.written:
            print(f"{path.parent.name}/{path.name}: {change}")
        if change.run or (path.suffix == ".ipynb" and any(unproved(path.parent.name, path.name))):
            to_run.append(str(path))
    if to_run and run:
        return notebooks.main(to_run)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    about = (book._tools.editions.__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m book._tools.editions", description=about)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("report", help="list what each edition misses")
    syncing = commands.add_parser("sync", help="carry code and new cells over from English")
    syncing.add_argument("files", nargs="*", type=Path, help="pages; default: all")
    syncing.add_argument("--no-run", action="store_true", help="leave the notebooks unexecuted")
    commands.add_parser("to-run", help="list the notebooks whose outputs have to be computed anew")
    starting = commands.add_parser("start", help="begin an edition in another language")
    starting.add_argument("language", help="its two-letter code, such as fr")
    stamping = commands.add_parser("stamp", help="record that translations are up to date")
    stamping.add_argument("files", nargs="+", type=Path)
    stamping.add_argument("--cells", type=lambda ids: set(ids.split(",")), help="id1,id2,...")
    options = parser.parse_args(arguments)
    try:
        if options.command == "report":
            report()
        elif options.command == "to-run":
            for path, reason in to_run():
                print(os.path.relpath(path))
                if path.parent.name != ENGLISH:
                    print(f"{path.parent.name}/{path.name} is run: {reason}", file=sys.stderr)
        elif options.command == "start":
            print("\n".join(start(options.language, notebooks.BOOK.parent)))
        elif options.command == "sync":
            return carry_over(options.files, not options.no_run)
        else:
            for path in options.files:
                print(f"{path}: stamped {', '.join(stamp(path, options.cells)) or 'nothing'}")
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
