"""The marker of figure `scale`: d is dragged in the drawing, or on the axis below it."""

import itertools
from typing import Any

import pytest
from figures import TOUCHED, LiveFigure, centred
from hands import PHONE, Finger
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.scale import DIVISORS, SIZES

LEFT, RIGHT = 34, 86  # pixels beside the plot


def axis(figure: LiveFigure) -> Any:
    """Return a function from d to pixels of the window, in the middle of the drawing."""
    stage = figure.element.locator(".attn-body .attn-stage")
    box = centred(stage)
    step = (box["width"] - LEFT - RIGHT) / (len(SIZES) - 1)
    return lambda d: (box["x"] + LEFT + SIZES.index(d) * step, box["y"] + box["height"] / 2)


def test_marker_is_dragged_to_every_size(pointer: Any) -> None:
    figure, pointer = pointer("scale")
    at = axis(figure)
    pointer.down(*at(4))
    for d in (16, 64, 512):
        pointer.move(*at(d))
        assert figure.state()["d"] == d
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#scale?d=512"
    slider = figure.element.locator("[data-key=d]")
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowLeft")
    assert figure.page.evaluate("location.hash") == "#scale?d=256"


def test_thumb_stands_under_the_marker(pointer: Any) -> None:
    figure, _ = pointer("scale")
    for d in (1, 4, 32, 512):
        figure.go(FIGURES["scale"].fragment({"d": d}))
        thumb = figure.element.locator("[data-key=d]").evaluate(
            """(e) => {
                 const { x, width } = e.getBoundingClientRect();
                 const thumb = parseFloat(getComputedStyle(e).getPropertyValue("--thumb"));
                 return x + thumb / 2 + ((e.value - e.min) / (e.max - e.min)) * (width - thumb);
               }"""
        )
        assert thumb == pytest.approx(axis(figure)(d)[0], abs=1.5)


@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_a_pressed_name_or_draw_chooses_its_divisor(show: Any, settings: dict[str, Any]) -> None:
    figure = show("scale", **settings).ready()
    press = "tap" if settings is PHONE else "click"
    for d in (4, 512):  # also where the marker stands beside the names
        for things in (".attn-stage .attn-growth-end", ".attn-trial"):
            figure.go(FIGURES["scale"].fragment({"d": d}))
            for i in (1, 2, 0):
                getattr(figure.element.locator(things).nth(i), press)()
                assert (figure.state()["d"], figure.state()["c"]) == (d, DIVISORS[i])


def test_a_press_beside_the_axis_moves_nothing(show: Any) -> None:
    figure = show("scale", viewport={"width": 1280, "height": 900}).ready()
    x, y = axis(figure)(512)
    figure.page.mouse.click(x + RIGHT - 2, y)
    assert figure.state()["d"] == 4


@pytest.mark.parametrize("width", [1280, 360])
def test_numbers_beside_the_dots_lie_on_nothing(show: Any, width: int) -> None:
    figure = show("scale", viewport={"width": width, "height": 900}).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    for settings in (
        {},
        {"d": 16, "rho": 0.5, "m": 1, "c": "d"},
        {"d": 1},
        {"d": 1, "rho": 1},
        {"d": 512},
        *FIGURES["scale"].tries,
    ):
        figure.go(FIGURES["scale"].fragment(settings))
        numbers = "text.attn-tag.attn-middle"
        assert stage.evaluate(TOUCHED, [numbers, ".attn-lines path, .attn-dot"]) == [], settings
        boxes = [
            number.bounding_box()
            for number in stage.locator(numbers).all()
            if number.text_content()
        ]
        for one, other in itertools.combinations(boxes, 2):
            apart = (abs(one["x"] - other["x"]), abs(one["y"] - other["y"]))
            assert apart[0] >= one["width"] or apart[1] >= 11, settings


@pytest.mark.parametrize("width", [1280, 360])
def test_numbers_stand_in_the_order_of_their_dots(show: Any, width: int) -> None:
    figure = show("scale", viewport={"width": width, "height": 900}).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    for rho in (0, 0.2, 0.5):
        for d in SIZES:
            figure.go(FIGURES["scale"].fragment({"d": d, "rho": rho}))
            numbers = [
                (float(number.text_content()), number.bounding_box()["y"])
                for number in stage.locator("text.attn-tag.attn-middle").all()
                if number.text_content()
            ]
            by_height = sorted(numbers, key=lambda number: number[1])
            assert by_height == sorted(numbers, reverse=True), (d, rho)


def test_escape_puts_the_marker_back(pointer: Any) -> None:
    figure, pointer = pointer("scale", "#scale?d=64")
    at = axis(figure)
    pointer.down(*at(64))
    pointer.move(*at(1))
    assert figure.state()["d"] == 1
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert figure.state()["d"] == 64
    assert figure.page.evaluate("location.hash") == "#scale?d=64"


def test_vertical_swipe_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("scale", **PHONE).ready()
    finger = Finger(figure)
    x, y = axis(figure)(64)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert figure.state()["d"] == 4
    assert figure.page.evaluate("scrollY") != before


def test_height_keeps_still(show: Any) -> None:
    figure = show("scale", **PHONE).ready()
    heights = set()
    for settings in (
        {},
        *FIGURES["scale"].tries,
        {"rho": 1, "c": "d"},
        {"d": 1, "rho": 0.05, "c": "sqrt"},
        {"d": 256, "m": 2},
    ):
        figure.go(FIGURES["scale"].fragment({**settings, "ask": "0"}))
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1


def test_the_sentence_and_all_that_moves_it_fit_one_window(show: Any) -> None:
    figure = show("scale", viewport={"width": 1280, "height": 900}).ready()
    said, stage, slider, fold = (
        figure.element.locator(place).bounding_box()
        for place in (
            ".attn-summary",
            ".attn-body .attn-stage",
            "[data-key=rho]",
            ".attn-body details",
        )
    )
    assert said["y"] + said["height"] <= stage["y"]  # no hand on a slider covers it
    assert slider["y"] + slider["height"] - said["y"] <= 560
    # The last of the small drawings is not under what follows it.
    drawn = figure.element.locator(".attn-body .attn-passed").last.bounding_box()
    assert drawn["y"] + drawn["height"] <= fold["y"]


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_the_answer_with_the_lines_and_their_slider(show: Any, lang: str) -> None:
    figure = show("scale", lang, **PHONE).ready()
    figure.bet(1)
    told, stage, slider, said, chosen, drawn = (
        figure.element.locator(place).bounding_box()
        for place in (
            ".attn-told",
            ".attn-body .attn-stage",
            "[data-key=d]",
            ".attn-summary",
            ".attn-body .attn-segments",
            ".attn-body .attn-passed >> nth=-1",
        )
    )
    header = figure.page.locator("header").bounding_box()["height"]
    assert slider["y"] + slider["height"] - told["y"] <= PHONE["viewport"]["height"] - header
    # Lines, sliders, sentence, choice and draws are one view, below a header that stays.
    assert slider["y"] < said["y"] < chosen["y"] < drawn["y"]
    assert drawn["y"] + drawn["height"] - stage["y"] < 680


@pytest.mark.parametrize("width", [1280, 360])
def test_the_weight_that_the_lines_show_stands_on_its_column(show: Any, width: int) -> None:
    figure = show("scale", viewport={"width": width, "height": 900}).ready()
    for settings in (
        *({}, {"d": 512}, {"d": 16, "rho": 0.5}, {"d": 16}, {"d": 512, "rho": 0.9}),
        # The key that fits is not the first, and comes late.
        *({"d": 4, "rho": 0.3}, {"d": 1, "rho": 1}, {"d": 512, "rho": 0.05}),
    ):
        figure.go(FIGURES["scale"].fragment(settings))
        view = figure.check()
        typical = view.parts["typical"]
        for i, columns in enumerate(figure.element.locator(".attn-body .attn-columns").all()):
            number = columns.locator("b")
            assert number.text_content() == f"{typical['rows'][i][typical['chosen']]:.2f}"
            box = number.bounding_box()
            assert box["y"] >= columns.bounding_box()["y"] - 1
            for column in columns.locator("i").all():
                bar = column.bounding_box()
                high = float(column.evaluate("(i) => getComputedStyle(i).getPropertyValue('--w')"))
                top = bar["y"] + bar["height"] * (1 - high)
                apart = bar["x"] >= box["x"] + box["width"] or bar["x"] + bar["width"] <= box["x"]
                assert apart or top >= box["y"] + box["height"] - 3, settings


def test_a_norm_is_written_as_in_the_opened_table(show: Any) -> None:
    figure = show("scale", fragment="#scale?d=512&c=d&rho=0.9").ready()
    norms = figure.element.locator(".attn-body .attn-norm b").all_text_contents()
    assert norms == ["<\u00a00.0001", "<\u00a00.0001", "0.3099"]
    figure.element.locator(".attn-body details summary").click()
    table = figure.element.locator('.attn-body [data-part="softmax"] tbody td:last-child')
    expect(table.locator(".attn-number")).to_have_text(norms)
    values = figure.element.locator(".attn-stage text.attn-tag.attn-middle").all_text_contents()
    assert "1.00" in values


def test_histogram_says_what_its_highest_column_holds(show: Any) -> None:
    figure = show("scale").ready()
    figure.element.locator(".attn-body details summary").click()
    title = figure.element.locator(".attn-body .attn-histogram-title")
    for link, narrow in (("", False), ("?d=512", False), ("?d=64&c=d", True)):
        figure.go(f"#scale{link}")
        top = figure.check().parts["histogram"]["top"]
        assert f"holds {top}" in title.inner_text()
        assert ("one column" in title.inner_text()) == narrow


def test_each_name_has_the_stroke_of_its_line(show: Any) -> None:
    figure = show("scale", viewport={"width": 1280, "height": 900}).ready()
    strokes = figure.element.locator(".attn-divisors label").evaluate_all(
        "all => all.map((e) => getComputedStyle(e, '::before').backgroundImage)"
    )
    assert len(set(strokes)) == len(DIVISORS)
    for stroke, line in zip(strokes, figure.element.locator(".attn-lines path").all(), strict=True):
        dashes = line.evaluate("(e) => getComputedStyle(e).strokeDasharray")
        assert ("100%" in stroke) == (dashes == "none"), (stroke, dashes)
