"""Figure `merge`: how are two blocks of keys, read apart, put together?"""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.live.host.controls import Choice, Numbers, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import (
    format_number,
    format_output,
    format_small,
    relation,
)
from attn_lib.live.host.typed import numbers_of

# The left block has one key that fits, and the right one four that fit alike, but less.
SCORES = (6.0, 9.0, 5.0, 4.0, 5.0, 5.0, 5.0, 5.0)
VALUES = torch.arange(10.0, 90.0, 10.0, dtype=torch.float64)  # (K,): where a bar stands
KEYS = len(SCORES)
SAME = 1e-4  # outputs that differ by less are equal

Blocks = Iterator[tuple[Tensor, Tensor]]


class Kept(NamedTuple):
    """What is kept of a block: its largest score, a sum, and a weighted sum of values."""

    m: float
    s: float
    o: float

    @property
    def output(self) -> float | None:
        """What the block would answer alone; a block that sees no key has nothing to say."""
        return self.o / self.s if self.s else None


def data() -> dict[str, Any]:
    """Return the scores of the example and the values."""
    return {"scores": SCORES, "values": VALUES.tolist()}


def compute(state: State, online_softmax: Callable[[Blocks], Tensor | float] | None = None) -> View:
    """Compute the figure; `online_softmax` may be the reader's answer to the chapter's exercise.

    It is asked where the blocks are merged. Of an output unlike ours nobody knows the sums.
    """
    row = numbers_of(state["own"])[0] if state["own"] else list(SCORES)
    scores = torch.tensor(row, dtype=torch.float64)  # (K,)
    weights = masking.masked_softmax(scores[None, None], torch.tensor([state["len"]]))
    whole = (weights[0, 0] @ VALUES).item()
    scores[state["len"] :] = -torch.inf
    cut = tuple(zip(_cut(scores, state), _cut(VALUES, state), strict=True))
    blocks, own = zip(*(_read(a, v) for a, v in cut), strict=True)
    left, right = blocks
    reply = None
    if online_softmax and state["how"] == "scaled":
        reply = float(online_softmax((a.clone(), v.clone()) for a, v in cut))
    is_own = reply is not None and not abs(reply - whole) < SAME
    how = "apart" if is_own else state["how"]
    logs = _logs(how, blocks)
    merged = _merge(blocks, logs) if logs else None
    output = merged.output if merged and reply is None else reply
    share = [math.exp(log) * block.s for log, block in zip(logs, blocks, strict=False)]
    # A mean adds no sums.
    added = merged if how != "mean" else None
    apart = abs(left.m - right.m)
    return View(
        parts={
            "m": {"rows": [[left.m, right.m, added.m if added else None]]},
            "factor": {"rows": [[*_factors(how, blocks), None]]},
            "s": {"rows": [[left.s, right.s, added.s if added else None]]},
            "o": {"rows": [[left.o, right.o, added.o if added else None]]},
            "output": {"rows": [[left.output, right.output, output]]},
            "share": {"rows": [[*(x / sum(share) for x in share), None] if share else [None] * 3]},
            "bars": {"scores": scores.tolist(), "own": [*own[0], *own[1]], "logs": logs},
        },
        slots={
            "c": str(state["c"]),
            "m1": format_number(left.m, None),
            "m2": format_number(right.m, None),
            "s1": format_number(left.s, 2),
            "s2": format_number(right.s, 2),
            "is1": relation(left.s, 2),
            "is2": relation(right.s, 2),
            "y1": format_output(left.output),
            "y2": format_output(right.output),
            "out": format_output(output),
            "y": format_output(whole),
            "d": format_number(apart, None),
            "f": format_small(math.exp(-apart)),
            "t": format_number(math.exp(apart), 2),
        },
        summary=(
            "own"
            if is_own
            else _kind(how, left, right, format_output(output) == format_output(whole)),
        ),
    )


def _cut(row: Tensor, state: State) -> tuple[Tensor, Tensor]:
    return row[: state["c"]], row[state["c"] :]


def _read(scores: Tensor, values: Tensor) -> tuple[Kept, list[float]]:
    """Return what is kept of a block, and its exponentials."""
    m = scores.max()
    # -inf - (-inf) is no number: a block that sees no key keeps sums of 0.
    e = torch.exp(scores - m) if m > -torch.inf else torch.zeros_like(scores)
    return Kept(m.item(), e.sum().item(), (e @ values).item()), e.tolist()


def _logs(how: str, blocks: tuple[Kept, ...]) -> list[float]:
    """Return the logarithms of what multiplies the sums of each block before they are added."""
    if how == "apart" or (how == "mean" and not all(block.s for block in blocks)):
        return []
    if how == "mean":  # its own sum divides a block's, so that each counts 1
        return [-math.log(block.s) for block in blocks]
    largest = max(block.m for block in blocks)
    # Sums of 0 stay 0, whatever multiplies them.
    return [block.m - largest if how == "scaled" and block.s else 0.0 for block in blocks]


def _factors(how: str, blocks: tuple[Kept, ...]) -> list[float | None]:
    """Return what multiplies the sums of each block, as a table shows it."""
    if how == "scaled":
        largest = max(block.m for block in blocks)
        return [math.exp(block.m - largest) for block in blocks]
    return [1.0, 1.0] if how == "plain" else [None, None]


def _merge(blocks: tuple[Kept, ...], logs: list[float]) -> Kept:
    factors = [math.exp(log) for log in logs]
    return Kept(
        max(block.m for block in blocks),
        sum(factor * block.s for factor, block in zip(factors, blocks, strict=True)),
        sum(factor * block.o for factor, block in zip(factors, blocks, strict=True)),
    )


def _kind(how: str, left: Kept, right: Kept, is_right: bool) -> str:
    """Return which sentence says what becomes of the blocks."""
    if not right.s:
        return f"{how}_empty"
    if how == "apart" or (how == "mean" and not is_right):
        return how
    if how == "mean" or left.m == right.m:
        return f"{how}_level"
    return f"{how}_left" if left.m < right.m else how


FIGURE = Figure(
    id="merge",
    chapter="fast-attention",
    controls=(
        Range(key="c", min=1, max=KEYS - 1, step=1, default=4),
        Choice(key="how", options=("apart", "scaled", "plain", "mean"), default="apart"),
        Range(key="len", min=1, max=KEYS, step=1, default=KEYS),
        Numbers(
            key="own",
            rows=1,
            columns=KEYS,
            limit=20,
            example="[[6, 9, 5, 4, 5, 5, 5, 5]]",
        ),
    ),
    compute=compute,
    prediction=Prediction(
        right=0,
        before={},
        after={"how": "scaled"},
        # Values: of the merged output, of the mean of both outputs, and of sums added as they are.
        places=((22.72,), (42.42,), (55.44,)),
        ms=2600,
    ),
    tries=(
        {"how": "scaled", "c": 1},
        {"how": "plain", "c": 6},
        {"how": "mean"},
        {"how": "scaled", "c": 5, "len": 5},
    ),
    surprise={"how": "scaled"},
    data=data,
    hues={"y": "value", "out": "value", "f": "weight", "t": "weight"},
)
