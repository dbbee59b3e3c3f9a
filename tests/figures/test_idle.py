"""What has no effect, what is no value and what is left out: the figure says so where it stands."""

from typing import Any

import pytest
from figures import LiveFigure
from playwright.sync_api import Locator, expect


def item(figure: LiveFigure, key: str) -> Locator:
    return figure.element.locator(f".attn-body .attn-item:has([data-key={key}])")


@pytest.mark.parametrize(
    ("name", "link", "keys"),
    [("dropout", "#dropout?mode=eval&p=0.2&n=7", "pn"), ("lookup", "#lookup?how=exact&t=5", "t")],
)
def test_a_control_without_effect_is_disabled_and_keeps_its_value(
    show: Any, name: str, link: str, keys: str
) -> None:
    figure = show(name).unfold().ready().open_fold()
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
    height = round(figure.height)
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
        assert round(figure.height) == height
    for text, name in (("  smola ", "smola"), ("O'Neil", "O'Neil"), ("Lipton-Hu", "Lipton-Hu")):
        field.fill(text)
        expect(field).to_have_attribute("aria-invalid", "false")
        expect(wrong).to_have_text("")
        assert figure.state()["q"] == name
        figure.check()


def test_a_wrong_number_of_draws_is_marked(show: Any) -> None:
    figure = show("dropout").ready().open_fold()
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


def test_weights_that_are_deleted_leave_their_outlines(show: Any) -> None:
    figure = show("mask").ready().open_fold()
    outlines = figure.element.locator(".attn-scene .attn-erased:visible")
    for fragment, count in (("#mask?fill=after", 6), ("#mask?fill=zero", 0)):
        figure.go(fragment)
        expect(outlines).to_have_count(count)
    figure.go("#mask?fill=after")
    struck = figure.element.locator(".attn-more .attn-deleted")
    expect(struck).to_have_count(6)
    weights = [struck.nth(place).get_attribute("data-deleted") for place in range(6)]
    assert weights == ["0.10", "0.10", "0.32", "0.32", "0.32", "0.10"]
    told = figure.element.locator(".attn-scene .attn-behind-wall")
    assert told.all_text_contents() == [
        f"\N{MINUS SIGN}{w}" for w in ("0.19", "0.64", "0.32", "0.10")
    ]
