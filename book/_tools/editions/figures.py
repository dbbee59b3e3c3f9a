"""The live figures in notebooks: what is stored of one follows from its name and its state alone.

So it is computed here, in any language, and no notebook is run for it.
"""

import ast
from pathlib import Path

from nbformat import NotebookNode

from attn_lib.language import speaking
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.stored import MIME, stored
from book._tools import notebooks


def is_figure(output: NotebookNode) -> bool:
    """Whether an output of a cell is a live figure that attn_lib has computed."""
    return MIME in output.get("data", {})


def is_figure_alone(cell: NotebookNode) -> bool:
    """Whether a code cell does nothing but show a live figure."""
    if not (cell.outputs and all(map(is_figure, cell.outputs))):
        return False
    return [type(statement) for statement in ast.parse(cell.source).body] == [ast.Expr]


def computed(output: NotebookNode, language: str | None = None) -> NotebookNode:
    """The output of a figure as it is now; in its own language, or in another one.

    Raises:
        ValueError: There is no such figure any more, or it has no such state.
    """
    kept = output.data[MIME]
    figure = FIGURES.get(kept["figure"])
    if figure is None:
        raise ValueError(f"figure must be one of {', '.join(FIGURES)}. Got {kept['figure']!r}.")
    with speaking(language or kept["language"]):
        state = figure.state(**kept["state"])
        data = NotebookNode(stored(figure, state, figure.compute(state)))
    return NotebookNode(output | {"data": data})


def compute(path: Path) -> bool:
    """Bring the figures in a notebook up to date; the answer says whether one has changed."""
    if path.suffix != ".ipynb":
        return False
    notebook = notebooks.read(path)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if is_figure(output):
                output.data = computed(output).data
    text = notebooks.serialise(notebook)
    if text == path.read_text(encoding="utf-8"):
        return False
    path.write_text(text, encoding="utf-8")
    return True
