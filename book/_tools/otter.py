"""A course for Gradescope, by Otter-Grader: `make otter LANGUAGE=vi SEED=2027 CHAPTERS=scaling`.

The answers, judges and points of `make student`, between the raw cells that `otter assign` reads.
That writes what students get, and the archive with which Gradescope grades.

Source: https://otter-grader.readthedocs.io/en/latest/otter_assign/notebook_format.html
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from book._ext.editions.catalogues import words
from book._ext.editions.languages import BOOK, ROOT, edition_of
from book._tools import student
from book._tools.grading import points
from book._tools.solutions import Cell, is_code

TEST = re.compile(r"^(points\(.*, of=(\d+)\))$", re.MULTILINE)
MARKED = re.compile(r"### BEGIN SOLUTION\n(.*)\n### END SOLUTION", re.DOTALL)
# What lies beside a notebook there; some chapters open a model beside their folder.
POINTS, REQUIREMENTS, MODELS = "points.py", "requirements.txt", "models"


def exported(notebook: dict[str, Any], name: str, seed: int, here: str) -> dict[str, Any]:
    """Return a lecturer's copy of a chapter with Otter's raw cells in place of nbgrader's marks.

    `here` stands where an answer in words belongs. It has a cell of its own: Otter locks the first
    cell of text of a question that a person reads.
    """
    text = json.dumps(notebook["cells"]).replace(f"../{MODELS}/", f"{MODELS}/")
    old: list[Cell] = json.loads(text)
    tests = {cell["id"]: TEST.search(cell["source"]) for cell in old}
    cells = _block(
        "ASSIGNMENT CONFIG",
        name=name,
        requirements=REQUIREMENTS,
        python_version=f"{sys.version_info.major}.{sys.version_info.minor}",
        autograder_files=[POINTS],
        files=[MODELS] if f"{MODELS}/" in text else [],
        # Students need no Otter, since there is no test for them.
        init_cell=False,
        export_cell=False,
        run_tests=False,
    )[:1]
    for cell in old:
        about = cell["metadata"].get("nbgrader")
        label = cell["id"].partition("-")[2]
        if about is None:
            cells.append(cell)
        elif not about["solution"]:
            continue  # a test stands in its question
        elif is_code(cell):
            call, of = tests[f"test-{label}"].groups()  # type: ignore[union-attr]
            marked = MARKED.sub(r"# BEGIN SOLUTION NO PROMPT\n\1\n# END SOLUTION", cell["source"])
            cells += _block(
                "QUESTION",
                *_block("SOLUTION", cell | {"source": marked}),
                *_block("TESTS", _test(f"test-{label}", f"{call} == {of}", seed)),
                name=label,
                points=int(of),
                check_cell=False,
            )
        else:
            prompt, solution, _ = MARKED.split(cell["source"])
            cells += _block(
                "QUESTION",
                cell | {"source": prompt.strip()},
                *_block("PROMPT", cell | {"id": f"here-{label}", "source": f"*{here}*"}),
                *_block("SOLUTION", cell | {"id": f"solved-{label}", "source": solution}),
                name=f"words-{label}",
                points=about["points"],
                manual=True,
            )
    for i, cell in enumerate(cells):
        cell.setdefault("metadata", {}).pop("nbgrader", None)
        cell.setdefault("id", f"otter-{i}")
    return notebook | {"cells": cells}


def _block(what: str, *cells: Cell, **settings: Any) -> list[Cell]:
    """Return cells between Otter's raw ones; the first says how they are taken."""
    said = yaml.safe_dump(settings, sort_keys=False) if settings else ""
    begin, end = f"# {what}" if not cells else f"# BEGIN {what}", f"# END {what}"
    return [
        {"cell_type": "raw", "source": f"{begin}\n{said}"},
        *cells,
        {"cell_type": "raw", "source": end},
    ]


def _test(id: str, claim: str, seed: int) -> Cell:
    """Return a test that students do not get; Otter compares what it shows with what is stored."""
    lines = ["# hidden", "import os", "from points import points"]
    lines += [f'os.environ["ATTN_SEED"] = "{seed}"', claim]
    shown = {"output_type": "execute_result", "data": {"text/plain": "True"}}
    output: Cell = shown | {"metadata": {}, "execution_count": None}
    return {
        "cell_type": "code",
        "id": id,
        "source": "\n".join(lines),
        "outputs": [output],
        "execution_count": None,
    }


def requirements() -> str:
    """Return what the grader installs: this library from its repository, on torch without CUDA."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    (torch,) = re.findall(r"^torch==[\d.]+", pins, re.MULTILINE)
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return (
        "--extra-index-url https://download.pytorch.org/whl/cpu\n"
        f"{torch}+cpu\n"
        f"attn-lib[figures] @ git+{config['repository']['url']}\n"
    )


def write(folder: Path, language: str, seed: int, chapters: list[str]) -> None:
    """Write a folder for each chapter: the notebook for `otter assign`, and what it names."""
    for chapter in chapters:
        place = folder / chapter
        place.mkdir(parents=True, exist_ok=True)
        source = student.derive(language, chapter, seed)
        here = words(edition_of(language))("your answer")
        notebook = exported(source, f"{chapter}-{language}", seed, here)
        text = json.dumps(notebook, ensure_ascii=False, indent=1)
        (place / f"{chapter}.ipynb").write_text(text + "\n", encoding="utf-8")
        (place / REQUIREMENTS).write_text(requirements(), encoding="utf-8")
        shutil.copy(points.__file__, place / POINTS)
        if f"{MODELS}/" in text:
            python = shutil.ignore_patterns("*.py", "__pycache__")
            shutil.copytree(BOOK / MODELS, place / MODELS, dirs_exist_ok=True, ignore=python)


def assign(place: Path) -> Path:
    """Let Otter make what students get and what grades it; return the folder of both."""
    made = place / "dist"
    otter = ROOT / ".venv-otter" / "bin" / "otter"
    notebook = place / f"{place.name}.ipynb"
    subprocess.run([otter, "assign", notebook, made], check=True, stdout=subprocess.DEVNULL)
    return made


def main() -> int:
    """Write what is asked for and say where it lies."""
    given = student.asked("make otter")
    folder = given.folder / "otter"
    write(folder, given.language, given.seed, given.chapters)
    for chapter in given.chapters:
        made = assign(folder / chapter)
        print(
            f"{made / 'student'} is for students, {made / 'autograder'} has Gradescope's archive."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
