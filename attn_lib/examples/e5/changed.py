"""What if it weighed otherwise? The model with other heads, for a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy

from torch import Tensor

from attn_lib.examples.e5.model import E5
from attn_lib.masking import Visible
from attn_lib.multihead import MultiHeadAttention


@contextmanager
def changed(
    model: E5,
    *,
    scores: Callable[[Tensor, Tensor], Tensor] | None = None,
    weigh: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> Iterator[list[MultiHeadAttention]]:
    """Let all 144 heads score or weigh otherwise; afterwards they are as they were.

    Args:
        model: the model; its twelve attentions are replaced by copies while the block runs.
        scores: from queries and keys, (B*H, N, 32), the scores (B*H, N, N), in place of the scaled
            dot product.
        weigh: from scores and a mask, (B*H, N, N), the weights, in place of the masked softmax.
            The mask is True where a key is no padding.

    Yields:
        The twelve copies, to change their parameters.

    Example:
        >>> import attn_lib
        >>> from attn_lib.examples import e5
        >>> def undivided(queries, keys):
        ...     return queries @ keys.mT
        >>> model = e5.load("book/models/multilingual-e5-small-excerpt.safetensors")
        >>> with e5.changed(model, scores=undivided):
        ...     print(e5.search(model))
        238
    """
    own = [layer.attention for layer in model.attentive()]
    copies = deepcopy(own)
    for layer, copy in zip(model.attentive(), copies, strict=True):
        own_rules = vars(copy.attention)  # an instance's own go before those of its class
        if scores is not None:
            own_rules["scores"] = scores
        if weigh is not None:
            own_rules["weigh"] = _weigher(copy.attention.scores, weigh)
        layer.attention = copy
    try:
        yield copies
    finally:
        for layer, attention in zip(model.attentive(), own, strict=True):
            layer.attention = attention


def _weigher(
    scores: Callable[[Tensor, Tensor], Tensor], weigh: Callable[[Tensor, Tensor], Tensor]
) -> Callable[..., Tensor]:
    """Return a `weigh` of the library's layers that hands the reader's one scores and a mask."""

    def weights(queries: Tensor, keys: Tensor, visible: Visible | None, _: None) -> Tensor:
        given = scores(queries, keys)
        pairs = given.new_ones(()).bool() if visible is None else visible.pairs
        return weigh(given, pairs.expand_as(given))

    return weights


__all__ = ["changed"]
