"""Figure `merge` by hand: the cut is pulled, and what both blocks give together stays."""

from itertools import pairwise
from typing import Any

import pytest
from figures import middle

from attn_lib.live.figures import FIGURES

MERGE = FIGURES["merge"]
STATES = [
    {},
    {"c": 5, "len": 5},
    *({"how": how, "c": c} for how in ("scaled", "plain", "mean") for c in (1, 7)),
    *({"how": how, "c": 5, "len": 5} for how in ("scaled", "plain", "mean")),
    *({"how": how, "own": "3,3,3,3,3,3,3,3"} for how in ("scaled", "plain", "mean")),
    {"how": "plain", "own": "-20,0.25,20,-20,3,3,2.5,-13.75", "c": 2},
]


def test_the_cut_is_pulled_and_the_merged_output_stays(pointer: Any) -> None:
    figure, pointer = pointer("merge", "#merge?how=scaled")
    scene = figure.element.locator(".attn-scene")
    stood, heights = middle(scene.locator("[data-answer]")), set()
    ticks = scene.locator("text", has_text="60").last
    far = (middle(ticks)[0] - middle(scene.locator("text", has_text="20").last)[0]) / 4
    x, y = middle(scene.locator("[data-handle=c]"))
    pointer.down(x, y)
    for keys in (6, 2, 1, 7):
        pointer.move(x + (keys - 4) * far, y)
        assert figure.state()["c"] == keys
        assert middle(scene.locator("[data-answer]")) == pytest.approx(stood, abs=0.1)
        # What counts of the bars stays as well.
        heights.add(
            str(
                scene.locator(".attn-merge-bar").evaluate_all(
                    "all => all.map((bar) => Math.round(bar.getAttribute('height')))"
                )
            )
        )
        figure.check()
    pointer.up()
    assert len(heights) == 1
    assert figure.page.evaluate("location.hash") == "#merge?c=7&how=scaled"


def test_without_rescaling_the_output_follows_the_cut(show: Any) -> None:
    figure = show("merge", fragment="#merge?how=plain").ready()
    seen = []
    for _ in range(3):
        figure.element.locator(".attn-hand").press("ArrowRight")
        seen.append(middle(figure.element.locator(".attn-scene [data-answer]"))[0])
        figure.check()
    assert min(abs(a - b) for a, b in pairwise(seen)) > 1


def test_a_block_without_keys_has_no_output_and_pulls_by_no_string(show: Any) -> None:
    figure = show("merge", fragment="#merge?c=5&len=5&how=scaled").ready()
    scene = figure.element.locator(".attn-scene")
    for part in (".attn-merge-alone", ".attn-merge-string"):
        assert scene.locator(part).evaluate_all(
            "all => all.map((one) => one.getAttribute('visibility'))"
        ) == ["visible", "hidden"]
    figure.go("#merge?c=5&len=5&how=mean")
    assert scene.locator("[data-answer]").get_attribute("visibility") == "hidden"
