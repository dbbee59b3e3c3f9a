"""Figure `tame`: a crowd of words, and a hand that makes it larger."""

import math
import re
from typing import Any

import pytest
from figures import LEVELS, LiveFigure, middle
from hands import WIDE
from playwright.sync_api import Locator, expect

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.tame import SIZES

TAME = FIGURES["tame"]


def lit_line(figure: LiveFigure) -> Locator:
    return figure.element.locator(".attn-body .attn-lit .attn-stroke")


def test_more_words_are_pulled_out_of_the_crowd(pointer: Any) -> None:
    figure, pointer = pointer("tame", "#tame?f=gain&c=10")
    hand = figure.element.locator(".attn-hand")
    figure.go("#tame?f=gain&n=1000&c=10")
    far, _ = middle(hand)
    figure.go("#tame?f=gain&c=10")
    x, y = middle(hand)
    pointer.down(x, y)
    pointer.move(far, y)
    pointer.up()
    assert figure.state()["n"] == 1000
    figure.check()
    assert figure.page.evaluate("location.hash") == "#tame?f=gain&n=1000&c=10"
    assert hand.evaluate("(e) => e === document.activeElement")
    hand.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#tame?f=gain&n=1777&c=10"


def test_the_hand_has_the_height_of_its_weight(show: Any) -> None:
    figure = show("tame", fragment="#tame?f=gain&n=1000&c=10", **WIDE).ready()
    levels = figure.element.locator(".attn-scene").evaluate(LEVELS)
    top = figure.element.locator(".attn-scene").bounding_box()["y"]
    _, y = middle(figure.element.locator(".attn-hand"))
    # e¹⁰ beside 999 words: two thirds of them score 0, the others -10.
    weight = math.exp(10) / (math.exp(10) + 666 + 333 * math.exp(-10))
    height = (max(levels) - (y - top)) / (max(levels) - min(levels))
    assert height == pytest.approx(weight, abs=0.01)
    assert f"{weight:.4f}" in figure.element.locator(".attn-scene").inner_text()


@pytest.mark.parametrize("settings", [{}, {"n": 1000}, {"n": 61, "c": 5, "f": "gain"}])
def test_each_word_is_as_large_as_its_weight(show: Any, settings: dict[str, Any]) -> None:
    state = {"f": "cosine", **settings}
    figure = show("tame", fragment=f"{TAME.fragment(state | {'ask': '0'})}", **WIDE).ready()
    cats = float(figure.element.locator(".attn-tame-cats").get_attribute("r"))
    row = figure.check().parts["weights"]["rows"][1 if state["f"] == "cosine" else 2]
    copies = (figure.state()["n"] - 1) // 3
    for path, weight in zip(
        figure.element.locator(".attn-tame-crowd path").all()[1:], row[1:], strict=True
    ):
        assert path.get_attribute("d").count("M") == copies
        radius = float(path.get_attribute("stroke-width")) / 2
        assert radius == pytest.approx(cats * math.sqrt(weight / copies / row[0]), abs=0.1)


def test_discs_of_a_small_crowd_lie_on_none_of_the_others(show: Any) -> None:
    figure = show("tame", **WIDE).ready()
    crowd = figure.element.locator(".attn-tame-crowd")
    for n in SIZES[:6]:
        figure.go(f"#tame?f=gain&n={n}&ask=0")
        cats = figure.element.locator(".attn-tame-cats")
        discs = [tuple(float(cats.get_attribute(name)) for name in ("cx", "cy", "r"))]
        for path in crowd.locator("path").all():
            radius = float(path.get_attribute("stroke-width")) / 2
            spots = re.findall(r"M([-\d.]+) ([-\d.]+)", path.get_attribute("d"))
            discs += [(float(x), float(y), radius) for x, y in spots]
        assert len(discs) == n
        for i, (x, y, r) in enumerate(discs):
            for u, v, other in discs[:i]:
                assert math.hypot(x - u, y - v) > r + other - 1.5


def test_the_line_of_the_chosen_score_is_in_the_light(show: Any) -> None:
    figure = show("tame", fragment="#tame?f=cosine&n=100", **WIDE).ready().open_fold()
    strokes = figure.element.locator(".attn-body .attn-tame-lines .attn-stroke")
    assert [stroke.is_visible() for stroke in strokes.all()] == [True] * 5
    figure.element.locator(".attn-body .attn-segments label").nth(3).click()
    assert figure.state()["f"] == "cap"
    expect(lit_line(figure)).to_have_class("attn-stroke attn-dash-4")
    figure.check()


def test_the_line_keeps_the_answer_until_it_is_given(show: Any) -> None:
    figure = show("tame", **WIDE).ready()

    def reach() -> float:
        picture = figure.element.locator(".attn-scene").bounding_box()
        box = lit_line(figure).bounding_box()
        return (box["x"] + box["width"] - picture["x"]) / picture["width"]

    assert reach() < 0.6
    hand = figure.element.locator(".attn-hand")
    start, _ = middle(hand)
    figure.bet(0)
    figure.page.wait_for_function("location.hash === '#tame?f=cosine&n=1000'")
    expect(figure.reply).to_have_attribute("data-verdict", "wrong")
    assert reach() > 0.85
    # What moved lies on the right ghost.
    ghost = middle(figure.element.locator(".attn-bet-ghost.attn-right circle"))
    assert middle(hand) == pytest.approx(ghost, abs=6)
    assert middle(hand)[0] > start
    figure.ask_again()
    figure.page.wait_for_function("location.hash === '#tame?f=cosine'")
    assert reach() < 0.6
