"""Figure `model`: what the 144 heads of a real model look at, right and with four bugs.

Nothing is run here: `record.py` has read the sentence, and the browser reads the same file.
"""

import base64
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attn_lib.examples import e5
from attn_lib.language import spoken_of
from attn_lib.live.figures.model.record import SETS, read, read_maps
from attn_lib.live.host.controls import Choice, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, never_exact

# The piece that asks first, counted from 1.
ASKER = 4
# What may be a head's job, in this order, and the share of the weight that it takes, in hundredths.
JOBS = {"before": 100 / 3, "after": 100 / 3, "same": 100 / 3, "ends": 50, "itself": 50}


def _recorded() -> str:
    """Return the language whose sentence is shown: the reader's, if it was recorded."""
    return spoken_of(e5.LANGUAGES)


def data() -> dict[str, Any]:
    """Return which language's maps the page has to fetch, their sentence, and the bets."""
    return {
        "language": _recorded(),
        "sets": SETS,
        "jobs": JOBS,
        "pieces": pieces(),
        "looks": looks(),
    }


def pieces() -> list[str]:
    """Return the pieces of the sentence as they are shown."""
    return [shown(piece) for piece in read(_recorded())["pieces"]]


def looks() -> list[int]:
    """Return where the piece that asks first would look, for each of the jobs.

    >>> [pieces()[place] for place in looks()]
    ['teacher', 'the', 'asked', '<s>', 'asked']
    """
    twins = read(_recorded())["twins"]
    return [_places(job, ASKER - 1, twins)[0] for job in JOBS]


def compute(state: State) -> View:
    """Compute the figure."""
    stored = read(_recorded())
    kind, layer, head = state["set"], state["l"], state["h"]
    at = SETS.index(kind)
    own = read_maps(_recorded())[kind][layer - 1, head - 1]  # (keys, queries)
    names = pieces()
    asker = min(state["w"], len(names)) - 1
    row = own[:, asker].tolist()
    is_padded = kind == "pad"
    # Hundredths are rounded, so no weight reads as a bare 0 but that of masked padding.
    masked = torch.tensor([False] * len(names) + [not is_padded])
    whole = torch.tensor(row if is_padded else [*row, 0], dtype=torch.float64) / 100
    top = row.index(max(row))
    shares = {job: _share(own, job, stored["twins"]) for job in JOBS}
    job = next((name for name, least in JOBS.items() if shares[name] > least), "none")
    long, word = stored["values"][layer - 1]
    return View(
        parts={
            "row": {
                "rows": never_exact(whole, masked).unsqueeze(1).tolist(),
                "masked": masked.unsqueeze(1).tolist(),
            },
            "tiles": {"keys": len(row), "queries": len(names), "bytes": _encoded(kind)},
            "found": {"rows": [[count] for count in stored["found"]]},
        },
        slots={
            "head": f"{layer}.{head}",
            "layer": str(layer),
            "piece": names[asker],
            "top": names[top] if top < len(names) else "<pad>",
            "w": format_number(row[top] / 100, 2),
            "share": format_number(shares.get(job, 0) / 100, 2),
            "found": str(stored["found"][at]),
            "mark": format_number(long, 2),
            "word": format_number(word, 2),
        },
        summary=(job, kind) if at else (job,),
    )


def shown(piece: str) -> str:
    """Return a piece as it is shown, without the sign for the space before it.

    >>> [shown(piece) for piece in ("▁The", "s", "▁")]
    ['The', 's', '␣']
    """
    return piece.removeprefix("▁") or "␣"


def _share(own: Tensor, job: str, twins: list[list[int]]) -> float:
    """Return the mean weight, in hundredths, that the words of the sentence give to a place."""
    asked = [i for i in range(1, own.shape[1] - 1) if _places(job, i, twins)]
    return sum(int(own[j, i]) for i in asked for j in _places(job, i, twins)) / len(asked)


def _places(job: str, i: int, twins: list[list[int]]) -> list[int]:
    """Return where a head with this job looks from the piece `i`."""
    return {
        "before": [i - 1],
        "after": [i + 1],
        "same": twins[i],
        "ends": [0, len(twins) - 1],
        "itself": [i],
    }[job]


def _encoded(kind: str) -> str:
    """Return the maps of all heads, as the drawing reads them."""
    return _encoded_in(_recorded(), kind)


@cache
def _encoded_in(language: str, kind: str) -> str:
    return base64.b64encode(bytes(read_maps(language)[kind].flatten().tolist())).decode()


class Piece(Range):
    """The pieces of the sentence, of which each language has another number."""

    @property
    def max(self) -> float:
        """How many pieces the sentence has in the language of the notebook."""
        return len(read(_recorded())["pieces"])

    @max.setter
    def max(self, _: float) -> None:
        """Leave it to the language."""

    def declaration(self) -> dict[str, Any]:
        """Return what the browser needs to know: it is a range like any other."""
        return super().declaration() | {"kind": "Range"}


class _Model(Figure):
    # For the template alone.
    pieces = staticmethod(pieces)


FIGURE = _Model(
    id="model",
    chapter="real-model",
    controls=(
        Choice(key="set", options=SETS, default="right"),
        Range(key="l", min=1, max=12, step=1, default=3),
        Range(key="h", min=1, max=12, step=1, default=7),
        Piece(key="w", min=1, max=12, step=1, default=ASKER, hue="query"),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={},
        after={"l": 5, "h": 6},
        # On the way the frame stands on the heads that do what the other two bets say.
        by=({"l": 1, "h": 3}, {"l": 6, "h": 6}),
        # What its string would end on, by the number of the job.
        places=tuple((list(JOBS).index(job),) for job in ("before", "same", "ends")),
        ms=900,
    ),
    tries=({"l": 6, "h": 6}, {"l": 1, "h": 3}, {"set": "places"}, {"set": "cut"}),
    surprise={"l": 5, "h": 6},
    data=data,
    hues={"head": "ink", "share": "weight", "found": "ink"},
)
