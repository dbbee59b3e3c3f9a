"""A small model that reads dates in four languages and writes them in ISO form.

``write`` makes up dates, ``alphabet`` turns them into numbers, ``model`` is the network, ``train``
trains it, ``checkpoint`` stores it, ``reader`` reads with it.

    >>> from attn_lib.examples import dates
    >>> reading = dates.read("2024년 3월 15일")
    >>> reading.iso, reading.weights.shape
    ('2024-03-15', torch.Size([10, 12]))
"""

from typing import TYPE_CHECKING, Any

from attn_lib.examples.dates.alphabet import LONGEST, SYMBOLS, encode, normalise, unknown_letters
from attn_lib.examples.dates.checkpoint import load
from attn_lib.examples.dates.model import DateReader
from attn_lib.examples.dates.reader import Reading, read, read_all
from attn_lib.examples.dates.train import batch, train
from attn_lib.examples.dates.write import LANGUAGES, WrittenDate, write_dates

if TYPE_CHECKING:
    from attn_lib.examples.dates.progress import ProgressBar

__all__ = [
    "LANGUAGES",
    "LONGEST",
    "SYMBOLS",
    "DateReader",
    "ProgressBar",
    "Reading",
    "WrittenDate",
    "batch",
    "encode",
    "load",
    "normalise",
    "read",
    "read_all",
    "train",
    "unknown_letters",
    "write_dates",
]


def __getattr__(name: str) -> Any:
    """Load the bar, a widget, when first asked for: an exercise needs none."""
    if name != "ProgressBar":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from attn_lib.examples.dates.progress import ProgressBar

    return ProgressBar
