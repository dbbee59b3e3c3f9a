"""Eighty sentences, twenty in each of four languages, that look for their translations."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations

import torch
from torch import Tensor

from attn_lib.examples.e5.model import E5
from attn_lib.language import spoken_of


def sentences(language: str | None = None) -> list[str]:
    """Return twenty sentences that say the same things in each language.

    Args:
        language: one of ``e5.LANGUAGES``; None: that of `attn_lib.set_language`, or English.
    """
    return list(_sentences()[language or spoken_of(LANGUAGES)])


@cache
def _sentences() -> dict[str, list[str]]:
    path = files("attn_lib").joinpath("examples/e5/sentences.json")
    own: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return own


LANGUAGES = tuple(_sentences())


def translations_found(vectors: Mapping[str, Tensor]) -> int:
    """Count the sentences whose nearest vector in another language is that of their translation.

    Args:
        vectors: for each language the vectors (N, D) of the same N things, of length 1.

    Returns:
        how many of N searches in each pair of languages, both ways, find the right one.

    Example:
        >>> same = torch.eye(3)
        >>> translations_found({"en": same, "vi": same, "ko": same.flip(0)})
        10
    """
    found = 0
    for one, other in permutations(vectors, 2):
        nearest = (vectors[one] @ vectors[other].T).argmax(dim=1)
        found += int((nearest == torch.arange(len(nearest))).sum())
    return found


def search(model: E5, bug: str | None = None) -> int:
    """Let a model look for the translations of all eighty sentences.

    Args:
        model: the model, perhaps `changed`.
        bug: one of ``e5.BUGS``, or None.

    Returns:
        how many of the 240 searches find the translation; by chance 12 would.
    """
    vectors = {language: model.embed(sentences(language), bug=bug) for language in LANGUAGES}
    return translations_found(vectors)


__all__ = ["LANGUAGES", "search", "sentences", "translations_found"]
