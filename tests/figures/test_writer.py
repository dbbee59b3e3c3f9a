"""Figure `writer`: its hand writes, letters and heads are pressed, weights come when needed."""

from typing import Any

import pytest
from figures import LiveFigure, centred, middle
from hands import PHONE, WIDE, WINDOWS, Window
from playwright.sync_api import Locator, expect
from reader import LANGUAGES, Visit

import attn_lib
from attn_lib.language import words
from attn_lib.live.figures import FIGURES

WRITER = FIGURES["writer"]
MODEL = "**/attn/writers/en-rope.js"
# Where the letters stand, in their order: the middle of each, in pixels of the window.
LETTERS = """(scene) => [...scene.querySelectorAll(".attn-writer-line")].flatMap((line) =>
  [...line.textContent].length ? [...line.textContent].map((letter, i) => {
    const box = line.getExtentOfChar(i);
    const place = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2)
      .matrixTransform(line.getScreenCTM());
    return [letter, place.x, place.y, line.matches(".attn-writer-written")];
  }) : [])"""
# From where to where the arcs lead, and how thick they are.
ARCS = """(scene) => [...scene.querySelectorAll(".attn-writer-arcs > path")]
  .filter((arc) => arc.getAttribute("visibility") === "visible")
  .map((arc) => {
    const ends = [0, arc.getTotalLength()].map((at) => {
      const { x, y } = arc.getPointAtLength(at).matrixTransform(arc.getScreenCTM());
      return [x, y];
    });
    return [...ends, Number(arc.getAttribute("stroke-width"))];
  })"""


def scene(figure: LiveFigure) -> Locator:
    return figure.element.locator(".attn-body .attn-scene")


def line(figure: LiveFigure) -> tuple[str, str]:
    """What was read and what is written, as the picture shows it."""
    letters = scene(figure).evaluate(LETTERS)
    read, written = (
        "".join(letter for letter, _, _, bold in letters if bold is is_bold)
        for is_bold in (False, True)
    )
    return read, written


def place(figure: LiveFigure, at: int) -> tuple[float, float]:
    """Where a letter stands; in the first line the letters of both kinds follow one another."""
    centred(scene(figure))
    _, x, y, _ = scene(figure).evaluate(LETTERS)[at]
    return x, y


def test_the_hand_writes_on_and_takes_back(pointer: Any) -> None:
    figure, pointer = pointer("writer")
    hand = figure.element.locator(".attn-hand")
    read = line(figure)[0]
    x, y = middle(hand)
    pitch = place(figure, 2)[0] - place(figure, 1)[0]
    x, y = middle(hand)
    pointer.down(x, y)
    for count, said in ((3, "orb"), (6, "orblik"), (1, "o"), (0, "")):
        pointer.move(x + count * pitch, y)
        figure.check()
        assert line(figure) == (read, said)
        assert figure.state()["w"] == count
    pointer.move(x + 2 * pitch, y)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#writer?w=2"


def test_by_key_it_writes_to_the_end_and_stays_there(show: Any) -> None:
    figure = show("writer").ready()
    hand = figure.element.locator(".attn-hand")
    hand.press("End")
    view = figure.check()
    shown = view.parts["text"]
    assert shown["letters"][-1] == "▪"
    written = len(shown["letters"]) - shown["start"]
    assert hand.get_attribute("aria-valuenow") == str(written)
    # One step back from there takes a letter away at once.
    hand.press("ArrowLeft")
    assert figure.state()["w"] == written - 1
    assert hand.get_attribute("aria-valuetext").startswith("zorblik")
    hand.press("Home")
    assert line(figure)[1] == ""


@WINDOWS
def test_arcs_lead_from_the_query_to_what_the_chosen_head_looks_at(
    show: Any, window: Window
) -> None:
    figure = show("writer", fragment="#writer?w=5", **window).ready()
    view = figure.check()
    text, head = view.parts["text"], view.parts["heads"]["head"]
    row = view.parts["weights"]["rows"][head]
    looks = [j for j, weight in enumerate(row) if weight >= 0.05]
    arcs = scene(figure).evaluate(ARCS)
    assert len(arcs) == len(looks)
    for j, (start, end, thick) in zip(looks, arcs, strict=True):
        assert start[0] == pytest.approx(place(figure, text["query"])[0], abs=1)
        assert end[0] == pytest.approx(place(figure, j)[0], abs=1)
        assert thick == pytest.approx(1 + 8 * row[j], abs=0.06)


def test_a_letter_is_pressed_to_look_from_there(pointer: Any) -> None:
    figure, pointer = pointer("writer", "#writer?w=6")
    for at, asked in ((13, 13), (13, 0), (36, 36)):
        x, y = place(figure, at)
        if hasattr(pointer, "session"):
            figure.page.touchscreen.tap(x, y)
        else:
            figure.page.mouse.click(x, y)
        assert figure.state()["at"] == asked
        view = figure.check()
        assert figure.summary == WRITER.sentences(view)
    # The hand goes on where it is, and looks from its own letter again.
    figure.element.locator(".attn-hand").press("ArrowRight")
    assert (figure.state()["w"], figure.state()["at"]) == (7, 0)


def test_a_head_is_pressed_and_switched_off(pointer: Any) -> None:
    figure, pointer = pointer("writer", "#writer?w=6")

    def press(mark: Locator) -> None:
        x, y = middle(mark)
        if hasattr(pointer, "session"):
            figure.page.touchscreen.tap(x, y)
        else:
            figure.page.mouse.click(x, y)

    cards = scene(figure).locator(".attn-writer-head")
    names = cards.locator(".attn-writer-name")
    figure.check()
    strip = cards.nth(1).locator(".attn-writer-strip")
    press(strip)
    assert figure.state()["head"] == "1.2"
    expect(cards.nth(1)).to_have_class("attn-writer-head attn-writer-chosen")
    expect(names.nth(1)).to_have_text("1·2")
    copier = figure.check().parts["heads"]["copier"]
    press(cards.nth(copier).locator(".attn-writer-switch"))
    assert figure.state()["off"] == (copier + 1,)
    view = figure.check()
    assert figure.summary == WRITER.sentences(view)
    assert line(figure)[1] != "orblik"
    press(cards.nth(copier).locator(".attn-writer-switch"))
    assert figure.state()["off"] == ()
    assert line(figure)[1] == "orblik"
    # The link that names it by what it does is undone by the same switch.
    figure.go("#writer?w=6&off=0")
    figure.check()
    press(cards.nth(copier).locator(".attn-writer-switch"))
    assert figure.state()["off"] == ()


def models(visit: Visit) -> list[str]:
    """Which weights were asked for."""
    return [address.rpartition("/")[2] for address in visit.requests if "/writers/" in address]


def test_the_page_opens_without_weights_and_needs_them_to_write(show: Any, visit: Visit) -> None:
    figure = show("writer", new=True, **WIDE).ready()
    assert models(visit) == []
    assert line(figure)[0] == "".join(figure.check().parts["text"]["letters"])
    with figure.page.expect_response(MODEL):
        scene(figure).hover()
    figure.bet(2)
    assert models(visit) == ["en-rope.js"]
    # Another language brings its own.
    figure.go(WRITER.fragment({"t": "안녕 블릭! 안녕 워그! 잘 가", "w": 3}))
    figure.check()
    figure.go(WRITER.fragment({"w": 3, "model": "alibi"}))
    figure.check()
    assert models(visit) == ["en-rope.js", "ko-rope.js", "en-alibi.js"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_of_ones_own_is_gone_on_with_or_refused(show: Any, lang: str) -> None:
    figure = show("writer", lang, **PHONE).ready().open_fold()
    field = figure.element.locator("[data-key=t]")
    attn_lib.set_language("en")
    field.fill("Hello bram! hello veks! bye v")
    field.press("Enter")
    figure.element.locator(".attn-hand").press("PageUp")
    attn_lib.set_language(lang)
    view = figure.check()
    assert view.parts["text"]["letters"][1:6] == list("hello")
    assert figure.summary == WRITER.sentences(view)
    field.fill("hello ▪")
    field.press("Enter")
    expected = words("frame")["typed"]["sign"].format(got="▪")
    expect(figure.element.locator(".attn-own .attn-wrong")).to_have_text(expected)
    # What has more strange characters than there is room for is not gone on with.
    field.fill("".join(chr(0x0430 + i) for i in range(30)))
    field.press("Enter")
    view = figure.check()
    assert view.summary == ("unknown",)
    assert figure.summary == WRITER.sentences(view)
    assert line(figure)[1] == ""
