"""Texts to learn from: guests are greeted, then all of them leave, in any order.

Some texts are one line said again and again: only memory can continue it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from attn_lib.examples.writer.names import FORBIDDEN, LANGUAGES, USES, guest, take_apart

END = "▪"  # opens and closes a text; nobody may type it
LONGEST = 128  # letters in a training text, the opening mark not counted
CHANTS = 0.3  # share of the texts that are a line said again and again
HELLO, BYE = (
    {language: take_apart(words) for language, words in said.items()}
    for said in (
        {"en": "hello ", "vi": "chào ", "ko": "안녕 ", "zh": "你好"},
        {"en": "bye ", "vi": "tạm biệt ", "ko": "잘 가 ", "zh": "再见"},
    )
)
GAP = {"en": "! ", "vi": "! ", "ko": "! ", "zh": "!"}


@dataclass(frozen=True)
class Party:
    """A text in which everybody leaves, and where the names stand in it.

    Args:
        text: the whole text, with both end marks.
        names: the guests, in the order in which they leave.
        first: for each of them where the name begins when it is said first.
        again: where it begins when it is said again.
    """

    text: str
    names: tuple[str, ...]
    first: tuple[int, ...]
    again: tuple[int, ...]


def hold_party(language: str, names: list[str], leaving: list[str]) -> Party:
    """Write the text of a party."""
    text, first, again = END, {}, []
    for name in names:
        text += HELLO[language]
        first[name] = len(text)
        text += name + GAP[language]
    for name in leaving:
        text += BYE[language]
        again.append(len(text))
        text += name + GAP[language]
    text = text.rstrip(" ") + END
    return Party(text, tuple(leaving), tuple(first[name] for name in leaving), tuple(again))


def parties(
    language: str,
    count: int,
    rng: random.Random,
    *,
    guests: int = 3,
    use: str = "test",
) -> list[Party]:
    """Invent parties whose guests have names that no training text has.

    Args:
        language: ``en``, ``vi``, ``ko`` or ``zh``.
        count: how many parties.
        rng: where the randomness comes from.
        guests: how many guests each has; up to 8 of them begin with different letters, so that
            the first letter says who is meant.
        use: ``test``, ``choice`` or ``training``, what the names are dealt to.

    Raises:
        ValueError: there is no such language or use.

    Example:
        >>> import random
        >>> from attn_lib.examples import writer
        >>> party = writer.parties("en", 1, random.Random(0), guests=2)[0]
        >>> party.text
        '▪hello pibdra! hello kleeblom! bye kleeblom! bye pibdra!▪'
    """
    check_language(language)
    if use not in USES:
        raise ValueError(f"use must be one of {', '.join(USES)}. Got {use!r}.")
    found = []
    for _ in range(count):
        names: list[str] = []
        while len(names) < guests:
            name = guest(language, rng, use)
            if all(name != n and (guests > 8 or name[0] != n[0]) for n in names):
                names.append(name)
        found.append(hold_party(language, names, rng.sample(names, guests)))
    return found


def training_text(language: str, rng: random.Random) -> str:
    """Write one training text, a party or a chant, with its end marks."""
    write = chant if rng.random() < CHANTS else farewell
    while True:
        text = write(language, rng)
        if len(text) <= LONGEST + 1 and not any(name in text for name in FORBIDDEN):
            return text


def farewell(language: str, rng: random.Random) -> str:
    """Write a party of one to four guests."""
    names = different(language, rng, rng.choice((1, 2, 2, 3, 3, 4)))
    return hold_party(language, names, rng.sample(names, len(names))).text


def chant(language: str, rng: random.Random) -> str:
    """Say a line of one to three invented words two to four times."""
    words = different(language, rng, rng.choice((1, 2, 2, 3)))
    line = ("" if language == "zh" else " ").join(words) + GAP[language]
    return END + (line * rng.choice((2, 3, 4))).rstrip(" ") + END


def different(language: str, rng: random.Random, count: int) -> list[str]:
    """Invent training names that differ."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[guest(language, rng)] = None
    return list(names)


def check_language(language: object) -> None:
    """Require one of the four languages."""
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}. Got {language!r}.")
