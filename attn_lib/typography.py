"""Where a line must not break. Browsers know words, not what belongs to them."""

import re
from collections.abc import Callable
from typing import Any

JOINER = "\u2060"  # no width, and no break on either side of it
NO_BREAK_SPACE = "\u00a0"

# Numbers or letters in brackets, as those of a shape; {name} in a text is filled in later.
_ENTRY = r"(?:−?[\d.]+|[A-Za-z]\w?|\{\w+\})"
TUPLE = rf"\((?:{_ENTRY}, )+{_ENTRY}\)"

# A particle belongs to the sign before it as it does to a word, and a gloss to the word it glosses.
_TOGETHER = re.compile(
    r"(?<=[^\w\s·,./~(\[{“‘「『《<\u2060-])(?=[가-힣])"
    r"|(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹])(?=[가-힣])"
    r"|(?<=[가-힣}])(?=\()"
)
# The sides of an equation.
_SIDES = re.compile(r"(?<=[\w}]) (?=[=÷] [−\d{\w])|(?<=[\w}] [=÷]) (?=[−\d{\w])")
# A number and its unit, a name and its number.
_SPACE = re.compile(
    r"(?<=[\d}]) (?=(?:[KMG]iB|ms)(?![A-Za-z]))"
    r"|(?<=(?<![가-힣])[약키]) (?=\d)"
    r"|(?<=(?<![가-힣])(?:쿼리|샘플|헤드|유닛|블록|단어|길이)) (?=\d)"
)


def joined(text: str, before: str = "") -> str:
    """Return Korean text that no line parts between a word or a sign and what belongs to it.

    `before` is what stands before the text.
    """
    return _TOGETHER.sub(JOINER, before + text)[len(before) :]


def kept_whole(text: str) -> str:
    """Return text of any language in which no line parts a bracket of numbers or an equation."""
    text = re.sub(TUPLE, lambda found: found[0].replace(" ", NO_BREAK_SPACE), text, flags=re.ASCII)
    return _SIDES.sub(NO_BREAK_SPACE, text)


def tied(text: str) -> str:
    """Return Korean text with its shapes, equations and numbered things on one line, too.

    >>> tied("키 2(key)의").encode("ascii", "xmlcharrefreplace").decode()
    '&#53412;&#160;2(key)&#8288;&#51032;'
    """
    return joined(_SPACE.sub(NO_BREAK_SPACE, kept_whole(text)))


def each(words: Any, change: Callable[[str], str]) -> Any:
    """Return words, however they are nested, with every text changed."""
    if isinstance(words, dict):
        return {name: each(own, change) for name, own in words.items()}
    if isinstance(words, list):
        return [each(own, change) for own in words]
    return change(words) if isinstance(words, str) else words
