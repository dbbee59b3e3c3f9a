"""The site without solutions as one archive: `make student-site SEED=2027`.

It is built again, in a copy of the tree whose pages have none: so pages, their sources and the
search cannot have any, and `leaks` looks whether that is so. With a seed, what a page judges is
tried on the same cases as in the course that `make student` writes with it.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from book._ext.content.downloads import NAME
from book._ext.editions.languages import BOOK, EDITIONS, ROOT
from book._tools import leaks, offline, solutions

TREE = ROOT / "_build" / "student"
ARCHIVE = f"{NAME}-without-solutions.zip"
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "_build", "tests", "course")


def strip(book: Path) -> None:
    """Take the solutions out of the pages of a copy of the book."""
    for english in sorted((BOOK / EDITIONS[0].code).glob("*.*")):
        original = solutions.read(english)
        for path in book.glob(f"[a-z][a-z]/{english.name}"):
            solutions.write(path, solutions.without(solutions.read(path), original))


def build(tree: Path, seed: str) -> Path:
    """Copy the tree, build the site of the copy and return where it lies.

    Raises:
        subprocess.CalledProcessError: The build failed.
    """
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
    strip(tree / "book")
    program = Path(sys.executable).parent / "jupyter-book"
    command = [str(program), "build", "-W", "-n", "--keep-going", "."]
    env = os.environ | {"PYTHONPATH": str(tree), "ATTN_SEED": seed}
    subprocess.run(command, cwd=tree, env=env, check=True)
    return tree / "_build" / "html"


def main() -> int:
    """Write the archive, look through it, and say where it lies."""
    ask = argparse.ArgumentParser(prog="make student-site")
    ask.add_argument("--seed", default="", help="of the class: pages draw their cases by it")
    ask.add_argument("--course", type=Path, required=True, help="where the archive is to lie")
    given = ask.parse_args()
    if given.seed and not given.seed.isdecimal():
        ask.error(f"the seed is a whole number. Got {given.seed}.")
    archive = given.course / ARCHIVE
    offline.pack(build(TREE, given.seed), archive)
    if leaks.main([str(archive)]):
        for path in given.course.glob(f"{ARCHIVE}*"):
            path.unlink()
        return 1
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
