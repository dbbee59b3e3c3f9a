"""What students get has no solution, what the lecturer gets has all, and both are notebooks."""

import ast
import json
import re
import symtable
from functools import cache

import nbformat
import pytest

import attn_lib
from attn_lib.check.quantity import QUANTITIES
from attn_lib.language import speaking
from book._ext.editions.languages import BOOK, EDITIONS
from book._ext.editions.translation import numbered_chapters
from book._tools import leaks, solutions
from book._tools.grading.points import points
from book._tools.student import derive, released, write

SEED = 2027

PAGES = [
    pytest.param(edition.code, chapter, id=f"{edition.code}-{chapter}")
    for edition in EDITIONS
    for chapter in numbered_chapters()
    if (BOOK / edition.code / f"{chapter}.ipynb").exists()
]

# A stub's first line, and the call of a judge with the name of an answer.
SAID = re.compile(r"def .*|attn_lib\.check\.\w+\(\w+\)")


def book(language, chapter):
    return json.loads((BOOK / language / f"{chapter}.ipynb").read_text(encoding="utf-8"))


def lecturers(language, chapter):
    return derive(language, chapter, SEED)


@cache
def notebook(made_by, language, chapter):
    return made_by(language, chapter)


def apart(notebook):
    """The lines outside and inside of solutions: found line by line, otherwise than by the tool."""
    sources = [cell | {"outputs": []} for cell in notebook["cells"]]
    solved, others = leaks.lines({"cells": sources})
    outside, inside = set(others), {line for part in solved.values() for line in part}
    return outside, inside - outside


def lines(notebook):
    return {line.strip() for cell in notebook["cells"] for line in cell["source"].splitlines()}


def leaked(original, notebook):
    """The lines of solutions that a notebook has, but for what its exercise says already."""
    _, inside = apart(original)
    return {line for line in inside & lines(notebook) if not SAID.fullmatch(line)}


@pytest.mark.parametrize(("language", "chapter"), PAGES)
def test_students_get_no_solution_and_the_lecturer_gets_all(language, chapter):
    original, source = (notebook(made, language, chapter) for made in (book, lecturers))
    student = released(source)
    outside, inside = apart(original)
    assert inside
    assert leaked(original, student) == set()
    assert "SOLUTION" not in json.dumps(student)
    assert "{solution" not in json.dumps(source)
    assert set(re.findall(r"\.\./(\w+)", json.dumps(student))) <= {"models"}
    assert inside <= lines(source)
    # What is no solution stays, but for the page's own cells for answers and what makes exercises
    # of texts; pictures are packed in.
    own = re.compile(
        r"!\[.*\]\(../pictures/.*|attn_lib\.check\..*|\w+ = (\"\"|None)  # .*"
        r"|:label: ex-.*|```(\{exercise.*|$)"
    )
    assert [line for line in outside - lines(student) if not own.match(line)] == []
    # The test itself: a planted line is found.
    planted = {"source": sorted(inside)[-1]}
    assert leaked(original, {"cells": [*student["cells"], planted]})


@pytest.mark.parametrize(("language", "chapter"), PAGES)
def test_cells_are_valid_and_each_exercise_can_be_answered(language, chapter):
    source = notebook(lecturers, language, chapter)
    for copy in (source, released(source)):
        nbformat.validate(copy)
        ids = [cell["id"] for cell in copy["cells"]]
        assert len(set(ids)) == len(ids)
        for cell in copy["cells"]:
            if cell["cell_type"] == "code":
                ast.parse(cell["source"])
            if "nbgrader" in cell["metadata"]:
                assert cell["metadata"]["nbgrader"]["grade_id"] == cell["id"]
    page = solutions.read(BOOK / language / f"{chapter}.ipynb")["cells"]
    titles = [one.exercise["argument"] for one in solutions.pieces(page) if one.exercise]
    assert {f"**{title}**" for title in titles} <= lines(source)
    assert "{exercise}" not in json.dumps(source)
    labels = re.findall(r"\(ex-([\w-]+)\)=", "\n".join(lines(source)))
    assert len(labels) == len(titles) > 0
    assert {f"words-{label}" for label in labels} <= set(ids)
    # Where a judge takes the answer, the lecturer's has one, and it is graded.
    for cell in source["cells"]:
        if cell["id"].startswith("answer-"):
            stub, model = cell["source"].split("### BEGIN SOLUTION\n")
            name = symtable.symtable(stub, "cell", "exec").get_symbols()[0].get_name()
            answered = symtable.symtable(model, "cell", "exec").lookup(name)
            assert answered.is_assigned(), cell["id"]
    asked = {f"test-{ex.removeprefix('check-')}" for ex in ids if ex.startswith("check-")}
    assert asked == {ex for ex in ids if ex.startswith("test-")}


def test_a_course_has_its_seed_and_what_its_notebooks_open(tmp_path):
    write(tmp_path, "zh", SEED, ["scaling"])
    paths = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    kernel = "jupyter/kernels/python3/kernel.json"
    models = {f"release/models/{path.name}" for path in (BOOK / "models").glob("*.*")}
    notebooks = {f"{kind}/scaling/scaling.ipynb" for kind in ("source", "release")}
    assert paths == models | notebooks | {kernel, "nbgrader_config.py"}
    env = json.loads((tmp_path / kernel).read_text(encoding="utf-8"))["env"]
    assert env["ATTN_SEED"] == "2027"


def judged(notebook):
    """Of a lecturer's copy: each judge of a value, its answer, its question, and its two calls."""
    sources = {cell["id"]: cell["source"] for cell in notebook["cells"]}
    for id, source in sources.items():
        found = re.search(r"attn_lib\.check\.(\w+)\(", source)
        if id.startswith("check-") and found and found[1] in QUANTITIES:
            label = id.removeprefix("check-")
            names = {}
            exec(sources[f"answer-{label}"], {}, names)  # the answer itself, no notebook needed
            (answer,) = names.values()
            yield found[1], answer, sources.get(f"ask-{label}"), (source, sources[f"test-{label}"])


def given(call, answer):
    """What a call of a judge says of an answer in the place of its own."""
    name = re.search(r"attn_lib\.check\.\w+[(,] ?(\w+)", call)[1]
    line = next(line for line in call.splitlines() if line.startswith(("attn_lib.", "points(")))
    return eval(line, {"attn_lib": attn_lib, "points": points, name: answer})


@pytest.mark.parametrize("seed", range(SEED, SEED + 10))
def test_a_class_is_asked_for_its_own_numbers_and_the_book_does_not_answer(seed):
    asked = []
    for chapter in numbered_chapters():
        for judge, answer, question, calls in judged(derive("en", chapter, seed)):
            quantity = QUANTITIES[judge]
            published = quantity.known(**quantity.cases[0])["right"]
            assert quantity.ask(quantity.drawn(seed)) in question
            for call in calls:
                assert given(call, answer)
                assert not given(call, published)
            assert quantity.ask(quantity.drawn(seed)) in given(calls[0], published).text
            asked.append(judge)
    assert sorted(asked) == sorted(QUANTITIES)


@pytest.mark.parametrize("edition", EDITIONS[1:], ids=lambda edition: edition.code)
def test_a_class_is_asked_in_its_language(edition):
    for language, chapter in [page.values for page in PAGES if page.values[0] == edition.code]:
        for judge, _, question, calls in judged(notebook(lecturers, language, chapter)):
            numbers = QUANTITIES[judge].drawn(SEED)
            with speaking(language):
                assert QUANTITIES[judge].ask(numbers) in question
            assert all(
                f", {key}={value!r}" in call for call in calls for key, value in numbers.items()
            )


def test_without_a_class_the_books_numbers_are_asked_for():
    source = derive("en", "scaling", 0)
    assert "ask-" not in "".join(cell["id"] for cell in source["cells"])
    assert "which_d(my_which_d)" in json.dumps(source)


def wanted(table):
    """The names that code takes from outside of itself and its functions."""
    own = table.get_type() == "module"
    here = {one.get_name() for one in table.get_symbols() if one.is_global() or own}
    return here.union(*(wanted(inner) for inner in table.get_children()))


@pytest.mark.parametrize("chapter", numbered_chapters())
def test_no_cell_needs_a_name_from_a_solution(chapter):
    def tables(cells):
        codes = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        return [symtable.symtable(code, "cell", "exec") for code in codes]

    def bound(cells):
        symbols = [one for table in tables(cells) for one in table.get_symbols()]
        return {one.get_name() for one in symbols if one.is_assigned()}

    student = released(notebook(lecturers, "en", chapter))["cells"]
    solved = bound(notebook(book, "en", chapter)["cells"]) - bound(student)
    assert solved.isdisjoint(set().union(*map(wanted, tables(student))))
