"""Figure `cost`: what does blocking save?"""

import math

from attn_lib.explorer.controls import Listed, State
from attn_lib.explorer.figure import Figure, Prediction, View

FLOAT = 4  # bytes
# The ends of the logarithmic axis, in bytes; what a machine may have stands out on it.
SMALLEST, LARGEST, ROOM = 2**2, 2**36, 2**34
UNITS = ("B", "KiB", "MiB", "GiB")


def compute(state: State) -> View:
    """Compute the figure: what each way to score has to keep in memory and to do."""
    (Q, K), H, T = state["n"], state["h"], state["t"]
    scores = FLOAT * Q * K
    sums = FLOAT * Q * K * H
    block = FLOAT * min(T, Q) * K * H
    # The direct form, blocks, the dot product: all make scores, and two make sums on the way.
    on_the_way = (sums, block, None)
    largest = [max(scores, size or 0) for size in on_the_way]
    what = "whole" if T >= Q else "block" if block > scores else "scores"
    return View(
        parts={
            "memory": {
                "rows": [[scores, *sizes] for sizes in zip(on_the_way, largest, strict=True)],
                "places": [[_place(scores), _place(size)] for size in on_the_way],
                "sizes": [bytes_text(size) for size in largest],
            },
            "operations": {
                "rows": [
                    [4 * Q * K * H, 4 * Q * K * H, 2 * Q * K * H],
                    [Q * K * H, Q * K * H, 0],
                ],
            },
        },
        slots={
            "Q": str(Q),
            "K": str(K),
            "H": str(H),
            "T": str(T),
            "direct": bytes_text(largest[0]),
            "blocked": bytes_text(largest[1]),
            "dot": bytes_text(largest[2]),
            "block": bytes_text(block),
        },
        summary=("sizes", what, "too_large") if sums > ROOM else ("sizes", what),
        main="blocked",
    )


def bytes_text(size: int) -> str:
    """Write a number of bytes in the largest unit that divides it.

    >>> bytes_text(4), bytes_text(8192), bytes_text(2**36)
    ('4 B', '8 KiB', '64 GiB')
    """
    unit = 0
    while size >= 1024 and size % 1024 == 0 and unit + 1 < len(UNITS):
        size, unit = size // 1024, unit + 1
    return f"{size} {UNITS[unit]}"


def _place(size: int | None) -> float | None:
    """Return where a size lies on the axis, from 0 to 1."""
    return None if size is None else math.log2(size / SMALLEST) / math.log2(LARGEST / SMALLEST)


FEW = {"n": (512, 512), "h": 64}
MANY = {"n": (4096, 4096), "h": 64}

FIGURE = Figure(
    id="cost",
    controls=(
        Listed(key="n", values=(1, 16, 64, 256, 512, 1024, 4096), default=(16, 16)),
        Listed(key="h", values=(1, 8, 64, 256, 1024), default=8),
        Listed(key="t", values=(1, 16, 64, 256), default=16),
    ),
    compute=compute,
    prediction=Prediction(right=0, before=FEW | {"t": 256}, after=FEW),
    tries=(FEW, MANY, MANY | {"t": 256}),
    surprise=MANY,
)
