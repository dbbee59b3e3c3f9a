"""Key 2 in figure `norm`: where it goes, what ties with it, and what its picture shows when."""

from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure, middle
from hands import PHONE, WINDOWS, Finger, Window
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

NORM = FIGURES["norm"]


def place(figure: LiveFigure) -> tuple[float, float]:
    state = figure.state()
    return state["x"], state["y"]


def a_unit(figure: LiveFigure) -> float:
    """Return how many pixels a unit of the plane has: key 2 goes four to the right."""
    figure.go("#norm?x=0&y=2&ask=0")
    left, _ = middle(figure.element.locator(".attn-scene .attn-hand"))
    figure.go("#norm?x=4&y=2&ask=0")
    return (middle(figure.element.locator(".attn-scene .attn-hand"))[0] - left) / 4


def test_key_2_is_dragged_both_ways_and_snaps(pointer: Any) -> None:
    figure, pointer = pointer("norm", "#norm?x=3&y=1")
    unit = a_unit(figure)
    assert unit > 25
    figure.go("#norm?x=1&y=2")
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    pointer.down(x, y)
    pointer.move(x + 2.9 * unit, y + 4.1 * unit)
    assert place(figure) == (4, -2)
    assert figure.page.evaluate("location.hash") == "#norm?x=1&y=2"
    figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == NORM.fragment({"x": 4, "y": -2})
    hand = figure.element.locator(".attn-scene .attn-hand")
    expect(hand).to_be_focused()
    assert "0.50" in hand.get_attribute("aria-valuetext")
    # Escape gives a drag up.
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    pointer.down(x, y)
    pointer.move(x - 6 * unit, y - 4 * unit)
    assert place(figure) == (-2, 2)
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert place(figure) == (4, -2)


def test_a_finger_beside_the_hand_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    finger = Finger(figure)
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    before = figure.page.evaluate("scrollY")
    finger.down(x - 60, y + 20)
    finger.move(x - 58, y - 120)
    finger.up()
    assert place(figure) == (2, 3)
    assert figure.page.evaluate("scrollY") != before


def test_what_answers_is_hidden_while_it_is_asked(show: Any) -> None:
    figure = show("norm").ready()
    ties, shadows = (
        figure.element.locator(f".attn-scene .attn-{one}") for one in ("ties", "plumb")
    )
    loci = figure.element.locator(".attn-scene .attn-locus")
    for again in (False, True):
        if again:
            figure.ask_again()
        # A reader's own tie doesn't tell where others lie.
        for link in ("#norm?x=2&y=0&ask=1", "#norm?x=2&y=3"):
            figure.go(link)
            assert not ties.is_visible()
            assert not shadows.is_visible()
            assert [loci.nth(i).is_visible() for i in (1, 2)] == [True, True]
        figure.bet(0)
        assert ties.is_visible()
        assert shadows.is_visible()
        assert [loci.nth(i).is_visible() for i in (1, 2)] == [False, True]


def test_answer_goes_along_the_line_and_the_bars_stay_level(show: Any) -> None:
    figure = show("norm", reduced_motion="no-preference").ready()
    figure.element.evaluate(
        """(e) => {
             window.seen = [];
             const bars = [...e.querySelectorAll(".attn-scene rect")];
             const look = () => {
               const heights = bars.map((bar) => Number(bar.getAttribute("height")));
               window.seen.push([e.state.x, e.state.y, heights[1] - heights[0]]);
               requestAnimationFrame(look);
             };
             look();
           }"""
    )
    figure.bet(2)
    figure.page.wait_for_function("() => location.hash === '#norm?x=4&y=-2'")
    seen = figure.page.evaluate("window.seen")
    reached = next(i for i, (x, y, _) in enumerate(seen) if x + y < 2 + 1e-6)
    x, y, _ = seen[reached]
    assert 1 <= x < 2
    assert reached < len(seen) - 3
    for x, y, higher in seen[reached + 1 :]:
        assert x + y == pytest.approx(2)
        assert higher == pytest.approx(0, abs=0.2)
    assert max(higher for *_, higher in seen) > 100


def test_subtracting_cuts_the_shadows_and_shrinks_the_ground(show: Any) -> None:
    figure = show("norm", fragment="#norm?x=2&y=2").ready()
    ground = figure.element.locator(".attn-scene .attn-ground")
    left, cut = (
        figure.element.locator(f".attn-scene .attn-shadow-{what}").last for what in ("left", "cut")
    )
    long = "(e) => e.points.length && Math.hypot(e.getBBox().width, e.getBBox().height)"
    wins = figure.element.locator(".attn-region text")
    assert (left.evaluate(long) > 50, cut.evaluate(long)) == (True, 0)
    expect(wins).to_have_text("key 2 wins")
    whole = left.evaluate(long)
    figure.go("#norm?x=2&y=2&sub=on")
    # Its score is 4 − 4.
    assert (left.evaluate(long), cut.evaluate(long)) == (0, whole)
    expect(wins).to_have_text("key 2 never wins")
    assert figure.element.locator(".attn-scene .attn-equal").is_visible()
    assert ground.evaluate("(e) => e.getBoundingClientRect().width") == 0


# Where names have lain on something.
LINKS = [
    "x=1.5&y=3.5",
    "x=2&y=2",
    "x=3.5&y=3",
    "x=1&y=2",
    "x=3&y=0&sub=on",
    "x=4&y=4",
    "x=-4&y=-3.5&sub=on",
    "x=0.5&y=0.5",
    "x=1.5&y=1.5",
    "x=-2.5&y=-3&sub=on",
    "x=0&y=0",
]


@WINDOWS
def test_names_lie_on_nothing(show: Any, window: Window) -> None:
    figure = show("norm", **window).ready()
    scene = figure.element.locator(".attn-scene")
    for link in LINKS:
        figure.go(f"#norm?{link}&ask=0")
        assert scene.evaluate(TOUCHED, [".attn-word", ".attn-dot"]) == [], link
        assert scene.evaluate(OVERLAPPING, "text") == [], link
