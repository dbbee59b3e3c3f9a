"""Figure `additive`: the query in the hand, words that follow it, weights as bars."""

from typing import Any

import pytest
from figures import TOUCHED, middle
from hands import LOOKS, WIDE, WINDOWS, Window
from playwright.sync_api import expect

QUERIES = (-6, -4, -1.5, 0, 0.5, 1, 2, 3.5, 6, 7)

# The middles of the dots and the knees from which they rise, unit by unit; the middle of the hand.
DRAWN = """(figure) => {
  const middle = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const all = (look) => [...figure.querySelectorAll(`.attn-scene ${look}`)];
  return {
    rises: all(".attn-rise").map(({ points }) => points[1].y - points[0].y),
    runs: all(".attn-run").map(({ points }) => points[1].x - points[0].x),
    stems: all(".attn-marker").map((one) => middle(one)[0]),
    hand: middle(figure.querySelector(".attn-hand"))[0],
    bars: all(".attn-weight-bar").map((one) => {
      const { width, height } = one.getBBox();
      return [width, height];
    }),
  };
}"""


def test_the_query_is_dragged_and_given_up(pointer: Any) -> None:
    figure, pointer = pointer("additive")
    runs = figure.element.evaluate(DRAWN)["runs"]
    step = max(runs) / 2  # pixels of 1 on the axis
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    pointer.down(x, y)
    pointer.move(x + 2 * step, y)
    assert figure.state()["t"] == 3
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#additive?t=3"
    figure.check()
    drawn = figure.element.evaluate(DRAWN)
    # The steps are as long as before. The query has gone to 3 in unit 2, and to 1 - 3 in unit 1.
    assert drawn["runs"] == pytest.approx(runs, abs=0.2)
    assert drawn["stems"] == pytest.approx([x - 3 * step, x + 2 * step], abs=1)
    assert drawn["hand"] == pytest.approx(x + 2 * step, abs=1)
    hand = figure.element.locator(".attn-scene .attn-hand")
    expect(hand).to_be_focused()
    hand.press("ArrowLeft")
    assert figure.state()["t"] == 2.5
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    pointer.down(x, y)
    pointer.move(x - 3 * step, y)
    assert figure.state()["t"] == -0.5
    figure.page.keyboard.press("Escape")
    assert figure.state()["t"] == 2.5
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#additive?t=2.5"


@WINDOWS
def test_rises_bars_and_piles_are_as_long_as_their_numbers(show: Any, window: Window) -> None:
    figure = show("additive", **window).ready().open_fold()
    along = int(window is WIDE)  # bars grow upwards, on a phone sideways
    whole = {}
    for link in ("", "?t=-2", "?t=6", "?t=3&tanh=before", "?t=-6&tanh=none"):
        figure.go(f"#additive{link}")
        parts = figure.check().parts
        heights, (weights,) = parts["heights"], parts["weights"]["rows"]
        drawn = figure.element.evaluate(DRAWN)
        gains = [h - heights["base"][unit] for unit in (0, 1) for h in heights["rows"][unit]]
        pixels = max(map(abs, drawn["rises"])) / max(map(abs, gains))
        assert drawn["rises"] == pytest.approx([-pixels * gain for gain in gains], abs=0.3)
        mode = figure.state()["tanh"]
        if max(map(abs, gains)) > 0.1:
            assert pixels == pytest.approx(whole.setdefault(mode, pixels), rel=0.01)
        longest = max(bar[along] for bar in drawn["bars"]) / max(weights)
        assert longest == pytest.approx(whole.setdefault("bar", longest), rel=0.01)
        assert [bar[along] for bar in drawn["bars"]] == pytest.approx(
            [longest * weight for weight in weights], abs=0.3
        )
        ends = figure.element.locator("[data-drawing=piles] .attn-height-sum").evaluate_all(
            "all => all.slice(1).map((one) => -one.getBBox().y)"
        )
        ground = -figure.element.locator("[data-drawing=piles] .attn-axis-line").evaluate(
            "(one) => one.getBBox().y"
        )
        scale = 6 if mode == "none" else 30
        assert [(end - ground) / scale for end in ends] == pytest.approx(
            heights["rows"][-1], abs=0.02
        )


@LOOKS
def test_no_line_touches_a_name(show: Any, lang: str, window: Window) -> None:
    figure = show("additive", lang, **window).ready()
    scene = figure.element.locator(".attn-scene")
    for t in QUERIES:
        figure.go(f"#additive?t={t}&ask=0")
        lines = ".attn-marker, .attn-rise"
        assert scene.evaluate(TOUCHED, [".attn-hue-key > text", lines]) == [], t
