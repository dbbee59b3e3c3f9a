"""Faults of today's attention: the newer rooms of the museum.

Each is a function of queries (B, Q, D), keys (B, K, D), values (B, K, V) and visible (B, K), with
one fault. `right` is the same without a fault; `turned` and `capped` are right forms of two more.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_lib.places import rotate
from attn_lib.scales import soft_cap

Attention = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def right(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Scaled dot-product attention without a fault."""
    scores = queries @ keys.mT / math.sqrt(queries.shape[2])
    return _weigh(scores, values, visible)


def turned(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Rotary attention without a fault; the queries stand behind the keys."""
    q = rotate(queries, _behind(keys, queries))
    k = rotate(keys)
    return right(q, k, values, visible)


def capped(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Capped attention without a fault: the mask comes after the cap."""
    scores = queries @ keys.mT / math.sqrt(queries.shape[2])
    return _weigh(soft_cap(scores, 2.0), values, visible)


def two_layouts(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Queries are turned in one layout of pairs and keys in the other."""
    q = rotate(queries, _behind(keys, queries))
    k = rotate(keys, layout="interleaved")
    return right(q, k, values, visible)


def places_in_bfloat16(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Places are counted in bfloat16, which has no whole number between 256 and 258."""
    q = rotate(queries, _behind(keys, queries).bfloat16())
    k = rotate(keys, torch.arange(keys.shape[1]).bfloat16())
    return right(q, k, values, visible)


def mask_before_cap(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """The scores are masked and then capped: minus infinity becomes minus the cap."""
    scores = queries @ keys.mT / math.sqrt(queries.shape[2])
    scores = scores.masked_fill(~visible[:, None], -math.inf)
    weights = torch.softmax(soft_cap(scores, 2.0), dim=-1)
    return weights @ _cleared(values, visible)


def infinity_added(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """The mask is added, and NaN is turned into 0 too late: the gradient has it already."""
    scores = queries @ keys.mT / math.sqrt(queries.shape[2])
    bias = torch.zeros(visible.shape).masked_fill(~visible, -math.inf)
    weights = torch.softmax(scores + bias[:, None], dim=-1)
    return weights.nan_to_num(0.0) @ _cleared(values, visible)


def largest_of_the_batch(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """The softmax subtracts the largest score of the whole batch, not of each row."""
    scores = queries @ keys.mT / math.sqrt(queries.shape[2])
    exps = torch.exp(scores - scores.max()) * visible[:, None]
    weights = exps / exps.sum(2, keepdim=True).clamp(min=1e-30)
    return weights @ _cleared(values, visible)


#: The exhibits, by name.
EXHIBITS: dict[str, Attention] = {
    "layouts": two_layouts,
    "bfloat16": places_in_bfloat16,
    "cap": mask_before_cap,
    "added": infinity_added,
    "batch": largest_of_the_batch,
}

# The right forms of those whose score is not that of `right`.
RIGHT_FORMS: dict[str, Attention] = {"layouts": turned, "bfloat16": turned, "cap": capped}
# The exhibits that are to be asked as scores with places.
WITH_PLACES = ("layouts", "bfloat16")


def _weigh(scores: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """Average the values; a row that may see nothing gets zeros, in either direction."""
    hidden = ~visible[:, None]
    # An empty row is filled with 0, so that no row of minus infinity enters the softmax.
    fill = torch.where(visible.any(1)[:, None, None], -math.inf, 0.0).to(scores.dtype)
    weights = torch.softmax(torch.where(hidden, fill, scores), dim=-1)
    return weights.masked_fill(hidden, 0.0) @ _cleared(values, visible)


def _cleared(values: Tensor, visible: Tensor) -> Tensor:
    return values.masked_fill(~visible[:, :, None], 0.0)


def _behind(keys: Tensor, queries: Tensor) -> Tensor:
    return keys.shape[1] + torch.arange(queries.shape[1])
