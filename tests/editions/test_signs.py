"""The signs of the chapters: each has one, no two the same, and one thing in it is weight."""

import re

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from book._ext.content import promise
from book._ext.editions.languages import BOOK, EDITIONS
from book._ext.editions.translation import numbered_chapters
from book.pictures.signs import SIGNS, SIZE, svg

CHAPTERS = numbered_chapters()
LINE = re.compile(r"^- \{doc\}`[^`<]+ <([\w-]+)>`$", re.MULTILINE)


def test_each_chapter_has_a_sign_of_its_own_in_the_order_of_the_book() -> None:
    assert [name for name in SIGNS if name in CHAPTERS] == CHAPTERS
    assert len(set(SIGNS.values())) == len(SIGNS)
    assert svg("notation") == ""


@pytest.mark.parametrize("name", SIGNS)
def test_one_thing_is_weight_and_nothing_leaves_the_square(name: str) -> None:
    sign = svg(name)
    assert sign.count('class="w"') == 1
    assert 'aria-hidden="true"' in sign
    assert not re.search(r"<text|fill=|stroke=| id=", sign)
    # Absolute places of lines and rings; relative ones follow them.
    for path in re.findall(r' d="([^"]*)"', sign):
        for command, numbers in re.findall(r"([MLHV])([-\d. ]*)", path):
            for number in re.findall(r"-?\d*\.?\d+", numbers):
                assert 0 <= float(number) <= SIZE, (command, number)
    for x, y, radius in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', sign):
        assert float(radius) <= min(float(x), float(y), SIZE - float(x), SIZE - float(y))


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)
def test_the_list_of_questions_is_the_book_in_its_order(edition) -> None:
    page = (BOOK / edition.code / "index.md").read_text(encoding="utf-8")
    lists = re.findall(r"```\{container\} attn-questions\n(.*?)```", page, re.DOTALL)
    assert [name for text in lists for name in LINE.findall(text)] == CHAPTERS
    assert all(LINE.match(line) for text in lists for line in text.splitlines())


def test_a_title_is_parted_at_its_colon_and_one_without_stays() -> None:
    document = new_document("page", get_default_settings(Parser))
    for text, parted in (
        ("模型：是真的吗？", ["模型", "：", "是真的吗？"]),
        ("Before", ["Before"]),
    ):
        title = nodes.title("", text)
        document += nodes.section("", title)
        promise.part(title)
        assert [part.astext() for part in title.findall(nodes.Text)] == parted
