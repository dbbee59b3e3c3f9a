"""The recipe for an exhibit of the museum: what is there has followed it, and one more can."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from attn_lib import museum
from attn_lib.examine import exhibits
from book._tools.editions.numerals import NUMBER_WORDS, written_out
from book._tools.editions.read import read_cells

ROOT = Path(__file__).parents[2]
LANGUAGES = [code for code in NUMBER_WORDS if (ROOT / f"book/{code}/bug-museum.ipynb").exists()]
TODAY, ASKED = "attn_lib/museum/today.py", "tests/unit/test_examine.py"


@pytest.fixture
def tree(tmp_path):
    """The library, and the tests of its trials."""
    shutil.copytree(ROOT / "attn_lib", tmp_path / "attn_lib")
    (tmp_path / ASKED).parent.mkdir(parents=True)
    shutil.copy(ROOT / ASKED, tmp_path / ASKED)
    return tmp_path


def add(file: Path, before: str, lines: str) -> None:
    """Write lines in front of others that stand there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, before
    file.write_text(text.replace(before, lines + before), encoding="utf-8")


def asked(tree: Path) -> str:
    """What the recipe's command says of the new exhibit."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "upside", ASKED],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout


@pytest.mark.slow
def test_a_new_exhibit_is_two_rows_and_a_function(tree):
    fault = (
        "def upside_down(queries, keys, values, visible):\n"
        '    """The mask is read as what to hide."""\n'
        "    return right(queries, keys, values, ~visible)\n\n\n"
    )
    add(tree / TODAY, "#: The exhibits, by name.\n", fault)
    add(tree / TODAY, "}\n\n# The right forms", '    "upside": upside_down,\n')
    assert "KeyError: 'upside'" in asked(tree)
    add(tree / ASKED, '}\nWITH_PLACES = {"layouts"', '    "upside": {"T1"},\n')
    assert "1 passed" in asked(tree)


@pytest.mark.slow
def test_one_that_is_right_is_no_exhibit(tree):
    add(tree / TODAY, "}\n\n# The right forms", '    "upside": right,\n')
    add(tree / ASKED, '}\nWITH_PLACES = {"layouts"', '    "upside": {"T1"},\n')
    assert "AssertionError" in asked(tree)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_exhibit_is_described(language):
    folder = ROOT / "book" / language
    today, nine = (
        re.findall(r"^\.\. auto\w+:: (\w+)", (folder / page).read_text(encoding="utf-8"), re.M)
        for page in ("api-faults.md", "api-museum.md")
    )
    assert {exhibit.__name__ for exhibit in exhibits.EXHIBITS.values()} <= set(today)
    assert {exhibit.__name__ for exhibit in museum.EXHIBITS.values()} <= set(nine)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chapter_counts_the_exhibits_and_says_where_each_was(language):
    chapter = ROOT / "book" / language / "bug-museum.ipynb"
    cells = {cell.id: cell.source for cell in read_cells(chapter)}
    numbers = {str(len(museum.EXHIBITS)), str(len(exhibits.EXHIBITS))}
    assert numbers <= written_out(cells["title"], language)
    for cell, room in (("newer-read", exhibits.EXHIBITS), ("sources", museum.EXHIBITS)):
        rows = re.findall(r"^\| \{doc\}`(\w+) <exhibit-(\w+)>` \|", cells[cell], re.M)
        assert rows == [(name, name) for name in room]


def test_each_of_the_nine_stands_at_the_door_and_is_repaired():
    assert {exhibit.__name__ for exhibit in museum.EXHIBITS.values()} <= set(museum.__all__)
    assert museum.EXHIBITS.keys() == museum.REPAIRS.keys()
