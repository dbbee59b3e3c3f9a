"""Figure `cost`: what must be kept to compute attention?"""

import math
from typing import Any

from attn_lib.examples import four_words
from attn_lib.explorer.controls import Choice, Listed, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number, format_output

FLOAT = 4  # bytes
SIZE = 64  # numbers in a query, a key and a value of one head
MIB = 2**20
QUERY = 3  # bark


def data() -> dict[str, Any]:
    """Return the words, their pages and the scores of the query *bark*."""
    keys = four_words.keys()
    return {
        "words": four_words.words(),
        "pages": four_words.pages().tolist(),
        "scores": (keys @ keys[QUERY]).tolist(),
    }


def compute(state: State) -> View:
    """Compute the figure: bytes of one head in float32, and what *bark* keeps key by key."""
    mode, n, j = state["mode"], state["n"], state["j"]
    T = min(state["t"], n)
    done = min(n, math.floor(state["p"] / 100 * math.ceil(n / T)) * T)  # queries that are through
    output = FLOAT * n * SIZE
    # The kernel takes the keys in blocks as well; the others make whole rows of weights.
    largest = max(FLOAT * T * (T if mode == "kernel" else n), output)
    # Training keeps the weights; the kernel its output and one number for each query.
    row = {"train": FLOAT * n, "kernel": FLOAT * (SIZE + 1)}.get(mode, 0)
    m, s, o = keep(j)
    page = o / s if j else None
    return View(
        parts={
            "memory": {"rows": [[FLOAT * n * n / MIB, largest / MIB, row * done / MIB]]},
            "table": {"done": done / n, "block": min(T, n - done) / n, "tile": T / n},
            "kept": {"rows": [[j, None if j == 0 else m, s, o, page]]},
        },
        slots={
            "n": str(n),
            "T": str(T),
            "done": format_number(done / n * 100, 0),
            "table": format_number(FLOAT * n * n / MIB, 2),
            "largest": format_number(largest / MIB, 2),
            "kept": format_number(row * done / MIB, 2),
            "j": str(j),
            "m": format_number(None if j == 0 else m, 0),
            "s": format_number(s, 4),
            "o": format_output(o),
            "page": format_output(page),
        },
        summary=(mode, "unread" if j == 0 else "read"),
        main="kept",
    )


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
        Choice(key="mode", options=("predict", "train", "again", "kernel"), default="predict"),
        Range(key="p", min=0, max=100, step=10, default=50),
        Listed(key="t", values=(16, 64, 256, 512, 1024, 8192), default=64),
        Listed(key="n", values=(512, 1024, 2048, 4096, 8192), default=2048),
        Range(key="j", min=0, max=4, step=1, default=2),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={"p": 0}, after={"mode": "train", "p": 100}),
    tries=(
        {"mode": "again", "p": 100},
        {"mode": "kernel", "p": 100},
        {"n": 8192, "mode": "train", "p": 100},
        {"j": 4},
    ),
    surprise={"mode": "train", "p": 100},
    data=data,
)
