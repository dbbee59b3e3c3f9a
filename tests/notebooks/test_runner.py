"""`make notebooks` stores the same bytes every time, and says when something is wrong."""

import json
import re
import subprocess
import sys

import nbformat
import pytest

from book._tools import notebooks

CELLS = {
    "mixed-streams": "import sys\nprint(1)\nprint('!', file=sys.stderr)\nprint(2)",
    "a-slider": "import ipywidgets\nipywidgets.IntSlider()",
    "announced-error": "[][7]",
    "where-am-i": "from pathlib import Path\nPath().resolve().name",
}


@pytest.fixture
def notebook(tmp_path):
    """A notebook whose outputs would differ between two runs if they were stored as they come."""
    path = tmp_path / "vi" / "a.ipynb"
    path.parent.mkdir()
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    cells[2].metadata["tags"] = ["raises-exception"]
    cells[0].metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_two_runs_leave_no_difference(notebook, capsys):
    assert notebooks.main([str(notebook)]) == 0
    first = notebook.read_bytes()
    assert notebooks.main([str(notebook)]) == 0
    assert notebook.read_bytes() == first
    assert "1 notebooks run, 1 as they were" in capsys.readouterr().out

    cells = nbformat.reads(first.decode(), as_version=4).cells
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]
    assert [cell.id for cell in cells] == list(CELLS)
    assert "execution" not in cells[0].metadata
    assert cells[0].outputs[0].text == "1\n2\n"
    assert cells[1].outputs[0].data == {"text/plain": "IntSlider(value=0)"}
    assert cells[2].outputs[0].traceback == ["IndexError: list index out of range"]
    assert cells[3].outputs[0].data["text/plain"] == "'vi'"


def test_an_error_that_is_not_announced_fails(notebook, capsys):
    change(notebook, "raises-exception", "some-tag")
    before = notebook.read_bytes()
    assert notebooks.main([str(notebook)]) == 1
    assert "IndexError" in capsys.readouterr().out
    assert notebook.read_bytes() == before


def test_a_cell_without_id_is_refused(notebook, capsys):
    change(notebook, '   "id": "a-slider",\n', "")
    before = notebook.read_bytes()
    assert notebooks.main([str(notebook)]) == 1
    assert "Cell 2 of a.ipynb has none" in capsys.readouterr().out
    assert notebook.read_bytes() == before


SHOW = "from IPython.display import HTML, SVG, display\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0 1.9"/></svg>'
# By its id: a cell, a text of it as it is stored, and what stands there afterwards.
PLANTED = {
    "number": ("print(0.5 / 2)", "0.25", "0.52"),
    "table": (f"{SHOW}display(HTML(f'<td>{{0.5 + 0.25}}</td>'))", "<td>0.75", "<td>0.57"),
    "picture": (f"{SHOW}display(SVG({SVG!r}.replace('9', '5')))", "M 0 1.5", "M 0 5.1"),
    "result": ("6 * 7", "42", "24"),
    "channel": ("import sys\nprint(1, file=sys.stderr)", '"name": "stderr"', '"name": "stdout"'),
    "missing": ("print('gone')", '"stdout"', '"stdout"'),  # its output is taken away
    "unexpected": ("print('said')", "print('said')", "said = 1"),
    "program": ("print(1 / 8)", "1 / 8", "1 / 4"),
    "looks-away": ("# NBVAL_IGNORE_OUTPUT\nprint(3 / 2)", "1.5", "2.5"),
    "skipped": ("# NBVAL_SKIP\nprint(3 / 4)", "0.75", "0.57"),
    "announced": ("[][7]", "out of range", "out of reach"),
    "unannounced": ("{}['key']", '"raises-exception"', '"another-tag"'),
}


def failures(*paths):
    """The ids of the cells that nbval finds, and what it says."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "nbval",
            "-p",
            "book._tools.stored",
            "--nbval",
            *map(str, paths),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=notebooks.BOOK.parent,
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return set(re.findall(r"^FAILED \S*?::([\w-]+)", run.stdout, re.MULTILINE)), run.stdout


def test_nbval_sees_every_change_of_what_is_stored(tmp_path):
    """The run that `make nbval` relies on names each cell and the lines that differ."""
    path = tmp_path / "a.ipynb"
    cells = [nbformat.v4.new_code_cell(code, id=name) for name, (code, _, _) in PLANTED.items()]
    for cell in cells:
        if cell.id.endswith("announced"):
            cell.metadata["tags"] = ["raises-exception"]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert notebooks.main([str(path)]) == 0
    assert failures(path)[0] == set()

    notebook = notebooks.read(path)
    for cell in notebook.cells:
        _, old, new = PLANTED[cell.id]
        stored = json.dumps(cell)
        assert old in stored
        cell.update(nbformat.from_dict(json.loads(stored.replace(old, new))))
        if cell.id == "missing":
            cell.outputs = []
    path.write_text(notebooks.serialise(notebook), encoding="utf-8")
    found, said = failures(path)
    assert found == PLANTED.keys()
    assert "Cell number gives other outputs" in said
    assert re.search(r'^-\s+"0\.52.*\n\+\s+"0\.25', said, re.MULTILINE)


def test_editions_share_a_kernel_and_no_names(tmp_path):
    """As if each had a kernel of its own, which is how they are stored."""
    code = "from pathlib import Path\nprint('left' in dir(), Path().resolve().name)\nleft = 1"
    paths = [tmp_path / language / "a.ipynb" for language in ("en", "ko")]
    for path in paths:
        path.parent.mkdir()
        cell = nbformat.v4.new_code_cell(code, id="names")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert notebooks.main([*map(str, paths)]) == 0
    assert failures(*paths)[0] == set()
