"""Code as readers see it."""

import inspect
import re
from collections.abc import Callable
from difflib import SequenceMatcher

from attn_lib.museum.finding import Finding
from attn_lib.museum.right import DotProduct
from attn_lib.museum.today import Attention

# A line of a listing: as it should be, faulty, or what should stand in the faulty one's place.
SAME, FAULTY, RIGHT = "same", "faulty", "right"


def code(exhibit: type[DotProduct] | Callable[[DotProduct], Finding] | Attention) -> str:
    """Return the code of an exhibit or of a test as readers see it: without docstrings and types.

    Args:
        exhibit: one of `EXHIBITS`, or a test.

    Returns:
        Its lines. What a class does not define comes from the class in brackets.

    Example:
        >>> from attn_lib import museum
        >>> print(museum.code(museum.EXHIBITS["nosqrt"]))
        class NotScaled(DotProduct):
            def scores(self, queries, keys):
                return torch.bmm(queries, keys.transpose(1, 2))
    """
    without_docstrings = re.sub(r'(?s) +""".*?"""\n\n?', "", inspect.getsource(exhibit))
    return re.sub(r": (Tensor|DotProduct)| -> \w+", "", without_docstrings).rstrip()


def repaired(code: str, faulty: str, right: str) -> list[tuple[str, str]]:
    """Return the lines of an exhibit, and below the faulty ones those that should stand there."""
    lines, wrong = code.splitlines(), faulty.splitlines()
    if wrong[0] not in code:  # The class is right; it is used in a wrong way.
        lines += ["", *wrong]
    bare = [line.strip() for line in lines]
    at = next(i for i in range(len(lines)) if bare[i : i + len(wrong)] == wrong)
    end, indent = at + len(wrong), lines[at].removesuffix(bare[at])
    return [
        *((line, SAME) for line in lines[:at]),
        *((line, FAULTY) for line in lines[at:end]),
        *((indent + line, RIGHT) for line in right.splitlines()),
        *((line, SAME) for line in lines[end:]),
    ]


def beside(exhibit: Attention, right: Attention) -> list[tuple[str, str]]:
    """Return the lines of an exhibit in the same way, from the form of it that is right."""
    (head, *there), (_, *here) = (code(form).splitlines() for form in (exhibit, right))
    lines = [(head, SAME)]
    for kind, i, j, k, m in SequenceMatcher(None, there, here, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(line, SAME) for line in there[i:j]]
        else:
            lines += [(line, FAULTY) for line in there[i:j]]
            lines += [(line, RIGHT) for line in here[k:m]]
    return lines
