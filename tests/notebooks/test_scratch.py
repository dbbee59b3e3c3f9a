"""Ten lines without the library: a cell with the tag `scratch`, pasted into an empty notebook."""

import ast
import builtins
import re
from typing import NamedTuple

import pytest
import torch

from book._tools.notebooks import notebook_paths, read

LANGUAGES = ["en", "vi", "ko", "zh"]
#: What may be imported, so that a reader needs PyTorch and nothing else.
IMPORTED = {"torch", "math"}
#: What readers look for under its usual name; in each language a chapter defines it.
NAMES = {
    "AdditiveAttention",
    "CausalAttention",
    "Decoder",
    "DotProductAttention",
    "KVCache",
    "MultiHeadAttention",
    "alibi_bias",
    "batched_scores",
    "dropout",
    "grouped_attention",
    "kernel_regression",
    "length_scaled",
    "masked_softmax",
    "merge",
    "normed_scores",
    "online_softmax",
    "rotary_attention",
    "rotate",
    "softmax_with_sink",
    "sparsemax",
}
DIFFERENCE = re.compile(r"\d\.\d{6}")


class Scratch(NamedTuple):
    """One such cell, and the two code cells below it."""

    language: str
    source: str
    below: list


def scratch_cells():
    for path in notebook_paths():
        cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
        for i, cell in enumerate(cells):
            if "scratch" in cell.metadata.get("tags", []):
                found = Scratch(path.parent.name, cell.source, cells[i + 1 : i + 3])
                yield pytest.param(found, id=f"{path.parent.name}/{path.stem}-{cell.id}")


SCRATCH = list(scratch_cells())
each = pytest.mark.parametrize("cell", SCRATCH)


def pasted(source):
    """What a cell defines where nothing but Python's own names is known."""
    names = {"__name__": "__main__"}
    exec(compile(source, "scratch", "exec"), names)
    return names


@each
def test_it_runs_where_nothing_else_has_run(cell):
    """It does, and no function in it waits for a name that only its chapter has."""
    known = set(pasted(cell.source)) | set(dir(builtins))
    tree = list(ast.walk(ast.parse(cell.source)))
    names = [node for node in tree if isinstance(node, ast.Name)]
    known |= {node.arg for node in tree if isinstance(node, ast.arg)}
    known |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    assert {node.id for node in names} - known == set()


@each
def test_it_needs_torch_alone(cell):
    assert "import torch" in cell.source.splitlines()
    tree = list(ast.walk(ast.parse(cell.source)))
    whole = {name.name for node in tree if isinstance(node, ast.Import) for name in node.names}
    parts = {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in whole | parts} <= IMPORTED


@each
def test_the_library_stands_beside_it(cell):
    """One of the next two cells prints how far the library is, gradients included: nowhere far."""
    beside = [below for below in cell.below if "beside.differences(" in below.source]
    assert beside
    found = DIFFERENCE.findall("".join(output.get("text", "") for output in beside[0].outputs))
    assert len(found) >= 2
    assert set(found) == {"0.000000"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_usual_name_has_its_lines(language):
    cells = [param.values[0] for param in SCRATCH if param.values[0].language == language]
    assert NAMES - {name for cell in cells for name in pasted(cell.source)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["masked_softmax", "sparsemax"])
def test_weights_stay_with_their_scores(language, name):
    """On their device and in their type: on a GPU, in half precision, too."""
    cells = [param.values[0] for param in SCRATCH if param.values[0].language == language]
    (weigh,) = (names[name] for cell in cells if name in (names := pasted(cell.source)))
    scores = torch.zeros(2, 3, 4, dtype=torch.float16, device="meta")
    lens = [torch.tensor([0, 4], device="meta")] if name == "masked_softmax" else []
    weights = weigh(scores, *lens)
    assert (weights.device.type, weights.dtype) == ("meta", torch.float16)
