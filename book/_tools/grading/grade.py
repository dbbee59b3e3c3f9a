"""Release a course's chapters, or grade what was handed in: `make release`, `make grade`.

Runs in an environment of its own that has nbgrader and no torch. The settings and the kernel lie in
the course's folder, where nbgrader and its form for marking by hand find them too.
"""

import argparse
import csv
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

COLUMNS = ["student", "chapter", "judged", "read", "points", "of", "left to read", "remark"]


def opened(course: Path) -> Any:
    """Return nbgrader with the settings of a course."""
    os.environ["JUPYTER_PATH"] = str(course / "jupyter")
    # nbgrader calls alembic by its name.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    config: Config = PyFileConfigLoader("nbgrader_config.py", str(course)).load_config()
    config.CourseDirectory.root = str(course)
    return NbGraderAPI(config=config)


def release(api: Any, chapters: list[str]) -> None:
    """Make nbgrader know chapters, and put them where students fetch them, if there is a place."""
    for chapter in chapters:
        _must(api.generate_assignment(chapter))
        if Path(api.exchange_root).is_dir():
            _must(api.release_assignment(chapter))


def grade(api: Any, course: Path, chapters: list[str]) -> list[dict[str, Any]]:
    """Collect, run and count what was handed in; return a row for each student and chapter."""
    if Path(api.exchange_root).is_dir():
        for chapter in chapters or sorted(api.get_released_assignments()):
            _must(api.collect(chapter))
    handed_in = {path.name for path in course.glob("submitted/*/*") if path.is_dir()}
    rows = []
    for chapter in chapters or sorted(handed_in):
        _must(api.generate_assignment(chapter))
        for student in sorted(api.get_submitted_students(chapter)):
            beside = course / "autograded" / student / "models"
            if not beside.exists():
                beside.parent.mkdir(parents=True, exist_ok=True)
                beside.symlink_to(course / "release" / "models")
            done = api.autograde(chapter, student, force=False)
            if done["success"]:
                _must(api.generate_feedback(chapter, student))
            rows.append(row(api.coursedir.db_url, chapter, student, done))
    return rows


def row(database: str, chapter: str, student: str, done: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a submission; one that could not be run has no points, not none."""
    begun = {"student": student, "chapter": chapter}
    if not done["success"]:
        # nbgrader's own table has 0 here.
        why = "the kernel died" if "Kernel died" in done.get("log", "") else "see nbgrader's log"
        return begun | {"remark": f"not graded: {why}"}
    with Gradebook(database) as gradebook:
        try:
            submission = gradebook.find_submission(chapter, student)
        except MissingEntry:
            return begun | {"remark": "not graded: not known to nbgrader"}
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        judged = sum(grade.score for grade in grades if grade.cell.cell_type == "code")
        return begun | {
            "judged": judged,
            "read": submission.score - judged,
            "points": submission.score,
            "of": submission.max_score,
            "left to read": sum(grade.needs_manual_grade for grade in grades),
        }


def _must(done: dict[str, Any]) -> None:
    if not done["success"]:
        sys.exit(done.get("error") or done.get("log"))


def main() -> int:
    """Do what is asked for and say where the table lies."""
    ask = argparse.ArgumentParser()
    ask.add_argument("what", choices=["release", "grade"])
    ask.add_argument("course", type=Path)
    ask.add_argument("chapters", nargs="*")
    given = ask.parse_args()
    course = given.course.resolve()
    warnings.simplefilter("ignore")  # nbgrader's own, about its database
    api = opened(course)
    if given.what == "release":
        release(api, given.chapters or sorted(api.get_source_assignments()))
        return 0
    table = course / "grades.csv"
    rows = grade(api, course, given.chapters)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    for refused in (one for one in rows if one.get("remark")):
        print(f"{refused['student']}, {refused['chapter']}: {refused['remark']}")
    print(f"{table}: {len(rows)} submissions.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
