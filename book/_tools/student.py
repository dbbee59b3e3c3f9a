"""A course from the book: `make student LANGUAGE=vi SEED=2027` writes course/vi.

`release` holds a language's notebooks without solutions, an answer cell or two behind each
exercise; `source`, for the lecturer, the same with the book's solutions in them. Where an answer
follows from numbers, both ask for those that the seed draws. They lie and are marked as nbgrader
wants them, but neither needs it.
"""

import argparse
import ast
import base64
import json
import re
import shutil
import symtable
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attn_lib.check.quantity import QUANTITIES
from attn_lib.language import speaking
from attn_lib.language import words as words_of
from book._ext.editions.catalogues import compile_all, words
from book._ext.editions.languages import BOOK, EDITIONS, ROOT, edition_of
from book._ext.editions.translation import numbered_chapters
from book._tools.solutions import DIRECTIVE, OPTION, Cell, is_code, pieces

Say = Callable[[str], str]  # turns an English phrase into the course's language

LABEL = re.compile(r"^:label: ex-(\S+)$", re.MULTILINE)
EFFORT = re.compile(r"(●+)( ?[^()（）]+)(?=[)）]$)")  # at the end of a title
CALL = re.compile(r"attn_lib\.check\.(\w+)\(((?:[^()]|\([^()]*\))*)\)")
NAMED = re.compile(r"([^\W\d]\w*)((?:, .*)?)")  # a name, and what else the judge is told
PICTURE = re.compile(r"\.\./pictures/([\w-]+\.svg)")
# nbgrader removes this from what students get, and knows an untouched cell by what is left.
HIDDEN = re.compile(
    r"### BEGIN SOLUTION\n.*?### END SOLUTION|\n### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS",
    re.DOTALL,
)


@dataclass
class Exercise:
    """An exercise, what its text and its cell say of the judge, and its solution."""

    label: str
    title: str
    text: str
    solution: list[Cell] = field(default_factory=list)


def course(notebook: dict[str, Any], say: Say, seed: int) -> dict[str, Any]:
    """Return the lecturer's copy of a chapter: no outputs, answers between nbgrader's marks."""
    parts = _apart(notebook["cells"])
    body = [part["source"] for part in parts if isinstance(part, dict) and is_code(part)]
    cells: list[Cell] = []
    for part in parts:
        cells += [part] if isinstance(part, dict) else _answers(part, body, say, seed)
    return notebook | {"cells": cells}


def released(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return what students get of a lecturer's copy."""
    cells = [cell | {"source": HIDDEN.sub("", cell["source"])} for cell in notebook["cells"]]
    return notebook | {"cells": cells}


def _apart(old: list[Cell]) -> list[Cell | Exercise]:
    """Take the cells of a chapter apart: its own, and its exercises with their solutions."""
    parts: list[Cell | Exercise] = []
    exercises: dict[str, Exercise] = {}
    made: Counter[str] = Counter()  # a cell may become several
    for cell, source, exercise, solves in pieces(old):
        text = DIRECTIVE.sub(_plain, source).strip()
        if solves:
            if text:
                solution = _cell(cell["cell_type"], cell["id"], text)
                exercises[solves].solution.append(solution)
        elif not is_code(cell):
            made[cell["id"]] += bool(text)
            again = f"-{made[cell['id']]}" if made[cell["id"]] > 1 else ""
            parts += [_pictured(cell | {"id": cell["id"] + again, "source": text})] * bool(text)
        elif CALL.search(source):  # the page's own cell for an answer
            list(exercises.values())[-1].text += source
        else:
            parts.append(cell | {"source": source, "outputs": [], "execution_count": None})
        if exercise:
            named = LABEL.search(exercise["body"])[1]  # type: ignore[index]
            exercises[named] = Exercise(named, exercise["argument"], exercise["body"])
            parts.append(exercises[named])
    return parts


def _plain(exercise: re.Match[str]) -> str:
    """Return an exercise as any notebook shows it: others take its directive for code, untitled."""
    label, text = LABEL.search(exercise["body"]), OPTION.sub("", exercise["body"])
    return f"(ex-{label[1]})=\n\n**{exercise['argument']}**\n\n{text}"  # type: ignore[index]


def _answers(exercise: Exercise, body: list[str], say: Say, seed: int) -> list[Cell]:
    """Return the cells below an exercise. Its judge, whose code all can read, decides half."""
    label, call = exercise.label, CALL.search(exercise.text)
    effort = len(EFFORT.search(exercise.title)[1])  # type: ignore[index]
    points = effort if call else 2 * effort
    here, worth = say("your answer"), say("points: {points}").format(points=points)
    cells: list[Cell] = []
    if call:
        judge, handed = call[1], NAMED.fullmatch(call[2])
        name, more = handed.groups() if handed else (f"my_{judge}", "")
        head = re.search(rf"`{name}(\([\w, =]*\))`", exercise.text)
        if any(name in _bound(source) for source in body):  # else the chapter's would be judged
            name = f"my_{name}"
        stub = f"{name} = None  # {here}"
        if head:
            stub = f"def {name}{head[1]}:\n    raise NotImplementedError  # {here}"
        model = _model(judge, name, [c["source"] for c in exercise.solution if is_code(c)])
        if seed and (quantity := QUANTITIES.get(judge)):
            numbers = quantity.drawn(seed)
            more = "".join(f", {key}={value!r}" for key, value in numbers.items())
            model = f"{name} = {quantity.known(**numbers)['right']!r}"
            ask = words_of("check")["course"]["ask"].format(ask=quantity.ask(numbers))
            cells = [_cell("markdown", f"ask-{label}", ask)]
        test = (
            "from book._tools.grading.points import points\n\n"
            f"points(attn_lib.check.{judge}, {name}{more}, of={points})"
        )
        cells += [
            _answer("code", f"answer-{label}", f"{stub}\n{_marked('SOLUTION', model)}"),
            _cell("code", f"check-{label}", f"attn_lib.check.{judge}({name}{more})"),
            _test(f"test-{label}", f"# {worth}\n{_marked('HIDDEN TESTS', test)}", points),
        ]
    said = "\n\n".join(
        f"```python\n{c['source']}\n```" if is_code(c) else c["source"] for c in exercise.solution
    )
    prompt = f"**{say('Your answer in words, and why')}** ({worth})\n\n{_marked('SOLUTION', said)}"
    return [*cells, _answer("markdown", f"words-{label}", prompt, points)]


def _model(judge: str, name: str, sources: list[str]) -> str:
    """Return the solution's code with `name` for what it hands to the judge first, if it does."""
    calls = [i for i, source in enumerate(sources) if f"attn_lib.check.{judge}(" in source]
    code = "\n\n\n".join(sources[: calls[0] + 1] if calls else sources)
    lines, is_bound = code.split("\n"), name in _bound(code)
    for statement in [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Expr)]:
        called = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        verdicts = [node for node in called if ast.unparse(node.func) == f"attn_lib.check.{judge}"]
        if not verdicts:
            continue
        indent = " " * statement.col_offset
        given = ast.get_source_segment(code, verdicts[0].args[0])
        become = "pass" * bool(indent) if is_bound else f"{name} = {given}"
        lines[statement.lineno - 1] = indent + become
        for i in range(statement.lineno, statement.end_lineno or 0):
            lines[i] = "\0"
        is_bound = True
    return "\n".join(line for line in lines if line != "\0").strip()


def _bound(source: str) -> set[str]:
    """Return the names that code gives a value, outside of its functions."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}


def _cell(kind: str, id: str, source: str) -> Cell:
    extra: Cell = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": id, "metadata": {}, "source": source, **extra}


def _marked(what: str, text: str) -> str:
    return f"### BEGIN {what}\n{text}\n### END {what}"


def _answer(kind: str, id: str, source: str, points: int | None = None) -> Cell:
    """Return a cell for students to fill; one with points is read by a person."""
    return _known(_cell(kind, id, source), points, solution=True)


def _test(id: str, source: str, points: int) -> Cell:
    """Return a cell that gives points by itself, and that students cannot change."""
    return _known(_cell("code", id, source), points, solution=False)


def _known(cell: Cell, points: int | None, *, solution: bool) -> Cell:
    """Give a cell the metadata by which nbgrader knows it."""
    worth = {} if points is None else {"points": points}
    kind = {"grade": bool(worth), "solution": solution, "locked": not solution, "task": False}
    about = {"grade_id": cell["id"], "schema_version": 3, **kind, **worth}
    return cell | {"metadata": {"nbgrader": about}}


def _pictured(cell: Cell) -> Cell:
    """Put the pictures into the cell, as the notebook leaves the book."""
    names = PICTURE.findall(cell["source"])
    drawn = {
        name: {"image/svg+xml": base64.b64encode((BOOK / "pictures" / name).read_bytes()).decode()}
        for name in names
    }
    source = PICTURE.sub(r"attachment:\1", cell["source"])
    return cell | {"source": source} | ({"attachments": drawn} if drawn else {})


def derive(language: str, chapter: str, seed: int) -> dict[str, Any]:
    """Return the lecturer's copy of a chapter of the book, with the numbers of a class."""
    path = BOOK / language / f"{chapter}.ipynb"
    compile_all()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    with speaking(language):
        return course(notebook, words(edition_of(language)), seed)


def write(folder: Path, language: str, seed: int, chapters: list[str]) -> None:
    """Write a course: one assignment a chapter, nbgrader's settings, and the kernel that grades."""
    for chapter in chapters:
        source = derive(language, chapter, seed)
        for kind, notebook in (("source", source), ("release", released(source))):
            path = folder / kind / chapter / f"{chapter}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(notebook, ensure_ascii=False, indent=1)
            path.write_text(text + "\n", encoding="utf-8")
    # Some chapters open the real model beside them, which `make grade` puts beside what it runs.
    models, python = folder / "release" / "models", shutil.ignore_patterns("__pycache__")
    shutil.copytree(BOOK / "models", models, dirs_exist_ok=True, ignore=python)
    shutil.copy(BOOK / "_tools" / "grading" / "nbgrader_config.py", folder)
    # nbgrader finds it by JUPYTER_PATH, so it need not know torch. An endless loop that catches
    # the interrupt ends with its kernel.
    run = f'ulimit -t 900; exec "{sys.executable}" -m ipykernel_launcher --log-level=ERROR -f "$0"'
    kernel = {
        "argv": ["sh", "-c", run, "{connection_file}"],
        "display_name": "Python 3",
        "language": "python",
        "env": {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "ATTN_SEED": str(seed)},
    }
    path = folder / "jupyter" / "kernels" / "python3" / "kernel.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kernel, indent=1) + "\n", encoding="utf-8")


def asked(program: str) -> argparse.Namespace:
    """Return what the command line asks for: `folder` of the course, its seed and chapters."""
    ask = argparse.ArgumentParser(prog=program)
    ask.add_argument("--language", choices=[edition.code for edition in EDITIONS], required=True)
    ask.add_argument("--seed", type=int, required=True, help="of the class: all is drawn by it")
    ask.add_argument("--course", type=Path, required=True)
    ask.add_argument("chapters", nargs="*")
    given = ask.parse_args()
    given.folder = given.course / given.language
    given.chapters = given.chapters or numbered_chapters()
    return given


def main() -> int:
    """Write what is asked for and say where it lies."""
    given = asked("make student")
    folder: Path = given.folder
    write(folder, given.language, given.seed, given.chapters)
    print(f"{folder / 'release'} is for students, {folder / 'source'} has the answers.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
