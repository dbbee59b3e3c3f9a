"""The drawn pictures: what is committed is what is computed, readable, and at home on any page."""

import gzip
import html
import re
import shutil
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from book import pictures
from book._ext.content.pictures import InlinePictures, inline
from book.pictures import NAMES, draw
from book.pictures.__main__ import main
from book.pictures.canvas import WIDTH, Canvas
from book.pictures.palette import colours

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# Glyphs that the fonts of every system have.
GLYPHS = set(LATIN + "àáă" + "0123456789" + " .,()+=/|-·" + "−×÷½±∞αΣ" + "≤<βλσ′")

noted = []  # the files that a page was said to depend on


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
    assert set(html.unescape(re.sub(r"<[^>]*>", "", "".join(texts)))) <= GLYPHS


@pytest.mark.parametrize("name", NAMES)
def test_pictures_cannot_disturb_the_page_or_each_other(name):
    svg = inline(stored(name), "words", "picture")
    assert re.findall(r"\sid=\S+", svg) == [' id="picture"']
    assert len(gzip.compress(svg.encode())) < 5000
    (sheet,) = re.findall(r"<style>(.*?)</style>", svg)
    for selector in re.findall(r"([^{}]+)\{[^{}]*\}", sheet):
        for one in selector.split(","):
            assert one.removeprefix('html[data-theme="dark"] ').startswith(".attn-picture")


def test_the_page_chooses_the_palette_and_says_the_words():
    svg = inline(Canvas(10).svg(), 'Two "keys" & a query', "picture")
    assert "prefers-color-scheme" not in svg
    assert 'html[data-theme="dark"] .attn-picture{--p-page:#14181e;}' in svg
    assert 'role="img" aria-label="Two &quot;keys&quot; &amp; a query"' in svg


def contrast(one, other):
    """WCAG 2's ratio of luminances."""
    luminances = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        luminances.append(sum(a * x for a, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


@pytest.mark.parametrize("palette", [0, 1], ids=["light", "dark"])
def test_letters_and_numbers_stand_out_from_their_ground(palette):
    pairs = [(f"on-{ramp}{percent}", f"{ramp}{percent}") for ramp in "wg" for percent in range(101)]
    pairs += [(role, f"{role}-tint") for role in "qkv"]
    pairs += [(role, ground) for role in ("ink", "muted", "q", "k") for ground in ("page", "panel")]
    pairs += [("v", "page"), ("page", "q"), ("page", "ink"), ("on-k", "k"), ("ink", "k-tint")]
    weak = [
        (text, ground)
        for text, ground in pairs
        if contrast(colours(text)[palette], colours(ground)[palette]) < 4.5
    ]
    assert weak == []


def page_with(**image):
    """A page with one image, after the build's step."""
    page = new_document("page.md", get_default_settings(Parser))
    page.settings.env = SimpleNamespace(note_dependency=noted.append, docname=NAMES[0])
    page += nodes.paragraph("", "", nodes.image(**image))
    page += nodes.paragraph("", "", nodes.emphasis("", "The caption."))
    InlinePictures(page).apply()
    return page


def test_the_build_puts_the_picture_in_the_place_of_its_image():
    page = page_with(uri=f"../pictures/{NAMES[0]}.svg", alt="A query")
    raw, link = page.findall(nodes.raw)
    assert raw["format"] == "html"
    assert 'aria-label="A query"' in raw.astext()
    assert noted[-1].endswith(f"{NAMES[0]}.svg")  # so that a changed picture makes a new page
    assert not list(page.findall(nodes.image))
    # Its caption leads to it; in another chapter it has another address.
    assert link.parent is page[1]
    for picture, name in zip(NAMES[:2], ("picture", f"picture-{NAMES[1]}"), strict=True):
        raw, link = page_with(uri=f"../pictures/{picture}.svg", alt="words").findall(nodes.raw)
        assert f'<svg id="{name}"' in raw.astext()
        assert f'href="#{name}"' in link.astext()


@pytest.mark.parametrize("uri", ["photo.svg", "../pictures/photo.png", "../other/a.svg"])
def test_other_images_stay(uri):
    page = page_with(uri=uri, alt="words")
    assert [image["uri"] for image in page.findall(nodes.image)] == [uri]


@pytest.mark.parametrize(
    ("image", "said"),
    [
        ({"uri": "../pictures/no-such.svg", "alt": "words"}, "no such picture: ../pictures/no-su"),
        ({"uri": f"../pictures/{NAMES[0]}.svg", "alt": ""}, "a picture needs words"),
    ],
)
def test_a_picture_that_is_missing_or_says_nothing_is_warned_of(image, said, caplog):
    page_with(**image)
    assert said in caplog.text
