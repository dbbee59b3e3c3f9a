"""Writing with a trained model: letter by letter, each read again before the next."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.examples.writer.alphabet import spell
from attn_lib.examples.writer.checkpoint import load
from attn_lib.examples.writer.model import Head, Writer
from attn_lib.random_stream import mulberry32
from attn_lib.validation import check_size

LONGEST = 200  # letters that a model writes at most
END = 0  # the number of the end mark


@dataclass(frozen=True)
class Writing:
    """What a model read and wrote.

    Args:
        language: whose model it was.
        letters: all N letters, the opening mark first; parts of Korean syllables stand alone.
        numbers: their numbers in the alphabet.
        start: the place of the first letter that the model wrote.
        chances: (N, letters of the alphabet), after each letter the probability of every next one.
        weights: (layers, heads, N, N), where each letter looked; 0 at those to come.
    """

    language: str
    letters: tuple[str, ...]
    numbers: tuple[int, ...]
    start: int
    chances: Tensor
    weights: Tensor

    @property
    def written(self) -> str:
        """What the model wrote, composed, with the end mark if it came to an end."""
        return unicodedata.normalize("NFC", "".join(self.letters[self.start :]))


@torch.no_grad()
def write(
    text: str,
    language: str | None = None,
    *,
    model: Writer | None = None,
    most: int = LONGEST,
    off: Collection[Head] = (),
    cached: bool = True,
    draw: int | None = None,
) -> Writing:
    """Go on with a text until the model ends it.

    Args:
        text: at most 150 characters; what the alphabet lacks gets one of its spare places.
        language: whose model and alphabet it is; None: see `language_of`.
        model: a trained model of this language; None: the stored one.
        most: how many letters it may write, 0 to 200.
        off: heads whose output is left out, each as (layer, head), both from 0.
        cached: keep keys and values of all letters so far; False: read the whole text anew for
            every letter. The numbers are the same but for rounding.
        draw: None: go on with the likeliest letter; a whole number: draw each by its probability,
            from a stream of random numbers with this seed.

    Returns:
        What was read and written, with all probabilities and weights.

    Raises:
        TypeError: text is no string, or a number is not an int.
        ValueError: text is empty or too long, has a line break, the end mark or too many strange
            characters; there is no such language or head; most is out of range.

    Example:
        >>> from attn_lib.examples import writer
        >>> writing = writer.write("hello zorblik! hello wug! bye z")
        >>> writing.written
        'orblik! bye wug!▪'
    """
    spelt = spell(text, language)
    model = model or load(spelt.language)
    if check_size("most", most, least=0) > LONGEST:
        raise ValueError(f"most must be at most {LONGEST}. Got {most}.")
    model.switches(off)  # refuses what is no head before anything is computed
    lots = [None] * most if draw is None else mulberry32(draw, most).tolist()
    numbers, start = list(spelt.numbers), len(spelt.numbers)
    looks = [model(torch.tensor([numbers]), None, off)]
    for lot in lots:
        numbers.append(choose(looks[-1].logits[0, -1].softmax(0), lot))
        if cached:
            looks.append(model(torch.tensor([numbers[-1:]]), looks[-1].cache, off))
        else:
            looks = [model(torch.tensor([numbers]), None, off)]
        if numbers[-1] == END:
            break
    return Writing(
        language=spelt.language,
        letters=tuple(spelt.letters(numbers)),
        numbers=tuple(numbers),
        start=start,
        chances=torch.cat([look.logits[0].softmax(1) for look in looks]),
        weights=torch.cat([filled_up(look.weights, len(numbers)) for look in looks], 2),
    )


def choose(chances: Tensor, lot: float | None) -> int:
    """Return the likeliest letter; with a lot from 0 up to 1, the letter on which it falls."""
    if lot is None:
        return int(chances.argmax())
    return min(int((chances.cumsum(0) <= lot).sum()), len(chances) - 1)


def filled_up(weights: list[Tensor], size: int) -> Tensor:
    """Add zeros for the letters that were still to come: (layers, H, N, size)."""
    return F.pad(torch.cat(weights), (0, size - weights[0].shape[3]))
