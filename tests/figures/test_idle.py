"""What has no effect, what is no value and what is left out: the figure says so where it stands."""

from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE
from playwright.sync_api import Locator, expect
from reader import LANGUAGES


def item(figure: LiveFigure, key: str) -> Locator:
    return figure.element.locator(f".attn-body .attn-item:has([data-key={key}])")


@pytest.mark.parametrize(
    ("name", "link", "keys"),
    [("dropout", "#dropout?mode=eval&p=0.2&n=7", "pn"), ("lookup", "#lookup?how=exact&t=5", "t")],
)
def test_a_control_without_effect_is_disabled_and_keeps_its_value(
    show: Any, name: str, link: str, keys: str
) -> None:
    figure = show(name).unfold().ready()
    for here, disabled in ((link, True), (f"#{name}", False)):
        figure.go(here)
        figure.check()
        for key in keys:
            parts = item(figure, key).locator("input, button").all()
            assert parts
            assert [part.is_disabled() for part in parts] == [disabled] * len(parts)
    # Of the choice alone the others come back as they were.
    figure.go(link)
    before = figure.state()
    figure.element.locator("[data-key=mode][value=train], [data-key=how][value=soft]").press(
        "Space"
    )
    after = figure.state()
    assert [after[key] for key in keys] == [before[key] for key in keys]
    assert not item(figure, keys[0]).locator("input").is_disabled()


def test_a_wrong_name_is_marked_and_the_answer_stays(show: Any) -> None:
    figure = show("lookup").unfold().ready()
    field, wrong = (item(figure, "q").locator(part) for part in ("input", ".attn-wrong"))
    figure.go("#lookup?q=Wang")
    height = round(figure.element.bounding_box()["height"])
    # What a letter more can mend may be on its way, as is what an input method composes.
    for text, at_once in (
        ("Lipton3", True),
        ("Lipton Hu", True),
        ("abcdefghijklm", True),
        ("Lipton-", False),
        ("O’", False),
    ):
        field.fill("Wang")
        field.evaluate(
            """(field, text) => {
              field.value = text;
              field.dispatchEvent(new InputEvent("input", { isComposing: true }));
            }""",
            text,
        )
        expect(wrong).to_have_text("")
        field.fill("Wang")
        field.fill(text)
        expect(wrong).to_have_text("Names have 1 to 12 letters, no spaces." if at_once else "")
        field.press("Enter")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(wrong).to_contain_text("1 to 12 letters")
        assert (figure.state()["q"], field.input_value()) == ("Wang", text)
        assert round(figure.element.bounding_box()["height"]) == height
    for text, name in (("  smola ", "smola"), ("O'Neil", "O'Neil"), ("Lipton-Hu", "Lipton-Hu")):
        field.fill(text)
        expect(field).to_have_attribute("aria-invalid", "false")
        expect(wrong).to_have_text("")
        assert figure.state()["q"] == name
        figure.check()


def test_a_wrong_number_of_draws_is_marked(show: Any) -> None:
    figure = show("dropout").ready()
    field = item(figure, "n").locator("input")
    field.fill("5000")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("50")
    expect(field).to_have_attribute("aria-invalid", "false")
    assert figure.check().slots["n"] == "50"


def test_the_weights_of_dropped_words_are_struck(show: Any) -> None:
    figure = show("dropout").ready()
    for link in ("#dropout", "#dropout?n=5", "#dropout?p=1", "#dropout?mode=eval"):
        figure.go(link)
        (factors,) = figure.check().parts["factors"]["rows"]
        struck = figure.element.locator(".attn-body [data-part=weights] .attn-weight").evaluate_all(
            """(cells) => cells.map((cell) => getComputedStyle(cell.querySelector(".attn-number"))
                 .textDecorationLine === "line-through")"""
        )
        assert struck == [factor == 0 for factor in factors], link


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_a_short_date_whole_and_hints_at_what_goes_on(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    box = figure.element.locator(".attn-body .attn-map")
    room = "(e) => e.scrollWidth - e.clientWidth"
    for text in ("15 March 2024", "2024년 3월 15일"):
        figure.go(figure.figure.fragment({"t": text}))
        figure.check()
        assert box.evaluate(room) == 0, text
        expect(box).not_to_contain_class("attn-more")
    figure.go(figure.figure.fragment({"t": "12 September 1999", "row": 4}))
    figure.check()
    assert box.evaluate(room) > 0
    # What the chosen row has looked at is in sight: here the last digit of the year.
    expect(box).to_contain_class("attn-less")
    expect(box).not_to_contain_class("attn-more")
    box.evaluate("(e) => e.scrollTo(0, 0)")
    expect(box).to_contain_class("attn-more")
    expect(box).not_to_contain_class("attn-less")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_moves_the_map_of_a_date_is_in_one_view_with_it(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    figure.go(figure.figure.fragment({"t": "12 September 1999"}))
    parts = (".attn-typed", ".attn-map", ".attn-summary", ".attn-settings")
    boxes = [figure.element.locator(f".attn-body {part}").bounding_box() for part in parts]
    typed, rows, said, settings = (range(int(b["y"]), int(b["y"] + b["height"])) for b in boxes)
    # A phone of 740 px, less the header that stays: with the text, and with what else moves it.
    assert typed[0] < rows[0] < said[0] < settings[0]
    assert said[-1] - typed[0] <= 684
    assert settings[-1] - rows[0] <= 684
    for key in ("m", "temp", "model"):
        moved = item(figure, key).bounding_box()
        assert said[-1] <= moved["y"] + 1, key
        assert moved["y"] + moved["height"] <= settings[-1] + 2, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_rows_of_a_date_are_below_its_verdict(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    figure.page.set_viewport_size({"width": 360, "height": 740})
    figure.bet(0)
    expect(figure.element.locator(".attn-body .attn-number.attn-least")).to_have_count(1)
    rows = figure.element.locator(".attn-body tbody tr")
    expect(rows).to_have_count(10)
    for part in (figure.reply, rows.last):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_row_that_was_asked_about_is_below_its_verdict(show: Any, lang: str) -> None:
    figure = show("mask", lang, **PHONE).ready()
    figure.page.set_viewport_size({"width": 360, "height": 740})
    row = figure.element.locator(".attn-body [data-asked]")
    expect(row).to_have_css("outline-style", "none")
    figure.bet(0)
    expect(row).to_have_css("outline-style", "solid")
    for part in (figure.reply.locator(".attn-words"), row):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wall_of_an_example_is_in_one_view_with_all_its_weights(show: Any, lang: str) -> None:
    figure = show("mask", lang, **PHONE).ready()
    example = figure.element.locator(".attn-body .attn-example")
    fill = figure.element.locator(".attn-body .attn-segments").first
    end = example.first.bounding_box()
    # A phone of 740 px, less the header that stays.
    assert end["y"] + end["height"] - fill.bounding_box()["y"] <= 680
    # Its choices stand in one line, each wide enough for a finger, the 0 as well.
    choices = [choice.bounding_box() for choice in fill.locator("label").all()]
    assert len({choice["y"] for choice in choices}) == 1
    assert min(choice["width"] for choice in choices) >= 44
    # Names of keys stand clear of the wall: at most 4 px of it are left of a boundary.
    for name in example.locator("th[scope=col][data-slot]").all():
        room, text = name.evaluate(
            """(e) => {
                 const text = document.createRange();
                 text.selectNodeContents(e);
                 return [e, text].map((one) => one.getBoundingClientRect().width);
               }"""
        )
        assert room - text >= 8, name.inner_text()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_said_of_both_examples_stands_between_them_on_a_phone(show: Any, lang: str) -> None:
    figure = show("mask", lang, "#mask?ask=0", **PHONE).ready()
    body = figure.element.locator(".attn-body")
    examples, said = body.locator(".attn-example"), body.locator(".attn-summary")
    first, second = (examples.nth(i).bounding_box() for i in range(2))
    between = said.bounding_box()
    assert first["y"] + first["height"] <= between["y"]
    assert between["y"] + between["height"] <= second["y"]
    # In one window with either, below the header that stays.
    assert between["y"] + between["height"] - first["y"] <= 680
    assert second["y"] + second["height"] - between["y"] <= 680
    # Nor do its longest sentences move what stands below.
    for lens in ("1,3,3,1", "3,1,1,3", "0,1,1,0"):
        figure.go(f"#mask?dim=2&len={lens}&fill=1e6&s=huge&ask=0")
        assert said.bounding_box()["height"] == between["height"]


def test_weights_that_are_deleted_are_struck_out_above_the_0(show: Any) -> None:
    figure = show("mask").ready()
    struck = """(e) => [...e.querySelectorAll(".attn-body .attn-deleted")].map((cell) => [
        getComputedStyle(cell, "::before").content,
        cell.querySelector(".attn-number").textContent,
      ])"""
    figure.go("#mask?fill=after")
    expected = [(f'"{w}"', "0") for w in ("0.10", "0.10", "0.32", "0.32", "0.32", "0.10")]
    assert [tuple(pair) for pair in figure.element.evaluate(struck)] == expected
    figure.go("#mask?fill=zero")
    assert figure.element.evaluate(struck) == []
    # Red is what a row misses, and a row without a key misses nothing.
    line = """(e, row) => getComputedStyle(
        e.querySelector(`.attn-body [data-query="${row}"] .attn-deleted`), "::before"
      ).textDecorationColor"""
    figure.go("#mask?len=0,3&fill=after")
    empty, short = (figure.element.evaluate(line, row) for row in (0, 2))
    ink = figure.element.evaluate("(e) => getComputedStyle(e.querySelector('.attn-row')).color")
    assert empty == ink != short


def test_own_scores_leave_the_field_where_it_is_typed_into(show: Any) -> None:
    figure = show("mask", **PHONE).ready()
    figure.element.locator(".attn-own summary").click()
    field = figure.element.locator("[data-key=own]")
    before = field.bounding_box()
    field.fill("[[2, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]]")
    assert figure.state()["own"]
    assert field.bounding_box() == before
