"""Figure `lookup`: a name that is typed or pulled, strings to the desk that it gets, letters."""

import re
from itertools import pairwise
from typing import Any

import pytest
from figures import OUTSIDE, OVERLAPPING, LiveFigure, centred, middle
from hands import LOOKS, PHONE, Finger, Window
from playwright.sync_api import expect

from attn_lib.live.figures.lookup import KEYS

# The letters of each name, with what becomes of them; in the picture those that go are left out.
FATES = """(all, part) => all.map((one) => [...one.querySelectorAll(part)].flatMap(
  (e) => [...e.textContent].map((letter) => [letter, e.dataset.fate])))"""
# Where the diamond has been, across, and whether the sentence was to be seen meanwhile.
FOLLOW = """(figure) => {
  const mark = figure.querySelector(".attn-output-mark");
  const said = figure.querySelector(".attn-summary");
  figure.seen = [];
  new MutationObserver(() => figure.seen.push([
    Number(mark.getAttribute("transform").match(/[\\d.]+/)[0]),
    getComputedStyle(said).visibility,
  ])).observe(mark, { attributes: true, attributeFilter: ["transform"] });
}"""


def places(figure: LiveFigure) -> list[float]:
    """Return where the names stand, across, in pixels of the window."""
    marks = figure.element.locator(".attn-scene .attn-lookup-key > rect")
    boxes = [mark.bounding_box() for mark in marks.all()]
    return [box["x"] + box["width"] / 2 for box in boxes]


def at(figure: LiveFigure, mark: str) -> float:
    """Where a mark of the picture stands, across."""
    return middle(figure.element.locator(f".attn-scene {mark}"))[0]


def test_the_hand_is_pulled_along_the_names_and_hangs_amid_the_nearest(pointer: Any) -> None:
    figure, pointer = pointer("lookup", "#lookup?q=Hi")
    hand = figure.element.locator(".attn-hand")
    across = places(figure)
    # Li and Hu are one letter away each.
    assert at(figure, ".attn-hand") == pytest.approx((across[2] + across[4]) / 2, abs=1)
    for key, name in (("ArrowLeft", "Li"), ("ArrowLeft", "Lipton"), ("End", "Werness")):
        hand.press(key)
        assert figure.state()["q"] == name
    figure.go("#lookup?q=Hi")
    hand.press("ArrowRight")
    assert figure.state()["q"] == "Hu"
    figure.go("#lookup?q=Hi")
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    pointer.down(x + 4, y)
    pointer.move(across[0] + 4, y)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#lookup?q=Zhang"
    assert at(figure, ".attn-hand") == pytest.approx(across[0], abs=1)
    expect(hand).to_be_focused()
    figure.check()


def test_a_pressed_name_is_asked_for(pointer: Any) -> None:
    figure, pointer = pointer("lookup", "#lookup?t=0.5")
    target = centred(figure.element.locator(".attn-lookup-key > rect").nth(4))
    if isinstance(pointer, Finger):
        assert min(target["width"], target["height"]) >= 43.5
    pointer.down(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#lookup?q=Hu&t=0.5"
    expect(figure.element.locator("[data-key=q]")).to_have_value("Hu")
    figure.check()


def test_the_field_goes_through_the_names_in_place_of_what_could_not_be_read(show: Any) -> None:
    figure = show("lookup").ready()
    field = figure.element.locator("[data-key=q]")
    for key, name in (("ArrowDown", "Smola"), ("ArrowUp", "Li")):
        field.press(key)
        expect(field).to_have_value(name)
        assert figure.state()["q"] == name
    field.fill("Li3")
    field.press("Tab")
    expect(field).to_have_attribute("aria-invalid", "true")
    figure.element.locator(".attn-hand").press("Home")
    expect(field).to_have_value("Zhang")
    expect(field).to_have_attribute("aria-invalid", "false")
    expect(figure.said).to_contain_text("Zhang")
    figure.check()


@pytest.mark.parametrize("wrong", ["Wernes S!", "Abcdefghijklmnop"])
def test_the_answer_to_the_name_before_a_wrong_one_pales(show: Any, wrong: str) -> None:
    figure = show("lookup").ready()
    drawing = figure.element.locator(".attn-scene .attn-drawing")
    field = figure.element.locator("[data-key=q]")
    for text, look in ((wrong, "0.45"), ("Le", "1")):
        field.fill(text)
        field.press("Tab")
        expect(drawing).to_have_css("opacity", look)
    figure.check()


@LOOKS
def test_texts_keep_clear_and_in_the_picture(show: Any, lang: str, window: Window) -> None:
    figure = show("lookup", lang, **window).ready()
    field = figure.element.locator("[data-key=q]")
    scene = figure.element.locator(".attn-scene")
    room = scene.bounding_box()
    inside = (room["x"] - 1, room["x"] + room["width"] + 1)
    field.fill("Li3")
    marks = scene.locator(".attn-wrong, label, input").all()
    for mark in marks:
        box = mark.bounding_box()
        assert inside[0] <= box["x"] < box["x"] + box["width"] <= inside[1]
    assert scene.locator(".attn-wrong").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    for link in ("q=Le", "t=100", "q=Zhang", "q=Werness", "q=Le&how=exact", "q=Hi&t=0.1"):
        figure.go(f"#lookup?{link}&ask=0")
        assert scene.evaluate(OVERLAPPING, ".attn-label") == [], link
        assert scene.evaluate(OUTSIDE) == [], link


def test_the_output_hangs_on_strings_and_is_hollow_where_no_desk_is(show: Any) -> None:
    figure = show("lookup", fragment="#lookup?q=Hi&t=0.1").ready()
    number, mark = (
        figure.element.locator(f".attn-scene {part}")
        for part in (".attn-lookup-number", ".attn-output-mark")
    )
    across = places(figure)
    strings = figure.element.locator(".attn-scene .attn-lookup-string")
    shown = strings.evaluate_all("all => all.map((e) => e.getAttribute('visibility'))")
    assert shown == ["visible" if name in ("Li", "Hu") else "hidden" for name in KEYS]
    expect(number).to_have_text("desk 40.00")
    expect(mark).not_to_have_class(re.compile("attn-hollow"))
    assert at(figure, ".attn-output-mark") == pytest.approx(across[3], abs=1)
    figure.go("#lookup")
    expect(number).to_have_text("32.20")
    expect(mark).to_have_class(re.compile("attn-hollow"))
    away = (across[3] - across[2]) * 0.220  # from desk 30 to 40
    assert at(figure, ".attn-output-mark") == pytest.approx(across[2] + away, abs=1)
    figure.go("#lookup?q=Le&how=exact")
    expect(mark).to_be_hidden()
    expect(number).to_have_text("no desk")
    assert strings.filter(visible=True).count() == 0


def test_the_diamond_slides_to_its_answer_before_the_sentence_says_it(show: Any) -> None:
    figure = show("lookup", reduced_motion="no-preference").ready()
    left = figure.element.locator(".attn-scene").bounding_box()["x"]
    start, end = (place - left for place in places(figure)[2:4])
    figure.element.evaluate(FOLLOW)
    figure.bet(1)
    expect(figure.element.locator("figure")).to_have_attribute("data-phase", "answered")
    expect(figure.said).to_be_visible()
    seen = figure.element.evaluate("(e) => e.seen")
    between = [place for place, _ in seen if start + 2 < place < end - 2]
    assert len(between) > 3
    assert all(before <= after for before, after in pairwise(place for place, _ in seen))
    assert {look for place, look in seen if place < end - 2} == {"hidden"}


def test_letters_are_spelt_as_python_spells_them(show: Any) -> None:
    figure = show("lookup").ready().open_fold()
    for link in ("", "q=Le", "q=attention&t=5", "q=Werner", "how=exact", "q=Werner"):
        figure.go(f"#lookup?{link}")
        letters = [list(map(list, row)) for row in figure.check().parts["letters"]]
        table, names = (
            figure.element.locator(f".attn-body {all_of}").evaluate_all(FATES, part)
            for all_of, part in ((".attn-letters", "span"), (".attn-lookup-key", "tspan"))
        )
        assert table == letters, link
        assert names == [[pair for pair in row if pair[1] != "gone"] for row in letters], link


def test_bars_are_as_long_as_their_weights_and_only_exact_ones_read_so(show: Any) -> None:
    figure = show("lookup").ready().open_fold()
    for link in ("q=Le", "q=Le&t=100", "q=Hi&t=0.1"):
        figure.go(f"#lookup?{link}")
        [weights] = figure.check().parts["weights"]["rows"]
        shares = figure.element.locator(".attn-body .attn-track").evaluate_all(
            """(tracks) => tracks.map((track) => parseFloat(
                 getComputedStyle(track, "::before").width) / track.clientWidth)"""
        )
        assert shares == pytest.approx(weights, abs=0.01), link
    numbers = figure.element.locator(".attn-body .attn-weight .attn-number")
    for link, shown in (
        ("q=Werness&t=0.1", ["0.00"] * 5 + ["1.00"]),
        ("q=Werness&how=exact", ["0"] * 5 + ["1"]),
    ):
        figure.go(f"#lookup?{link}")
        expect(numbers).to_have_text(shown)


def test_a_phone_has_a_line_for_the_letters_and_one_for_their_numbers(show: Any) -> None:
    figure = show("lookup", **PHONE).ready().open_fold()
    records = figure.element.locator(".attn-body [data-view=bars]")
    heights = set()
    for query in ("Li", "Schwarzmeier", "Abcdefghijkl"):
        figure.go(f"#lookup?q={query}&t=0.1")
        heights.add(records.evaluate("(e) => e.offsetHeight"))
    assert len(heights) == 1
    assert records.evaluate("(e) => e.offsetWidth <= e.parentElement.clientWidth")
    for letters in records.locator(".attn-letters").all():
        number = letters.locator("xpath=../*[@class='attn-number']").bounding_box()
        box, row = letters.bounding_box(), letters.locator("xpath=../..").bounding_box()
        assert box["x"] + box["width"] <= row["x"] + row["width"]
        assert row["y"] <= box["y"] < box["y"] + box["height"] <= number["y"] + 1
