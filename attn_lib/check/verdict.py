"""What an exercise answers: right, or a hint naming the misconception, in the reader's language."""

from dataclasses import dataclass
from typing import Any

import torch
from markupsafe import Markup
from torch import Tensor

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


def hint(exercise: str, name: str, **slots: object) -> Verdict:
    """Return the verdict on a wrong answer: the hint `name`, its slots filled."""
    return Verdict(False, words("check")[exercise][name].format(**slots))


def numbers(answer: Any) -> Tensor | None:
    """Return numbers in any form (a tensor, a list, a number) as float64; None if they are none."""
    try:
        return torch.as_tensor(answer).detach().to(torch.float64)
    except (TypeError, ValueError, RuntimeError):
        return None
