"""What a reader drags and hears in the figure of the bin beside the words."""

from typing import Any

import pytest
from figures import middle
from hands import LOOKS, WIDE, Window
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

SINK = FIGURES["sink"]
# The pieces of both bars, as shares of the upper one.
SHARES = """(figure) => {
  const pieces = ".attn-scene :is(rect.attn-dot, .attn-sink-own)";
  const widths = [...figure.querySelectorAll(pieces)]
    .map((piece) => piece.width.baseVal.value);
  const [above, below] = [widths.slice(0, 5), widths.slice(5)];
  const whole = above.reduce((sum, width) => sum + width, 0);
  return [above, below].map((bar) => bar.map((width) => width / whole));
}"""
# Pairs of texts of the picture that lie on one another, and those that stand out of it.
CLASHES = """(figure) => {
  const scene = figure.querySelector(".attn-scene");
  const room = scene.getBoundingClientRect();
  const seen = [...scene.querySelectorAll(".attn-drawing .attn-label")]
    .filter((text) => text.textContent && text.checkVisibility({ visibilityProperty: true }))
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  // A line of type has some room above and below its letters.
  const on = ([, a], [, b]) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top + 4 < b.bottom && b.top + 4 < a.bottom;
  const out = ([, box]) => box.left < room.left || box.right > room.right
    || box.top < room.top - 2 || box.bottom > room.bottom;
  return [
    ...seen.filter(out).map(([text]) => text),
    ...seen.flatMap((one, i) => seen.slice(0, i).filter((other) => on(one, other))
      .map(([text]) => `${one[0]} on ${text}`)),
  ];
}"""


def test_who_raises_the_level_has_a_bin(pointer: Any) -> None:
    figure, pointer = pointer("sink", "#sink?s=-6&ask=0")
    x, y = middle(figure.element.locator(".attn-body [data-handle=s]"))
    # Cats scores 2, and its mark stands on the wall at the height of its score.
    mark = figure.element.locator(".attn-body .attn-sink-score").first.bounding_box()
    pointer.down(x, y)
    pointer.move(x - 10, mark["y"] + mark["height"] / 2)
    pointer.up()
    assert (figure.state()["bin"], figure.state()["s"]) == ("on", 2)
    figure.check()
    hand = figure.element.locator("[data-handle=s]")
    hand.press("ArrowUp")
    assert figure.state()["s"] == 2.5
    assert hand.get_attribute("aria-valuenow") == "2.5"
    hand.press("Home")
    assert figure.state()["s"] == -6


@pytest.mark.parametrize("settings", [{"s": -6}, SINK.prediction.after, {"bin": "on", "s": -1}])
def test_each_piece_of_a_bar_is_as_wide_as_its_weight(show: Any, settings: dict[str, Any]) -> None:
    figure = show("sink", fragment=SINK.fragment({**settings, "ask": "0"}), **WIDE).ready()
    weights = figure.check().parts["weights"]
    above, below = figure.element.evaluate(SHARES)
    assert above == pytest.approx([*weights["without"], 0], abs=0.001)
    assert below == pytest.approx(weights["rows"][0], abs=0.001)


def test_the_query_is_dragged_and_says_who_keeps_silent(pointer: Any) -> None:
    figure, pointer = pointer("sink", "#sink?bin=on&s=2&x=0&y=0")
    knob = figure.element.locator(".attn-body [data-handle=q]")
    x, y = middle(figure.element.locator(".attn-body [data-handle=q]"))
    expect(knob).to_have_attribute(
        "aria-valuetext",
        "query (0.00,\u00a00.00), bin’s score 2.0; 0.65 in the bin, 0.35 for the words",
    )
    pointer.down(x, y)
    pointer.move(x + 40, y - 40)
    pointer.up()
    assert figure.state()["x"] > 0
    assert figure.state()["y"] > 0
    figure.check()
    knob.press("ArrowLeft")
    figure.check()


def test_without_a_bin_its_score_cannot_be_set(show: Any) -> None:
    figure = show("sink").ready().open_fold()
    expect(figure.element.locator("[data-key=s]")).to_be_disabled()
    figure.element.locator("[data-key=bin][value=on]").check(force=True)
    expect(figure.element.locator("[data-key=s]")).to_be_enabled()


@LOOKS
def test_names_lie_on_no_other(show: Any, lang: str, window: Window) -> None:
    figure = show("sink", lang, **window).ready()
    states = (
        {},
        *SINK.tries,
        SINK.prediction.after,
        {"bin": "on", "s": -1, "x": 1, "y": 0.5},
        {"bin": "on", "s": -6, "x": -3, "y": 3},
        {"bin": "on", "s": 6, "x": 3, "y": 3},
        {"bin": "on", "s": 6, "x": 0.25, "y": -0.25},
        {"bin": "on", "s": 2, "x": 0, "y": -2.5},
        {"bin": "on", "s": 1, "x": -0.5, "y": 0},
    )
    for state in states:
        figure.go(SINK.fragment({**state, "ask": "0"}))
        assert figure.element.evaluate(CLASHES) == [], state
