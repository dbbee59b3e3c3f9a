"""Code as readers see it."""

import inspect
import re
from collections.abc import Callable

from attn_lib.museum.finding import Finding
from attn_lib.museum.right import DotProduct


def code(exhibit: type[DotProduct] | Callable[[DotProduct], Finding]) -> str:
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
