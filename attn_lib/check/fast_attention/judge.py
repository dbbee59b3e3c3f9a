"""The judges of this chapter that run on the page too: see `attn_lib.check.judging`."""

import math
from typing import Any

import torch

from attn_lib.check.judging import RIGHT, Draws, came, one_number, raised

SCORES, PAGES = (-2.0, 0.0, 0.0, 2.0), (10.0, 20.0, 30.0, 40.0)  # of bark, in the chapter
MOST_SHOWN = 2


def online_softmax(answer: Any, seed: int = 0) -> tuple[str, dict[str, Any], Any]:
    """Judge (blocks) -> output, where blocks yields the scores (K,) and values (K,) of some keys.

    The blocks come once, one after another.
    """
    if not callable(answer):
        return "function", {"got": type(answer).__name__}, None
    for blocks in cases(seed):
        slots = {"scores": _shown(blocks)}
        try:
            answered = answer((a.clone(), v.clone()) for a, v in blocks)
        except Exception as error:  # whatever the reader's function raises
            return "raises", dict(slots, error=raised(error)), None
        got = one_number(answered)
        if got is None:
            return "number", dict(slots, got=came(answered)), None
        wanted = _at_once(blocks)
        if not abs(got - wanted) <= 1e-3:  # NaN is no match
            slots = dict(slots, got=f"{got:.4f}", wanted=f"{wanted:.4f}")
            return _mistake(blocks, got), slots, None
    return RIGHT


def cases(seed: int = 0) -> Any:
    """Return lists of blocks; the last is longer than any block."""
    draws = Draws(seed)
    return (
        [(torch.tensor(SCORES), torch.tensor(PAGES))],
        _in_pairs(0, -1),  # the largest score comes first
        _in_pairs(0),
        _in_pairs(1000),
        _in_pairs(-1000),
        [(draws.normal(8), draws.normal(8)) for _ in range(32)],
    )


def _in_pairs(more: float, way: int = 1) -> Any:
    scores, values = list(SCORES)[::way], list(PAGES)[::way]
    return [
        (torch.tensor([a + more for a in scores[i : i + 2]]), torch.tensor(values[i : i + 2]))
        for i in (0, 2)
    ]


def _at_once(blocks: Any) -> float:
    scores = torch.cat([scores for scores, _ in blocks])
    return (scores.softmax(0) @ torch.cat([values for _, values in blocks])).item()


def _shown(blocks: Any) -> str:
    rows = [
        ", ".join(f"{a:g}" for a in scores.tolist()[:MOST_SHOWN])
        for scores, _ in blocks[:MOST_SHOWN]
    ]
    return " | ".join(rows) + (" | …" if len(blocks) > MOST_SHOWN else "")


def _mistake(blocks: Any, got: float) -> str:
    """Name the mistake that leads to this output."""
    if got != got or abs(got) == math.inf:
        return "overflow" if blocks[0][0][0] > 0 else "underflow"
    for name, again in (("rescale", (0, 0)), ("only_s", (1, 0)), ("only_o", (0, 1))):
        if abs(got - _forgetful(blocks, *again)) < 1e-3:
            return name
    if abs(got - _forgetful(blocks, 1, 1) * _kept_sum(blocks)) < 1e-2:
        return "undivided"
    means = [(scores.softmax(0) @ values).item() for scores, values in blocks]
    if abs(got - sum(means) / len(means)) < 1e-3:
        return "average"
    return "last" if abs(got - means[-1]) < 1e-3 else "other"


def _forgetful(blocks: Any, again_s: int, again_o: int) -> float:
    """Go through the blocks with the old s and the old o rescaled only where told."""
    m, s, o = -math.inf, 0.0, 0.0
    for scores, values in blocks:
        top = max(m, scores.max().item())
        factor, e = math.exp(m - top) if m > -math.inf else 0.0, (scores - top).exp()
        s = (factor if again_s else 1) * s + e.sum().item()
        o = (factor if again_o else 1) * o + (e @ values).item()
        m = top
    return o / s


def _kept_sum(blocks: Any) -> float:
    scores = torch.cat([scores for scores, _ in blocks])
    return (scores - scores.max()).exp().sum().item()
