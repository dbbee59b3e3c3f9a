"""Figure `scale`: the bars of a draw, and beside them the line of the first, with d in the hand."""

from typing import Any

import pytest
from figures import LEVELS, LiveFigure, hundredths, middle
from hands import PHONE, WIDE, WINDOWS, Window
from playwright.sync_api import Locator, expect

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.scale import DIVISORS

SCALE = FIGURES["scale"]


def names(figure: LiveFigure) -> Locator:
    return figure.element.locator(".attn-body .attn-scale-end")


def test_the_hand_goes_along_the_sizes(pointer: Any) -> None:
    figure, pointer = pointer("scale", "#scale?c=sqrt")
    hand = figure.element.locator(".attn-hand")
    figure.go("#scale?d=64&c=sqrt")
    far, _ = middle(hand)
    figure.go("#scale?c=sqrt")
    x, y = middle(hand)
    pointer.down(x, y)
    pointer.move(far, y)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#scale?d=64&c=sqrt"
    figure.check()
    hand.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#scale?d=128&c=sqrt"
    assert hand.get_attribute("aria-valuetext").startswith("d 128, typical weight 0.99 undivided")


@pytest.mark.parametrize(
    "settings",
    # The key that fits is not the largest, comes late, or is none.
    [{"d": 16, "rho": 0.2}, {"d": 1, "rho": 0.5, "c": "d"}, {"d": 16, "c": "sqrt"}],
)
def test_the_first_bar_is_as_high_as_the_hand(show: Any, settings: dict[str, Any]) -> None:
    figure = show("scale", fragment=SCALE.fragment(settings | {"ask": "0"}), **WIDE).ready()
    scene = figure.element.locator(".attn-body .attn-scene")
    levels = scene.evaluate(LEVELS)
    unit = max(levels) - min(levels)
    view = figure.check()
    row = DIVISORS.index(figure.state()["c"])
    fits = view.parts["weights"]["fits"][row]
    rest = list(view.parts["weights"]["rows"][row])
    ordered = [rest.pop(fits or 0), *rest]
    bars = scene.locator(".attn-scale-bar").all()
    for bar, weight in zip(bars, ordered, strict=True):
        assert float(bar.get_attribute("height")) / unit == pytest.approx(weight, abs=0.004)
        assert hundredths(bar) == pytest.approx(100 * weight, abs=0.51)
    top = scene.bounding_box()["y"]
    _, y = middle(figure.element.locator(".attn-hand"))
    assert y - top == pytest.approx(float(bars[0].get_attribute("y")), abs=0.5)
    marked = scene.locator(".attn-scale-fits").count()
    assert marked == ("rho" in settings)
    expect(scene.locator("text.attn-hue-weight")).to_have_text(view.slots["w"])


def test_what_tells_the_answer_waits_for_the_bet(show: Any) -> None:
    figure = show("scale", **WIDE).ready().open_fold()
    lines = figure.element.locator(".attn-scale-lines .attn-stroke")
    table = figure.element.locator('.attn-body [data-part="typical"]')

    def seen() -> list[float]:
        """How wide the lines are that are there."""
        return [line.bounding_box()["width"] for line in lines.all() if line.is_visible()]

    (short,) = seen()
    assert not table.is_visible()
    assert not names(figure).first.is_visible()
    figure.bet(0)
    figure.page.wait_for_function("location.hash === '#scale?d=512&rho=0.2'")
    expect(figure.reply).to_have_attribute("data-verdict", "wrong")
    assert seen() == pytest.approx([9 / 4 * short] * 3, abs=8)
    assert table.is_visible()
    assert names(figure).first.is_visible()
    figure.ask_again()
    figure.page.wait_for_function("location.hash === '#scale?d=16&rho=0.2'")
    assert seen() == [short]


@WINDOWS
def test_a_pressed_name_chooses_its_divisor(show: Any, window: Window) -> None:
    figure = show("scale", **window).ready()
    for d in (4, 512):  # also where the hand stands beside the names
        figure.go(SCALE.fragment({"d": d, "ask": "0"}))
        for i in (1, 2, 0):
            getattr(names(figure).nth(i), "tap" if window is PHONE else "click")()
            assert (figure.state()["d"], figure.state()["c"]) == (d, DIVISORS[i])
            assert "attn-lit" in names(figure).nth(i).get_attribute("class").split()


def test_histogram_says_what_its_highest_column_holds(show: Any) -> None:
    figure = show("scale").ready().open_fold()
    title = figure.element.locator(".attn-body .attn-histogram-title")
    for link, narrow in (("?ask=0", False), ("?d=512", False), ("?d=64&c=d", True)):
        figure.go(f"#scale{link}")
        top = figure.check().parts["histogram"]["top"]
        assert f"holds {top}" in title.inner_text()
        assert ("one column" in title.inner_text()) == narrow
