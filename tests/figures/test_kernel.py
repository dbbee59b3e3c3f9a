"""Figure `kernel`: the foot of the bell in the hand, the fit in the gap, stems too small to see."""

from typing import Any

import pytest
from figures import TOUCHED, LiveFigure, centred, middle
from hands import WIDE, WINDOWS, Window

from attn_lib.live.figures import FIGURES

KERNEL = FIGURES["kernel"]


def place(figure: LiveFigure, mark: str, n: int = 0) -> tuple[float, float]:
    """The middle of a mark of the picture, in pixels of the window."""
    return middle(figure.element.locator(f".attn-scene {mark}").nth(n))


def unit(figure: LiveFigure) -> float:
    """How many pixels lie between the keys 0 and 8, for each unit."""
    return (place(figure, ".attn-dot", 5)[0] - place(figure, ".attn-dot")[0]) / 8


def test_the_foot_moves_the_query_across_and_the_width_up_and_down(pointer: Any) -> None:
    figure, pointer = pointer("kernel", "#kernel?x=5&s=2.5")
    hand = figure.element.locator(".attn-hand")
    # A link may scroll.
    scene = centred(figure.element.locator(".attn-scene"))
    goal = hand.bounding_box()
    figure.go("#kernel?x=1.5&s=1&ask=0")
    box, down = hand.bounding_box(), figure.element.locator(".attn-scene").bounding_box()
    up = box["y"] - down["y"] - (goal["y"] - scene["y"])
    # Nearer to the bell its strings are spread, and it is wide.
    assert up > 0
    x, y = box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2
    pointer.down(x, y)
    pointer.move(x + goal["x"] - box["x"], y - up)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#kernel?x=5&s=2.5"
    figure.check()
    assert hand.get_attribute("aria-valuetext") == "query 5.00, width 2.5, fit 4.10"
    hand.press("ArrowRight")
    hand.press("ArrowDown")
    assert figure.page.evaluate("location.hash") == "#kernel?x=5.25&s=2"


@WINDOWS
def test_before_the_answer_nobody_sees_how_the_curve_crosses_the_gap(
    show: Any, window: Window
) -> None:
    figure = show("kernel", **window).ready().open_fold()
    fits = figure.element.locator(".attn-body [data-part=curve]")
    left, right = (place(figure, ".attn-dot", n)[0] for n in (3, 4))

    def in_gap() -> list[float]:
        """The places in the gap that the curve goes through, away from its edges."""
        corners = figure.element.locator(".attn-fitted").evaluate(
            """(path) => Array.from({ length: 501 }, (_, i) =>
                 path.getPointAtLength((path.getTotalLength() * i) / 500)
                   .matrixTransform(path.getScreenCTM()).x)"""
        )
        return [x for x in corners if left + 2 < x < right - 2]

    assert in_gap() == []
    assert not fits.is_visible()
    figure.bet(0)
    assert len(in_gap()) > 100
    assert fits.is_visible()
    figure.ask_again()
    assert in_gap() == []


@WINDOWS
def test_each_weight_stands_above_its_point(show: Any, window: Window) -> None:
    figure = show("kernel", fragment="#kernel?x=7&s=0.1", **window).ready()
    shown = figure.element.locator(".attn-scene text.attn-hue-weight.attn-middle")
    written = [text.removeprefix("0") for text in shown.all_text_contents()]
    assert written == [".00"] * 4 + ["1.00", ".00"]
    for n in range(6):
        (x, y), (over, high) = (
            place(figure, ".attn-dot", n),
            place(figure, "text.attn-middle.attn-hue-weight", n),
        )
        assert over == pytest.approx(x, abs=2)
        assert high < y


@WINDOWS
def test_stems_too_short_to_be_seen_stand_magnified_clear_of_all_else(
    show: Any, window: Window
) -> None:
    figure = show("kernel", **window).ready()
    scene = figure.element.locator(".attn-scene")
    states = ((5, 0.1), (5.25, 0.1), (5.5, 0.1), (6, 0.25), (6.5, 0.1), (4.75, 0.5), (7.5, 0.1))
    for x, s in (*states, (-1, 0.1)):
        figure.go(f"#kernel?x={x}&s={s}")
        assert scene.locator(".attn-framed").is_visible()
        marks = ".attn-fitted, .attn-marker, .attn-climb, .attn-dot, .attn-ring"
        assert scene.evaluate(TOUCHED, ["g.attn-hue-key text", marks]) == [], (x, s)
    figure.go("#kernel?x=5")
    assert not scene.locator(".attn-framed").is_visible()


def test_outline_of_the_kernel_ends_where_it_ends(show: Any) -> None:
    figure = show("kernel", **WIDE).ready()
    rise = figure.element.locator(".attn-scene .attn-climb")
    for kernel in ("boxcar", "triangular", "epanechnikov"):
        figure.go(f"#kernel?s=1.5&k={kernel}")
        assert rise.evaluate("(e) => e.getBBox().width") == pytest.approx(3 * unit(figure), abs=1)
    figure.go("#kernel?k=boxcar")
    # Values that meet in a jump are joined straight upwards.
    jumps = figure.element.locator(".attn-scene .attn-jump").get_attribute("d")
    places = [part.split("L") for part in jumps.split("M")[1:]]
    assert places
    assert all(one.split()[0] == other.split()[0] for one, other in places)
