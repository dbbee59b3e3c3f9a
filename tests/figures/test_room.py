"""In every state what lies below a figure stays in its place, and no text lies on another."""

from contextlib import suppress
from typing import Any

import pytest
from figures import A_FRAME, FOLLOW, FOOT, OVERLAPPING, ends, unasked
from hands import LOOKS, Window

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.tame import SIZES

# By link: how far down the fold begins, how high all is with it, and which texts of the drawings
# lie on one another.
LOOK = (
    """async (figure, links) => {
  const looks = [];
  for (const link of links) {
    await (FOLLOW)(link);
    await A_FRAME;
    const { height } = figure.querySelector("figure").getBoundingClientRect();
    const stages = [...figure.querySelectorAll(".attn-body .attn-stage")];
    const overlapping = stages.flatMap((stage) => (OVERLAPPING)(stage, "text"));
    looks.push([(FOOT)(figure), Math.round(height), overlapping]);
  }
  return looks;
}""".replace("FOLLOW", FOLLOW)
    .replace("A_FRAME", A_FRAME)
    .replace("OVERLAPPING", OVERLAPPING)
    .replace("FOOT", FOOT)
)

# What stands in the fold of these depends on the state.
GROWING = {"dates", "heads", "mask", "museum", "norm", "shapes"}
SLACK = {"scale": 24}  # pixels: the histogram's title may take another line
# Whose names stand upright, or whose symbols hang on strings: test_heads.py, test_dates.py.
CROWDED = {"dates", "heads"}

HOW = ("scaled", "plain", "mean")
ALL = list(range(1, 11))
# The longest sentences, what lies near the edges and what ties: beside each end of a control and
# each link that a figure offers.
ODD: dict[str, list[dict[str, Any]]] = {
    "additive": [
        {"t": t, "tanh": tanh}
        for tanh in ("after", "before", "none")
        for t in (-6, -4, -1.5, 0, 0.5, 1, 2, 3.5, 6, 7)
    ],
    "cache": [
        *({"g": groups, "how": how} for groups in (6, 1) for how in ("near", "alike", "repeat")),
        {"g": 2},
        {"g": 2, "model": "llama", "n": 32768, "kv": "1"},
    ],
    "choose": [
        *(
            {**place, "f": score}
            for score in FIGURES["choose"].control("f").options
            for place in (*FIGURES["choose"].tries[:2], {"x": 0, "y": 0}, {"x": -1, "y": -1})
        ),
        {"x": 0.5, "y": 0.25, "rho": 0},
    ],
    "cost": [
        *(
            {"n": 8192, "t": t, "mode": mode, "p": 98}
            for t in (16, 1024)
            for mode in FIGURES["cost"].control("mode").options
        ),
        *({"mode": "kernel", "n": 8192, "t": 8192, "p": p} for p in (0, 60, 100)),
        {"n": 512, "t": 512},
        {"t": 1024},
    ],
    "dropout": [{"n": 12}, {"p": 0.7, "n": 998}, {"p": 0.9, "n": 1000}, {"p": 0, "n": 9}],
    "kernel": [
        {"x": 5, "s": 0.1},
        {"x": 2, "s": 0.1},
        {"x": -1, "s": 0.5},
        *({"s": 1.5, "k": k, "x": 8} for k in ("boxcar", "triangular", "epanechnikov")),
    ],
    "merge": [
        {"c": 5, "len": 5},
        *({"how": how, "c": c} for how in HOW for c in (1, 7)),
        *({"how": how, "c": 5, "len": 5} for how in HOW),
        *({"how": how, "own": "3,3,3,3,3,3,3,3"} for how in HOW),
        {"how": "plain", "own": "-20,0.25,20,-20,3,3,2.5,-13.75", "c": 2},
    ],
    "model": [{"set": kind, "l": 4, "h": 9} for kind in FIGURES["model"].control("set").options],
    "museum": [
        *({"bug": bug, "t": ALL} for bug in FIGURES["museum"].control("bug").options),
        *({"t": t} for t in ([], [4, 5, 7, 8], [4, 5, 7, 8, 9])),
        {"on": "one", "t": [9]},
    ],
    "norm": [{"x": x, "y": 2 - x, "sub": sub} for x in (-2, -0.5, 1) for sub in ("off", "on")],
    "projections": [
        {"m": "one", "q": (1.5, 0, 0.5, 0.5)},
        {"w": "cats", "q": (1.5, 1.5, 1.5, 1.5), "k": (1.5, 1.5, 1.5, -1.5)},
        {"w": "cats", "q": (-1, 1.5, -1.25, 1.5), "k": (1, 0.75, 0.25, -1.5)},
        {"w": "dogs", "q": (0.5, 0.5, -0.5, -0.5)},
        {"w": "bark", "q": (-1.5, 0.25, 0.75, -1.5)},
    ],
    "race": [{"lr": 0.03}, {"d": 128, "lr": 1}, {"lr": 0.001}],
    "scale": [
        {"d": 512, "rho": 1},
        {"d": 256, "rho": 0.05},
        {"d": 256, "c": "d"},
        {"d": 64, "m": 2},
        {"d": 1, "rho": 1},
    ],
    "sink": [
        {"bin": "on", "s": s, "x": x, "y": y}
        for s, x, y in (
            (-1, 1, 0.5),
            (-6, -3, 3),
            (6, 3, 3),
            (6, 0.25, -0.25),
            (2, 0, -2.5),
            (1, -0.5, 0),
        )
    ],
    "sparse": [{"n": 64}, {"x": 5.25}, {"x": -1, "a": 1.05}, {"x": 4.25, "a": 1.7}],
    "tame": [{"s": 8.0}, {"n": 1000}, {"f": "cap", "s": 10.0, "n": SIZES[-1], "c": 50}],
    "writer": [
        {"w": 1},
        {"w": 6},
        {"w": 6, "at": 3},
        {"w": 9, "off": (1, 2)},
        {"t": "hello 🙂! bye ", "w": 9},
    ],
}


def links_of(name: str) -> list[str]:
    """Links to what is tried."""
    own = FIGURES[name]
    states = ({}, own.prediction.after, *own.tries, *ODD.get(name, []))
    links = [own.fragment(state) for state in states]
    for control in own.controls:
        for value in ends(control) or getattr(control, "options", ()):
            with suppress(ValueError):  # an end that other settings reach
                links.append(own.fragment({control.key: value}))
    return [*map(unasked, links)]


@LOOKS
@pytest.mark.parametrize("name", FIGURES)
def test_no_state_moves_what_lies_below_or_lays_a_text_on_another(
    show: Any, name: str, lang: str, window: Window
) -> None:
    figure, links = show(name, lang, **window).ready(), links_of(name)
    if name not in CROWDED:  # while it asks
        scene = figure.element.locator(".attn-body .attn-scene")
        assert scene.evaluate(OVERLAPPING, "text") == []
    figure.open_fold()
    looks = dict(zip(links, figure.element.evaluate(LOOK, links), strict=True))
    moved = {link: foot for link, (foot, _, _) in looks.items()}
    assert len(set(moved.values())) == 1, moved
    if name not in GROWING:
        heights = {link: height for link, (_, height, _) in looks.items()}
        assert max(heights.values()) - min(heights.values()) <= SLACK.get(name, 0), heights
    if name not in CROWDED:
        assert {link: texts for link, (_, _, texts) in looks.items() if texts} == {}
