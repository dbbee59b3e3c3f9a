"""Figure `race`: three networks learn one task, and only the divisor of their scores differs.

No race is run here: `record.py` has run them all, and the browser reads the same file.
"""

import json
from itertools import pairwise
from typing import Any

from attn_lib.examples.race import DIVISORS, GUESS, OPTIMIZERS, TESTS
from attn_lib.live.figures.race.record import FILE, RATES, SIZES, numbers
from attn_lib.live.host.controls import Choice, Listed, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number

RECORD: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

LEARNED = 0.1  # a loss below this
LOST = 1.1  # a loss above this is worse than that of equal weights
WHISPERED = 0.5  # a loss above this, where the right words are found all the same
BELIEVED = 0.9  # a largest weight above this is a sure start
FINDS = 0.4  # who finds more of the words than this has begun, however low its voice
FEW = 0.8  # a loss below this share of the first one has come some way
STEADY = 0.03  # a curve that goes up no more than this goes down all the time
LATE = 15  # where the last quarter of a curve of 20 steps begins


def compute(state: State) -> View:
    """Compute the figure."""
    optimizer, d, rate = state["opt"], state["d"], state["lr"]
    at = RATES.index(rate)
    keys = {divisor: f"{optimizer} {divisor} {d}" for divisor in DIVISORS}
    curves = [numbers(RECORD["curves"][key][at]) for key in keys.values()]
    largest = [RECORD["largest"][f"{divisor} {d}"] for divisor in DIVISORS]
    found = [RECORD["found"][key][at] for key in keys.values()]
    maps = [
        [numbers(RECORD["medians"][f"{optimizer} {divisor} {size}"]) for size in SIZES]
        for divisor in DIVISORS
    ]
    row = SIZES.index(d)
    kinds = [_kind(*told) for told in zip(DIVISORS, curves, largest, found, strict=True)]
    ends = [format_number(curve[-1], 2) for curve in curves]
    return View(
        parts={
            "race": {
                "rows": [
                    [weight, curve[0], curve[-1], count / TESTS]
                    for weight, curve, count in zip(largest, curves, found, strict=True)
                ]
            },
            "curves": {"lines": curves},
            "field": {"losses": maps, "row": row, "at": at},
            "medians": {"rows": [[losses[row][i] for losses in maps] for i in range(len(RATES))]},
        },
        slots={
            "d": str(d),
            "rate": format_number(rate, None),
            "l1": ends[0],
            "l2": ends[1],
            "l3": ends[2],
            "w": format_number(largest[0], 2),
            "found": str(found[2]),
        },
        summary=(optimizer, *_told(kinds)),
    )


def _told(kinds: list[str]) -> list[str]:
    """Return the names of the sentences: one for all three, or a pair for each."""
    if set(kinds) <= {"learned", "learned_sure"}:
        return ["all_learned"]
    if set(kinds) in ({"lost"}, {"slow"}):
        return [f"all_{kinds[0]}"]
    return [name for pair in zip(DIVISORS, kinds, strict=True) for name in pair]


def _kind(divisor: str, curve: list[float], largest: float, found: int) -> str:
    """Return which sentence says what became of a network."""
    start, end = curve[0], curve[-1]
    if end < LEARNED:
        return "learned_sure" if largest > BELIEVED else "learned"
    if divisor == "d" and end > WHISPERED and found > FINDS * TESTS:
        return "whisper"
    way = sum(abs(after - before) for before, after in pairwise(curve))
    if way <= start - end + STEADY:
        return "learning" if end < FEW * start else "slow"
    if end < FEW * start and end <= curve[LATE]:
        return "learning"
    return "lost" if end > LOST else "unsteady"


def data() -> dict[str, Any]:
    """Return the loss of equal weights among 32, which the drawing marks."""
    return {"guess": round(GUESS, 2)}


FIGURE = Figure(
    id="race",
    chapter="scaling",
    controls=(
        Listed(key="lr", values=RATES, default=10),
        Listed(key="d", values=SIZES, default=512),
        Choice(key="opt", options=OPTIMIZERS, default="sgd"),
    ),
    compute=compute,
    prediction=Prediction(
        right=0,
        before={},
        after={"lr": 0.03},
        # A bet is on a runner, and rides on the end of its line; here the lines end.
        places=((200, 0.03), (200, 0.91), (200, 0.97)),
        ms=2600,
    ),
    tries=({"d": 16, "lr": 1}, {"lr": 1}, {"lr": 300}, {"opt": "adam", "lr": 0.1}),
    surprise={"lr": 0.03},
    data=data,
)
