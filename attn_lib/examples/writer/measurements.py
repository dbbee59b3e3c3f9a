"""Train every writer that the book compares, and write down what each of them can do.

``make writer-measured`` takes more than an hour of one core. Models lie in a folder as soon as they
are trained, and what was measured of them beside them, so that a run that was stopped goes on.
Where sums are rounded otherwise, on another processor or in another program, models differ in every
number, and a little in what they can do.
"""

import argparse
import json
import logging
import random
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from attn_lib.examples.writer.checkpoint import FOLDER, load_file, save
from attn_lib.examples.writer.measure import all_named, copied, head_looks
from attn_lib.examples.writer.model import HEADS, KINDS, PARTS, Writer
from attn_lib.examples.writer.names import LANGUAGES
from attn_lib.examples.writer.parties import Party, parties
from attn_lib.examples.writer.record import FILE, Measured
from attn_lib.examples.writer.train import SHORT, STEPS, beginner, train

EVERY = 50  # steps between two points of a curve
MOST = 8  # guests of the largest parties
COUNT = 25  # parties by which names are judged
WRITTEN = 60  # parties that a model writes to their end

Point = tuple[int, float, float]
Run = tuple[str, str, int, int]  # language, kind, steps, seed


def runs(seeds: list[int]) -> list[Run]:
    """List what is trained: the comparison at equal steps, and the models that are stored."""
    compared = [("en", kind, SHORT, seed) for kind in KINDS for seed in seeds]
    longer = [(language, "rope", STEPS, seed) for language in LANGUAGES for seed in seeds]
    return longer + compared


def file_of(run: Run, folder: Path) -> Path:
    """Say where a trained model lies."""
    return folder / f"{'-'.join(map(str, run))}.json"


def trained(run: Run, folder: Path) -> tuple[Writer, list[Point]]:
    """Return a model, rounded as it is stored, and its curve; train it if the folder has none."""
    language, kind, steps, seed = run
    path = file_of(run, folder)
    drawn = path.with_suffix(".curve")
    if not path.exists():
        probe = parties(language, 20, random.Random(2026), use="choice")
        model, losses, curve = beginner(language, kind, seed), [], []

        def progress(step: int, loss: float) -> None:
            losses.append(loss)
            if step % EVERY == 0:
                letters, _ = copied(model, language, probe)
                curve.append((step, round(sum(losses) / len(losses), 4), round(letters, 4)))
                losses.clear()

        train(model, language, steps, seed, progress)
        drawn.write_text(json.dumps(curve), encoding="utf-8")
        save(model, language, seed, path)
    return load_file(path), [tuple(point) for point in json.loads(drawn.read_text())]


def measure(run: Run, model: Writer, curve: list[Point]) -> Measured:
    """Count what a model can do."""
    language, kind, steps, seed = run

    def new(count: int = COUNT, guests: int = 3) -> list[Party]:
        return parties(language, count, random.Random(1000 + guests), guests=guests)

    def names(**without: Any) -> float:
        return round(copied(model, language, new(), **without)[1], 4)

    guests = {}
    for count in range(1, MOST + 1):
        held = new(guests=count)
        length = sum(len(party.text) for party in held) / len(held)
        letters, whole = copied(model, language, held)
        guests[count] = (round(letters, 4), round(whole, 4), length)
    looks = head_looks(model, language, new())
    layers, every = range(len(model.layers)), range(HEADS)
    unheard = {part: [names(unheard=((0, head), part)) for head in every] for part in PARTS}
    stored = FOLDER / f"{language}-{kind}.json"
    return Measured(
        language=language,
        kind=kind,
        seed=seed,
        steps=steps,
        parameters=sum(p.numel() for p in model.parameters()),
        stored=stored.exists() and same(load_file(stored), model),
        curve=curve,
        guests=guests,
        all_named=all_named(model, language, new(WRITTEN)),
        looks={look: (shares * 1e4).round().div(1e4).tolist() for look, shares in looks.items()},
        off=[[names(off=[(layer, head)]) for head in every] for layer in layers],
        unheard=unheard if len(layers) > 1 else {},
    )


def same(one: Writer, other: Writer) -> bool:
    """Tell whether two models are the same."""
    theirs = other.state_dict()
    return all(torch.equal(mine, theirs[name]) for name, mine in one.state_dict().items())


def main() -> None:
    """Read the command line."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)  # sums are the same however many cores there are
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="for trained models; those in it are kept")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--trained", action="store_true", help="measure only what the folder has")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for run in runs(given.seeds):
        if given.trained and not file_of(run, given.folder).exists():
            continue
        began = time.process_time()
        path = file_of(run, given.folder).with_suffix(".measured")
        if not path.exists():
            path.write_text(json.dumps(asdict(measure(run, *trained(run, given.folder)))))
        lines.append(path.read_text())
        found = Measured(**json.loads(lines[-1]))
        spent = time.process_time() - began
        logging.info(
            "%s-%s, %d steps, seed %d: %.0f s; everybody named %.3f",
            *(*run, spent, found.all_named),
        )
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
