"""Write record.json: races of every optimizer, divisor, d and learning rate of the figure.

``python -m attn_lib.live.figures.race.record`` takes some minutes. The curves are those of draw 1,
the maps the medians of draws 1 to 9, all in hundredths, each as two hexadecimal digits.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attn_lib.examples.race import DIVISORS, OPTIMIZERS, TESTS, train

SIZES = (16, 32, 64, 128, 256, 512)
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
DRAWS = tuple(range(1, 10))
FILE = Path(__file__).with_name("record.json")


def hundredths(numbers: Iterable[float]) -> str:
    """Write numbers from 0 to 2.55.

    >>> hundredths([0.97, 0.0, 1.999])
    '6100c8'
    """
    return "".join(f"{round(100 * number):02x}" for number in numbers)


def numbers(written: str) -> list[float]:
    """Read what `hundredths` wrote.

    >>> numbers("6100c8")
    [0.97, 0.0, 2.0]
    """
    return [byte / 100 for byte in bytes.fromhex(written)]


def record() -> dict[str, Any]:
    """Run all races; keys are joined by blanks, as in ``"sgd sqrt 512"``."""
    written: dict[str, Any] = {"largest": {}, "curves": {}, "found": {}, "medians": {}}
    for optimizer in OPTIMIZERS:
        for divisor in DIVISORS:
            for d in SIZES:
                race = train(d, divisor, RATES, optimizer=optimizer, draws=DRAWS)
                key = f"{optimizer} {divisor} {d}"
                written["largest"][f"{divisor} {d}"] = round(race.largest[0].item(), 4)
                written["curves"][key] = [hundredths(losses.tolist()) for losses in race.losses[0]]
                written["found"][key] = [round(TESTS * share.item()) for share in race.found[0]]
                medians = race.losses[:, :, -1].median(0).values
                written["medians"][key] = hundredths(medians.tolist())
    return written


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), indent=0) + "\n", encoding="utf-8")
