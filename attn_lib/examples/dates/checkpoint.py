"""A trained model in one small file that Python and the page read alike."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import torch

from attn_lib.examples.dates.alphabet import LETTERS
from attn_lib.examples.dates.model import DateReader
from attn_lib.examples.eight_bits import restored, rounded

FOLDER = Path(__file__).with_name("weights")


def save(model: DateReader, path: Path) -> None:
    """Round a model's parameters to 8 bits and write them."""
    stored = {
        "letters": LETTERS,
        "score": model.score,
        "values": model.values,
        "parameters": rounded(model),
    }
    path.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@cache
def load(name: str = "additive") -> DateReader:
    """Return a stored model; the same object each time.

    Args:
        name: ``additive``, ``dot`` (the other score), ``recent`` (trained on 1900 to 2099 only),
            ``states`` or ``past`` (other values).

    Raises:
        ValueError: there is no such model.
    """
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    if name not in names:
        raise ValueError(f"name must be one of {', '.join(names)}. Got {name!r}.")
    return load_file(FOLDER / f"{name}.json")


def load_file(path: Path) -> DateReader:
    """Return the model that a file holds."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    if stored["letters"] != LETTERS:
        raise ValueError(f"{path.name} must know the {len(LETTERS)} letters of today. Train again.")
    with torch.random.fork_rng(devices=[]):  # the draws of its first parameters are not needed
        model = DateReader(stored["score"], stored["values"])
    model.load_state_dict(restored(stored["parameters"]))
    return model.eval()
