"""Exercises whose answer is one number that follows from the numbers in their text.

Such a judge also takes a function of the text's numbers, and tries it on others as well, for which
`make quiz` asks on a learning platform.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attn_lib.check.judging import raised
from attn_lib.check.verdict import Verdict, came, one_number, said

Numbers = dict[str, float]


@dataclass(frozen=True)
class Quantity:
    """A number to find, and those that known slips give.

    Args:
        exercise: its name, under which its sentences stand.
        known: what the text's numbers give: the answer, called ``right``, then slips by the names
            of their hints.
        cases: numbers for the text, the book's first.
        shown: what else the hints say of them.
        within: how far an answer may be off, relative to its size.
    """

    exercise: str
    known: Callable[..., Numbers]
    cases: tuple[Numbers, ...]
    shown: Callable[..., Numbers] = lambda **_: {}
    within: float = 2e-3

    def drawn(self, seed: int) -> Numbers:
        """Return the numbers that a seed draws, never the book's."""
        return random.Random(f"{self.exercise} {seed}").choice(self.cases[1:])

    def slots(self, numbers: Numbers) -> dict[str, str]:
        """Return what fills the sentences, as they say it."""
        filled = numbers | self.known(**numbers) | self.shown(**numbers)
        return {name: written(value) for name, value in filled.items()}

    def judge(self, answer: Any) -> Verdict:
        """Judge a number for the book's text, or a function of the text's numbers."""
        for numbers in self.cases if callable(answer) else self.cases[:1]:
            try:
                answered = answer(**numbers) if callable(answer) else answer
            except Exception as error:  # whatever the reader's function raises
                return said(self.exercise, ("raises", {"error": raised(error)}, None))
            name, got = self._found(answered, numbers)
            if name != "right":
                return said(self.exercise, (name, self.slots(numbers) | {"got": got}, None))
        return said(self.exercise, ("right", self.slots(self.cases[0]), None))

    def _found(self, answered: Any, numbers: Numbers) -> tuple[str, str]:
        value = one_number(answered)
        if value is None:
            return "number", came(answered)
        for name, known in self.known(**numbers).items():
            if math.isclose(value, known, rel_tol=self.within):
                return name, f"{value:g}"
        return "other", f"{value:g}"


def written(value: float) -> str:
    """Write a number as a sentence has it: whole, or with three digits."""
    is_whole = abs(value) >= 1000 or math.isclose(value, round(value))
    return f"{value:.0f}" if is_whole else f"{value:.3g}"
