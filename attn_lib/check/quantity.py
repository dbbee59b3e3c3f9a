"""Exercises whose answer follows from the numbers in their text, so that each class has its own.

A seed draws them: `make student` asks for those in a class, `make quiz` on a learning platform.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
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


@dataclass(eq=False, repr=False)
class Quantity:
    """An exercise that judges an answer for the text's numbers, or a function of them.

    Args:
        known: what the text's numbers give: the answer, called ``right``, then slips by the names
            of their hints; each a number or nested lists.
        numbers: those of the text, the book's first; neighbours have different answers.
        shown: what else the sentences say of them.
        within: how far an answer may be off, relative to its largest number.
        unknown: judges an answer that is none of the known ones.
    """

    known: Callable[..., Numbers]
    numbers: Iterable[Any]
    shown: Callable[..., Numbers] = lambda **_: {}
    within: float = 2e-3
    unknown: Callable[..., Found] = _unknown

    def __post_init__(self) -> None:
        self.exercise, names = self.known.__name__, list(signature(self.known).parameters)
        rows = [row if isinstance(row, tuple) else (row,) for row in self.numbers]
        self.cases = tuple(dict(zip(names, row, strict=True)) for row in rows)
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

    def judge(self, answer: Any, *more: Any, **asked: Any) -> Verdict:
        """Judge what was found for the asked numbers, by default the book's, or a function of them.

        Args:
            answer: a number, or several in any form.
            *more: the rest of several that come without brackets.
            **asked: numbers of the text, all of one case.

        Raises:
            ValueError: The numbers are no case of this exercise.

        Example:
            >>> from attn_lib import check
            >>> check.which_d(10, width=1200, heads=12).right
            True
            >>> check.which_d(lambda width, heads: width**0.5).right
            False
        """
        answer = (answer, *more) if more else answer
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


def quantity(numbers: Iterable[Any], **options: Any) -> Callable[..., Callable[..., Verdict]]:
    """Return a decorator: a function that computes what is known becomes a `Quantity`'s judge.

    The judge has the function's name and docstring; by default it asks for the book's numbers.
    """

    def decorate(known: Callable[..., Numbers]) -> Callable[..., Verdict]:
        asked = Quantity(known, numbers, **options)

        @wraps(known, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
        def judge(answer: Any, *more: Any, **numbers: Any) -> Verdict:
            return asked.judge(answer, *more, **numbers)

        first = asked.cases[0].items()
        judge.__signature__ = Signature(  # type: ignore[attr-defined]  # that of `known` else
            [
                Parameter("answer", Parameter.POSITIONAL_OR_KEYWORD),
                Parameter("more", Parameter.VAR_POSITIONAL),
                *(Parameter(name, Parameter.KEYWORD_ONLY, default=n) for name, n in first),
            ]
        )
        return judge

    return decorate


def written(value: float | str) -> str:
    """Write a number as a sentence has it: whole, or with three digits."""
    if isinstance(value, str):
        return value
    is_whole = abs(value) >= 1000 or math.isclose(value, round(value))
    return f"{value:.0f}" if is_whole else f"{value:.3g}"
