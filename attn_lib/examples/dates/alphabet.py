"""From typed text to numbers: which characters the reader knows, and what it declines to read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import torch
from torch import Tensor

from attn_lib.examples.dates.write import (
    AFTER,
    BEFORE,
    CHINESE,
    FIELD,
    KOREAN,
    MONTHS,
    ORDINALS,
    PATTERNS,
    VIETNAMESE,
    without_tones,
)

LONGEST = 64
END = "\n"  # closes a text; nobody can type it into one line
SYMBOLS = "0123456789-"  # what the model writes


def normalise(text: str) -> str:
    """Give equal-looking texts equal characters: composed letters, plain digits, lower case.

    Some keyboards send ``à`` as two characters, a Chinese one sends ``２`` for ``2``, and a
    telephone makes an apostrophe round.

    Example:
        >>> from attn_lib.examples.dates import normalise
        >>> typed = "NGA" + chr(0x300) + "Y"  # A and its tone, two characters
        >>> len(typed), len(normalise(typed)), normalise("２０２４年")
        (5, 4, '2024年')
    """
    return re.sub("[‘’]", "'", unicodedata.normalize("NFKC", text).lower())


def known_letters() -> str:
    """Collect every character that a date can be written with, the end mark first."""
    patterns = [FIELD.sub("", p) for styles in PATTERNS.values() for p in styles]
    chatter = [words for table in (BEFORE, AFTER) for group in table.values() for words in group]
    numbers = [*MONTHS, *ORDINALS, "st nd rd th", *VIETNAMESE, "giêng tư chạp lăm mốt mươi"]
    numbers += [KOREAN, "천백십유시", CHINESE, "零十", SYMBOLS]
    text = "".join([*patterns, *chatter, *numbers])
    letters = set(normalise(text + without_tones(text)))
    return END + "".join(sorted(letters))


LETTERS = known_letters()
NUMBERS = {letter: number for number, letter in enumerate(LETTERS)}


def unknown_letters(text: str) -> str:
    """Return the characters of a text that the model has never seen, each once.

    Example:
        >>> from attn_lib.examples.dates import unknown_letters
        >>> unknown_letters("廿三日")
        '廿'
    """
    return "".join(dict.fromkeys(c for c in normalise(text) if c not in NUMBERS or c == END))


def check_text(text: object) -> str:
    """Return the normalised text, or say why the model declines to read it."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str. Got {type(text).__name__}.")
    letters = normalise(text).strip()
    if not letters:
        raise ValueError(f"text must have at least 1 character that is no space. Got {text!r}.")
    if len(letters) > LONGEST:
        raise ValueError(f"text must have at most {LONGEST} characters. Got {len(letters)}.")
    if unknown := unknown_letters(letters):
        raise ValueError(f"text must have only characters of the training dates. Got {unknown!r}.")
    return letters


def encode(texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Number the characters of several texts and close each by the end mark.

    Shape:
        letters (B, K), filled up with end marks; lens (B,), the end mark counted once.

    Raises:
        TypeError: a text is not a string.
        ValueError: a text is empty or longer than 64 characters, or has an unknown character.
    """
    lines = [check_text(text) + END for text in texts]
    lens = torch.tensor([len(line) for line in lines])
    longest = int(lens.max())
    rows = [[NUMBERS[c] for c in line.ljust(longest, END)] for line in lines]
    return torch.tensor(rows), lens
