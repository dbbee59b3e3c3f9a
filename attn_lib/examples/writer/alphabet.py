"""From typed text to numbers: which letters a writer has, and what becomes of all others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from attn_lib.examples.writer.names import (
    CHINESE,
    LANGUAGES,
    LATIN,
    LEADS,
    MARKED,
    SPARE,
    TAILS,
    VOWELS,
    take_apart,
)
from attn_lib.examples.writer.parties import END, HELLO, check_language

LONGEST = 150  # characters of a text, a Korean syllable counted as one
UNNAMED = "□"  # what is shown where a model writes a spare place that no character has
OWN = {"en": "", "vi": MARKED, "ko": LEADS + VOWELS + TAILS, "zh": "你好再见" + CHINESE}


@cache
def alphabet(language: str) -> str:
    """Return the letters of a language's model, the end mark first and spare places last.

    Raises:
        ValueError: there is no such language.

    Example:
        >>> from attn_lib.examples import writer
        >>> writer.alphabet("en")[:29], len(writer.alphabet("en")), len(writer.alphabet("zh"))
        ('▪ !abcdefghijklmnopqrstuvwxyz', 53, 164)
    """
    check_language(language)
    return "".join(dict.fromkeys(END + " !" + LATIN + OWN[language] + SPARE[language]))


def normalise(text: str) -> str:
    """Give equal-looking texts equal characters: composed, plain, in lower case.

    Example:
        >>> from attn_lib.examples import writer
        >>> writer.normalise("Ｈｅｌｌｏ Zorblik！")
        'hello zorblik!'
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())


def language_of(text: str) -> str:
    """Tell by its greeting, or else by its script, which language's model goes on with a text.

    Example:
        >>> from attn_lib.examples import writer
        >>> [writer.language_of(text) for text in ("hello wug", "chào vịt", "블릭", "你好")]
        ['en', 'vi', 'ko', 'zh']
    """
    apart = take_apart(normalise(text))
    greeted = [lang for lang in LANGUAGES if apart.startswith(HELLO[lang])]
    if greeted:
        return greeted[0]
    if any(c in OWN["ko"] for c in apart):
        return "ko"
    if re.search("[一-鿿]", apart):
        return "zh"
    return "vi" if any(c in MARKED for c in apart) else "en"


class Spelt(NamedTuple):
    """A text as a model reads it.

    Args:
        language: whose alphabet it is.
        strangers: the characters that this alphabet lacks, each once; the first has the first
            spare place, and so on.
        numbers: the letters' numbers, that of the end mark first.
    """

    language: str
    strangers: str
    numbers: list[int]

    def letters(self, numbers: Iterable[int]) -> list[str]:
        """Return what stands for each of these numbers."""
        spare = SPARE[self.language]
        shown = dict(zip(spare, self.strangers.ljust(len(spare), UNNAMED), strict=True))
        return [shown.get(c, c) for c in (alphabet(self.language)[n] for n in numbers)]


def spell(text: str, language: str | None = None) -> Spelt:
    """Number the letters of a text.

    Args:
        text: at most 150 characters; what the alphabet lacks gets one of its spare places.
        language: whose model shall read it; None: see `language_of`.

    Raises:
        TypeError: text is no string.
        ValueError: text is empty or too long, has a line break, the end mark or more strangers
            than there are spare places, or there is no such language.

    Example:
        >>> from attn_lib.examples import writer
        >>> spelt = writer.spell("hello 블릭")
        >>> spelt.language, spelt.strangers
        ('en', '블릭')
        >>> "".join(spelt.letters(spelt.numbers))
        '▪hello 블릭'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str. Got {type(text).__name__}.")
    if language is not None:
        check_language(language)
    typed = normalise(text)
    if not typed.strip():
        raise ValueError(f"text must have at least 1 character that is no space. Got {text!r}.")
    if len(typed) > LONGEST:
        raise ValueError(f"text must have at most {LONGEST} characters. Got {len(typed)}.")
    if END in typed:
        raise ValueError(
            f"text must not have the end mark {END}: the model writes it. Got {text!r}."
        )
    if len(typed.splitlines()) > 1 or typed.splitlines()[0] != typed:
        raise ValueError(f"text must be one line. Got {text!r}.")
    language = language or language_of(typed)
    number = {letter: i for i, letter in enumerate(alphabet(language))}
    spare = SPARE[language]
    apart = take_apart(typed) if language == "ko" else typed
    strangers = "".join(dict.fromkeys(c for c in apart if c not in number or c in spare))
    if len(strangers) > len(spare):
        raise ValueError(
            f"text must have at most {len(spare)} characters that the alphabet lacks. "
            f"Got {len(strangers)}: {strangers}."
        )
    number |= {c: number[place] for c, place in zip(strangers, spare, strict=False)}
    return Spelt(language, strangers, [number[c] for c in END + apart])
