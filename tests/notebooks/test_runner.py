"""`make notebooks` stores the same bytes every time, and says when something is wrong."""

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

    # A changed number is found, shown, and left alone by --check.
    change(notebook, "IntSlider(value=0)", "IntSlider(value=9)")
    planted = notebook.read_bytes()
    assert notebooks.main([str(notebook), "--check"]) == 1
    assert '-       "IntSlider(value=9)"' in capsys.readouterr().out
    assert notebook.read_bytes() == planted


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


SHOWS = """from IPython.display import HTML, SVG, display
print(0.5 / 2)
display(HTML(f"<td>{0.5 + 0.25}</td>"))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0 1.5"/></svg>'))"""


def test_nbval_compares_numbers_tables_and_pictures(tmp_path):
    """The strict comparison that `make nbval` relies on sees a change in all that we show."""
    right = tmp_path / "right.ipynb"
    cell = nbformat.v4.new_code_cell(SHOWS, id="three-outputs")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), right)
    assert notebooks.main([str(right)]) == 0
    for name, old, new in (
        ("number", '"0.25\\n"', '"0.52\\n"'),
        ("table", "<td>0.75</td>", "<td>0.57</td>"),
        ("picture", 'd=\\"M 0 1.5\\"/></svg>"', 'd=\\"M 0 5.1\\"/></svg>"'),
    ):
        wrong = tmp_path / f"wrong-{name}.ipynb"
        wrong.write_text(right.read_text(encoding="utf-8"), encoding="utf-8")
        change(wrong, old, new)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-p", "no:cacheprovider", *tmp_path.iterdir()],
        capture_output=True,
        text=True,
        check=False,
    )
    failed = re.findall(r"^FAILED \S*?([\w-]+)\.ipynb::", run.stdout, re.MULTILINE)
    assert sorted(failed) == ["wrong-number", "wrong-picture", "wrong-table"]
