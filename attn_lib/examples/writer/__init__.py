"""A small model that writes: guests are greeted, and it takes leave of them by their names.

``names`` invents guests, ``parties`` the texts, ``alphabet`` turns them into numbers, ``model`` is
the decoder, ``train`` trains it, ``checkpoint`` stores it, ``writing`` writes with it, ``measure``
counts what it spells right, ``record`` holds what was measured of each model. ``make writer``
trains the stored models again, from seeds: the English ones from nothing, those of other languages
from the layers of the English one.

    >>> from attn_lib.examples import writer
    >>> writing = writer.write("hello zorblik! hello wug! bye z")
    >>> writing.written
    'orblik! bye wug!▪'
"""

from attn_lib.examples.writer.alphabet import alphabet, language_of, normalise, spell
from attn_lib.examples.writer.checkpoint import load
from attn_lib.examples.writer.model import HEADS, PLACES, Look, Writer, heads
from attn_lib.examples.writer.names import LANGUAGES, book_names, dealt_to
from attn_lib.examples.writer.parties import END, Party, parties, training_text
from attn_lib.examples.writer.record import Measured, measured
from attn_lib.examples.writer.train import batches, train
from attn_lib.examples.writer.writing import Writing, write

__all__ = [
    "END",
    "HEADS",
    "LANGUAGES",
    "PLACES",
    "Look",
    "Measured",
    "Party",
    "Writer",
    "Writing",
    "alphabet",
    "batches",
    "book_names",
    "dealt_to",
    "heads",
    "language_of",
    "load",
    "measured",
    "normalise",
    "parties",
    "spell",
    "train",
    "training_text",
    "write",
]
