"""What FlexAttention calls for every score, and the sizes that a call must have for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

from attn_lib.validation import axes_text

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]  # score, b, h, q, k
MaskMod = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]  # b, h, q, k
Mod = TypeVar("Mod", ScoreMod, MaskMod)


class Need:
    """An argument of a score_mod or mask_mod, and the sizes that a call must have for it."""

    def __init__(self, name: str, *, most_queries: int | None = None, **axes: int) -> None:
        self.name, self.axes, self.most_queries = name, axes, most_queries


def made_for(mod: Mod, *needs: Need) -> Mod:
    """Note what a function needs; torch reads no sizes, and would look beyond the end of tables."""
    if not torch.compiler.is_compiling():
        mod.needs = needs  # type: ignore[attr-defined]
    return mod


def needs_of(*mods: Callable[..., Tensor] | None) -> list[Need]:
    """Collect what was noted of these functions; one of a reader's own needs nothing."""
    if torch.compiler.is_compiling():
        return []
    return [need for mod in mods for need in getattr(mod, "needs", ())]


def check_fit(mod: Callable[..., Tensor] | None, **sizes: int) -> None:
    """Require a call of the sizes that a function was made for."""
    for need in needs_of(mod):
        wanted = {axis: sizes[axis] for axis in need.axes}
        has = dict(need.axes)
        if need.most_queries is not None and sizes["Q"] > need.most_queries:
            wanted["Q"], has["Q"] = sizes["Q"], need.most_queries
        if has != wanted:
            raise ValueError(
                f"{need.name} must fit a call with {axes_text(wanted)}. Got {axes_text(has)}."
            )
