"""Figure `cost`: what must be kept to compute attention?"""

import math
from typing import Any

from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import (
    MINUS,
    enclosed,
    format_number,
    format_output,
)

FLOAT = 4  # bytes
SIZE = 64  # numbers in a query, a key and a value of one head
MIB = 2**20
QUERY = 3  # bark
MODES = ("predict", "train", "again", "kernel")
TWICE = ("again", "kernel")  # what the backward pass asks for, they compute once more
# Decimals of what bark keeps, where it is no whole number.
DIGITS = {"m": 0, "again": 4, "new": 4, "s": 4, "o": 2, "page": 2}


def data() -> dict[str, Any]:
    """Return the words and their pages, and the scores of the query *bark*."""
    keys = four_words.keys()
    return {
        "words": four_words.words(),
        "pages": four_words.pages().tolist(),
        "scores": (keys @ keys[QUERY]).tolist(),
    }


def compute(state: State) -> View:
    """Compute the figure: bytes of one head in float32, and what *bark* keeps key by key."""
    mode, n = state["mode"], state["n"]
    T = min(state["t"], n)
    blocks = math.ceil(n / T)
    # What is computed twice is swept twice, the second time from the last block to the first.
    twice = mode in TWICE
    steps = 2 * blocks if twice else blocks
    swept = math.floor(state["p"] * steps / 100)
    back = twice and swept >= blocks
    passed = swept - blocks if back else swept  # blocks of this pass
    at = max(0, blocks - 1 - passed) if back else min(swept, blocks - 1)
    done = min(n, swept * T)  # queries that are through
    output = FLOAT * n * SIZE
    # The kernel takes the keys in blocks as well; the others make whole rows of weights.
    blocks_of = {way: FLOAT * T * (T if way == "kernel" else n) for way in MODES}
    # Training keeps the weights; the kernel its output and one number for each query.
    rows_of = {"predict": 0, "train": FLOAT * n, "again": 0, "kernel": FLOAT * (SIZE + 1)}
    # Of all queries, so that the ways compare at every place of the sweep.
    memory = {way: (max(blocks_of[way], output), rows_of[way] * n) for way in MODES}
    block, largest, kept = blocks_of[mode], memory[mode][0], rows_of[mode] * done
    # Nobody expects the output to be the largest, but it is where blocks are small.
    part = "largest_tile" if mode == "kernel" else "largest_block"
    parts, slots = bark(state["j"])
    return View(
        parts={
            "memory": {
                "rows": [[size / MIB for size in memory[way]] for way in MODES],
            },
            "table": {
                "done": done / n,
                "kept": kept / (FLOAT * n * n),
                "from": at * T / n,
                "block": T / n,
                "twice": twice,
                "back": back,
                "swept": swept,
                "steps": steps,
            },
            **parts,
        },
        slots={
            "n": str(n),
            "T": str(T),
            "pass": "2" if back else "1",
            "passes": "2" if twice else "1",
            "swept": str(passed),
            "blocks": str(blocks),
            "table": format_number(FLOAT * n * n / MIB, 2),
            "output": format_number(output / MIB, 2),
            "block": format_number(block / MIB, 3 if block < MIB / 10 else 2),
            "largest": format_number(largest / MIB, 2),
            "kept": format_output(kept / MIB),
            "weights": format_number(FLOAT * n * done / MIB, 2),  # of the queries that are through
            **slots,
        },
        summary=(
            "kernel_start" if mode == "kernel" and swept == 0 else mode,
            "largest_output" if block < output else part,
        ),
    )


def bark(j: int) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what *bark* keeps after j keys, and how the last of them changed it."""
    m, s, o = keep(j)
    numbers = {"m": m, "again": None, "new": None, "s": s, "o": o, "page": None}
    slots = {"j": str(j), "larger": "", "old": "", "fresh": "", "s_sum": "", "o_sum": ""}
    slots["ratio"] = ""
    if j == 0:
        numbers["m"] = None
    else:
        score, page = data()["scores"][j - 1], data()["pages"][j - 1]
        old_m, old_s, old_o = keep(j - 1)
        again, new = math.exp(old_m - m), math.exp(score - m)
        numbers |= {"again": again, "new": new, "page": o / s}
        factor, e = (rounded(x, 4) for x in (again, new))
        slots |= {
            "larger": f"max({format_number(old_m, 0)}, {format_number(score, 0)})",
            "old": difference(old_m, m),
            "fresh": difference(score, m),
            "s_sum": f"{factor} · {rounded(old_s, 4)} + {e}",
            "o_sum": f"{factor} · {rounded(old_o, 2)} + {e} · {format_number(page, 0)}",
            "ratio": f"{rounded(o, 2)} ÷ {rounded(s, 4)}",
        }
    parts = {}
    for name, number in numbers.items():
        digits = decimals(number, DIGITS[name])
        parts[name] = {"rows": [[number]], "digits": digits}
        slots |= {name: format_number(number, digits), f"{name}_is": "≈" if digits else "="}
    return parts, slots


def rounded(number: float, most: int) -> str:
    """Write a number with its decimals."""
    return format_number(number, decimals(number, most))


def decimals(number: float | None, most: int) -> int:
    """Return how many decimals are written: none of a whole number or of one that is not there."""
    return 0 if number is None or float(number).is_integer() else most


def difference(a: float, b: float) -> str:
    """Write a − b, with b in brackets where it has a sign of its own."""
    return f"{format_number(a, 0)} {MINUS} {enclosed(format_number(b, 0))}"


def keep(j: int) -> tuple[float, float, float]:
    """Return m, s and o of *bark* after the first j keys, one key at a time."""
    words = data()
    m, s, o = -math.inf, 0.0, 0.0
    for score, page in zip(words["scores"][:j], words["pages"], strict=False):
        top = max(m, score)
        again, e = math.exp(m - top), math.exp(score - top)
        m, s, o = top, again * s + e, again * o + e * page
    return m, s, o


FIGURE = Figure(
    id="cost",
    chapter="fast-attention",
    controls=(
        Choice(key="mode", options=MODES, default="predict"),
        Range(key="p", min=0, max=100, step=2, default=40),
        Listed(key="t", values=(16, 64, 256, 512, 1024, 8192), default=64),
        Listed(key="n", values=(512, 1024, 2048, 4096, 8192), default=2048),
        Range(key="j", min=0, max=4, step=1, default=2),
    ),
    compute=compute,
    prediction=Prediction(
        right=0,
        before={"p": 0},
        after={"mode": "train", "p": 100},
        # In the tank, across and upwards: it is full with all blocks.
        places=((0.5, 1), (0.16, 1 / 16), (0.84, 1 / 32)),
        ms=2600,
    ),
    tries=(
        {"mode": "again", "p": 70},
        {"mode": "kernel", "p": 24, "t": 256},
        {"n": 8192, "mode": "train", "p": 100},
        {"mode": "kernel", "p": 24, "t": 256, "j": 4},
    ),
    surprise={"mode": "train", "p": 100},
    data=data,
    hues={"kept": "kept", "largest": "kept"},
)
