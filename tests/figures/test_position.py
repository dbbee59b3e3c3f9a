"""Figure `position`: two words on the line of a text, and the angle that their dials show."""

import math
from typing import Any

import pytest
from figures import LiveFigure, centred, middle
from hands import WIDE, Mouse
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

POSITION = FIGURES["position"]
# The tip of an arrow is what lies farthest from the middle of its dial.
DIRECTIONS = """(figure) => ["query", "key"].map((hue) => {
  const arrow = figure.querySelector(`.attn-scene .attn-hue-${hue} polygon`);
  const points = [...arrow.points].sort((a, b) => Math.hypot(b.x, b.y) - Math.hypot(a.x, a.y));
  return Math.atan2(-points[0].y, points[0].x);
})"""


def grip(figure: LiveFigure, name: str) -> tuple[float, float]:
    """Return the pixels of the window in the middle of a hand."""
    return middle(figure.element.locator(f".attn-scene [data-handle={name}]"))


def word(figure: LiveFigure) -> float:
    """Return how many pixels wide a place on the line of words is."""
    (query, _), (key, _) = (grip(figure, name) for name in "ij")
    state = figure.state()
    return (query - key) / (state["i"] - state["j"])


def steps_turned(figure: LiveFigure) -> float:
    """Return how far the query's arrow lies ahead of the key's, in radians below a full turn."""
    query, key = figure.element.evaluate(DIRECTIONS)
    return (query - key) % math.tau


def test_a_dragged_word_turns_its_arrow_and_both_together_turn_nothing(
    pointer: Any,
) -> None:
    figure, pointer = pointer("position", "#position?i=27&j=15")
    assert steps_turned(figure) == pytest.approx(27 - 15 - math.tau, abs=0.02)
    wide = word(figure)
    x, y = grip(figure, "i")
    pointer.down(x, y)
    pointer.move(x + 15 * wide, y)
    pointer.up()
    assert (figure.state()["i"], figure.state()["j"]) == (42, 15)
    assert figure.page.evaluate("location.hash") == "#position?i=42&j=15"
    assert steps_turned(figure) == pytest.approx((42 - 15) % math.tau, abs=0.02)
    score = figure.check().slots["s"]

    x, y = grip(figure, "both")  # the bar below them moves both
    pointer.down(x, y)
    pointer.move(x - 10 * wide, y)
    pointer.up()
    assert (figure.state()["i"], figure.state()["j"]) == (32, 5)
    assert steps_turned(figure) == pytest.approx((42 - 15) % math.tau, abs=0.02)
    assert figure.check().slots["s"] == score
    both = figure.element.locator("[data-handle=both]")
    expect(both).to_be_focused()
    both.press("Shift+ArrowRight")
    assert (figure.state()["i"], figure.state()["j"]) == (37, 10)
    both.press("Home")
    assert (figure.state()["i"], figure.state()["j"]) == (27, 0)


def test_of_two_words_that_touch_the_nearer_is_taken(show: Any) -> None:
    figure = show("position", fragment="#position?i=25&j=24", **WIDE).ready()
    (key, y), (query, _) = grip(figure, "j"), grip(figure, "i")
    mouse = Mouse(figure)
    for x, moved in ((key - 2, "j"), (query + 2, "i")):
        before = figure.state()
        mouse.down(x, y)
        mouse.move(x - 60 if moved == "j" else x + 60, y)
        mouse.up()
        after = figure.state()
        assert {name for name in "ij" if after[name] != before[name]} == {moved}


def test_a_press_on_a_bell_chooses_its_head(pointer: Any) -> None:
    figure, pointer = pointer("position", POSITION.fragment({"kind": "alibi"}))
    box = centred(figure.element.locator(".attn-body .attn-bell").nth(2))
    pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pointer.up()
    figure.page.wait_for_function("location.hash === '#position?kind=alibi&m=3'")
    figure.check()
