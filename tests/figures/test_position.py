"""Figure `position`: two words on the line of a text, and the angle that their dials show."""

import math
from typing import Any

import pytest
from figures import LiveFigure, centred
from hands import PHONE
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES

POSITION = FIGURES["position"]
WIDE = {"viewport": {"width": 1280, "height": 900}}
LEFT, RIGHT, BOTTOM, LINE = 34, 16, 50, 17  # pixels around the plot, and down to the line of words
SPAN = 48  # places on the line

# The tip of an arrow is what lies farthest from the middle of its dial.
DIRECTIONS = """(figure) => ["query", "key"].map((hue) => {
  const arrow = figure.querySelector(`[data-drawing=dials] .attn-hue-${hue} polygon`);
  const points = [...arrow.points].sort((a, b) => Math.hypot(b.x, b.y) - Math.hypot(a.x, a.y));
  return Math.atan2(-points[0].y, points[0].x);
})"""


def on_the_line(figure: LiveFigure, place: float) -> tuple[float, float]:
    """Return the pixels of the window at a place on the line of words."""
    box = centred(figure.element.locator(".attn-body [data-drawing=line]"))
    across = LEFT + place / SPAN * (box["width"] - LEFT - RIGHT)
    return box["x"] + across, box["y"] + box["height"] - BOTTOM + LINE


def steps_turned(figure: LiveFigure) -> float:
    """Return how far the query's arrow lies ahead of the key's, in radians below a full turn."""
    query, key = figure.element.evaluate(DIRECTIONS)
    return (query - key) % math.tau


def test_a_dragged_word_turns_its_arrow_and_both_together_turn_nothing(
    pointer: Any,
) -> None:
    figure, pointer = pointer("position")
    assert steps_turned(figure) == pytest.approx(27 - 24, abs=0.02)
    pointer.down(*on_the_line(figure, 27))
    pointer.move(*on_the_line(figure, 46))
    pointer.up()
    assert (figure.state()["i"], figure.state()["j"]) == (46, 24)
    assert figure.page.evaluate("location.hash") == "#position?i=46"
    assert steps_turned(figure) == pytest.approx((46 - 24) % math.tau, abs=0.02)
    score = figure.check().slots["s"]

    pointer.down(*on_the_line(figure, 35))  # the bar between them moves both
    pointer.move(*on_the_line(figure, 25))
    pointer.up()
    assert (figure.state()["i"], figure.state()["j"]) == (36, 14)
    assert steps_turned(figure) == pytest.approx((46 - 24) % math.tau, abs=0.02)
    assert figure.check().slots["s"] == score
    slider = figure.element.locator("[data-key=j]:visible")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowRight")
    assert figure.state()["j"] == 15


def test_a_press_on_a_bell_chooses_its_head(pointer: Any) -> None:
    figure, pointer = pointer("position", POSITION.fragment({"kind": "alibi"}))
    box = centred(figure.element.locator(".attn-body .attn-bell").nth(2))
    pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pointer.up()
    figure.page.wait_for_function("location.hash === '#position?kind=alibi&m=3'")
    figure.check()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_height_keeps_still_and_numbers_lie_on_nothing(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("position", lang, **settings).ready()
    kinds = ({"kind": kind} for kind in ("none", "added", "t5"))
    heights = figure.heights(({}, *kinds, *POSITION.tries))
    assert len(set(heights.values())) == 1, heights
