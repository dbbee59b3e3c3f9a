"""Figure `sparse`: the query dragged along the line, the rivals in the fold, and a still height."""

from typing import Any

import pytest
from figures import LEVELS, centred, hundredths
from hands import PHONE

from attn_lib.live.figures import FIGURES

DESKTOP = {"viewport": {"width": 1280, "height": 900}}


def test_the_query_is_dragged_and_the_foot_follows(pointer: Any) -> None:
    figure, pointer = pointer("sparse")
    stage = figure.element.locator(".attn-body [data-drawing=lift]")
    box = centred(stage)
    left, right = box["x"] + 26, box["x"] + box["width"] - 14

    def across(x: float) -> float:
        return left + (x + 1) / 10 * (right - left)

    pointer.down(across(2), box["y"] + 80)
    for x, width in ((3.5, "1.50"), (5, "2.24"), (9, "1.73")):
        pointer.move(across(x), box["y"] + 80)
        assert figure.state()["x"] == x
        assert stage.locator("svg > g:last-of-type text").text_content().endswith(width)
        figure.check()
    # Beyond the end of the axis there is no foot to be seen.
    feet = stage.locator(".attn-lift-foot")
    assert [feet.nth(i).get_attribute("visibility") for i in (0, 1)] == ["visible", "hidden"]
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#sparse?x=9"


def test_stems_are_as_high_as_weights_and_sum_to_one(show: Any) -> None:
    figure = show("sparse", fragment="#sparse?x=5", **DESKTOP).ready()
    stage = figure.element.locator(".attn-body [data-drawing=lift]")
    stems = stage.evaluate(
        """(stage) => [...stage.querySelectorAll(".attn-lift-stem")].map((stem) => {
          const [foot, tip] = stem.points;
          return foot.y - tip.y;
        })"""
    )
    share = [stem / sum(stems) for stem in stems]
    assert share == pytest.approx([0, 0, 0, 0.5, 0.5, 0], abs=0.01)
    levels = stage.evaluate(LEVELS)  # lines at 0, 1 and 2
    unit = (max(levels) - min(levels)) / 2
    assert sum(stems) / unit == pytest.approx(1, abs=0.02)
    assert [*map(hundredths, stage.locator("circle.attn-tint").all())] == [0, 0, 0, 50, 50, 0]


def test_rivals_are_set_in_the_fold_and_told_there(show: Any) -> None:
    figure = show("sparse", **DESKTOP).ready()
    figure.element.locator(".attn-body .attn-crowd > summary").click()
    slider = figure.element.locator("[data-key=n]")
    for _ in range(4):
        slider.press("ArrowRight")
    assert figure.state()["n"] == 16
    figure.check()
    assert "0.32" in figure.element.locator(".attn-body [data-sentence=crowd]").inner_text()
    assert figure.page.evaluate("location.hash") == "#sparse?n=16"
    # Softmax: e² / (e² + 16) = 0.32; sparsemax leaves the best alone.
    dots = figure.element.locator(".attn-body [data-drawing=rivals] .attn-crowd-dot").all()
    painted = [*map(hundredths, dots)]
    assert {min(painted), max(painted)} == {32, 100}


def test_an_exact_zero_is_hatched_and_a_small_weight_is_not(show: Any) -> None:
    figure = show("sparse", **DESKTOP).ready()
    cells = figure.element.locator(".attn-body .attn-under-lift .attn-weight")
    hatched = [
        "repeating" in cell.evaluate("(e) => getComputedStyle(e).backgroundImage")
        for cell in cells.all()
    ]
    assert hatched == [True, False, False, False, True, True] + 6 * [False]


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, DESKTOP], ids=["phone", "wide"])
def test_height_keeps_still_and_names_lie_on_nothing(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("sparse", lang, **settings).ready()
    figure.element.locator(".attn-body .attn-crowd").evaluate("(e) => { e.open = true; }")
    tried = ({}, {"x": 5}, {"x": -1, "a": 1.05}, {"n": 64})
    heights = figure.heights((*tried, *FIGURES["sparse"].tries))
    assert len(set(heights.values())) == 1, heights
