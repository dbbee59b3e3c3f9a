"""What an exercise answers: right, or a hint naming the misconception, in the reader's language."""

import reprlib
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from torch import Tensor

from attn_lib.check.judging import numbers as numbers
from attn_lib.check.judging import shape as shape
from attn_lib.language import words


@dataclass(frozen=True)
class Verdict:
    """The judgement of one answer; true if it is right. Notebooks show its text.

    Args:
        right: whether the answer is right.
        text: what the reader is told.
    """

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return ("✓ " if self.right else "✗ ") + self.text

    def _repr_html_(self) -> str:
        """Return the text as a paragraph: a page wraps it, where plain output runs out of sight."""
        return Markup("<p>{}</p>").format(repr(self))


def right(exercise: str) -> Verdict:
    """Return the verdict on a right answer: the exercise's closing remark."""
    return Verdict(True, words("check")[exercise]["right"])


def said(exercise: str, finding: tuple[str, dict[str, Any], Any]) -> Verdict:
    """Return the verdict that a judge of `judging` has found."""
    name, slots, _ = finding
    return right(exercise) if name == "right" else hint(exercise, name, **slots)


def hint(exercise: str, name: str, **slots: object) -> Verdict:
    """Return the verdict on a wrong answer: the hint `name`, its slots filled."""
    return Verdict(False, words("check")[exercise][name].format(**slots))


def one_number(answer: Any) -> float | None:
    """Return the only number of an answer, in whatever form it came; None if it is not one."""
    given = numbers(answer)
    return None if given is None or given.numel() != 1 else given.item()


def came(answer: Any) -> str:
    """Say what came, cut short; of a thing that is no number, text or list, only the type."""
    given = numbers(answer) if isinstance(answer, Tensor) else None
    value = answer if given is None else given.tolist()
    shown = value is None or isinstance(value, str | int | float | list | tuple | set)
    return reprlib.repr(value) if shown else type(value).__name__
