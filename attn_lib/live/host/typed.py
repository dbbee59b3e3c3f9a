"""Numbers and words that the reader types. `front/typed.js` reads them in the browser.

What is read becomes one short text, ``1,2;3,4`` for ``[[1, 2], [3, 4]]``: the value of the
setting and what its link says. What is wrong gets a sentence that says what was expected and what
came.
"""

import re
import unicodedata
from itertools import chain

from attn_lib.language import words

# A matrix in brackets, with commas or as NumPy prints it; a tensor as PyTorch prints it.
_CALL = re.compile(r"(?:tensor|array)\(([^()]*)\)")
_NESTED = re.compile(r"\[ *\[[^][]*\](?: *,? *\[[^][]*\])* *,? *\]")
_FLAT = re.compile(r"\[[^][]*\]")
_ROW = re.compile(r"\[([^][]*)\]")
_GAP = re.compile(r"[ ,]+")
_BLANK = re.compile(r"[\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_SHOWN = 24
_MINUS = "\u2212"
# Besides letters, the marks on them and digits.
_IN_WORDS = "'-\u2019"


class TypedError(ValueError):
    """What the reader typed is no value; `sentence` says why in the current language."""

    def __init__(self, name: str, **slots: object):
        super().__init__(name)
        self.name = name
        self.slots = slots

    @property
    def sentence(self) -> str:
        """What was expected and what came."""
        template: str = words("frame")["typed"][self.name]
        return template.format(**self.slots)

    def __str__(self) -> str:
        """Return the sentence."""
        return self.sentence


def read_numbers(
    text: str,
    *,
    rows: int,
    fewest: int | None = None,
    columns: int,
    limit: float,
    decimals: int,
    longest: int,
    example: str,
) -> str:
    """Return typed numbers as a short text, "" where nothing is typed.

    There must be exactly `rows` rows, or `fewest` to `rows` of them.

    >>> limits = dict(limit=9, decimals=2, longest=99, example="[[1, 2], [3, 4]]")
    >>> read_numbers("[[1, 2.50], [-3, 4]]", rows=2, columns=2, **limits)
    '1,2.5;-3,4'
    >>> read_numbers("[1, 2]", rows=2, columns=2, **limits)
    Traceback (most recent call last):
    attn_lib.live.host.typed.TypedError: Expected 2 × 2 numbers, such as [[1, 2], [3, 4]]. Got 1 × 2.
    >>> read_numbers("[1, 2]", rows=2, fewest=1, columns=2, **limits)
    '1,2'
    """  # noqa: E501
    text = _plain(text, longest).replace(_MINUS, "-")
    if not text:
        return ""
    if call := _CALL.fullmatch(text):
        text = call[1].strip(" ,")
    if _NESTED.fullmatch(text):
        parts = _ROW.findall(text[1:-1])
    elif _FLAT.fullmatch(text):
        parts = [text[1:-1]]
    elif "[" in text or "]" in text:
        raise TypedError("form", example=example, got=_short(text))
    else:
        parts = text.split(";")
    table = [[item for item in _GAP.split(part) if item] for part in parts]
    read = [[_number(item, limit, decimals) for item in row] for row in table]
    counts = [len(row) for row in read]
    expected: dict[str, object] = {"rows": rows, "columns": columns, "example": example}
    any_of = ""
    if fewest is not None:
        expected["fewest"] = fewest
        any_of = "_between"
    if len(set(counts)) > 1:
        got = _short(" + ".join(map(str, counts)))
        raise TypedError(f"ragged{any_of}", **expected, got=got)
    if not (fewest or rows) <= len(counts) <= rows or counts[0] != columns:
        raise TypedError(f"shape{any_of}", **expected, got=f"{len(counts)} × {counts[0]}")
    return ";".join(",".join(f"{number:g}" for number in row) for row in read)


def read_words(text: str, *, rows: int, columns: int, letters: int, longest: int) -> str:
    """Return typed words as a short text, "" where nothing is typed.

    >>> read_words("we drink tea; birds sing", rows=2, columns=4, letters=12, longest=99)
    'we,drink,tea;birds,sing'
    """
    text = _plain(text, longest)
    if not text:
        return ""
    table = [[word for word in _GAP.split(part) if word] for part in text.split(";")]
    for word in chain.from_iterable(table):
        if not all(unicodedata.category(c)[0] in "LMN" or c in _IN_WORDS for c in word):
            raise TypedError("word", got=_short(word))
        if len(word) > letters:
            raise TypedError("word_long", letters=letters, got=_short(word))
    if len(table) != rows or not all(1 <= len(row) <= columns for row in table):
        got = " + ".join(str(len(row)) for row in table)
        raise TypedError("count", rows=rows, columns=columns, got=_short(got))
    return ";".join(",".join(row) for row in table)


def read_line(text: str, *, longest: int, without: str) -> str:
    """Return a typed line of text, "" where nothing is typed.

    It may have no sign of `without`, and none that only tells a program what to do.

    >>> read_line(" Hello  zorblik! ", longest=99, without="▪")
    'Hello  zorblik!'
    """
    line = _plain(text, longest)
    for sign in line:
        if sign in without or unicodedata.category(sign) in ("Cc", "Zl", "Zp"):
            raise TypedError("sign", got=sign if sign in without else f"U+{ord(sign):04X}")
    return line


def numbers_of(value: str) -> list[list[float]]:
    """Return the rows of numbers that a short text spells.

    >>> numbers_of("1,2;3,4")
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return [[float(number) for number in row.split(",")] for row in value.split(";")]


def words_of(value: str) -> list[list[str]]:
    """Return the rows of words that a short text spells."""
    return [row.split(",") for row in value.split(";")]


def _plain(text: str, longest: int) -> str:
    if len(text) > longest:
        raise TypedError("long", longest=longest, got=len(text))
    # Composed, and with the commas and brackets of a Chinese keyboard as those of any other.
    return _BLANK.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def _number(item: str, limit: float, decimals: int) -> float:
    if not _NUMBER.fullmatch(item):
        raise TypedError("number", got=_short(item))
    if len(item.partition(".")[2].rstrip("0")) > decimals:
        raise TypedError("decimals", decimals=decimals, got=_short(item))
    number = float(item)
    if abs(number) > limit:
        raise TypedError("limit", limit=f"{limit:g}", got=_short(item))
    # Without the sign of -0.
    return number + 0.0


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
