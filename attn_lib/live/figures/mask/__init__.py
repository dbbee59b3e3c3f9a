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

    sums, leaks = weights.sum(-1), (weights * masked).sum(-1)
    # A row with a key gives all of its weight away.
    missing = (deleted.sum(-1) if after else (1 - sums).round(decimals=9)) * (row_lens > 0)
    best = [
        max(row[:length].tolist(), default=None)
        for row, length in zip(scores.reshape(4, 4), row_lens, strict=True)
    ]
    tokens, names = _names(state)
    slots = {"q1": names[0], "q2": names[1]}
    slots["fill"] = format_number(FILLS.get(state["fill"], 0.0), None)
    slots |= {f"w{place}": token for place, token in enumerate(tokens, 1)}
    for row in range(4):
        slots[f"sum{row + 1}"] = _share(sums[row], exact=not missing[row] > 0)
        slots[f"leak{row + 1}"] = _share(leaks[row], exact=not (leaks[row] and row_lens[row]))
        short = missing[row].item()
        slots[f"missing{row + 1}"] = format_number(-short, 2) if short > 0 else ""

    # What the sentence tells of: the largest leak, else what is missing, else a row without a key.
    told = max(
        range(4),
        key=lambda row: (
            _tidy(leaks[row]),
            leaks[row].item() > 0,
            abs(_tidy(missing[row])),
            missing[row].item() != 0,
            row_lens[row].item() == 0,
        ),
    )
    first = told - told % 2
    facts = [(row_lens[r].item(), _tidy(leaks[r]), _tidy(sums[r])) for r in range(4)]
    alike = [row for row in (first, first + 1) if facts[row] == facts[told]]
    slots |= {
        "E": str(told // 2 + 1),
        "who": " / ".join(names[row % 2] for row in alike),
        "best": "" if best[told] is None else format_number(best[told], None),
        "leak": slots[f"leak{told + 1}"],
        "one": slots[f"leak{first + 1}"],
        "other": slots[f"leak{first + 2}"],
        "total": slots[f"sum{told + 1}"],
        "lost": format_number(missing[told].item(), 2),
    }
    if leaks[told] > 0:
        summary = ["leak"]
        if state["fill"] != "inf":
            summary = ["zero", "leak"] if state["fill"] == "zero" else ["above"]
            if row_lens[told] == 0:
                summary = ["even"]
    elif missing[told] != 0:
        # The reader's own function may give away more, or less, than there is.
        summary = ["short" if after else "wrong"]
    elif row_lens[told] == 0:
        summary = ["empty"]
    else:
        summary = ["right" if masked.any() else "whole"]
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
    prediction=Prediction(
        right=2,
        before={},
        after={"fill": "zero"},
        # Beside the row of cats, between both rows, beside the row of bark.
        places=((0,), (0.68,), (1,)),
        ms=1900,
    ),
    tries=(
        {"len": (0, 3), "fill": "1e6"},
        {"fill": "after"},
        {"s": "huge", "fill": "1e6"},
        {"dim": "2", "len": (1, 2, 1, 2)},
    ),
    surprise={"fill": "zero"},
    data=data,
    hues=dict.fromkeys(("leak", "one", "other", "lost"), "bad"),
)
