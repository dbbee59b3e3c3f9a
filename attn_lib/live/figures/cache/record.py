"""Write heads.json, the queries and keys of one layer of a real model on one sentence.

``python -m attn_lib.live.figures.cache.record WEIGHTS`` takes a few seconds. For each language it
stores one byte for a number: a head's queries and keys are rounded to 127 steps either way. Keys
are taken from the mean of their head: that adds one number to all scores of a row, which the
softmax removes.
"""

import base64
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_lib.examples import e5
from attn_lib.live.figures.model.record import SENTENCE

LAYER = 3  # has head 7, which looks at the next piece
HEADS, SIZE = 12, 32
STEPS = 127
PATH = Path(__file__).with_name("heads.json")


def queries_and_keys(model: e5.E5, language: str) -> tuple[Tensor, Tensor]:
    """Return both, (12, N, 32), as the layer has them for the sentence in a language."""
    model.run([e5.sentences(language)[SENTENCE]])
    layer, X = model.attentive()[LAYER - 1], model.hidden[LAYER - 1][0]
    projected = (layer.attention.W_q(X), layer.attention.W_k(X))
    Q, K = (whole.unflatten(1, (HEADS, SIZE)).transpose(0, 1) for whole in projected)
    return Q, K - K.mean(dim=1, keepdim=True)


def record(model: e5.E5) -> dict[str, dict[str, Any]]:
    """Return what is stored for each language."""
    stored = {}
    for language in e5.LANGUAGES:
        both = zip("qk", queries_and_keys(model, language), strict=True)
        stored[language] = {name: _packed(numbers) for name, numbers in both}
    return stored


def _packed(numbers: Tensor) -> dict[str, Any]:
    largest = numbers.abs().amax(dim=(1, 2))
    steps = (STEPS * numbers / largest[:, None, None]).round().to(torch.int8)
    data = steps.view(torch.uint8).flatten().tolist()
    text = base64.b64encode(bytes(data)).decode()
    return {"largest": [round(one, 4) for one in largest.tolist()], "steps": text}


@cache
def read(language: str) -> dict[str, Any]:
    """Return what is stored for a language."""
    stored: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))[language]
    return stored


@cache
def unpacked(language: str) -> tuple[Tensor, Tensor]:
    """Return queries and keys of a language as they are stored: (12, N, 32) in double precision."""
    both = []
    for name in "qk":
        stored = read(language)[name]
        steps = torch.frombuffer(bytearray(base64.b64decode(stored["steps"])), dtype=torch.int8)
        largest = torch.tensor(stored["largest"], dtype=torch.float64)[:, None, None]
        both.append(steps.double().reshape(HEADS, -1, SIZE) * largest / STEPS)
    return both[0], both[1]


if __name__ == "__main__":
    text = json.dumps(record(e5.load(sys.argv[1])), separators=(",", ":"))
    PATH.write_text(text + "\n", encoding="utf-8")
