"""Mistakes that a program for attention makes, put into a trained writer on purpose.

``places``: no letter is told where it stands. ``counter``: keys are placed one letter behind where
they stand. ``scale``: scores are not divided by the root of the feature size. ``corner``: the mask
begins in the upper left corner also where keys lie in the cache, so that whatever is read alone
sees the first letter and no other. ``writer.js`` makes the same mistakes.
"""

import copy

import torch
from torch import Tensor

from attn_lib.examples.writer.model import HEADS, SIZE, Layer, Writer
from attn_lib.masking import causal_lens
from attn_lib.places import rotate

FAULTS = ("none", "places", "counter", "scale", "corner")


class PlacesBehind(Layer):
    """Keys stand one place behind the queries."""

    def placed(self, queries: Tensor, keys: Tensor, first: int) -> tuple[Tensor, Tensor]:
        """Place the queries where they stand and the keys one letter behind."""
        if self.places != "rope":
            return queries, keys
        stands = torch.arange(first, first + queries.shape[2])
        return rotate(queries, stands), rotate(keys, (stands - 1).clamp(min=0))


class WrongCorner(Layer):
    """The causal mask forgets the cache."""

    def seen(self, B: int, N: int, first: int) -> Tensor:
        """Return lengths that count from the first of the new queries."""
        return causal_lens(B, N)


def faulty(model: Writer, fault: str) -> Writer:
    """Return a copy of a writer that makes one of the mistakes; "none" is the writer itself."""
    if fault == "none":
        return model
    made = copy.deepcopy(model)
    if fault == "places":
        made.stands = None
    for layer in made.layers:
        assert isinstance(layer, Layer)
        if fault == "places":
            layer.places = "none"
        elif fault == "counter":
            layer.__class__ = PlacesBehind
        elif fault == "scale":
            layer.gain.data *= (SIZE / HEADS) ** 0.5
        elif fault == "corner":
            layer.__class__ = WrongCorner
    return made
