"""A trained writer in one small file that Python and the page read alike."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import torch

from attn_lib.examples.eight_bits import restored, rounded
from attn_lib.examples.writer.alphabet import alphabet
from attn_lib.examples.writer.model import Writer
from attn_lib.examples.writer.parties import check_language

SETTING = ("places", "layers", "kv_heads", "scaled", "sink")
FOLDER = Path(__file__).with_name("weights")


def save(model: Writer, language: str, seed: int, path: Path) -> None:
    """Round a model's parameters to 8 bits and write them."""
    stored = {
        "language": language,
        "seed": seed,
        "alphabet": alphabet(language),
        **model.setting,
        "parameters": rounded(model),
    }
    path.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@cache
def load(language: str = "en", kind: str = "rope") -> Writer:
    """Return a stored model, in float64; the same object each time.

    Args:
        language: ``en``, ``vi``, ``ko`` or ``zh``.
        kind: ``rope``, or another way to know places, or ``one``, a model with one layer; the error
            at a wrong kind lists those that are stored.

    Raises:
        ValueError: there is no such language, or no such model in it.

    Example:
        >>> from attn_lib.examples import writer
        >>> model = writer.load("ko")
        >>> model.places, len(model.layers), model.letters.weight.shape
        ('rope', 2, torch.Size([120, 64]))
    """
    check_language(language)
    kinds = [path.stem.split("-")[1] for path in sorted(FOLDER.glob(f"{language}-*.json"))]
    if kind not in kinds:
        raise ValueError(f"kind must be one of {', '.join(kinds)} in {language!r}. Got {kind!r}.")
    return load_file(FOLDER / f"{language}-{kind}.json")


def load_file(path: Path) -> Writer:
    """Return the model that a file holds, in float64."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    letters = alphabet(stored["language"])
    if stored["alphabet"] != letters:
        raise ValueError(f"{path.name} must know the {len(letters)} letters of today. Train again.")
    with torch.random.fork_rng(devices=[]):  # the draws of its first parameters are not needed
        model = Writer(len(letters), **{name: stored[name] for name in SETTING if name in stored})
    model.load_state_dict(restored(stored["parameters"]))
    return model.double().eval()
