"""Lessons: the same steps in every language, each leads to what exists; a wrong one is refused."""

import io
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import segno
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES
from book._ext.content import lessons
from book._ext.editions.languages import BOOK
from book._ext.editions.translation import chapters
from book._tools.solutions import Piece, is_code, pieces, read

NAMES = sorted(path.stem for path in (BOOK / "en").glob("lesson-*.md"))
# An edition that has begun lacks them; `make translations` says so.
WRITTEN = [(c, n) for c in LANGUAGES for n in NAMES if (BOOK / c / f"{n}.md").exists()]
STEP = re.compile(r"(?m)^:::\{step\} (\w+) ?(\S*)\n:minutes: (\d+)$")


def steps(language: str, name: str) -> list[tuple[str, str, int]]:
    text = (BOOK / language / f"{name}.md").read_text(encoding="utf-8")
    found = [(kind, target, int(minutes)) for kind, target, minutes in STEP.findall(text)]
    assert len(found) == text.count("{step}")
    return found


def test_the_plan_of_teaching_has_three_lessons() -> None:
    assert NAMES == ["lesson-a", "lesson-b", "lesson-c"]


@pytest.mark.parametrize(("language", "name"), WRITTEN)
def test_a_lesson_has_the_same_steps_in_every_language(language: str, name: str) -> None:
    assert steps(language, name) == steps("en", name)
    teach = (BOOK / language / "teach.md").read_text(encoding="utf-8")
    said = re.search(rf"{{doc}}`{name}` (\d+)", teach)
    assert said, "teach.md says how long it takes"
    assert sum(minutes for _, _, minutes in steps(language, name)) == int(said[1])
    assert f'href="{name}.html?lesson={name.removeprefix("lesson-")}"' in teach


def exercise(label: str) -> tuple[Piece, list[Piece]]:
    """An exercise and the pieces of its solution."""
    for path in (BOOK / "en").glob("*.ipynb"):
        found = list(pieces(read(path)["cells"]))
        for one in found:
            if one.exercise and f":label: {label}\n" in one.exercise["body"]:
                return one, [p for p in found if p.solves == label.removeprefix("ex-")]
    raise LookupError(label)


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_the_minutes_that_its_title_says(name: str) -> None:
    for kind, target, minutes in steps("en", name):
        if kind == "exercise":
            asked, _ = exercise(target)
            assert asked.exercise
            assert asked.exercise["argument"].endswith(f" {minutes} minutes)"), target


@pytest.mark.parametrize("language", sorted({code for code, _ in WRITTEN}))
def test_homework_is_judged_and_an_exam_needs_no_computer(language: str) -> None:
    teach = (BOOK / language / "teach.md").read_text(encoding="utf-8")
    labels = re.findall(r"<(ex-[\w-]+)>", teach)
    needs = {
        label: "attn_lib" in asked.text or any(is_code(piece.cell) for piece in solution)
        for label in labels
        for asked, solution in [exercise(label)]
    }
    # One for each lesson, then the five of an exam.
    assert list(needs.values()) == [True] * len(NAMES) + [False] * 5, needs


@pytest.mark.parametrize("name", NAMES)
def test_each_step_leads_to_what_exists(name: str) -> None:
    assert name in chapters()
    pages = {path.stem: path.read_text("utf-8") for path in (BOOK / "en").glob("*.ipynb")}
    for kind, target, _ in steps("en", name):
        if kind in {"figure", "vote"}:
            figure, _, settings = target.partition("?")
            state = FIGURES[figure].state(**FIGURES[figure].read(settings))
            FIGURES[figure].compute(state)
            assert f'attn_lib.explore(\\"{figure}\\"' in pages[FIGURES[figure].chapter]
        if kind == "exercise":
            assert [page for page, text in pages.items() if f":label: {target}\\n" in text] != []


# Sphinx with these directives and no more of the book.
BARE = "bare_lessons"


def built(folder: Path, text: str, name: str = "lesson-x") -> tuple[str, str, str]:
    """The page, the script and the messages of a lesson."""
    module = ModuleType(BARE)

    def setup(app: Sphinx) -> None:
        app.add_config_value("attn_edition", "en", "env", str)
        app.add_config_value("attn_site", "https://example.org/book/", "env", str)
        lessons.setup(app)

    module.setup = setup  # type: ignore[attr-defined]
    sys.modules[BARE] = module
    (folder / f"{name}.md").write_text(f"# Lesson X\n\n{text}", encoding="utf-8")
    settings = {
        "extensions": ["myst_parser", BARE],
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "master_doc": name,
        "html_theme": "basic",
    }
    said = io.StringIO()
    with docutils_namespace():
        app = Sphinx(folder, None, folder / "out", folder / "trees", "html", settings, None, said)
        app.build()
    script = folder / f"out/{name}.js"
    page = (folder / f"out/{name}.html").read_text(encoding="utf-8")
    return page, script.read_text(encoding="utf-8") if script.exists() else "", said.getvalue()


def step(what: str, text: str = "", minutes: str = ":minutes: 5\n") -> str:
    return f":::{{step}} {what}\n{minutes}\n{text}\n:::\n"


def lesson(*of: str) -> str:
    return "::::{lesson}\n" + "\n".join(of) + "\n::::\n"


def test_a_lesson_becomes_a_plan_and_a_script(tmp_path: Path) -> None:
    text = lesson(
        step("figure additive?tanh=before", "Drag the query."),
        step("figure additive", "It asks nothing."),
        step("vote scale", "Wait."),
        step("answer"),
        step("board", "> $a = b$\n\nSay it."),
    )
    page, script, said = built(tmp_path, text)
    assert said == ""
    assert 'href="lesson-x.html?lesson=x">Run as slides</a> (5 steps, 25 min)' in page
    assert page.count('<li id="step-') == 5
    assert page.index("Drag the query.") < page.index("Wait.") < page.index("C nearly all")
    data = json.loads(script.removeprefix("window.attnLesson = ").removesuffix(";\n"))
    assert [(one["kind"], one["at"]) for one in data["steps"]] == [
        ("figure", "additive-attention.html#additive?tanh=before"),
        ("figure", "additive-attention.html#additive?ask=0"),
        ("vote", "scaling.html#scale?d=16&rho=0.2"),
        ("answer", "scaling.html#scale?d=16&rho=0.2"),
        ("board", "lesson-x.html#step-5"),
    ]
    address = "https://example.org/book/en/scaling.html#scale?d=16&rho=0.2"
    code = data["steps"][2]["qr"]
    drawn = [[int(row, 16) >> n & 1 for n in reversed(range(len(code)))] for row in code]
    assert drawn == [list(row) for row in segno.make(address, error="m").matrix]
    assert ["qr" in one for one in data["steps"]] == [False, False, True, False, False]


WRONG = {
    "one of figure, vote, answer, exercise, board. Got 'slide'": lesson(step("slide mask")),
    "how many :minutes:": lesson(step("vote mask", minutes="")),
    "figure, vote and exercise name one": lesson(step("vote")),
    "answer and board do not": lesson(step("vote mask"), step("answer mask")),
    "There is no figure 'masque'": lesson(step("vote masque")),
    "name it alone": lesson(step("vote mask?fill=zero")),
    "mask?fill=one: fill must be one of": lesson(step("figure mask?fill=one")),
    "mask?size=1: mask has the settings": lesson(step("figure mask?size=1")),
    "Step 1 answers no vote": lesson(step("answer")),
    "Step 3 answers no vote": lesson(step("vote mask"), step("figure mask"), step("answer")),
    "A board shows a quotation": lesson(step("board", "Nothing.")),
    "holds steps, and nothing else": lesson("Only words."),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_step_is_refused_by_name(tmp_path: Path, message: str) -> None:
    assert message in built(tmp_path, WRONG[message])[2]


def test_a_lesson_has_a_page_of_its_own_name(tmp_path: Path) -> None:
    assert "stands on a page lesson-<name>" in built(tmp_path, lesson(step("vote mask")), "plan")[2]
