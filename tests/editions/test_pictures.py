"""The drawn pictures: what is committed is what is computed, readable, and at home on any page."""

import gzip
import re
import shutil

import pytest

from book import pictures
from book._ext.pictures import inline
from book.pictures import NAMES, draw
from book.pictures.__main__ import main
from book.pictures.canvas import WIDTH, Canvas

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# Glyphs that the fonts of every system have.
GLYPHS = set(LATIN + "0123456789" + " .,()+=/-·" + "−×÷½±‖∞αΣσ≠")


def stored(name):
    return (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the stored pictures, to plant faults in."""
    for path in pictures.FOLDER.glob("*.svg"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr("book.pictures.__main__.FOLDER", tmp_path)
    return tmp_path


def test_stored_pictures_are_what_their_modules_draw():
    assert main(check=True) == 0


def test_a_changed_picture_is_named_and_drawn_again(folder, capsys):
    path = folder / f"{NAMES[0]}.svg"
    path.write_text(stored(NAMES[0]).replace(">0.78<", ">0.79<"), encoding="utf-8")
    assert main(check=True) == 1
    assert path.name in capsys.readouterr().out
    assert main(check=False) == 0
    assert path.read_text(encoding="utf-8") == stored(NAMES[0])


def test_a_picture_that_no_module_draws_is_named(folder, capsys):
    (folder / "old.svg").write_text("<svg/>", encoding="utf-8")
    assert main(check=True) == 1
    assert "old.svg" in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_pictures_leave_room_for_the_figure_below(name):
    canvas = draw(name)
    assert canvas.height <= 420
    assert f'width="{WIDTH}"' in canvas.svg()


@pytest.mark.parametrize("name", NAMES)
def test_type_is_never_small(name):
    sizes = re.findall(r"font(?:-size)?:(?:italic )?([\d.]+)px", stored(name))
    assert sizes
    assert min(map(float, sizes)) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_text_has_only_glyphs_that_every_system_has(name):
    texts = re.findall(r"<text[^>]*>(.*?)</text>", stored(name))
    assert set(re.sub(r"<[^>]*>", "", "".join(texts))) <= GLYPHS


@pytest.mark.parametrize("name", NAMES)
def test_pictures_cannot_disturb_the_page_or_each_other(name):
    svg = inline(stored(name), "words")
    assert " id=" not in svg
    assert len(gzip.compress(svg.encode())) < 5000
    (sheet,) = re.findall(r"<style>(.*?)</style>", svg)
    for selector in re.findall(r"([^{}]+)\{[^{}]*\}", sheet):
        for one in selector.split(","):
            assert one.removeprefix('html[data-theme="dark"] ').startswith(".attn-picture")


def test_the_page_chooses_the_palette_and_says_the_words():
    svg = inline(Canvas(10).svg(), 'Two "keys" & a query')
    assert "prefers-color-scheme" not in svg
    assert 'html[data-theme="dark"] .attn-picture{--p-page:#14181e;}' in svg
    assert 'role="img" aria-label="Two &quot;keys&quot; &amp; a query"' in svg
