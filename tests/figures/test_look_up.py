"""What a reader drags in the figures of the first two chapters, and what lies in a closed box."""

import re
from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure
from hands import PHONE, Finger, Mouse
from playwright.sync_api import expect
from reader import LANGUAGES


def stage(figure: LiveFigure) -> dict[str, float]:
    found = figure.element.locator(".attn-body .attn-stage").first
    found.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    return dict(found.bounding_box())


def header_ends(figure: LiveFigure) -> float:
    """Where the window's free part begins: at the lower end of the page's header."""
    box = figure.page.locator("header").bounding_box()
    return float(box["y"] + box["height"])


def tip(figure: LiveFigure) -> tuple[float, float]:
    """The middle of the query's handle."""
    stage(figure)
    box = figure.element.locator(".attn-body .attn-handle").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_query_is_dragged_among_the_words_and_keys_go_on(pointer: Any) -> None:
    figure, pointer = pointer("arrows", "#arrows?x=0&y=0")
    middle_x, middle_y = tip(figure)
    figure.go("#arrows?x=1&y=1&ask=0")
    x, y = tip(figure)
    unit = x - middle_x
    assert unit == pytest.approx(middle_y - y, abs=1)
    pointer.down(x + 3, y)
    pointer.move(x + 3 - 2 * unit, y + unit)
    figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#arrows?x=-1&y=0"
    figure.check()
    handle = figure.element.locator(".attn-body .attn-handle")
    expect(handle).to_be_focused()
    expect(handle).to_have_attribute(
        "aria-valuetext", "query (−1.00,\u00a00.00), output (−0.762,\u00a00.000)"
    )
    handle.press("ArrowUp")
    handle.press("Shift+ArrowRight")
    assert figure.state() | {"x": 0.25, "y": 0.25} == figure.state()


@pytest.mark.parametrize("wrong", ["Wernes S!", "Abcdefghijklmnop"])
def test_the_answer_to_the_name_before_a_wrong_one_pales(show: Any, wrong: str) -> None:
    figure = show("lookup").ready()
    records = figure.element.locator(".attn-body .attn-bars").first
    field = figure.element.locator("[data-key=q]")
    for text, look in ((wrong, "0.45"), ("Le", "1")):
        field.fill(text)
        field.press("Tab")
        expect(records).to_have_css("opacity", look)
    figure.check()


def test_a_weight_that_reads_as_zero_has_no_string(show: Any) -> None:
    figure = show("lookup", fragment="#lookup?q=Hi&t=0.1").ready()
    weights = figure.check().parts["weights"]["rows"][0]
    strings = figure.element.locator(".attn-body .attn-string")
    shown = strings.evaluate_all("all => all.map((e) => e.getAttribute('visibility'))")
    assert shown == ["visible" if weight >= 0.005 else "hidden" for weight in weights]
    assert "hidden" in shown


def test_only_the_weights_of_an_exact_look_up_read_as_exact(show: Any) -> None:
    figure = show("lookup").ready()
    weights = figure.element.locator(".attn-body .attn-weight .attn-number")
    for link, shown in (
        ("q=Werness&t=0.1", ["0.00"] * 5 + ["1.00"]),
        ("q=Werness&how=exact", ["0"] * 5 + ["1"]),
    ):
        figure.go(f"#lookup?{link}")
        expect(weights).to_have_text(shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_verdict_controls_and_drawing_of_the_answer_at_once(
    show: Any, lang: str
) -> None:
    figure = show("lookup", lang, **PHONE).ready()
    box = figure.element
    figure.bet(0)
    expect(box.locator(".attn-body .attn-desk-number")).to_contain_text("40.00")
    drawing = box.locator(".attn-body .attn-stage").bounding_box()
    assert drawing["y"] + drawing["height"] <= PHONE["viewport"]["height"] + 1
    verdict = box.locator(".attn-told").bounding_box()
    assert verdict["y"] >= header_ends(figure)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_query_temperature_output_and_all_weights_at_once(
    show: Any, lang: str
) -> None:
    figure = show("lookup", lang, **PHONE).ready()
    body = figure.element.locator(".attn-body")
    top = body.locator(".attn-ask").bounding_box()["y"]
    weights = body.locator("[data-view=bars]").bounding_box()
    room = PHONE["viewport"]["height"] - header_ends(figure)
    assert weights["y"] + weights["height"] - top <= room
    field = body.locator("[data-key=q]")
    field.fill("Li3")
    # What is wrong ends where the controls end.
    width = body.locator(".attn-ask").bounding_box()["width"]
    assert body.locator(".attn-wrong").evaluate("(e) => e.scrollWidth") <= width


def test_a_name_that_a_finger_has_left_does_not_look_asked_for(show: Any) -> None:
    figure = show("lookup", **PHONE).ready()
    names = figure.element.locator(".attn-body .attn-row button")
    names.nth(4).tap()
    figure.go("#lookup?q=Le")
    expect(names.nth(4)).to_have_attribute("aria-pressed", "false")
    look = names.nth(0).evaluate("(e) => getComputedStyle(e).borderColor")
    expect(names.nth(4)).to_have_css("border-color", look)


def test_bars_are_as_long_as_their_weights(show: Any) -> None:
    figure = show("lookup").ready()
    for link in ("#lookup?q=Le", "#lookup?q=Le&t=100", "#lookup?q=Hi&t=0.1"):
        figure.go(link)
        [weights] = figure.check().parts["weights"]["rows"]
        shares = figure.element.locator(".attn-body .attn-track").evaluate_all(
            """(tracks) => tracks.map((track) => parseFloat(
                 getComputedStyle(track, "::before").width) / track.clientWidth)"""
        )
        assert shares == pytest.approx(weights, abs=0.01), link


def test_a_number_is_not_compared_with_none(show: Any) -> None:
    figure = show("lookup").ready()
    summary = figure.said
    figure.go("#lookup?q=Le&how=exact")
    figure.rest()
    figure.go("#lookup?q=Li")
    expect(summary).to_contain_text("32.20")
    expect(summary).not_to_contain_text("was")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_lies_on_another_or_beside_the_picture(show: Any, lang: str, width: int) -> None:
    figure = show("arrows", lang, viewport={"width": width, "height": 900}).ready()
    drawing = figure.element.locator(".attn-body .attn-scene")
    room = drawing.bounding_box()
    far = [(-3, -3), (3, -3), (-3, 3)]
    for x, y in ((1.25, 0.5), (-1, -1), (3, 1.75), (-1.75, 1.75), *far):
        figure.go(figure.figure.fragment({"x": x, "y": y}))
        assert drawing.evaluate(OVERLAPPING, ".attn-label") == [], (x, y)
        for text in drawing.locator("text:visible").all():
            box = text.bounding_box()
            assert room["x"] - 1 <= box["x"], (x, y)
            assert box["x"] + box["width"] <= room["x"] + room["width"] + 1, (x, y)


def test_a_hand_that_leaves_the_near_view_is_shown_from_afar_once_it_is_let_go(
    show: Any,
) -> None:
    figure = show("arrows", fragment="#arrows?x=-1.75&y=1.75").ready()
    unit = figure.element.locator(".attn-body .attn-square")
    near = unit.bounding_box()["width"]
    x, y = tip(figure)
    mouse = Mouse(figure)
    mouse.down(x, y)
    mouse.move(x - 60, y - 60)
    assert (figure.state()["x"], figure.state()["y"]) == (-1.75, 1.75)
    mouse.up()
    figure.element.locator(".attn-hand").press("ArrowUp")
    assert figure.state()["y"] == 2
    assert unit.bounding_box()["width"] < 0.7 * near
    x, y = tip(figure)
    mouse.down(x, y)
    mouse.move(x + 60, y + 60)
    assert unit.bounding_box()["width"] < 0.7 * near, "what is in hand stays under it"
    mouse.up()
    assert unit.bounding_box()["width"] == pytest.approx(near, abs=1)
    figure.check()


def test_escape_brings_the_query_back(pointer: Any) -> None:
    figure, pointer = pointer("arrows", "#arrows?x=-2&y=0.5")
    x, y = tip(figure)
    pointer.down(x, y)
    pointer.move(x + 60, y + 40)
    assert figure.state()["x"] != -2
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert (figure.state()["x"], figure.state()["y"]) == (-2, 0.5)


def test_place_on_the_line_is_dragged_and_its_slider_goes_on(pointer: Any) -> None:
    figure, pointer = pointer("kernel")
    box = stage(figure)
    unit = (box["width"] - 60) / 10
    x, y = box["x"] + 32 + 2.5 * unit, box["y"] + box["height"] / 2
    pointer.down(x + 4, y)
    pointer.move(x + 4 + 3.5 * unit, y)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#kernel?x=5"
    figure.check()
    slider = figure.element.locator("[data-key=x]")
    expect(slider).to_be_focused()
    slider.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == "#kernel?x=5.25"


def test_weights_stand_under_their_points(show: Any) -> None:
    figure = show("kernel", viewport={"width": 1280, "height": 900}).ready()
    dots = figure.element.locator(".attn-body circle.attn-tint").all()
    cells = figure.element.locator(".attn-body .attn-under-curve .attn-weight").all()
    assert len(dots) == len(cells) == 6
    for dot, cell in zip(dots, cells, strict=True):
        point, box = dot.bounding_box(), cell.bounding_box()
        assert point["x"] + point["width"] / 2 == pytest.approx(box["x"] + box["width"] / 2, abs=2)


@pytest.mark.parametrize("name", ["arrows", "kernel"])
def test_a_swipe_over_the_drawing_scrolls_and_changes_nothing(show: Any, name: str) -> None:
    figure = show(name, **PHONE).ready()
    box = stage(figure)
    top = figure.page.evaluate("scrollY")
    finger = Finger(figure)
    finger.down(box["x"] + 20, box["y"] + 150)
    finger.move(box["x"] + 20, box["y"] + 20)
    finger.up()
    figure.page.wait_for_function("(top) => scrollY > top + 50", arg=top)
    assert figure.state() == figure.start


@pytest.mark.parametrize("name", ["arrows", "kernel", "lookup"])
def test_height_is_the_same_in_every_state(show: Any, name: str) -> None:
    figure = show(name, **PHONE).ready().open_fold()
    heights = set()
    for settings in ({}, *figure.figure.tries, figure.figure.prediction.after):
        figure.go(figure.figure.fragment({**settings, "ask": "0"}))
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1


def test_pressed_name_is_asked_for(pointer: Any) -> None:
    figure, pointer = pointer("lookup", "#lookup?t=0.5")
    names = figure.element.locator(".attn-body .attn-row button")
    name = names.nth(4)
    name.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = name.bounding_box()
    assert box["height"] >= (44 if isinstance(pointer, Finger) else 24)
    pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#lookup?q=Hu&t=0.5"
    figure.check()
    expect(figure.element.locator("[data-key=q]")).to_have_value("Hu")
    pressed = names.evaluate_all("all => all.map((one) => one.ariaPressed === 'true')")
    assert pressed == [False, False, False, False, True, False]


def test_desk_is_pressed_like_its_name_and_the_output_says_its_number(pointer: Any) -> None:
    figure, pointer = pointer("lookup")
    stage(figure)
    desks = figure.element.locator(".attn-body .attn-desk")
    box = desks.nth(3).locator("circle").bounding_box()
    pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#lookup?q=Smola"
    number, mark = (
        figure.element.locator(f".attn-body {part}") for part in (".attn-desk-number", "[d*=L9]")
    )
    expect(number).to_have_text(f"{figure.check().slots['desk']}: no such desk")
    expect(mark).to_have_class(re.compile("attn-hollow"))
    beside, at = number.bounding_box(), mark.bounding_box()
    assert beside["x"] + beside["width"] == pytest.approx(at["x"] + at["width"] / 2, abs=10)
    figure.go("#lookup?q=Hi&t=0.1")
    expect(number).to_have_text("desk 40.00: Smola’s, weight 0.00")
    expect(mark).not_to_have_class(re.compile("attn-hollow"))
    figure.go("#lookup?t=0.1")
    expect(number).to_have_text("desk 30.00")
    figure.go("#lookup?q=Le&how=exact")
    expect(mark).to_be_hidden()
    expect(number).to_have_text("no desk to return")


def test_letters_are_spelt_as_python_spells_them(show: Any) -> None:
    figure = show("lookup").ready()
    for link in ("", "q=Le", "q=attention&t=5", "q=Werner", "how=exact", "q=Werner"):
        figure.go(f"#lookup?{link}")
        spelt = figure.element.locator(".attn-body .attn-letters").evaluate_all(
            "all => all.map((one) => [...one.children].map((e) => [e.textContent, e.dataset.fate]))"
        )
        assert spelt == [list(map(list, row)) for row in figure.check().parts["letters"]], link


def test_a_phone_shows_every_letter_and_the_drawing_above_the_records(show: Any) -> None:
    figure = show("lookup", **PHONE).ready()
    figure.go("#lookup?q=Abcdefghijkl")
    drawing = figure.element.locator(".attn-body .attn-stage").bounding_box()
    records = figure.element.locator(".attn-body [data-view=bars]")
    assert drawing["y"] + drawing["height"] <= records.bounding_box()["y"]
    assert records.evaluate("(e) => e.offsetWidth <= e.parentElement.clientWidth")
    for letters in records.locator(".attn-letters").all():
        # On a line of their own across the row, above its numbers.
        number = letters.locator("xpath=../*[@class='attn-number']").bounding_box()
        box, row = letters.bounding_box(), letters.locator("xpath=../..").bounding_box()
        assert box["x"] + box["width"] <= row["x"] + row["width"]
        assert row["y"] <= box["y"] < box["y"] + box["height"] <= number["y"] + 1
    heights = []
    for query in ("Li", "Abcdefghijkl", "Schwarzmeier"):
        figure.go(f"#lookup?q={query}&t=0.1")
        heights.append(records.evaluate("(e) => e.offsetHeight"))
    assert len(set(heights)) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_number_of_the_output_stays_in_the_drawing(show: Any, lang: str) -> None:
    figure = show("lookup", lang, **PHONE).ready()
    drawing = figure.element.locator(".attn-body .attn-stage").bounding_box()
    number = figure.element.locator(".attn-body .attn-desk-number")
    for link in ("q=Le", "t=100", "t=10", "q=Zhang", "q=Werness", "q=Le&how=exact"):
        figure.go(f"#lookup?{link}")
        box, halo = number.bounding_box(), 4
        assert drawing["x"] - halo <= box["x"], link
        assert box["x"] + box["width"] <= drawing["x"] + drawing["width"] + halo, link


def test_what_moves_the_records_stands_above_them(show: Any) -> None:
    figure = show("lookup", **PHONE).ready()
    slider = figure.element.locator("[data-key=t]").bounding_box()
    records = figure.element.locator(".attn-body [data-view=bars]").bounding_box()
    drawing = figure.element.locator(".attn-body .attn-stage").bounding_box()
    assert slider["y"] + slider["height"] <= records["y"]
    # Cause and effect on one screen.
    assert drawing["y"] + drawing["height"] - slider["y"] < PHONE["viewport"]["height"]


def test_name_is_asked_for_by_keyboard_in_place_of_what_could_not_be_read(show: Any) -> None:
    figure = show("lookup").ready()
    field = figure.element.locator("[data-key=q]")
    field.fill("Li3")
    field.press("Tab")
    expect(field).to_have_attribute("aria-invalid", "true")
    figure.element.locator(".attn-body .attn-row button").nth(2).press("Enter")
    expect(field).to_have_value("Li")
    expect(field).to_have_attribute("aria-invalid", "false")
    figure.element.locator(".attn-body .attn-row button").nth(0).press("Space")
    expect(field).to_have_value("Zhang")
    # No slide: a screen reader hears the whole sentence.
    summary = figure.said
    expect(summary).to_have_attribute("aria-live", "polite")
    assert "Asked for Zhang" in summary.inner_text()
    figure.check()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_the_axes_keep_clear(show: Any, lang: str, width: int) -> None:
    figure = show("kernel", lang, viewport={"width": width, "height": 900}).ready()
    drawing = figure.element.locator(".attn-body .attn-stage")
    sentences = figure.element.evaluate("(e) => e.declaration.words.sentences")
    shown = drawing.locator("text").all_text_contents()
    for name in ("key_axis", "value_axis", "kernel_axis"):
        assert sentences[name] in shown
    for x in (-1, 0, 4, 8.5, 9):
        figure.go(f"#kernel?x={x}")
        assert drawing.evaluate(OVERLAPPING, "text") == []
    room = drawing.bounding_box()
    for text in drawing.locator("text").all():
        box = text.bounding_box()
        assert room["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= room["x"] + room["width"] + 1


@pytest.mark.parametrize("width", [1280, 360])
def test_stems_too_short_to_be_seen_stand_magnified_clear_of_all_else(
    show: Any, width: int
) -> None:
    figure = show("kernel", viewport={"width": width, "height": 900}).ready()
    drawing = figure.element.locator(".attn-body .attn-stage")
    magnified = drawing.locator("g:has(> .attn-axis-line + .attn-stem)")
    for x, s in (
        (5, 0.1),
        (5.25, 0.1),
        (5.5, 0.1),
        (6, 0.25),
        (6.5, 0.1),
        (4.75, 0.5),
        (7.5, 0.1),
        (-1, 0.1),
    ):
        figure.go(f"#kernel?x={x}&s={s}")
        expect(magnified).to_be_visible()
        marks = ".attn-stroke, .attn-marker, .attn-climb, circle"
        texts = ".attn-hue-key .attn-tag"
        assert drawing.evaluate(TOUCHED, [texts, marks]) == [], (x, s)
    figure.go("#kernel?x=5")
    expect(magnified).to_be_hidden()


def test_outline_of_the_kernel_ends_where_it_ends(show: Any) -> None:
    figure = show("kernel", viewport={"width": 1280, "height": 900}).ready()
    rise = figure.element.locator(".attn-body .attn-climb")
    unit = (stage(figure)["width"] - 60) / 10
    for kernel in ("boxcar", "triangular", "epanechnikov"):
        figure.go(f"#kernel?s=1.5&k={kernel}")
        assert rise.evaluate("(e) => e.getBBox().width") == pytest.approx(3 * unit, abs=1)
    figure.go("#kernel?k=boxcar")
    # Values that meet in a jump are joined straight upwards.
    jumps = figure.element.locator(".attn-body .attn-jump").get_attribute("d")
    places = [part.split("L") for part in jumps.split("M")[1:]]
    assert places
    assert all(one.split()[0] == other.split()[0] for one, other in places)
