"""Prove only what something has touched since it was proved: for `make nbval` and `make figures`.

    python -m book._tools.proved notebooks FILES -- COMMAND     runs COMMAND with some of FILES
    python -m book._tools.proved figures -- COMMAND             the environment says which: PROVED

A thing counts as proved while every byte that its tests depend on is as it was in a green run. The
records of these runs, in `.proved`, are written after a green run only, and hold what has not
changed while it ran; each kind has its own, as two may run at once. `--all` proves everything.
"""

import argparse
import hashlib
import inspect
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path

import attn_lib
from attn_lib.live.figures import FIGURES
from book._tools import browser

ROOT = Path(__file__).parents[2]
FOLDERS = Path(inspect.getfile(attn_lib.explore)).parent.relative_to(ROOT)  # the figures', one each
RECORDS = ROOT / ".proved"
TOOLS = "book/_tools"
DRAWN = {".js", ".css", ".html"}  # what no notebook runs
SEVERAL = "several"  # the tests that look at more than one figure, or at none

MACHINE = (sys.version, platform.machine())
PINS = ("requirements.txt", "pyproject.toml")


def fingerprint(root: Path, files: Iterable[Path], *also: str) -> str:
    """Return one number for the names and bytes of files, and texts."""
    found = hashlib.sha256(repr((*MACHINE, *also)).encode())
    for path in sorted(set(files)):
        saved = path.stat()
        digest = _digest(path, saved.st_mtime_ns, saved.st_size)
        found.update(f"{path.relative_to(root)} {digest} ".encode())
    return found.hexdigest()


@cache
def _digest(path: Path, changed: int, size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _below(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]


def _library(root: Path) -> dict[str, list[Path]]:
    """The files of the library by figure; under "" those that belong to none."""
    folders = root / FOLDERS
    found: dict[str, list[Path]] = {name: _below(folders / name) for name in FIGURES}
    own = {path for paths in found.values() for path in paths}
    return found | {"": [path for path in _below(root / "attn_lib") if path not in own]}


def notebooks(paths: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Return for each notebook its outputs and what they depend on, as one number."""
    library = {
        name: [file for file in files if file.suffix not in DRAWN]
        for name, files in _library(root).items()
    }
    tools = [root / name for name in (*PINS, f"{TOOLS}/stored.py", f"{TOOLS}/notebooks.py")]
    shared = fingerprint(root, [*tools, *library.pop("")])
    found = {}
    for path in paths:
        cells = json.loads((root / path).read_text(encoding="utf-8"))["cells"]
        code = json.dumps([cell for cell in cells if cell["cell_type"] == "code"])
        shown = set(re.findall(r"\bexplore\(\W*(\w+)", code))
        drawn = shown if shown <= library.keys() else library.keys()
        found[path] = fingerprint(root, [f for name in drawn for f in library[name]], shared, code)
    return found


def figures(root: Path = ROOT, version: str | None = None) -> dict[str, str]:
    """Return for each figure what its tests in a browser depend on, as one number."""
    version = version or str(browser.version())
    library = _library(root)
    tools = (f"{TOOLS}/browser.py", f"{TOOLS}/reload.py", f"{TOOLS}/workbench.py")
    tests = {path.name: path for path in _below(root / "tests/figures")}
    own = {}
    for name in FIGURES:
        test = tests.pop(f"test_{name}.py", None)
        own[name] = [*library.pop(name), *([test] if test else [])]
    pages = [root / name for name in (*PINS, *tools, "book/_static/theme.js")]
    shared = fingerprint(root, [*pages, *tests.values(), *library[""]], version)
    found = {name: fingerprint(root, files, shared) for name, files in own.items()}
    return found | {SEVERAL: fingerprint(root, [], *found.values())}


def prove(
    kind: str,
    look: Callable[[], dict[str, str]],
    command: list[str],
    *,
    everything: bool = False,
    records: Path = RECORDS,
) -> int:
    """Run a command for what is not proved; put it on record if that is green.

    Args:
        kind: The command gets `notebooks` as arguments, and of `figures` the proved ones in PROVED.
        look: Tells what there is, with its numbers.
        command: A program and its arguments.
        everything: Run what is proved, too.
        records: The folder of the files that say what has been proved.

    Returns:
        The exit status of the command, 0 if there is nothing to run.
    """
    record = records / f"{kind}.json"
    known, now = json.loads(record.read_text()) if record.exists() else {}, look()
    proved = [] if everything else [name for name in now if known.get(name) == now[name]]
    todo = [name for name in now if name not in proved]
    print(f"{kind}: {len(todo)} to prove, {len(proved)} as they were when they passed", flush=True)
    if not todo:
        return 0
    arguments = todo if kind == "notebooks" else []
    environment = os.environ | {"PROVED": " ".join(proved)}
    status = subprocess.run([*command, *arguments], env=environment, check=False).returncode
    if status == 0:
        same = dict(now.items() & look().items())
        records.mkdir(exist_ok=True)
        record.write_text(json.dumps(known | same, indent=1) + "\n")
    return status


def main(arguments: list[str]) -> int:
    """Compare what there is with the record, and run the rest."""
    split = arguments.index("--")
    parser = argparse.ArgumentParser(prog="python -m book._tools.proved")
    parser.add_argument("--all", action="store_true", help="prove what is proved already, too")
    parser.add_argument("kind", choices=["notebooks", "figures"])
    parser.add_argument("files", nargs="*")
    options = parser.parse_args(arguments[:split])
    look = figures if options.kind == "figures" else partial(notebooks, options.files)
    return prove(options.kind, look, arguments[split + 1 :], everything=options.all)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
