"""Write the questions of all editions and say where they lie."""

import argparse
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from playwright.sync_api import sync_playwright

from attn_lib.language import speaking
from book._ext.editions.languages import EDITIONS, ROOT
from book._tools.browser import launch
from book._tools.links import published
from book._tools.quiz import moodle, qti
from book._tools.quiz.pictures import taken
from book._tools.quiz.questions import questions

FOLDER = ROOT / "_build" / "quiz"
TITLE = "Attention at Your Fingertips"


def write(
    folder: Path, site: str, seed: int, pictures: Callable[[str], Iterable[tuple[str, bytes]]]
) -> list[Path]:
    """Write both files of each edition; `site` ends with a slash.

    `pictures` gives those of all figures in a language, by their names.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for edition in EDITIONS:
        title = f"{TITLE} ({edition.name})"
        with speaking(edition.code):
            asked = questions(f"{site}{edition.code}/", seed)
        shown = dict(pictures(edition.code))
        for_moodle, package = (folder / f"attention-{edition.code}.{end}" for end in ("xml", "zip"))
        moodle.quiz(title, asked, shown).write(for_moodle, encoding="utf-8", xml_declaration=True)
        qti.write(package, f"attention-{edition.code}", title, asked, shown)
        paths += [for_moodle, package]
    return paths


def main() -> int:
    """Write all files and say where they lie."""
    ask = argparse.ArgumentParser(prog="make quiz")
    ask.add_argument("--seed", type=int, default=1, help="numbers to compute with are drawn by it")
    seed = ask.parse_args().seed
    with sync_playwright() as playwright, launch(playwright, all_fonts=True) as browser:
        for path in write(FOLDER, published(), seed, partial(taken, browser)):
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
