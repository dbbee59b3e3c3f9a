"""Four bugs to plant into a right model, of the kinds that the museum shows.

places: the vectors that tell where a piece stands are left out. scale: scores are not divided by
the square root of the head's size. pad: padding is not masked. cut: features are shared out among
the heads by a reshape alone, so that a head gets features of some pieces in place of some features
of all pieces.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from attn_lib import attention, multihead, scoring

BUGS = ("places", "scale", "pad", "cut")


def cut_without_transpose(X: Tensor, num_heads: int) -> Tensor:
    """Return what a head gets where the transpose is forgotten: (B, N, H*D) to (B*H, N, D)."""
    return X.reshape(-1, X.shape[1], X.shape[2] // num_heads)


@contextmanager
def planted(bug: str | None) -> Iterator[None]:
    """Plant a bug into the library's own code for a while; it is taken out again in any case.

    Args:
        bug: ``"scale"`` or ``"cut"``. The two others, and None, change nothing here: a model that
            has them is only called otherwise.

    Raises:
        ValueError: there is no such bug.
    """
    if bug not in (None, *BUGS):
        raise ValueError(f"bug must be one of {', '.join(BUGS)}, or None. Got {bug!r}.")
    # The names by which the library's own code calls them.
    scores, heads = vars(attention), vars(multihead)
    right = scores["scaled_products"], heads["split_heads"]
    if bug == "scale":
        scores["scaled_products"] = scoring.dot_products
    if bug == "cut":
        heads["split_heads"] = cut_without_transpose
    try:
        yield
    finally:
        scores["scaled_products"], heads["split_heads"] = right
