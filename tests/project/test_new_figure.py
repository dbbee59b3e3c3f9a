"""`make figure` writes a folder that works at once, and a figure says at import what it lacks."""

import copy
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from attn_lib import language
from attn_lib.live.figures import FIGURES
from book._tools.figure import start

ROOT = Path(__file__).parents[2]
NAME = "unheardof"  # not that of the recipe: whoever follows it has that figure


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The library with one more figure, and the chapter that shows it."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "attn_lib", tree / "attn_lib")
    (tree / "book/en").mkdir(parents=True)
    (tree / "book/en/scaling.ipynb").touch()
    return tree


@pytest.fixture(scope="module")
def new(tree):
    return [tree / name for name in start(NAME, "scaling", tree)]


@pytest.mark.slow
def test_a_new_figure_passes_what_every_figure_is_asked(tree, new):
    shutil.copy(ROOT / "tests/unit/live/test_figures.py", tree)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", NAME, "test_figures.py"],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout


def test_a_new_figure_has_the_words_of_all_languages(new):
    names = {path.name for path in new}
    assert {"en.json", "vi.json", "ko.json", "zh.json"} < names
    assert not any("NAME" in path.read_text(encoding="utf-8") for path in new)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda words: words.pop("caption"), "norm/en.json must have caption."),
        (lambda words: words["options"].pop(), "norm/en.json must have 3 options. Got 2."),
        (lambda words: words["tries"].pop(), "norm/en.json must have 3 tries. Got 2."),
        (lambda words: words["controls"].pop("sub"), "norm/en.json must name the controls sub."),
    ],
)
def test_a_figure_without_words_says_so_at_import(monkeypatch, change, said):
    words = copy.deepcopy(language.words("norm"))
    change(words)
    monkeypatch.setattr("attn_lib.live.host.figure.words", lambda name: words)
    with pytest.raises(ValueError, match=re.escape(said)):
        replace(FIGURES["norm"])


def test_a_figure_with_one_try_or_no_right_option_says_so_at_import(monkeypatch):
    one = language.words("norm") | {"tries": ["only one"]}
    wrong = replace(FIGURES["norm"].prediction, right=3)
    with pytest.raises(ValueError, match=r"right must be one of 0, 1, 2\. Got 3\."):
        replace(FIGURES["norm"], prediction=wrong)
    monkeypatch.setattr("attn_lib.live.host.figure.words", lambda name: one)
    with pytest.raises(ValueError, match=r"norm must have at least 2 tries\. Got 1\."):
        replace(FIGURES["norm"], tries=({"x": 1},))


@pytest.mark.parametrize(
    ("name", "chapter", "said"),
    [
        ("mask", "scaling", "NAME must be a figure that the book has not yet. Got 'mask'."),
        ("two words", "scaling", "NAME must be a word of small letters and digits"),
        ("sharper", "nothing", "CHAPTER must be a chapter of book/en"),
    ],
)
def test_a_wrong_name_writes_nothing(tree, name, chapter, said):
    before = {path.name for path in (tree / "attn_lib/live/figures").iterdir()}
    with pytest.raises(ValueError, match=said):
        start(name, chapter, tree)
    assert {path.name for path in (tree / "attn_lib/live/figures").iterdir()} == before
