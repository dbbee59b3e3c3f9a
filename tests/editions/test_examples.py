"""Examples in prose: what a Markdown page prints below its `>>>` is what the code gives."""

import doctest
import re

import pytest

import attn_lib
from book._tools.notebooks import BOOK

BLOCK = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = {
    f"{page.parent.name}/{page.name}": "\n".join(blocks)
    for page in sorted(BOOK.glob("[a-z][a-z]/*.md"))
    if (blocks := BLOCK.findall(page.read_text(encoding="utf-8")))
}


@pytest.fixture(autouse=True)
def speak_english_afterwards():
    yield
    attn_lib.set_language("en")


@pytest.mark.parametrize("page", EXAMPLES)
def test_examples_print_what_the_page_says(page):
    test = doctest.DocTestParser().get_doctest(EXAMPLES[page], {}, page, page, 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert results.attempted > 0
    assert results.failed == 0


def test_there_are_pages_with_examples():
    assert {"en/notation.md", "en/how-to-use.md"} <= EXAMPLES.keys()
