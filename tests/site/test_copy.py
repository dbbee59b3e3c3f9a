"""What the button on a program copies: the text of its `pre`, as `copy.js` takes it."""

import pytest
from bs4 import BeautifulSoup

from book._tools.notebooks import notebook_paths, read

SCRATCH = [
    pytest.param(path, cell, id=f"{path.parent.name}/{path.stem}-{cell.id}")
    for path in notebook_paths()
    for cell in read(path).cells
    if "scratch" in cell.metadata.get("tags", [])
]


@pytest.fixture(scope="module")
def programs(site_folder):
    """For a page, the programs of its cells with the tag `scratch`, each read once."""
    pages = {}

    def of(path):
        if path not in pages:
            html = (site_folder / path.parent.name / f"{path.stem}.html").read_text("utf-8")
            cells = BeautifulSoup(html, "html.parser").select(".cell.tag_scratch")
            pages[path] = [[pre.text for pre in cell.select("pre")] for cell in cells]
        return pages[path]

    return of


@pytest.mark.parametrize(("path", "cell"), SCRATCH)
def test_ten_lines_are_copied_as_they_were_written(programs, path, cell):
    """No prompt, number or output: each such cell has one `pre`, and that holds its source."""
    assert [cell.source + "\n"] in programs(path)
