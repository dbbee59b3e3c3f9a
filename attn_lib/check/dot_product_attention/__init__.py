"""The exercises of the chapter on dot-product attention."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from torch import Tensor

from attn_lib.check.dot_product_attention import judge
from attn_lib.check.verdict import Verdict, came, hint, right, said

# The scorers whose weights stay when one vector is added to all keys, and those whose weights move.
UNMOVED = {"dot", "scaled"}
MOVED = {"gaussian", "cosine", "additive"}


def gaussian_from_dot(answer: Callable[[Tensor, Tensor], Tensor], seed: int = 0) -> Verdict:
    """Judge a function (queries, keys) -> scores whose softmax is that of Gaussian scores.

    The term of the query alone is to be left out, so the Gaussian scores themselves are not right.
    """
    return said("gaussian_from_dot", judge.gaussian_from_dot(answer, seed))


def shifted_keys(answer: Any) -> Verdict:
    """Judge which weights stay when one vector is added to all keys: the scorers' names."""
    names = answer.replace(",", " ").split() if isinstance(answer, str) else answer
    try:
        chosen = {str(name).strip().lower() for name in islice(names, 100)}  # it may be endless
    except Exception:  # whatever iterating over it raises
        return hint("shifted_keys", "names", got=came(answer))
    if not chosen <= UNMOVED | MOVED:
        return hint("shifted_keys", "names", got=came(answer))
    for name in sorted(chosen & MOVED):
        return hint("shifted_keys", name)
    if not chosen:
        return hint("shifted_keys", "none")
    if chosen != UNMOVED:
        return hint("shifted_keys", "both")
    return right("shifted_keys")
