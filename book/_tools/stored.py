"""nbval, held to every byte: `make nbval` runs pytest with this plugin beside it.

nbval alone looks away where a cell asks it to, where no output is stored, and from types, names and
metadata of outputs. Here each cell must give what is stored, as `make notebooks` would store it.

The editions of a chapter follow one another in one kernel, which forgets the names of the edition
before: so torch is imported once. That a chapter runs in a kernel of its own is shown by the first.
"""

import difflib
from collections.abc import Generator, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile

from book._tools.notebooks import normalise, serialise


class OutputsDifferError(Exception):
    """The outputs of a cell are not those stored."""


class StoredCell(IPyNbCell):
    """A code cell whose outputs are compared as text, line by line."""

    def __init__(self, cell: NotebookNode, **options: Any) -> None:
        super().__init__(cell=cell, **options)
        self.stored = _lines(cell)  # nbval changes some while it compares

    def runtest(self) -> None:
        """Run the cell in the notebook's kernel and compare what it gives.

        Raises:
            OutputsDifferError: It gives something else.
        """
        super().runtest()
        for output in self.test_outputs:
            if output.output_type == "execute_result":
                output.execution_count = self.cell.execution_count  # nbval's kernel counts nothing
        given = self.cell | {"outputs": self.test_outputs}
        difference = difflib.unified_diff(self.stored, _lines(given), "stored", "fresh run", n=1)
        if text := "".join(difference):
            raise OutputsDifferError(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """What to say of a failure."""
        if excinfo.errisinstance(OutputsDifferError):
            return f"Cell {self.cell.id} gives other outputs:\n{excinfo.value}"
        return f"Cell {self.cell.id}:\n{super().repr_failure(excinfo)}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """The heading of a failure."""
        return self.path, 0, f"{self.path.parent.name}/{self.path.name}::{self.cell.id}"


class StoredNotebook(IPyNbFile):
    """A notebook: its code cells, one test each, named by their ids."""

    _kept: tuple[str, RunningKernel] | None = None  # the last chapter's

    def setup(self) -> None:
        """Take the kernel of the chapter's last edition, or start one."""
        chapter, kernel = StoredNotebook._kept or ("", None)
        if kernel and chapter == self.path.stem and kernel.is_alive():
            forget = kernel.execute_cell_input(f"%reset -f\n%cd -q {self.path.parent}")
            kernel.await_idle(forget, timeout=60)
            self.kernel = kernel
            return
        stop_kernel()
        super().setup()
        StoredNotebook._kept = self.path.stem, self.kernel

    def teardown(self) -> None:
        """Leave the kernel to the next edition."""

    def collect(self) -> Iterator[StoredCell]:
        """All code cells. None is skipped; an error is allowed where the tag announces it."""
        for one in super().collect():
            announced = "raises-exception" in one.cell.metadata.get("tags", [])
            options = {"skip": False, "check": False, "check_exception": announced}
            cell = StoredCell.from_parent(
                self, name=one.cell.id, cell_num=one.cell_num, cell=one.cell, options=options
            )
            cell.add_marker(pytest.mark.xdist_group(self.path.stem))
            yield cell


def stop_kernel() -> None:
    """Stop the kernel that was kept."""
    if StoredNotebook._kept:
        StoredNotebook._kept[1].stop()
        StoredNotebook._kept = None


def pytest_sessionfinish() -> None:
    """Leave no kernel behind."""
    stop_kernel()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    parent: pytest.Collector,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Take our notebooks in place of nbval's."""
    found = yield
    return [
        StoredNotebook.from_parent(parent, path=one.path) if isinstance(one, IPyNbFile) else one
        for one in found
    ]


def _lines(cell: NotebookNode) -> list[str]:
    """The outputs of a cell as they stand in the file."""
    outputs = deepcopy(cell["outputs"])
    bare = new_code_cell(id=cell["id"], outputs=outputs)
    return serialise(normalise(new_notebook(cells=[bare]))).splitlines(keepends=True)
