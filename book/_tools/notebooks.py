"""Run notebooks from top to bottom and store what they give, the same bytes every time.

`make notebooks` rewrites the notebooks whose outputs have changed; `make nbval` only compares
(stored.py). What differs between two equal runs is left out: times, widget views (they name
objects of a kernel that is gone) and the versions of the Python that happened to run.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

BOOK = Path(__file__).resolve().parents[1]
CELL_TIMEOUT = 600  # a training of half a minute, on a machine with other work

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE_INFO = {"file_extension": ".py", "name": "python", "pygments_lexer": "ipython3"}
WIDGET_MIMES = {
    "application/vnd.jupyter.widget-view+json",
    "application/vnd.jupyter.widget-state+json",
}
# Written by editors and by the execution itself; says nothing about the page.
VOLATILE_CELL_METADATA = {"execution", "ExecuteTime", "collapsed", "scrolled"}
# What may be wrong with a notebook; anything else is a fault of this tool.
FAULTS = (
    ValueError,
    nbformat.ValidationError,
    CellExecutionError,
    CellTimeoutError,
    DeadKernelError,
)


def notebook_paths() -> list[Path]:
    """Every notebook of every edition, in a fixed order."""
    return sorted(BOOK.glob("[a-z][a-z]/*.ipynb"))


def execute(path: Path) -> str:
    """Run a notebook in a fresh kernel, in its own folder, and return the text to be stored.

    Raises:
        ValueError: A cell has no id.
        CellExecutionError: A cell raised and does not carry the tag `raises-exception`.
    """
    notebook = read(path)
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--log-level=ERROR"],  # the kernel's own notices are not the book's
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
    )
    client.execute()
    return serialise(normalise(notebook))


def read(path: Path) -> NotebookNode:
    """Read a notebook as it stands; nbformat alone would invent ids where they are missing.

    Raises:
        ValueError: The file is not JSON, or a cell has no id.
        ValidationError: The notebook breaks its format in another way.
    """
    notebook = parse(path.read_text(encoding="utf-8"), path.name)
    nbformat.validate(notebook)
    return notebook


def parse(text: str, name: str) -> NotebookNode:
    """Read the text of the notebook `name`, whose format is believed.

    Raises:
        ValueError: The text is not JSON, or a cell has no id.
    """
    for number, cell in enumerate(json.loads(text)["cells"], start=1):
        if not cell.get("id"):
            raise ValueError(f"every cell needs an id. Cell {number} of {name} has none.")
    return nbformat.reads(text, as_version=4)


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Remove from a notebook, in place, what may differ between two equal runs."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = KERNELSPEC
    notebook.metadata["language_info"] = LANGUAGE_INFO
    for cell in notebook.cells:
        for name in VOLATILE_CELL_METADATA & cell.metadata.keys():
            del cell.metadata[name]
        for output in cell.get("outputs", []):
            for mime in WIDGET_MIMES & output.get("data", {}).keys():
                del output.data[mime]
            if output.output_type == "error":
                # The frames name folders of this machine; the page needs the message only.
                output.traceback = [f"{output.ename}: {output.evalue}"]
    return notebook


def serialise(notebook: NotebookNode) -> str:
    """The text of a notebook as it is stored."""
    return nbformat.writes(notebook) + "\n"


def _run(path: Path) -> str:
    """Execute one notebook; return an empty string if nothing had to change, else what to say."""
    name = os.path.relpath(path)
    before = path.read_text(encoding="utf-8")
    try:
        after = execute(path)
    except FAULTS as error:
        return f"failed   {name}\n{error}"
    if after == before:
        return ""
    path.write_text(after, encoding="utf-8")
    return f"changed  {name}"


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line; the exit status says whether all notebooks are in order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: every notebook of the book")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks run at once")
    options = parser.parse_args(arguments)

    paths = [path.resolve() for path in options.files] or notebook_paths()
    if not paths:
        parser.error("there is no notebook in book/*/")
    with ProcessPoolExecutor(options.jobs) as pool:
        messages = [m for m in pool.map(_run, paths) if m]
    for message in messages:
        print(message)
    print(f"{len(paths)} notebooks run, {len(paths) - len(messages)} as they were")
    return int(any(not message.startswith("changed") for message in messages))


if __name__ == "__main__":
    sys.exit(main())
