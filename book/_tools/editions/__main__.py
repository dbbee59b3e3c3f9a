"""`python -m book._tools.editions report | sync | stamp | start | to-run`, for the Makefile."""

import argparse
import os
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import book._tools.editions
from book._tools import notebooks
from book._tools.editions import figures, words
from book._tools.editions.changes import earlier, word_diff
from book._tools.editions.check import Finding, deviations, findings
from book._tools.editions.outputs import to_run, unproved
from book._tools.editions.read import (
    ENGLISH,
    State,
    chapters,
    languages,
    page,
    passages,
    read_cells,
    states,
)
from book._tools.editions.stamp import stamp
from book._tools.editions.start import start
from book._tools.editions.sync import sync, targets
from book._tools.editions.words import ROOT, stamp_words, word_files


def report() -> None:
    """Print a table, chapter by language, and below it what there is to do on each page.

    A page that is fresh in every language has no line. A stale text says what has changed.
    """
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
        if set(row.removeprefix(chapter).split()) != {"fresh"}:
            print(row.rstrip())
    for language in columns:
        for chapter in sorted(set(chapters(language)) - set(chapters(ENGLISH))):
            details += [f"\n{language}/{chapter}", *map(_line, findings(language, chapter))]
    for language in columns:
        stamps = words.stamps(language)
        for english in word_files():
            stamped = stamps.get(english.relative_to(ROOT).as_posix(), {})
            if lines := _words(language, english, stamped):
                own = english.with_name(f"{language}.json").relative_to(ROOT)
                details += [f"\n{own.as_posix()}", *lines]
    print("\n".join(details) or "Every text of every edition is fresh.")


def _page(language: str, chapter: str) -> tuple[str, list[str]]:
    """A page of an edition in a few words, and line by line."""
    path = page(language, chapter)
    if not path.exists():
        return "missing", []
    faults = findings(language, chapter)
    if any(fault.rule == "ids" for fault in faults):
        return f"{len(faults)} to repair", [_line(fault) for fault in faults]
    english, own = (read_cells(source) for source in (page(ENGLISH, chapter), path))
    found = states(english, own)
    summary, lines = [], []
    for state in (State.STALE, State.UNTRANSLATED):
        cells = [name for name, its in found.items() if its is state]
        if cells:
            summary.append(f"{len(cells)} {state}")
            lines.append(_list(state, cells))
    now = {cell.id: cell.passage for cell in english}
    stale = [cell for cell in own if found.get(cell.id) is State.STALE]
    lines += [_change(page(ENGLISH, chapter), cell.id, cell.stamp, now[cell.id]) for cell in stale]
    if faults:
        summary.append(f"{len(faults)} to repair")
    lines += [_line(fault) for fault in [*faults, *deviations(language, chapter)]]
    return ", ".join(summary) or "fresh", lines


def _words(language: str, english: Path, stamped: Mapping[str, str]) -> list[str]:
    """What there is to do in a language's word file, line by line."""
    texts = words.read(english)
    found = words.states(texts, words.read(english.with_name(f"{language}.json")), stamped)
    untranslated = [name for name, its in found.items() if its is State.UNTRANSLATED]
    return [_list(State.UNTRANSLATED, untranslated)] * bool(untranslated) + [
        _change(english, name, stamped.get(name), texts[name])
        for name, its in found.items()
        if its is State.STALE
    ]


def _list(state: State, names: list[str]) -> str:
    return textwrap.fill(
        f"{state}: {', '.join(names)}",
        100,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )


def _change(path: Path, name: str, stamp: str | None, now: str) -> str:
    """What has changed in an English text since a translation was stamped."""
    old = earlier(path, stamp, _texts(path)) if stamp else None
    diff = "the text that it was made from is not in the history" if old is None else ""
    return textwrap.indent(
        textwrap.fill(f"{name}: {diff or word_diff(old or '', now)}", 96, subsequent_indent="  "),
        "  ",
    )


def _texts(path: Path) -> Callable[[str], list[str]]:
    """How all texts are read from a version of a file."""
    if path.suffix == ".json":
        return lambda source: list(words.texts(source).values())
    return lambda source: passages(source, path.suffix)


def _line(finding: Finding) -> str:
    return f"  {finding}"


def carry_over(files: list[Path], run: bool) -> int:
    """Synchronise translated pages, and run those whose outputs no longer follow from English."""
    to_run = []
    for chapter in dict.fromkeys(path.name for path in targets(files)):
        if figures.compute(page(ENGLISH, chapter)):
            print(f"{ENGLISH}/{chapter}: figures computed anew")
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
                stamped = (stamp_words if path.suffix == ".json" else stamp)(path, options.cells)
                print(f"{path}: stamped {', '.join(stamped) or 'nothing'}")
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
