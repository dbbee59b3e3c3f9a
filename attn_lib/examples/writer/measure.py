"""How well a writer spells names that it has never met, and what its heads look at."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch
from torch import Tensor

from attn_lib.examples.writer.alphabet import alphabet
from attn_lib.examples.writer.model import Head, Writer
from attn_lib.examples.writer.parties import BYE, END, GAP, Party
from attn_lib.examples.writer.writing import write


@torch.no_grad()
def copied(
    model: Writer,
    language: str,
    parties: Sequence[Party],
    off: Collection[Head] = (),
    unheard: tuple[Head, str] | None = None,
) -> tuple[float, float]:
    """Return how much of the names is right where they are said again.

    The first letter of a name is free, as anybody may leave next. What counts is every letter from
    the second on, and the mark behind the name, given all that should stand before it.

    Args:
        model: a trained model.
        language: its language.
        parties: the texts, at least one.
        off: heads whose output is left out.
        unheard: a head, and ``queries``, ``keys`` or ``values`` of the layer after it, which are
            made without its output.

    Returns:
        The share of these letters, and the share of names of which all are right.

    Example:
        >>> import random
        >>> from attn_lib.examples import writer
        >>> from attn_lib.examples.writer.measure import copied
        >>> parties = writer.parties("en", 20, random.Random(0))
        >>> letters, names = copied(writer.load("en"), "en", parties)
        >>> letters > 0.95, names < letters
        (True, True)
    """
    letters: list[bool] = []
    names: list[bool] = []
    for party in parties:
        text = _numbers(party, language)
        right = model(text[:, :-1], off=off, unheard=unheard).logits[0].argmax(1) == text[0, 1:]
        for name, at in zip(party.names, party.again, strict=True):
            hits = right[at : at + len(name)].tolist()  # each by the letter before it
            letters += hits
            names.append(all(hits))
    return sum(letters) / len(letters), sum(names) / len(names)


def all_named(model: Writer, language: str, parties: Sequence[Party]) -> float:
    """Return in how many parties everybody leaves once, and nobody else does.

    The model is given the greetings and the first word of leave, and writes all the rest.
    """
    good = 0
    for party in parties:
        greeted = party.text[len(END) : party.again[0]]
        said = BYE[language] + "".join(
            write(greeted, language, model=model).letters[party.again[0] :]
        )
        leaving = said.removesuffix(END).split(GAP[language].strip())
        named = [part.strip().removeprefix(BYE[language].strip()).strip() for part in leaving]
        good += sorted(named) == sorted([*party.names, ""])
    return good / len(parties)


@torch.no_grad()
def head_looks(model: Writer, language: str, parties: Sequence[Party]) -> dict[str, Tensor]:
    """Return where each head looks, as its mean weight on one key.

    Args:
        model: a trained model.
        language: its language.
        parties: the texts, at least one.

    Returns:
        Each (layers, H): ``itself``, ``one back`` and ``two back``, over all letters from the ninth
        on; ``same`` and ``next``, over the letters of names that are said again: on the same letter
        of the name said first, and on the letter behind it, which is the one to be written.

    Source:
        Olsson et al. (2022), In-context Learning and Induction Heads: a head with a high mean
        weight ``next`` does what they call prefix matching.
    """
    kinds = ("itself", "one back", "two back", "same", "next")
    rows: dict[str, list[Tensor]] = {kind: [] for kind in kinds}
    for party in parties:
        text = _numbers(party, language)
        weights = torch.cat(model(text[:, :-1]).weights)  # (layers, H, N, N)
        late = torch.arange(8, weights.shape[2])
        for back, kind in enumerate(kinds[:3]):
            rows[kind].append(weights[:, :, late, late - back])
        for name, first, again in zip(party.names, party.first, party.again, strict=True):
            letter = torch.arange(len(name))
            rows["same"].append(weights[:, :, again + letter, first + letter])
            rows["next"].append(weights[:, :, again + letter, first + letter + 1])
    return {kind: torch.cat(found, 2).mean(2) for kind, found in rows.items()}


def _numbers(party: Party, language: str) -> Tensor:
    number = {letter: i for i, letter in enumerate(alphabet(language))}
    return torch.tensor([[number[c] for c in party.text]])
