"""The figure of the page at the site's root, as it stands before its script moves it.

Four keys, a query and the output that the values are pulled to: the figure `arrows` without its
controls. `book/_static/landing.js` computes the same marks at every move; a test compares the two.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from math import hypot
from typing import Any

import torch

from attn_lib import language, masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.host.numbers import format_point, format_weight, tone
from book._ext.editions.languages import Edition

START = (1.5, 0.5)
# The side of each plane in its own units, and how far it reaches.
KEYS = (330, 2.2)
VALUES = (240, 1.55)

Marks = dict[str, dict[str, str]]
Point = Sequence[float]


def figure(edition: Edition) -> dict[str, Any]:
    """What the template draws: words, numbers and marks."""
    language.set_language(edition.code)
    own, frame = language.words("arrows"), language.words("frame")
    words, ends = four_words.words(), four_words.directions()
    language.set_language("en")
    weights, output = attend(START)
    slots = {"q": format_point(START, 2), "o": format_point(output, 2)}
    return {
        "words": words,
        "ends": ends,
        "values_name": own["values"],
        "weight": frame["weight"],
        "handle": own["handles"]["q"],
        "spoken": own["sentences"]["spoken"],
        "said": own["sentences"]["spoken"].format(**slots),
        "weights": [format_weight(weight) for weight in weights],
        "marks": marks(START),
        "names": [place(KEYS, key, -14, 14) for key in four_words.KEYS],
        "value_names": [place(VALUES, key, -20, 20) for key in four_words.KEYS],
        "dots": [[_fixed(x, 1) for x in at(VALUES, key)] for key in four_words.KEYS],
        "sides": (KEYS[0], VALUES[0]),
        "grids": (grid(KEYS), grid(VALUES)),
        "hull": hull(),
    }


def attend(query: Point) -> tuple[list[float], list[float]]:
    """The weights of the four words for a query, and the output, by the library."""
    queries = torch.tensor([[query]], dtype=torch.float64)
    keys = four_words.keys().double()[None]
    scores = scoring.dot_product_scores(queries, keys, scaled=False)
    weights = masking.masked_softmax(scores)
    return weights[0, 0].tolist(), (weights @ keys)[0, 0].tolist()


def marks(query: Point) -> Marks:
    """The attributes of each mark that moves."""
    weights, output = attend(query)
    made: Marks = {}
    for j, (key, weight) in enumerate(zip(four_words.KEYS, weights, strict=True)):
        shade = f"--w:{_fixed(weight, 3)}"
        tip = at(KEYS, key)
        x, y = at(VALUES, key)
        end = " ".join(_fixed(number, 1) for number in at(VALUES, output))
        made[f"key{j}"] = {
            "points": arrow(at(KEYS, (0, 0)), tip, 3 + 20 * weight, 13 + 15 * weight),
            "style": shade,
        }
        made[f"pull{j}"] = {
            "d": f"M{_fixed(x, 1)} {_fixed(y, 1)}L{end}",
            "stroke-width": _fixed(0.8 + 12 * weight, 1),
        }
        made[f"dot{j}"] = {"style": shade}
        made[f"cell{j}"] = {"style": shade, "data-tone": tone(weight)}
    made["query"] = {"points": arrow(at(KEYS, (0, 0)), at(KEYS, query), 3.5, 16)}
    made["output"] = {
        "transform": f"translate({' '.join(_fixed(number, 1) for number in at(VALUES, output))})"
    }
    long = hypot(*query) or 1
    made["handle"] = {"style": place(KEYS, query)}
    made["letter"] = {
        "style": place(KEYS, query, -30 * query[1] / long, across=30 * query[0] / long)
    }
    return made


def at(plane: tuple[int, float], point: Point) -> tuple[float, float]:
    """Where a point of a plane is drawn."""
    side, reach = plane
    half = side / 2
    return half + point[0] * half / reach, half - point[1] * half / reach


def place(
    plane: tuple[int, float],
    point: Point,
    above: float = 0,
    below: float | None = None,
    across: float = 0,
) -> str:
    """The place of a text or a handle over a plane of any size; `above` moves it downwards."""
    x, y = at(plane, point)
    y += above if below is None or point[1] > 0 else below
    left, top = (100 * number / plane[0] for number in (x + across, y))
    return f"left:{_fixed(left, 2)}%;top:{_fixed(top, 2)}%"


def arrow(start: Point, end: Point, thick: float, head: float) -> str:
    """The corners of an arrow: a shaft and a head."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1
    across, down = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    half, neck = thick / 2, max(0.0, long - head)
    wing = max(thick * 0.95, head * 0.55)
    corners = (
        (0, half),
        (neck, half),
        (neck, wing),
        (long, 0),
        (neck, -wing),
        (neck, -half),
        (0, -half),
    )
    return " ".join(
        f"{_fixed(start[0] + far * across - side * down, 1)},"
        f"{_fixed(start[1] + far * down + side * across, 1)}"
        for far, side in corners
    )


def grid(plane: tuple[int, float]) -> tuple[str, str]:
    """The path of a plane's lines, and that of its axes."""
    side, reach = plane
    ticks = [tick for tick in range(-int(reach), int(reach) + 1) if tick]
    lines = [at(plane, (tick, tick)) for tick in ticks]
    half = _fixed(side / 2, 1)
    return (
        "".join(f"M{_fixed(x, 1)} 0V{side}M0 {_fixed(y, 1)}H{side}" for x, y in lines),
        f"M{half} 0V{side}M0 {half}H{side}",
    )


def hull() -> str:
    """The path of the square that the output never leaves."""
    corners = (at(VALUES, corner) for corner in ((-1, 1), (1, 1), (1, -1), (-1, -1)))
    return (
        "M" + "L".join(" ".join(_fixed(number, 1) for number in corner) for corner in corners) + "z"
    )


def _fixed(number: float, digits: int) -> str:
    """Write a number as `toFixed` does in JavaScript."""
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"
