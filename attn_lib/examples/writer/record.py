"""What was measured of the trained writers: each of them, also those whose weights lie nowhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attn_lib.examples.writer.model import KINDS
from attn_lib.examples.writer.parties import check_language

FILE = Path(__file__).with_name("measurements.json")


@dataclass(frozen=True)
class Measured:
    """What one trained model can do, by names that no training text has.

    A share of names is that of names of which every letter is right where they are said again, as
    `copied` counts it; where nothing else is said, in parties of three guests.

    Args:
        language: whose letters it has.
        kind: what it is made of, as in `load`; ``shared``, ``unscaled`` and ``sink`` too.
        seed: of its first parameters and of its texts.
        steps: how many batches of 40 texts it has seen in this language.
        parameters: how many numbers it is made of.
        stored: whether this is the model that `load` returns.
        curve: every 50 steps the step, the mean loss since the last, and the share of letters that
            are right in names said again, of 20 parties with other new names.
        guests: for 1 to 8 guests the share of letters, the share of names, and the mean length of
            the parties in letters; its training texts had at most 128 letters, and four guests.
        all_named: in how many of the parties it takes leave of everybody once, and of nobody else.
        looks: where each head looks, ``looks["next"][1][2]`` for layer 1 and head 2, both from 0;
            see `head_looks`.
        off: the share of names right without one head, ``off[layer][head]``.
        unheard: the same where a head of layer 0 is missing in the ``queries``, ``keys`` or
            ``values`` of layer 1 alone, ``unheard["keys"][head]``; empty with one layer.
    """

    language: str
    kind: str
    seed: int
    steps: int
    parameters: int
    stored: bool
    curve: list[tuple[int, float, float]]
    guests: dict[int, tuple[float, float, float]]
    all_named: float
    looks: dict[str, list[list[float]]]
    off: list[list[float]]
    unheard: dict[str, list[float]]


def measured(language: str = "en", kind: str | None = None) -> list[Measured]:
    """Return what was measured of the trained models, in the order in which they are compared.

    ``python -m attn_lib.examples.writer.measurements`` trains and measures them anew.

    Args:
        language: ``en``, ``vi``, ``ko`` or ``zh``.
        kind: what they are made of; None: all of them.

    Raises:
        ValueError: there is no such language, or no such kind.

    Example:
        >>> from attn_lib.examples import writer
        >>> best = next(model for model in writer.measured("en", "rope") if model.stored)
        >>> letters, names, length = best.guests[3]
        >>> names > 0.9, best.guests[8][1] < names
        (True, True)
    """
    check_language(language)
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}. Got {kind!r}.")
    return [m for m in _all() if m.language == language and kind in (None, m.kind)]


@cache
def _all() -> tuple[Measured, ...]:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    for model in found:
        model["guests"] = {int(count): tuple(seen) for count, seen in model["guests"].items()}
        model["curve"] = [tuple(point) for point in model["curve"]]
    return tuple(Measured(**model) for model in found)
