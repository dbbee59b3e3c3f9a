"""`make translate-start`: a fifth language is begun by one command, in English in every place."""

import csv
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from book._tools.age import present
from book._tools.editions.read import Cell, State, read_cells, state
from book._tools.editions.start import start
from book._tools.notebooks import BOOK

ROOT = BOOK.parent
FILES = [
    "attn_lib/language.py",
    "book/_ext/editions/languages.py",
    "book/index.md",
    "book/terminology.csv",
    "book/en/index.md",
]


@pytest.fixture
def tree(tmp_path):
    """What a new language touches, without the rest of the repository."""
    words = [*ROOT.glob("attn_lib/**/en.json"), *ROOT.glob("book/_locale/vi/**/*.po")]
    for file in [*(ROOT / name for name in FILES), *words]:
        target = tmp_path / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return tmp_path


def test_every_file_of_english_words_gets_a_copy(tree):
    done = start("fr", tree)
    assert all((tree / name).exists() for name in done)
    english = list(tree.glob("attn_lib/**/en.json"))
    assert len(english) > 10
    for file in english:
        assert json.loads(file.with_name("fr.json").read_text()) == json.loads(file.read_text())


def test_the_site_and_the_library_know_the_language(tree):
    start("fr", tree)
    editions = runpy.run_path(str(tree / "book/_ext/editions/languages.py"))["EDITIONS"]
    assert editions[-1] == ("fr", "fr", "fr", "Français")
    assert [edition.code for edition in editions[:-1]] == ["en", "vi", "ko", "zh"]
    library = runpy.run_path(str(tree / "attn_lib/language.py"))
    library["set_language"]("fr")
    assert library["LANGUAGES"] == ("en", "vi", "ko", "zh", "fr")
    assert ":::{edition} fr\n" in (tree / "book/index.md").read_text(encoding="utf-8")


def test_terms_are_english_until_others_are_agreed(tree):
    before = rows(tree)
    start("fr", tree)
    for old, new in zip(before, rows(tree), strict=True):
        assert new == old | {"fr": old["en"], "avoid_fr": ""}


def rows(tree: Path):
    with (tree / "book/terminology.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_catalogues_have_every_message_and_no_translation(tree):
    start("fr", tree)
    for file in tree.glob("book/_locale/vi/LC_MESSAGES/*.po"):
        begun = tree / "book/_locale/fr/LC_MESSAGES" / file.name
        with file.open("rb") as one, begun.open("rb") as two:
            model, empty = read_po(one), read_po(two, abort_invalid=True)
        messages = [message for message in empty if message.id]
        assert {m.id for m in messages} == {m.id for m in model if m.id}
        assert {m.string for m in messages} == {""}
        assert str(empty.locale) == "fr"


def test_the_first_page_is_untranslated(tree):
    start("fr", tree)
    [own] = read_cells(tree / "book/fr/index.md")
    [english] = read_cells(tree / "book/en/index.md")
    assert isinstance(own, Cell)
    assert state(english, own) is State.UNTRANSLATED


@pytest.mark.parametrize("language", ["C.UTF-8", "xx", "FR", "", "fra"])
def test_what_is_no_code_of_a_language_is_refused(tree, language):
    with pytest.raises(ValueError, match="LANGUAGE must be the two-letter code"):
        start(language, tree)
    assert not (tree / "book" / "fr").exists()


def test_a_language_is_begun_once(tree):
    start("fr", tree)
    with pytest.raises(ValueError, match="has not yet"):
        start("fr", tree)


# What is said once for each language; ports are compared in Node, word for word.
IN_EVERY_LANGUAGE = [
    "tests/unit/test_language.py",
    "tests/unit/check",
    "tests/unit/live/test_ports.py",
    "tests/editions",
]


@pytest.mark.slow
def test_a_tree_with_a_language_that_has_begun_is_green(tmp_path):
    for name in present(ROOT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    start("fr", tmp_path)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "fr and not start",
    ]
    done = subprocess.run(
        [*command, *IN_EVERY_LANGUAGE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 100
