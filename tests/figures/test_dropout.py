"""Figure `dropout`: draws that are pulled, heaped up and waited for."""

import re
from typing import Any

import pytest
from figures import LiveFigure, centred
from hands import PHONE, WIDE, WINDOWS, Window
from playwright.sync_api import Locator, expect

from attn_lib.live.figures import FIGURES

DROPOUT = FIGURES["dropout"]
# Where dots lie, or the upper ends of bars: pixels across and downwards.
DOT = re.compile(r"M([-\d.]+) ([-\d.]+)(?:h0|V([-\d.]+))")


def marks(figure: LiveFigure, place: int = 0) -> list[tuple[float, float]]:
    """Return the dots that lie on the axis, or those (1) that are still in the air."""
    path = figure.element.locator(".attn-scene .attn-dropout-dots").nth(place)
    found = DOT.findall(path.get_attribute("d"))
    return [(float(x), float(top or y)) for x, y, top in found]


def axis(figure: LiveFigure, end: float) -> tuple[float, float]:
    """Return the pixels of the sum 0 and of a unit on an axis that ends at `end`."""
    width = figure.element.locator(".attn-scene").bounding_box()["width"]
    left = 18 if width < 480 else 26
    return left, (width - 2 * left) / end


def box_of(figure: LiveFigure, look: str) -> list[float]:
    """Return x, y, width and height of a rectangle of the drawing."""
    mark = figure.element.locator(f".attn-scene .attn-dropout-{look}")
    return [float(mark.get_attribute(name)) for name in ("x", "y", "width", "height")]


def pulled(figure: LiveFigure) -> Locator:
    return figure.element.locator(".attn-scene .attn-hand")


def test_the_hand_pulls_more_draws(pointer: Any) -> None:
    figure, pointer = pointer("dropout", "#dropout?n=1000")
    far = centred(pulled(figure))
    figure.go("#dropout?n=10")
    near = centred(pulled(figure))
    x, y = (near[at] + near[size] / 2 for at, size in (("x", "width"), ("y", "height")))
    pointer.down(x, y)
    pointer.move((near["x"] + far["x"]) / 2 + near["width"] / 2, y)
    pointer.up()
    # Halfway from 10 to 1000 on an axis of equal factors.
    assert figure.state()["n"] == pytest.approx(100, abs=2)
    figure.check()
    hand = pulled(figure)
    hand.press("End")
    assert figure.state()["n"] == 1000
    hand.press("Home")
    hand.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#dropout?n=2"
    slots = figure.check().slots
    spoken = f"draw 2: its row sums to {slots['sum']}; mean so far {slots['mean']}"
    expect(hand).to_have_attribute("aria-valuetext", spoken)


@WINDOWS
@pytest.mark.parametrize("settings", [{}, {"n": 12}, {"n": 200}, {"n": 40, "p": 0.9}])
def test_every_draw_is_a_dot_at_its_sum(
    show: Any, settings: dict[str, Any], window: Window
) -> None:
    figure = show("dropout", fragment=DROPOUT.fragment(settings), **window).ready()
    rows = figure.check().parts["sums"]["rows"]
    left, unit = axis(figure, 10 if "p" in settings else 2)
    expected = [left + unit * total for total, count in rows for _ in range(count)]
    assert [x for x, _ in marks(figure)] == pytest.approx(expected, abs=0.1)


@WINDOWS
def test_too_many_draws_for_dots_are_bars_as_high_as_they_are_many(
    show: Any, window: Window
) -> None:
    figure = show("dropout", fragment="#dropout?p=0.1&n=1000", **window).ready()
    counts = [count for _, count in figure.check().parts["sums"]["rows"] if count]
    _, y, _, height = box_of(figure, "band")
    tops = [y + height - top for _, top in marks(figure)]
    high = max(tops)
    assert tops == pytest.approx([high * count / max(counts) for count in counts], abs=0.2)


@pytest.mark.parametrize("settings", [{"p": 0.2, "n": 200}, {"n": 200}, {"p": 0.8, "n": 50}])
def test_the_band_fills_and_the_plumb_line_hangs_at_the_mean(
    show: Any, settings: dict[str, Any]
) -> None:
    figure = show("dropout", fragment=DROPOUT.fragment(settings), **WIDE).ready()
    view = figure.check()
    left, unit = axis(figure, 5 if settings.get("p") == 0.8 else 2)
    band, level = box_of(figure, "band"), box_of(figure, "level")
    for box in (band, level):
        assert box[0] == pytest.approx(left + 0.5 * unit, abs=0.1)
        assert box[2] == pytest.approx(unit, abs=0.1)
    # A full band reaches as high as the highest heap, 72 pixels below the picture's edge.
    floor = band[1] + band[3]
    share = int(view.slots["between"]) / settings["n"]
    assert level[3] == pytest.approx(share * (floor - 72), abs=0.2)
    assert f"{view.slots['between']}/{settings['n']}" in figure.element.inner_text()
    moved = figure.element.locator(".attn-dropout-bob").get_attribute("transform")
    (x,) = re.findall(r"\(([-\d.]+)", moved)
    (mean,) = view.parts["mean"]["rows"]
    assert float(x) == pytest.approx(left + unit * mean[-1], abs=0.1)


def test_draws_rain_to_the_answer_which_nothing_tells_before(show: Any) -> None:
    figure = show("dropout", reduced_motion="no-preference", **WIDE).ready()
    told = figure.element.locator(".attn-dropout-told > *:visible")
    expect(told).to_have_count(0)
    figure.element.evaluate(
        """(e) => {
             const [landed, rain] = e.querySelectorAll(".attn-scene .attn-dropout-dots");
             const count = (path) => path.getAttribute("d").split("h0").length - 1;
             e.fallen = [];
             new MutationObserver(() => e.fallen.push([e.state.n, count(landed), count(rain)]))
               .observe(rain, { attributes: true, attributeFilter: ["d"] });
           }"""
    )
    figure.bet(2)
    expect(figure.element.locator("figure")).to_have_attribute("data-phase", "answered")
    fallen = figure.element.evaluate("(e) => e.fallen")
    assert max(rain for _, _, rain in fallen) > 10
    assert all(landed + rain == n for n, landed, rain in fallen)
    assert (len(marks(figure)), len(marks(figure, 1))) == (200, 0)
    expect(told.first).to_be_visible()


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_it_draws_on_until_a_row_has_a_sum(show: Any, how: dict[str, Any]) -> None:
    figure = show("dropout", **how).ready().open_fold()
    waits = figure.element.locator(".attn-body .attn-dropout-wait button")
    assert waits.all_inner_texts() == [
        *("0", "0.03", "0.21", "0.24", "0.42", "0.45"),
        *("1.55", "1.58", "1.76", "1.79", "1.97", "2"),
    ]
    for outcome in (0, 11, 5, 7):
        later = figure.check().parts["sums"]["next"][outcome]
        (waits.nth(outcome).tap if how is PHONE else waits.nth(outcome).click)()
        assert figure.state()["n"] == later
        assert figure.check().parts["sums"]["recent"][-1] == outcome
    figure.go("#dropout?n=1000")
    expect(waits.locator("visible=true").and_(figure.page.locator(":enabled"))).to_have_count(0)
    # Where all rows have one sum there is none to wait for.
    for link in ("#dropout?p=0", "#dropout?p=1", "#dropout?mode=eval"):
        figure.go(link)
        expect(waits.first).to_be_hidden()
    expect(pulled(figure)).to_be_hidden()


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_pressed_weight_is_dropped_or_kept_and_no_other(show: Any, how: dict[str, Any]) -> None:
    figure = show("dropout", **how).ready().open_fold()
    cells = figure.element.locator(".attn-body [data-part=weights] td.attn-weight")
    for word in (0, 3, 0, 2):
        before = figure.check().parts["factors"]["rows"][0]
        (cells.nth(word).tap if how is PHONE else cells.nth(word).click)()
        after = figure.check().parts["factors"]["rows"][0]
        assert [(a == 0) != (b == 0) for a, b in zip(before, after, strict=True)] == [
            i == word for i in range(4)
        ]
        pressed = cells.nth(word).locator("button")
        assert pressed.get_attribute("aria-pressed") == str(after[word] == 0).lower()
    pressed.focus()
    figure.page.keyboard.press("Enter")
    assert figure.check().parts["factors"]["rows"][0] == before
    figure.go("#dropout?mode=eval")
    assert cells.locator("button:disabled").count() == 4


@pytest.mark.parametrize(("link", "wrong"), [("#dropout?n=16", "2000"), ("#shapes?i=6", "99")])
def test_a_number_that_is_refused_leaves_the_state(show: Any, link: str, wrong: str) -> None:
    figure = show(link[1:].partition("?")[0], fragment=link).ready().open_fold()
    before = figure.state()
    field = figure.element.locator("[data-control]:not([hidden]) input[type=number]")
    field.fill(wrong)
    assert figure.summary.rstrip(".").endswith(link.rpartition("=")[2])
    assert field.get_attribute("aria-invalid") == "true"
    field.press("Enter")
    assert figure.state() == before
    assert figure.page.evaluate("location.hash") == link
    assert field.input_value() == link.rpartition("=")[2]
    assert field.get_attribute("aria-invalid") == "false"
    figure.check()


@pytest.mark.parametrize(("name", "last"), [("dropout", "n=1000"), ("shapes", "i=8")])
def test_the_button_says_when_it_goes_back_to_the_start(show: Any, name: str, last: str) -> None:
    figure = show(name, fragment=f"#{name}?{last}").ready().open_fold()
    button = figure.element.locator("[data-control]:not([hidden]) [data-next]")
    expect(button).to_have_text("From the start")
    button.click()
    assert figure.state()[last[0]] == 1
    expect(button).to_have_text("Draw again" if name == "dropout" else "Next line")
    figure.check()
