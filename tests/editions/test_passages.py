"""What a page shows of a passage that is not fresh, and what it must not point at."""

import json

import pytest

from book._ext.editions.passages import insert, marked, rewritten
from book._tools.editions.read import Cell, source_hash

ENGLISH = Cell("why", "markdown", "(why)=\n## Why\n\nSee {ref}`how` and [this](index.md).")


def vietnamese(source, stamp="0123456789abcdef"):
    return Cell("why", "markdown", source, stamp)


def shown(*own, english=(ENGLISH,), whole=False):
    return marked(list(english), list(own), whole)


def test_a_fresh_passage_is_left_alone():
    own = vietnamese("(why)=\n## Vì sao", source_hash(ENGLISH.source))
    assert shown(own) == {}


def test_a_stale_passage_gets_its_notice_below_its_heading():
    own = vietnamese("(why)=\n## Vì sao\n\nXem {ref}`how`.")
    assert shown(own)["why"] == (
        "(why)=\n## Vì sao\n\n\n```{attn-passage} stale why\n:headed:\n```\n\n\nXem {ref}`how`."
    )


@pytest.mark.parametrize(
    "source",
    [
        "## Vì sao",
        "(why)=\n## Vì sao\n\n{ref}`gone`",
        "(why)=\n## Vì sao\n\n[đây](gone.md)",
        "(why)=\n### Vì sao",
    ],
    ids=["label", "reference", "link", "heading"],
)
def test_a_stale_passage_that_would_break_the_page_gives_way_to_english(source):
    text = shown(vietnamese(source))["why"]
    assert "See {ref}`how`" in text
    assert "english-first why" in text
    assert text.endswith("```{attn-passage} english-end why\n```")


def test_the_headings_of_a_whole_page_are_its_own():
    own = vietnamese("(why)=\n### Vì sao")
    assert "stale why" in shown(own, whole=True)["why"]


def test_untranslated_passages_in_a_row_have_one_notice():
    names = ("one", "two", "code", "three", "four")
    english = [Cell(name, "markdown", f"The {name}.") for name in names]
    english[2] = Cell("code", "code", "1")
    own = [Cell(c.id, c.kind, c.source, source_hash(c.source)) for c in english]
    own[3] = Cell("three", "markdown", "Ba.", source_hash("The three."))
    kinds = {name: text.split()[1] for name, text in shown(*own, english=english).items()}
    assert kinds == {"one": "english-first", "two": "english", "four": "english-first"}


def test_a_mark_stands_above_what_is_no_heading():
    assert insert("(eq)=\nWords.", "stale", "a").startswith("\n\n```{attn-passage} stale a\n```")


def test_only_the_named_cells_of_a_notebook_are_rewritten():
    page = json.dumps({"cells": [{"id": "a", "source": "x"}, {"id": "b", "source": "y"}]})
    cells = json.loads(rewritten(page, {"b": "z"}, notebook=True))["cells"]
    assert [cell["source"] for cell in cells] == ["x", "z"]
    assert rewritten(page, {}, notebook=True) == page


def test_the_front_matter_of_a_page_stays():
    page = "---\ni18n: {source: a}\n---\n# Cũ\n"
    assert rewritten(page, {"page": "# Mới\n"}, notebook=False) == (
        "---\ni18n: {source: a}\n---\n# Mới\n"
    )
