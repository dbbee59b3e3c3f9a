"""What the stored notebooks must be like, before anything is run."""

import json

import pytest

from attn_lib.live.figures import FIGURES
from attn_lib.live.host.stored import MIME
from book._tools.notebooks import WIDGET_MIMES, normalise, notebook_paths, read, serialise

MAX_LINES = 12
MOST_LINES_ALONE = 25  # with the tag `scratch`: a whole layer, to be copied
PATHS = notebook_paths()

pytestmark = pytest.mark.parametrize(
    "path", PATHS, ids=lambda path: f"{path.parent.name}/{path.name}"
)


def code_cells(path):
    return [c for c in read(path).cells if c.cell_type == "code"]


def test_is_stored_as_make_notebooks_stores_it(path):
    assert serialise(normalise(read(path))) == path.read_text(encoding="utf-8")


def test_was_run_once_from_top_to_bottom(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


def test_prints_something(path):
    assert any(cell.outputs for cell in code_cells(path))


def test_what_a_cell_ends_with_is_stored(path):
    """A cell that ends in a call of print or explore shows something; its output is there."""
    silent = [
        cell.id
        for cell in code_cells(path)
        if cell.source.splitlines()[-1].startswith(("print(", "attn_lib.explore("))
        and not cell.outputs
    ]
    assert silent == []


def test_a_figure_is_stored_as_it_opens(path):
    """What a reader of the file sees is what `explore` shows."""
    for cell in code_cells(path):
        for output in cell.outputs:
            kept = output.get("data", {}).get(MIME)
            if kept and cell.source == f'attn_lib.explore("{kept["figure"]}")':
                figure = FIGURES[kept["figure"]]
                assert figure.state(**kept["state"]) == figure.state(**figure.opening), cell.id


def test_errors_are_announced(path):
    """Only a cell that says so by its tag may show an error."""
    unexpected = [
        cell.id
        for cell in code_cells(path)
        if any(output.output_type == "error" for output in cell.outputs)
        and "raises-exception" not in cell.metadata.get("tags", [])
    ]
    assert unexpected == []


def test_nothing_is_written_to_stderr(path):
    """Warnings on a page are either our fault or not for the reader."""
    assert [
        cell.id for cell in code_cells(path) for out in cell.outputs if out.get("name") == "stderr"
    ] == []


def test_no_widget_of_a_dead_kernel_is_stored(path):
    text = path.read_text(encoding="utf-8")
    assert "widgets" not in json.loads(text)["metadata"]
    assert [mime for mime in WIDGET_MIMES if mime in text] == []


def test_a_cell_is_short(path):
    long = [
        cell.id
        for cell in code_cells(path)
        if len(cell.source.splitlines())
        > (MOST_LINES_ALONE if "scratch" in cell.metadata.get("tags", []) else MAX_LINES)
    ]
    assert long == []


def test_the_language_is_set_first(path):
    first = code_cells(path)[0]
    assert first.id == "setup"
    assert f'attn_lib.set_language("{path.parent.name}")' in first.source
