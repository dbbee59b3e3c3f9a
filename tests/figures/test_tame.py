"""Figure `tame`: two drawings of one weight, each dragged along its own axis."""

import math
from typing import Any

import pytest
from figures import LEVELS, LiveFigure, centred, hundredths
from hands import PHONE
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.tame import SIZES

TAME = FIGURES["tame"]
WIDE = {"viewport": {"width": 1280, "height": 900}}
LEFT, RIGHT = 34, 14  # pixels beside the plot


def place(figure: LiveFigure, drawing: str, share: float) -> tuple[float, float]:
    """Return the pixels of the window at a share of a drawing's axis."""
    box = centred(figure.element.locator(f".attn-body [data-drawing={drawing}]"))
    across = LEFT + share * (box["width"] - LEFT - RIGHT)
    return box["x"] + across, box["y"] + box["height"] / 2


def test_loudness_and_length_are_dragged(pointer: Any) -> None:
    figure, pointer = pointer("tame")
    pointer.down(*place(figure, "loud", 0.5 / 9.5))
    pointer.move(*place(figure, "loud", 7.5 / 9.5))
    pointer.up()
    assert figure.state()["s"] == 8
    figure.check()
    pointer.down(*place(figure, "crowd", 0))
    pointer.move(*place(figure, "crowd", SIZES.index(1000) / (len(SIZES) - 1)))
    pointer.up()
    assert (figure.state()["s"], figure.state()["n"]) == (8, 1000)
    figure.check()
    assert figure.page.evaluate("location.hash") == "#tame?s=8&n=1000"
    slider = figure.element.locator("[data-key=n]")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#tame?s=8&n=1777"


def test_a_marker_has_the_height_and_the_number_of_its_weight(show: Any) -> None:
    figure = show("tame", fragment="#tame?f=gain&n=1000&c=10", **WIDE).ready()
    stage = figure.element.locator(".attn-body [data-drawing=crowd]")
    dot = stage.locator(".attn-tame-dot")
    levels = stage.evaluate(LEVELS)
    at = dot.evaluate("(dot) => dot.getBBox().y + dot.getBBox().height / 2")
    # e¹⁰ beside 999 words: two thirds of them score 0, the others -10.
    weight = math.exp(10) / (math.exp(10) + 666 + 333 * math.exp(-10))
    height = (max(levels) - at) / (max(levels) - min(levels))
    assert height == pytest.approx(weight, abs=0.01)
    assert hundredths(dot) == round(100 * weight)
    numbers = stage.locator("text.attn-tag").all_text_contents()
    assert f"{weight:.4f}" in numbers


def test_a_row_brings_its_line_into_the_light(show: Any) -> None:
    figure = show("tame", **WIDE).ready()
    lit = figure.element.locator(".attn-body [data-drawing=loud] .attn-lit .attn-stroke")
    expect(lit).to_have_count(1)
    figure.element.locator(".attn-body .attn-choosing label").nth(3).click()
    assert figure.state()["f"] == "cap"
    expect(lit).to_have_class("attn-stroke attn-dash-4")
    figure.check()


def test_the_lines_over_the_length_keep_the_answer_until_it_is_given(show: Any) -> None:
    figure = show("tame", **WIDE).ready()
    lines = figure.element.locator(".attn-body [data-drawing=crowd] .attn-lines")
    expect(lines).to_have_attribute("visibility", "hidden")
    figure.bet(0)
    figure.page.wait_for_function("location.hash === '#tame?f=cosine&n=1000'")
    expect(lines).to_have_attribute("visibility", "visible")
    figure.ask_again()
    expect(lines).to_have_attribute("visibility", "hidden")


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_height_keeps_still_and_names_lie_on_nothing(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("tame", lang, **settings).ready()
    last = {"f": "cap", "s": 10.0, "n": SIZES[-1], "c": 50}
    tried = ({}, {"s": 8.0}, {"n": 1000}, *({"f": f} for f in ("cosine", "gain", "length")))
    heights = figure.heights((*tried, TAME.prediction.after, *TAME.tries, last))
    assert len(set(heights.values())) == 1, heights
