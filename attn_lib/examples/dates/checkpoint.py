"""A trained model in one small file that Python and the page read alike.

Each parameter tensor is stored as whole numbers from -127 to 127, in base64, and one factor by
which they are multiplied. Both readers compute with exactly these rounded parameters.
"""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_lib.examples.dates.alphabet import LETTERS
from attn_lib.examples.dates.model import DateReader

FOLDER = Path(__file__).with_name("weights")


def save(model: DateReader, path: Path) -> None:
    """Round a model's parameters to 8 bits and write them."""
    stored = {
        "letters": LETTERS,
        "score": model.score,
        "values": model.values,
        "parameters": {name: _round(value) for name, value in model.state_dict().items()},
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
    model.load_state_dict({k: _restore(v) for k, v in stored["parameters"].items()})
    return model.eval()


def _round(tensor: Tensor) -> dict[str, Any]:
    factor = tensor.abs().max().item() / 127
    whole = (tensor / factor).round().to(torch.int8)
    data = base64.b64encode(whole.numpy().tobytes()).decode()
    return {"shape": list(tensor.shape), "factor": factor, "data": data}


def _restore(stored: dict[str, Any]) -> Tensor:
    whole = torch.frombuffer(bytearray(base64.b64decode(stored["data"])), dtype=torch.int8)
    return whole.reshape(stored["shape"]) * stored["factor"]  # int8 x float -> float32
