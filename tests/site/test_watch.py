"""`make watch`: a page is built again whenever something that it is made of is saved."""

from pathlib import Path

import pytest
from built import empty_book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from reader import LANGUAGES
from saving import change, fetched, running

from attn_lib.live.host.stored import MIME
from book._tools.notebooks import normalise, serialise

TOC = "format: jb-book\nroot: index\nchapters: [{file: first}]\n"


@pytest.mark.slow
def test_a_saved_word_is_on_the_page(tmp_path: Path) -> None:
    book = empty_book(tmp_path)
    book.write("_toc.yml", TOC)
    for language in LANGUAGES:
        book.write(f"{language}/index.md", "# Start\n")
    kept = {"figure": "mask", "state": {"fill": "zero"}, "language": "ko"}
    shown = new_output("execute_result", {MIME: kept, "text/plain": "numbers"}, execution_count=1)
    cells = [
        new_markdown_cell("# First\n\nOld words.", id="title"),
        new_code_cell('attn_lib.explore("mask")', id="a", outputs=[shown], execution_count=1),
    ]
    book.write("en/first.ipynb", serialise(normalise(new_notebook(cells=cells))))
    chapter = tmp_path / "book/en/first.ipynb"
    with running("watch", tmp_path, "book/en/first.ipynb") as site:
        page = f"{site}/first.html"
        text = fetched(page, lambda text: "Old words." in text)
        assert 'data-start="#mask?fill=zero"' in text
        assert "numbers</" not in text
        assert "reload.js" in text

        change(chapter, "Old words.", "New words.")
        fetched(page, lambda text: "New words." in text)
        change(
            tmp_path / "attn_lib/live/figures/mask/ko.json", '"question": "', '"question": "Soon: '
        )
        fetched(page, lambda text: "Soon: " in text and "New words." in text)
        script = tmp_path / "attn_lib/live/figures/mask/drawing.js"
        script.write_text(f"{script.read_text(encoding='utf-8')}globalThis.isNew = true;\n")
        fetched(f"{site}/_static/attn/figures/mask.js", lambda text: "isNew" in text)
        # What all figures share is read by a new start.
        change(tmp_path / "attn_lib/live/host/page.py", 'scope=f"figure-', 'scope=f"drawing-')
        fetched(page, lambda text: 'id="drawing-mask' in text and "New words." in text)
