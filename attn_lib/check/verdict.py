"""What an exercise answers: right, or a hint naming the misconception, in the reader's language."""

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from attn_lib.check.judging import came as came
from attn_lib.check.judging import numbers as numbers
from attn_lib.check.judging import one_number as one_number
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


def right(exercise: str, **slots: object) -> Verdict:
    """Return the verdict on a right answer: the exercise's closing remark, its slots filled."""
    return Verdict(True, words("check")[exercise]["right"].format(**slots))


def said(exercise: str, finding: tuple[str, dict[str, Any], Any]) -> Verdict:
    """Return the verdict that a judge of `judging` has found."""
    name, slots, _ = finding
    return right(exercise, **slots) if name == "right" else hint(exercise, name, **slots)


def hint(exercise: str, name: str, **slots: object) -> Verdict:
    """Return the verdict on a wrong answer: the hint `name`, its slots filled."""
    return Verdict(False, words("check")[exercise][name].format(**slots))
