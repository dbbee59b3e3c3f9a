"""A page without its solutions has all else, and what would tell one is found in an archive."""

import gzip
import io
import zipfile

import nbformat
import pytest

from book._ext.editions.languages import BOOK, EDITIONS
from book._tools import leaks, solutions, student_site
from book._tools.editions.read import read_cells, states

SOLVED = sorted(
    path.name
    for path in (BOOK / "en").glob("*.*")
    if leaks.BEGIN.search("\n".join(cell.source for cell in read_cells(path)))
)
LANGUAGES = [edition.code for edition in EDITIONS if (BOOK / edition.code / SOLVED[0]).exists()]
PAGES = [
    pytest.param(language, name, id=f"{language}-{name}")
    for language in LANGUAGES
    for name in SOLVED
]


def stripped(language, name):
    english = solutions.read(BOOK / "en" / name)
    return solutions.without(solutions.read(BOOK / language / name), english)


def said(page):
    inside, outside = leaks.lines(page)
    return {line for part in inside.values() for line in part if line}, list(filter(None, outside))


@pytest.mark.parametrize(("language", "name"), PAGES)
def test_solutions_go_and_all_else_stays_with_its_stamps(language, name, tmp_path):
    inside, outside = said(solutions.read(BOOK / language / name))
    page = stripped(language, name)
    assert inside
    assert said(page) == (set(), outside)
    for code in {"en", language}:
        (tmp_path / code).mkdir()
        solutions.write(tmp_path / code / name, stripped(code, name))
    own = read_cells(tmp_path / language / name)
    left = {cell.id for cell in own}
    was = states(read_cells(BOOK / "en" / name), read_cells(BOOK / language / name))
    now = states(read_cells(tmp_path / "en" / name), own)
    assert now == {name: state for name, state in was.items() if name in left}
    if name.endswith(".ipynb"):
        nbformat.validate(solutions.read(tmp_path / language / name))


def test_the_copy_of_the_book_is_stripped_in_every_language(tmp_path):
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
        for name in ("dropout.ipynb", "notation.md"):
            path = tmp_path / language / name
            path.write_bytes((BOOK / language / name).read_bytes())
    student_site.strip(tmp_path)
    for path in tmp_path.glob("*/*.*"):
        assert said(solutions.read(path))[0] == set()


@pytest.fixture(scope="module")
def secret():
    """Something that only the solution of one exercise says, as the page's source has it."""
    inside, _ = leaks.lines(solutions.read(BOOK / "en" / "dropout.ipynb"))
    known = leaks.secrets("en")["ex-dropout-silence"]
    return max(inside["ex-dropout-silence"], key=lambda line: leaks.letters(line) in known)


def packed(files):
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"book/{name}", content)
    return body.getvalue()


def test_a_solution_is_found_wherever_it_is_planted(secret, tmp_path, capsys):
    words = secret.split()
    marked = f"<p>{words[0]} <b>{' '.join(words[1:])}</b></p>"
    cut = gzip.compress(" \u2063".join(words).encode())
    archive = tmp_path / "site.zip"
    for name, content in {
        "en/dropout.html": marked,
        "en/_sources/dropout.ipynb": secret,
        "pagefind/fragment/en_1.pf_fragment": cut,
        "_static/judge/dropout.js": secret,
        "en/dropout.epub": packed({"text.html": marked}),
    }.items():
        archive.write_bytes(packed({name: content, "en/index.html": "<p>nothing</p>"}))
        assert leaks.main([str(archive)]) == 1
        assert f"ex-dropout-silence in book/{name}" in capsys.readouterr().out
    archive.write_bytes(packed({"en/index.html": "<p>nothing</p>"}))
    assert leaks.main([str(archive)]) == 0


def test_what_cannot_be_read_is_not_passed_over(tmp_path):
    archive = tmp_path / "site.zip"
    archive.write_bytes(packed({"en/book.pdf": b"\xff\xfe"}))
    with pytest.raises(ValueError, match=r"en/book.pdf may hold solutions"):
        leaks.main([str(archive)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_solution_has_something_to_be_known_by(language):
    known = leaks.secrets(language)
    assert len(known) > 80
    assert all(known.values())
