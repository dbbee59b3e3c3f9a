"""A chapter for Gradescope: what Otter makes of it, and the same points for the same answers.

Each submission is a chapter that runs in a kernel, so this takes minutes.
"""

import json
import os
import subprocess
import sys

import pytest
from handed_in import BOOK, CHAPTER, HANDED_IN, RIGHT, SEED, WARNS

from book._ext.editions.languages import ROOT
from book._tools import otter, student

LANGUAGE = "vi"
WORTH = {"causal": 1, "average": 2, "write": 2}
WHO = ["right", "warns", "half", "wrong", "exits", "empty", "copied", "copied-whole"]
# The book's kernel, which finds Otter behind its own packages, as Gradescope's finds the book.
KERNEL = """import sys
sys.path.append({!r})
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()"""


def sources(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What Otter makes of a chapter: the folders `student` and `autograder`."""
    folder = tmp_path_factory.mktemp("course")
    otter.write(folder, LANGUAGE, SEED, [CHAPTER])
    return otter.assign(folder / CHAPTER)


def test_students_get_what_they_get_for_nbgrader(made):
    """But for cells of tests, a place for words, and Otter's comments on what is a question."""
    got = sources(read(made / "student" / f"{CHAPTER}.ipynb"))
    source = student.derive(LANGUAGE, CHAPTER, SEED)
    wanted = [c for c in student.released(source)["cells"] if not c["id"].startswith("test-")]
    said = [text.replace("../models/", "models/").strip() for text in sources({"cells": wanted})]
    plain = [
        text.replace("<!-- BEGIN QUESTION -->", "").replace("<!-- END QUESTION -->", "").strip()
        for text in got
    ]
    here = "*câu trả lời của bạn*"
    assert [text for text in plain if text and text != here] == said
    assert plain.count(here) == sum(c["id"].startswith("words-") for c in wanted)
    assert str(SEED) not in json.dumps(got)


def test_students_can_write_where_an_answer_belongs(made):
    cells = read(made / "student" / f"{CHAPTER}.ipynb")["cells"]
    answers = [c for c in cells if "otter_answer_cell" in c["metadata"].get("tags", [])]
    assert len(answers) == len(WORTH) + 4  # in code, and in words
    assert all(cell["metadata"].get("editable", True) for cell in answers)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Where a kernel is found that knows the book and Otter."""
    folder = tmp_path_factory.mktemp("jupyter")
    (site,) = (ROOT / ".venv-otter" / "lib").glob("python*/site-packages")
    code = KERNEL.format(str(site))
    kernel = {
        "argv": [sys.executable, "-c", code, "-f", "{connection_file}"],
        "display_name": "Python 3",
        "language": "python",
    }
    path = folder / "kernels" / "python3" / "kernel.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(kernel), encoding="utf-8")
    return folder


def hand_in(made, who, path):
    """Fill the answers into what students got."""
    notebook = read(made / "student" / f"{CHAPTER}.ipynb")
    published = {c["id"]: c["source"] for c in student.derive(LANGUAGE, CHAPTER, 0)["cells"]}
    for cell in student.derive(LANGUAGE, CHAPTER, SEED)["cells"]:
        what = cell["id"].removeprefix(f"answer-{CHAPTER}-")
        if what not in HANDED_IN[who][0]:
            continue
        model = {RIGHT: cell["source"], BOOK: published.get(cell["id"])}
        (stub,) = sources(student.released({"cells": [cell]}))
        (empty,) = [c for c in notebook["cells"] if "".join(c["source"]).strip() == stub.strip()]
        answer = HANDED_IN[who][0][what]
        empty["source"] = model.get(answer, answer)
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.mark.parametrize("who", WHO)
def test_points_are_those_of_nbgrader_part_for_part(made, kernels, tmp_path, who):
    answers, total = HANDED_IN[who]
    wanted = {what: float(of * (answers.get(what) in (RIGHT, WARNS))) for what, of in WORTH.items()}
    assert sum(wanted.values()) == total
    hand_in(made, who, tmp_path / f"{CHAPTER}.ipynb")
    (archive,) = (made / "autograder").glob("*.zip")
    run = [ROOT / ".venv-otter" / "bin" / "otter", "run", "--no-logo", "-o", tmp_path]
    done = subprocess.run(
        [*run, "-a", archive, tmp_path / f"{CHAPTER}.ipynb"],
        cwd=tmp_path,
        env=os.environ | {"JUPYTER_PATH": str(kernels), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = {test["name"]: test.get("score") for test in read(tmp_path / "results.json")["tests"]}
    assert {what: found[f"{CHAPTER}-{what}"] for what in WORTH} == wanted
