"""The maps of figure `race`: one cross-hair through all three, dragged both ways."""

from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE, Finger

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.race.record import RATES, SIZES

DESKTOP = {"viewport": {"width": 1280, "height": 900}}


def cell(figure: LiveFigure, m: int, d: int, rate: float) -> tuple[float, float]:
    """The middle of a cell of a map, in pixels of the window."""
    stage = figure.element.locator(".attn-body [data-drawing=maps]")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    cells = stage.locator(".attn-race-cell")
    place = (m * len(SIZES) + SIZES.index(d)) * len(RATES) + RATES.index(rate)
    box = cells.nth(place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def looks(figure: LiveFigure, look: str) -> int:
    return figure.element.locator(f".attn-body .attn-race-{look}").count()


def test_the_cross_hair_is_dragged_to_a_cell_of_any_map(pointer: Any) -> None:
    figure, pointer = pointer("race")
    pointer.down(*cell(figure, 0, 512, 10))
    for m, d, rate in ((0, 128, 1), (1, 512, 0.03), (2, 16, 300)):
        pointer.move(*cell(figure, m, d, rate))
        assert (figure.state()["d"], figure.state()["lr"]) == (d, rate)
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#race?lr=300&d=16"
    slider = figure.element.locator("[data-key=lr]")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowLeft")
    assert figure.page.evaluate("location.hash") == "#race?lr=100&d=16"


def test_a_finger_taps_a_cell_and_scrolls_past_the_maps(show: Any) -> None:
    figure = show("race", **PHONE).ready()
    figure.page.touchscreen.tap(*cell(figure, 1, 64, 0.3))
    assert (figure.state()["d"], figure.state()["lr"]) == (64, 0.3)
    finger = Finger(figure)
    x, y = cell(figure, 1, 64, 10)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert (figure.state()["d"], figure.state()["lr"]) == (64, 0.3)
    assert figure.page.evaluate("scrollY") != before


def test_the_maps_keep_the_answer_until_it_is_given(show: Any) -> None:
    figure = show("race", **DESKTOP).ready()
    cells = 3 * len(SIZES) * len(RATES)
    assert looks(figure, "unseen") == cells - 3
    figure.bet(0)
    figure.page.wait_for_function("location.hash === '#race?lr=0.03'")
    assert looks(figure, "unseen") == 0
    assert looks(figure, "lost") > 0
    figure.ask_again()
    assert looks(figure, "unseen") == cells - 3


def test_who_comes_by_a_link_sees_whole_maps(show: Any) -> None:
    figure = show("race", fragment="#race?opt=adam", **DESKTOP).ready()
    assert looks(figure, "unseen") == 0


@pytest.mark.parametrize("settings", [PHONE, DESKTOP], ids=["phone", "wide"])
def test_height_keeps_still_and_names_lie_on_nothing(show: Any, settings: dict[str, Any]) -> None:
    figure = show("race", **settings).ready()
    tried = ({}, {"lr": 0.03}, *FIGURES["race"].tries, {"d": 128, "lr": 0.001, "opt": "adam"})
    heights = figure.heights(tried)
    assert len(set(heights.values())) == 1, heights


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_curves_maps_and_slider_in_one_view(show: Any, lang: str) -> None:
    figure = show("race", lang, **PHONE).ready()
    curves, maps, slider, table = (
        figure.element.locator(f".attn-body {place}").bounding_box()
        for place in (
            "[data-drawing=curves]",
            "[data-drawing=maps]",
            "[data-key=lr]",
            "table >> nth=0",
        )
    )
    assert curves["y"] < maps["y"] < slider["y"] < table["y"]
    assert slider["y"] + slider["height"] - curves["y"] < 580
