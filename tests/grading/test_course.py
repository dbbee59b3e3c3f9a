"""A course from end to end: notebooks handed in right and wrong, their points, table, feedback.

Each submission is a chapter that runs in a kernel, so this takes minutes.
"""

import csv
import json
import subprocess

import pytest
from handed_in import BOOK, CHAPTER, HANDED_IN, RIGHT, SEED

from book._ext.editions.languages import ROOT
from book._tools import student

SOME = ["right", "half", "empty", "leaves"]  # in the second language


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def hand_in(course, who, answers):
    """Fill the answers into what students got; "right" says something in words too."""
    released = course / "release" / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = json.loads(released.read_text(encoding="utf-8"))
    model = {
        (kind, cell["id"]): cell["source"]
        for kind, seed in ((RIGHT, SEED), (BOOK, 0))
        for cell in student.derive(course.name, CHAPTER, seed)["cells"]
    }
    for cell in notebook["cells"]:
        what = cell["id"].removeprefix(f"answer-{CHAPTER}-")
        if what in answers:
            cell["source"] = model.get((answers[what], cell["id"]), answers[what])
        if who == "right" and cell["id"] == f"words-{CHAPTER}-shift":
            cell["source"] += "e^c"
    path = course / "submitted" / who / CHAPTER / f"{CHAPTER}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture(scope="module", params=["vi", "ko"])
def graded(request, tmp_path_factory):
    """The folder of a course, what students got, and the rows of its table."""
    course = tmp_path_factory.mktemp("course") / request.param
    student.write(course, request.param, SEED, [CHAPTER])
    with (course / "nbgrader_config.py").open("a") as settings:
        settings.write("c.ExecutePreprocessor.timeout = 60\n")
    released = cells(course / "release" / CHAPTER / f"{CHAPTER}.ipynb")
    for who in HANDED_IN if request.param == "vi" else SOME:
        hand_in(course, who, HANDED_IN[who][0])
    python = ROOT / ".venv-grading" / "bin" / "python"
    grade = [python, "-m", "book._tools.grading.grade", "grade", course]
    done = subprocess.run(grade, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with (course / "grades.csv").open(encoding="utf-8") as table:
        return course, released, {row["student"]: row for row in csv.DictReader(table)}, done.stdout


def test_points_are_those_of_the_judges(graded):
    _, _, rows, _ = graded
    got = {who: row["judged"] and float(row["judged"]) for who, row in rows.items()}
    assert got == {who: "" if HANDED_IN[who][1] is None else HANDED_IN[who][1] for who in rows}


def test_a_killed_kernel_is_said_and_no_zero(graded):
    _, _, rows, said = graded
    assert {who for who, row in rows.items() if row["remark"]} == {"leaves"}
    assert rows["leaves"]["remark"] == "not graded: the kernel died"
    assert rows["leaves"]["points"] == ""
    assert "leaves, masked-softmax: not graded: the kernel died" in said


def test_only_what_was_written_in_words_waits_for_a_reader(graded):
    _, _, rows, _ = graded
    left = {who: row["left to read"] for who, row in rows.items() if not row["remark"]}
    assert left == {who: "1" if who == "right" else "0" for who in left}


def test_what_students_get_is_what_nbgrader_would_give_them(graded):
    """So prompts are left, and an untouched cell is known as one."""
    course, released, _, _ = graded
    made = cells(course / "release" / CHAPTER / f"{CHAPTER}.ipynb")  # by `make grade`, anew
    assert ["".join(c["source"]) for c in made] == [c["source"] for c in released]


def test_each_graded_submission_has_feedback(graded):
    course, _, rows, _ = graded
    pages = {path.parts[-3] for path in course.glob(f"feedback/*/{CHAPTER}/{CHAPTER}.html")}
    assert pages == {who for who, row in rows.items() if not row["remark"]}
    right = (course / "feedback" / "right" / CHAPTER / f"{CHAPTER}.html").read_text("utf-8")
    assert f"{SEED}" not in right  # the seed is the lecturer's
