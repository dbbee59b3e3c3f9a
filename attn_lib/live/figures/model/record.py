"""Write maps/heads-<language>.json, what all heads look at in a sentence, and maps/bugs-….json.

``python -m attn_lib.live.figures.model.record WEIGHTS`` takes half a minute. Weights are stored
in whole hundredths, one byte each, in the order state, layer, head, key, query, which compresses
best. A page fetches the right model's when it opens, those of the bugs once the figure is used.
"""

import base64
import gzip
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_lib.examples import e5

SETS = ("right", *e5.BUGS)
SENTENCE = 2  # the teacher and the students: nearly every word occurs twice
FOLDER = Path(__file__).with_name("maps")


def maps(model: e5.E5, language: str, bug: str | None) -> Tensor:
    """Return the weights of all heads on the sentence: (12, 12, N, N), or N + 1 keys.

    Where padding is not masked, the last key stands for all of it together.
    """
    text = e5.sentences(language)[SENTENCE]
    _, lens = model.run([text], bug)
    n, weights = int(lens[0]), model.weights()[:, 0]
    own = weights[:, :, :n, :n]
    if bug != "pad":
        return own
    return torch.cat((own, weights[:, :, :n, n:].sum(dim=3, keepdim=True)), dim=3)


def value_norms(model: e5.E5, language: str) -> list[list[float]]:
    """Return for each layer the mean norm of a head's value at ``<s>`` and at a word."""
    model.run([e5.sentences(language)[SENTENCE]])
    norms = []
    for layer, X in zip(model.attentive(), model.hidden[:-1], strict=True):
        values = layer.attention.W_v(X)[0].unflatten(1, (12, 32)).norm(dim=2).mean(dim=1)
        norms.append([round(values[0].item(), 2), round(values[1:-1].mean().item(), 2)])
    return norms


def twins(pieces: list[str]) -> list[list[int]]:
    """Return for each piece the places of the same word elsewhere in the sentence."""
    plain = [piece.strip("▁").lower() for piece in pieces]
    return [
        [j for j, other in enumerate(plain) if j != i and other == one and one.isalpha()]
        for i, one in enumerate(plain)
    ]


def record(model: e5.E5) -> dict[str, dict[str, Any]]:
    """Return what each file holds, by its name."""
    bugs: list[str | None] = [None, *e5.BUGS]
    vectors = {
        bug: {n: model.embed(e5.sentences(n), bug=bug) for n in e5.LANGUAGES} for bug in bugs
    }
    shared = {"found": [e5.translations_found(vectors[bug]) for bug in bugs]}
    files = {}
    for language in e5.LANGUAGES:
        stored = []
        for bug in bugs:
            hundredths = (100 * maps(model, language, bug)).round().to(torch.uint8)
            stored.append(bytes(hundredths.transpose(2, 3).flatten().tolist()))
        pieces = model.batch([e5.sentences(language)[SENTENCE]])[0][0]
        files[f"heads-{language}"] = shared | {
            "pieces": pieces,
            "twins": twins(pieces),
            "values": value_norms(model, language),
            "maps": packed(stored[0]),
        }
        files[f"bugs-{language}"] = {"maps": packed(b"".join(stored[1:]))}
    return files


def packed(stored: bytes) -> str:
    """Return maps as a file holds them."""
    return base64.b64encode(gzip.compress(stored, 9, mtime=0)).decode()


@cache
def read(language: str) -> dict[str, Any]:
    """Return what is known of a language's sentence, and the right model's maps."""
    return _file(f"heads-{language}")


@cache
def read_maps(language: str) -> dict[str, Tensor]:
    """Return the weights in hundredths by state: (12, 12, keys, queries)."""
    stored = read(language)
    n = len(stored["pieces"])
    files = (stored, _file(f"bugs-{language}"))
    data = b"".join(gzip.decompress(base64.b64decode(file["maps"])) for file in files)
    found, start = {}, 0
    for name in SETS:
        keys = n + (name == "pad")
        end = start + 144 * keys * n
        flat = torch.frombuffer(bytearray(data[start:end]), dtype=torch.uint8)
        found[name], start = flat.reshape(12, 12, keys, n), end
    return found


def _file(name: str) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return stored


def write(files: dict[str, dict[str, Any]]) -> None:
    """Write files, by their names."""
    for name, stored in files.items():
        text = json.dumps(stored, ensure_ascii=False, indent=None, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(record(e5.load(sys.argv[1])))
