"""``make writer``: train the stored models again, or those that are named, and say what changed.

The English model takes about 100 seconds of one core, the others, which begin with its layers,
about 60; the log says how many. With several seeds the model is kept that spells most names of
those that are dealt to this choice. Another processor rounds sums differently,
so its models differ a little from the stored ones, and with them the numbers on the page.
"""

import argparse
import json
import logging
import random
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

import torch

from attn_lib.examples.writer.alphabet import alphabet
from attn_lib.examples.writer.checkpoint import FOLDER, load_file, save
from attn_lib.examples.writer.measure import copied
from attn_lib.examples.writer.model import LAYERS, Writer
from attn_lib.examples.writer.parties import parties
from attn_lib.examples.writer.train import steps_for, train


def beginner(language: str, kind: str, seed: int) -> Writer:
    """Draw the first parameters of a model.

    A language other than English begins with the layers of the stored English model, and with its
    vectors of the letters that both have. Looking for what stood there before is the same skill in
    all of them, and from nothing it is found late or never where an alphabet is large.
    """
    torch.manual_seed(seed)
    places, layers = ("rope", 1) if kind == "one" else (kind, LAYERS)
    model = Writer(len(alphabet(language)), places, layers)
    if language != "en":
        english = load_file(FOLDER / f"en-{kind}.json").float()
        model.layers.load_state_dict(english.layers.state_dict())
        both = [c for c in alphabet(language) if c in alphabet("en")]
        ours, theirs = ([alphabet(lang).index(c) for c in both] for lang in (language, "en"))
        with torch.no_grad():
            model.letters.weight[ours] = english.letters.weight[theirs]
            model.loud.copy_(english.loud)
    return model


def share(model: Writer, language: str, use: str) -> float:
    """Return the share of names right in 60 parties of three guests."""
    return copied(model, language, parties(language, 60, random.Random(2026), use=use))[1]


def differing(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Say how many of the stored whole numbers differ, and by how much at most."""
    pairs = [
        (a, b)
        for name in new
        for a, b in zip(b64decode(old[name]["data"]), b64decode(new[name]["data"]), strict=True)
        if a != b
    ]
    steps = [abs((a - b + 128) % 256 - 128) for a, b in pairs]
    count = sum(len(b64decode(tensor["data"])) for tensor in new.values())
    return f"{len(pairs):,} of {count:,} numbers differ, by {max(steps, default=0)} at most"


def renew(name: str, seeds: list[int], steps: int | None = None) -> None:
    """Train a model with each seed, store the best, and say what changed."""
    language, kind = name.split("-")
    path = FOLDER / f"{name}.json"
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    was = share(load_file(path), language, "test") if old else None
    best: tuple[float, int, Writer] | None = None
    for seed in seeds or [old["seed"] if old else 0]:
        began = time.process_time()
        model = train(beginner(language, kind, seed), language, steps or steps_for(language), seed)
        right = share(model, language, "choice")
        spent = time.process_time() - began
        logging.info("%s, seed %d: %.0f s; names to choose by %.3f", name, seed, spent, right)
        if best is None or right > best[0]:
            best = right, seed, model
    assert best is not None
    save(best[2], language, best[1], path)
    now = share(load_file(path), language, "test")
    logging.info("%s, seed %d: names right %.3f", name, best[1], now)
    if old:
        new = json.loads(path.read_text(encoding="utf-8"))
        changed = differing(old["parameters"], new["parameters"])
        logging.info("  before seed %d: names right %.3f; %s", old["seed"], was, changed)


def main() -> None:
    """Read the command line."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)  # sums are the same however many cores there are
    parser = argparse.ArgumentParser(description=__doc__)
    stored = sorted(path.stem for path in Path(FOLDER).glob("*.json"))
    parser.add_argument("names", nargs="*", default=stored, help="such as en-rope")
    parser.add_argument("--seeds", type=int, nargs="+", default=[], help="choose among these")
    given = parser.parse_args()
    for name in given.names:
        renew(name, given.seeds)


if __name__ == "__main__":
    main()
