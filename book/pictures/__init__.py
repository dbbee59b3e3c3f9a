"""Pictures of the book, drawn by code: one module a picture, which computes what it shows.

A picture is named like its page; `alignment` opens the first chapter. `python -m book.pictures`
draws them all; `CONTRIBUTING.md` says how to add one. `palette` has the colours, `canvas` the
marks, type and cells, `grammar` what the pictures are put together from.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from book.pictures.canvas import Canvas

FOLDER = Path(__file__).parent

NAMES = (
    "queries-keys-values",
    "kernel-regression",
    "masked-softmax",
    "attention-sinks",
    "beyond-softmax",
    "additive-attention",
    "dot-product-attention",
    "scaling",
    "choosing-a-scoring-function",
    "position-in-the-score",
    "many-keys",
    "batched-products",
    "multi-head-attention",
    "dropout",
    "shared-keys",
    "fast-attention",
    "reading-dates",
    "a-model-that-writes",
    "real-model",
    "bug-museum",
    "alignment",
    "scores",
)


@cache
def draw(name: str) -> Canvas:
    """Draw the picture of this name."""
    return import_module(f"book.pictures.{name.replace('-', '_')}").draw()
