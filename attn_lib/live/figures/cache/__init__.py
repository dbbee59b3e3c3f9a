"""Figure `cache`: who may share keys and values?

The heads are those of one layer of a real model on one sentence (`record.py`), with keys of their
own. A group shares the mean of its heads' keys, and no head is trained anew.
"""

import base64
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lib import scoring
from attn_lib.examples import e5
from attn_lib.language import spoken_of
from attn_lib.live.figures.cache.record import HEADS, read, unpacked
from attn_lib.live.host.controls import Choice, Listed, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_count, format_number
from attn_lib.typography import NO_BREAK_SPACE

GROUPS = (12, 6, 4, 3, 2, 1)
BYTES = 2  # of a number in 16 bits
KIB, MIB, GIB = 2**10, 2**20, 2**30


class Model(NamedTuple):
    """What a real model's file of settings says."""

    name: str
    layers: int
    heads: int
    kept: int  # heads of keys and values
    size: int  # numbers in a key


# Twelve divides the heads of each: whatever is pulled, a model could have it.
MODELS = {
    "qwen": Model("Qwen2.5 1.5B", layers=28, heads=12, kept=2, size=128),
    "llama": Model("Llama 3.2 3B", layers=28, heads=24, kept=8, size=128),
    "glm": Model("GLM-4.7", layers=92, heads=96, kept=8, size=128),
}


def data() -> dict[str, Any]:
    """Return queries and keys of the heads, as they are stored, and the models."""
    models = {name: model._asdict() for name, model in MODELS.items()}
    return read(spoken_of(e5.LANGUAGES)) | {"models": models}


def compute(state: State) -> View:
    """Compute the figure."""
    Q, K = unpacked(spoken_of(e5.LANGUAGES))
    own = _weights(Q, K)
    groups, words = state["g"], own.shape[1]
    each = HEADS // groups
    members = _alike(own, each) if state["how"] == "alike" else _neighbours(each)
    joined = _groups_of(members)
    asked = [head % groups for head in range(HEADS)] if state["how"] == "repeat" else joined
    now = _shared(Q, K, members, asked)
    apart = _moved(own, now).tolist()
    # Without keys all scores are equal.
    without = _moved(own, torch.full_like(own, 1 / words)).tolist()
    mean, bare = sum(apart) / HEADS, sum(without) / HEADS
    low, high = min(apart), max(apart)
    plain = mean
    if state["how"] != "near":
        beside = _neighbours(each)
        plain = _moved(own, _shared(Q, K, beside, _groups_of(beside))).mean().item()

    model, n, tensors = MODELS[state["model"]], state["n"], 1 if state["kv"] == "1" else 2
    sizes = [_bytes(model, count, n, tensors) for count in GROUPS]
    return View(
        parts={
            "moved": {"rows": [list(pair) for pair in zip(apart, without, strict=True)]},
            "bytes": {"rows": [[size / n / KIB, size / MIB] for size in sizes]},
            "heads": {"words": words, "own": _hundredths(own), "now": _hundredths(now)},
            "tank": {
                "level": groups / HEADS * tensors / 2,
                "real": model.kept / model.heads,
                "mean": mean,
                "bare": bare,
                "places": _places(asked, each),
            },
        },
        slots={
            "model": model.name,
            "astray": str(sum(head != own for head, own in zip(asked, joined, strict=True))),
            "g": str(groups),
            "s": str(each),
            "times": str(each * 2 // tensors),
            "mean": format_number(mean, 2),
            "bare": format_number(bare, 2),
            "plain": format_number(plain, 2),
            "least": str(apart.index(low) + 1),
            "low": format_number(low, 2),
            "most": str(apart.index(high) + 1),
            "high": format_number(high, 2),
            "n": format_count(n),
            "bytes": _written(sizes[GROUPS.index(groups)]),
            "full": _written(_bytes(model, HEADS, n, 2)),
        },
        summary=_summary(state, model),
    )


def _summary(state: State, model: Model) -> tuple[str, ...]:
    groups, how = state["g"], state["how"]
    if how == "repeat":
        return ("blind",) if groups in (1, HEADS) else ("repeat",)
    is_one = state["kv"] == "1"
    is_real = how == "near" and groups * model.heads == HEADS * model.kept
    if groups == HEADS:
        return ("own_same" if is_one else "own",)
    first = "one" if groups == 1 else "real" if is_real and not is_one else how
    return (first, "same") if is_one else (first,)


def _weights(queries: Tensor, keys: Tensor) -> Tensor:
    return scoring.dot_product_scores(queries, keys).softmax(dim=-1)  # (12, N, N)


def _shared(Q: Tensor, K: Tensor, members: list[list[int]], asked: list[int]) -> Tensor:
    """Return the weights of all heads by the mean keys of the groups that they ask."""
    means = torch.stack([K[group].mean(dim=0) for group in members])  # (groups, N, 32)
    return _weights(Q, means[asked])


def _moved(own: Tensor, now: Tensor) -> Tensor:
    """Return how much of each head's weight lies elsewhere, (12,), averaged over who asks.

    It is the total variation of two rows: half the sum of their differences.
    """
    return ((own - now).abs().sum(dim=-1) / 2).mean(dim=-1)


def _neighbours(each: int) -> list[list[int]]:
    return [list(range(first, first + each)) for first in range(0, HEADS, each)]


def _alike(own: Tensor, each: int) -> list[list[int]]:
    """Join the first head that is left and those whose maps differ least, until none is left."""
    left, groups = list(range(HEADS)), []
    while left:
        first, *others = left
        far = _moved(own, own[first]).tolist()
        nearest = sorted(others, key=lambda head: far[head])[: each - 1]
        groups.append(sorted([first, *nearest]))
        left = [head for head in left if head not in groups[-1]]
    return groups


def _groups_of(members: list[list[int]]) -> list[int]:
    return [next(i for i, group in enumerate(members) if head in group) for head in range(HEADS)]


def _places(asked: list[int], each: int) -> list[int]:
    """Return where each head's wire ends, of twelve places: beside those that ask the same."""
    return [group * each + asked[:head].count(group) for head, group in enumerate(asked)]


def _bytes(model: Model, groups: int, words: int, tensors: int) -> float:
    """Return what the model would keep if so many of twelve heads had keys of their own."""
    heads = model.heads * groups / HEADS
    return tensors * model.layers * heads * model.size * BYTES * words


def _written(size: float) -> str:
    if size < GIB:
        return f"{format_number(size / MIB, 1 if size < 10 * MIB else 0)}{NO_BREAK_SPACE}MiB"
    return f"{format_number(size / GIB, 2)}{NO_BREAK_SPACE}GiB"


def _hundredths(maps: Tensor) -> str:
    """Return maps as the drawing reads them: by head, key and query."""
    ordered = (100 * maps).round().int().transpose(1, 2).flatten()
    return base64.b64encode(bytes(ordered.tolist())).decode()


class _Cache(Figure):
    # For the template alone.

    def heads(self, name: str) -> list[str]:
        """Return what the rows of heads are called."""
        return [name.format(number=head) for head in range(1, HEADS + 1)]

    def rows(self, name: str) -> list[str]:
        """Return what the rows of sizes are called."""
        return [name.format(count=groups) for groups in GROUPS]


FIGURE = _Cache(
    id="cache",
    chapter="shared-keys",
    controls=(
        Listed(key="g", values=GROUPS, default=12, hue="key"),
        Choice(key="how", options=("near", "alike", "repeat"), default="near"),
        Choice(key="model", options=tuple(MODELS), default="qwen"),
        Listed(key="n", values=(1024, 2048, 4096, 8192, 16384, 32768), default=8192),
        Choice(key="kv", options=("0", "1"), default="0", look="checkbox"),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={},
        after={"g": 1},
        # Across the twelve heads, and how much of their weight moves; 0.66 to 0.71 by language.
        places=((0.05, 0.1), (0.34, 0.33), (0.57, 0.68)),
        ms=2800,
    ),
    tries=({"g": 6, "how": "alike"}, {"g": 6, "how": "repeat"}, {"g": 2, "kv": "1"}),
    surprise={"g": 1},
    data=data,
    hues={"mean": "weight", "bytes": "key"},
)
