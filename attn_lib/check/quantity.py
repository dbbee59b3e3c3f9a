"""Exercises whose answer follows from the numbers in their text, so that each class has its own.

The book's numbers come first. A seed draws others: `make student` asks for those in a class, and
`make quiz` on a learning platform. An answer may also be a function of the numbers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attn_lib.check.judging import came, numbers, raised
from attn_lib.check.verdict import Verdict, hint, said
from attn_lib.language import words

Numbers = dict[str, Any]
Found = tuple[str, dict[str, Any]]  # the name of a sentence, and what fills its slots

QUANTITIES: dict[str, "Quantity"] = {}  # by exercise, as they are declared


def _unknown(answered: Any, **_: Any) -> Found:
    given = numbers(answered)
    if given is None or given.numel() != 1:
        return "number", {"got": came(answered)}
    return "other", {"got": f"{given.item():g}"}


@dataclass(frozen=True)
class Quantity:
    """What to find, and what known slips give.

    Args:
        exercise: its name, under which its sentences stand.
        known: what the text's numbers give: the answer, called ``right``, then slips by the names
            of their hints; each a number or nested lists.
        cases: numbers for the text, the book's first; neighbours have different answers.
        shown: what else the sentences say of them.
        within: how far an answer may be off, relative to its largest number.
        unknown: judges an answer that is none of the known ones.
    """

    exercise: str
    known: Callable[..., Numbers]
    cases: tuple[Numbers, ...]
    shown: Callable[..., Numbers] = lambda **_: {}
    within: float = 2e-3
    unknown: Callable[..., Found] = _unknown

    def __post_init__(self) -> None:
        QUANTITIES[self.exercise] = self

    def drawn(self, seed: int) -> Numbers:
        """Return the numbers of a seed: the book's for 0, else others than the next seed's."""
        return self.cases[1 + seed % (len(self.cases) - 1) if seed else 0]

    def slots(self, numbers: Numbers) -> dict[str, str]:
        """Return what fills the sentences, as they say it."""
        filled = numbers | self.known(**numbers) | self.shown(**numbers)
        return {name: written(v) for name, v in filled.items() if isinstance(v, str | int | float)}

    def ask(self, numbers: Numbers) -> str:
        """Return the question with these numbers."""
        return str(words("check")[self.exercise]["ask"].format(**self.slots(numbers)))

    def judge(self, answer: Any, **asked: Any) -> Verdict:
        """Judge what was found for the asked numbers, by default the book's, or a function of them.

        Raises:
            ValueError: The numbers are no case of this exercise.
        """
        first = self.cases[0] | asked
        if first not in self.cases:
            raise ValueError(f"the numbers must be one of {self.cases}. Got {asked}.")
        for case in (first, *self.cases) if callable(answer) else (first,):
            try:
                answered = answer(**case) if callable(answer) else answer
            except Exception as error:  # whatever the reader's function raises
                return hint("course", "raises", error=raised(error))
            name, slots = self._found(answered, case)
            if name != "right" and self._found(answered, self.cases[0])[0] == "right":
                return hint("course", "book", ask=self.ask(case))
            if name != "right":
                return said(self.exercise, (name, self.slots(case) | slots, None))
        return said(self.exercise, ("right", self.slots(first), None))

    def _found(self, answered: Any, case: Numbers) -> Found:
        given = numbers(answered)
        for name, known in self.known(**case).items():
            wanted = numbers(known)
            if given is None or wanted is None or given.squeeze().shape != wanted.squeeze().shape:
                continue
            off = (given.squeeze() - wanted.squeeze()).abs()
            if (off <= self.within * wanted.abs().max()).all():
                return name, {"got": came(answered)}
        return self.unknown(answered, **case)


def written(value: float | str) -> str:
    """Write a number as a sentence has it: whole, or with three digits."""
    if isinstance(value, str):
        return value
    is_whole = abs(value) >= 1000 or math.isclose(value, round(value))
    return f"{value:.0f}" if is_whole else f"{value:.3g}"
