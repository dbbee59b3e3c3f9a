"""Figure `mask`: where does the weight of padding go?"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib import masking
from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Numbers, Range, State, Words
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_weight, never_exact
from attn_lib.live.host.typed import numbers_of, words_of

FILLS = {"inf": -math.inf, "1e6": -1e6, "zero": 0.0}
# In the batch of the example, the queries of both sentences: cats and bark.
QUERIES = (0, 3)
PADDING = ("␣",) * 4


def score_rows() -> dict[str, list[list[float]]]:
    """Return the scores to choose from, a row for each query of the two sentences."""
    queries = four_words.keys()[list(QUERIES)]
    words = torch.einsum("qd,bkd->bqk", queries, four_words.padded_keys()).reshape(4, 4)
    return {
        # Without the sign that 0 has from a multiplication by -1.
        "hand": (words + 0.0).tolist(),
        "equal": [[0.0] * 4] * 4,
        "huge": [[-3e6, -3e6, 0.0, 0.0]] * 4,
    }


def data() -> dict[str, Any]:
    """Return the scores, the words of both sentences and the queries among them."""
    names = four_words.words()
    return {
        "scores": score_rows(),
        "words": four_words.padded_words(),
        "queries": [names[query] for query in QUERIES],
    }


def compute(
    state: State, masked_softmax: Callable[[Tensor, Tensor], Tensor] = masking.masked_softmax
) -> View:
    """Compute the figure; `masked_softmax` may be the reader's own function."""
    rows = numbers_of(state["own"]) if state["own"] else score_rows()[state["s"]]
    scores = torch.tensor(rows, dtype=torch.float64).reshape(2, 2, 4)
    lens = torch.tensor(state["len"])
    if state["dim"] == "2":
        lens = lens.reshape(2, 2)
    row_lens = lens.reshape(2, -1).expand(2, 2).reshape(-1)
    masked = torch.arange(4) >= row_lens[:, None]

    after = state["fill"] == "after"
    filled = scores.reshape(4, 4)
    if not after:
        filled = filled.masked_fill(masked, FILLS[state["fill"]])
    if state["fill"] == "inf":
        weights = masked_softmax(scores, lens).reshape(4, 4)
    else:
        weights = filled.softmax(-1)
    # The reader's own function may give a key exactly 0 or 1.
    if state["fill"] != "inf" or masked_softmax is masking.masked_softmax:
        weights = never_exact(weights, masked & (state["fill"] in ("inf", "1e6")))
    deleted = weights * (masked & after)
    weights = weights - deleted

    # softmax subtracts the largest score of a row first; a row of -inf has nothing to subtract.
    largest = filled.max(-1, keepdim=True).values.clamp(min=torch.finfo(filled.dtype).min)
    exps = (filled - largest).exp()

    tokens, names = _names(state)
    sums = weights.sum(-1)
    leaks = (weights * masked).sum(-1)
    # A row with a key gives all of its weight away.
    missing = deleted.sum(-1) if after else (1 - sums).round(decimals=9)
    lost = {row: missing[row] for row in range(4) if row_lens[row] > 0 and missing[row] > 0}
    slots, summary = {"q1": names[0], "q2": names[1]}, []
    slots["fill"] = format_number(FILLS.get(state["fill"], 0.0), None)
    slots |= {f"w{place}": token for place, token in enumerate(tokens, 1)}
    for row in range(4):
        slots[f"sum{row + 1}"] = _share(sums[row], exact=row not in lost)
        slots[f"len{row + 1}"] = str(row_lens[row].item())
        slots[f"missing{row + 1}"] = format_number(-lost[row].item(), 2) if row in lost else ""
    for example in (1, 2):
        row = _telling_row(example, sums, leaks)
        valid = scores.reshape(4, 4)[row][~masked[row]].tolist()
        slots |= {
            f"query{example}": names[row % 2],
            f"best{example}": format_number(max(valid), None) if valid else "",
            f"L{example}": str(row_lens[row].item()),
            f"total{example}": slots[f"sum{row + 1}"],
            f"leak{example}": _share(leaks[row], exact=not (leaks[row] and row_lens[row])),
            f"lost{example}": _share(lost[row], exact=False) if row in lost else "0",
        }
        # Lengths of their own that do no harm: the sentence names both, whichever was moved last.
        if state["dim"] == "2" and slots[f"total{example}"] == "1" and leaks[row] == 0:
            kind = "both"
        elif leaks[row] > 0:
            kind = "above" if state["fill"] == "1e6" else "leak"
            # The reader's own function may give more than equal shares of nothing.
            if row_lens[row] == 0 and state["fill"] != "inf":
                kind = "even"
        elif row_lens[row] == 0:
            kind = "empty"
        elif row in lost:
            kind = "short"
        else:
            kind = "right" if masked[row].any() else "whole"
            # The reader's own function may give away more than there is.
            if slots[f"total{example}"] != "1":
                kind = "leak"
        if kind not in ("both", "right", "whole"):
            if _alike(scores[example - 1], masked, sums, example):
                whose = "each"
            else:
                whose = "query" if row_lens[row] == 0 else "worst"
            summary.append(f"{whose}{example}")
        summary.append(f"{kind}{example}")
    return View(
        parts={
            "scores": {"rows": filled.tolist(), "masked": masked.tolist()},
            "exps": {
                "rows": exps.tolist(),
                "masked": masked.tolist(),
                "notes": [_total(row) for row in exps],
            },
            "weights": {
                "rows": weights.tolist(),
                "masked": masked.tolist(),
                "deleted": deleted.tolist(),
                "notes": [slots[f"sum{row + 1}"] for row in range(4)],
            },
        },
        slots=slots,
        summary=tuple(summary),
        main="leak1",
        about=slots["query1"],
    )


def _names(state: State) -> tuple[list[str], list[str]]:
    """Return what the keys of both examples are called, and the two queries."""
    known = data()
    if not state["own"] and not state["words"]:
        return [word for sentence in known["words"] for word in sentence], known["queries"]
    tokens = [f"k{place}" for place in range(1, 5)] * 2
    if state["words"]:
        sentences = words_of(state["words"])
        tokens = [token for sentence in sentences for token in (*sentence, *PADDING)[:4]]
    return tokens, ["q1", "q2"]


def _telling_row(example: int, sums: Tensor, leaks: Tensor) -> int:
    """Return the row to talk about: with the largest leak, else the sum farthest from 1."""
    rows = (2 * example - 2, 2 * example - 1)
    fault = [(round(leaks[r].item(), 9), round(abs(sums[r].item() - 1), 9)) for r in rows]
    return rows[fault[1] > fault[0]]


def _alike(scores: Tensor, masked: Tensor, sums: Tensor, example: int) -> bool:
    """Return whether what is said of one row of an example is true of the other."""
    first, second = 2 * example - 2, 2 * example - 1
    if not torch.equal(masked[first], masked[second]) or _tidy(sums[first]) != _tidy(sums[second]):
        return False
    valid = ~masked[first]
    return torch.equal(scores[0][valid].sort().values, scores[1][valid].sort().values)


def _tidy(total: Tensor) -> float:
    """Return a sum of weights without the last bits of rounding, so that a right row reads 1."""
    return round(total.item(), 9)


def _share(total: Tensor, *, exact: bool) -> str:
    """Write a sum of weights: an exact one, or one that leaves some weight, however little."""
    part, _ = never_exact(torch.stack((total, 1 - total))).tolist()
    return format_weight(_tidy(total) if exact else part)


def _total(exps: Tensor) -> str:
    """Write the sum of a row: without decimals where it is exact, as where each exp is 0 or 1."""
    return format_number(exps.sum().item(), 2 if (exps % 1).any() else None)


FIGURE = Figure(
    id="mask",
    chapter="masked-softmax",
    controls=(
        Numbers(
            key="own",
            rows=4,
            columns=4,
            limit=99,
            example="[[1, 2, 0, 0], [0, 1, 0, 0], [2, 1, 3, 0], [1, 1, 1, 0]]",
        ),
        Words(key="words", rows=2, columns=4),
        Choice(key="dim", options=("1", "2"), default="1"),
        Range(key="len", min=0, max=4, step=1, default=(2, 3), when={"dim": "1"}, counts="words"),
        Range(
            key="len",
            min=0,
            max=4,
            step=1,
            default=(1, 3, 2, 4),
            when={"dim": "2"},
            words="len_query",
            counts="words",
        ),
        Choice(key="fill", options=("inf", "1e6", "zero", "after"), default="inf"),
        Choice(key="s", when={"own": ""}, options=("hand", "equal", "huge"), default="hand"),
    ),
    compute=compute,
    prediction=Prediction(right=2, before={}, after={"fill": "zero"}, row=("weights", 1)),
    tries=(
        {"len": (0, 3), "fill": "1e6"},
        {"fill": "after"},
        {"s": "huge", "fill": "1e6"},
        {"dim": "2", "len": (1, 2, 1, 2)},
    ),
    surprise={"fill": "zero"},
    data=data,
)
