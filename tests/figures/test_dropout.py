"""Figure `dropout`, to be pressed: a sum that was not yet there is drawn for."""

import re
from typing import Any

import pytest
from figures import OVERLAPPING
from hands import PHONE
from playwright.sync_api import expect

WIDE = {"viewport": {"width": 1280, "height": 900}}


def place(stage: Any, total: float, end: float) -> float:
    """Return where a sum lies in the drawing, whose axis ends at `end`."""
    return 16 + (stage.bounding_box()["width"] - 32) * total / end


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_press_draws_on_until_a_row_has_that_sum(show: Any, how: dict[str, Any]) -> None:
    figure = show("dropout", **how).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    present = stage.locator(".attn-now")
    press = stage.tap if how is PHONE else stage.click
    for total in (0.01, 0.44, 1.56, 0.22):
        part = figure.check().parts["sums"]
        nearest = min(range(12), key=lambda i: abs(part["rows"][i][0] - total))
        press(position={"x": place(stage, total, 2), "y": 90})
        assert figure.state()["n"] == part["next"][nearest]
        assert figure.check().parts["sums"]["now"] == nearest
        box, dot = stage.bounding_box(), present.bounding_box()
        middle = dot["x"] + dot["width"] / 2 - box["x"]
        assert middle == pytest.approx(place(stage, part["rows"][nearest][0], 2), abs=1)
    figure.go("#dropout?mode=eval")
    press(position={"x": 20, "y": 60})
    assert figure.page.evaluate("location.hash") == "#dropout?mode=eval"


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_pressed_weight_is_dropped_or_kept_and_no_other(show: Any, how: dict[str, Any]) -> None:
    figure = show("dropout", **how).ready()
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


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_drawing_weights_and_p_stand_in_one_view_of_a_phone(show: Any, lang: str) -> None:
    figure = show("dropout", lang, **PHONE).ready()
    stage = figure.element.locator(".attn-body .attn-stage").bounding_box()
    weights = figure.element.locator(".attn-body td.attn-weight").first.bounding_box()
    slider = figure.element.locator(".attn-body [data-key=p]").bounding_box()
    assert weights["y"] + weights["height"] - stage["y"] < 520
    # The stage begins with room for the mean; a phone of 740 px has a header of 60.
    assert slider["y"] + slider["height"] - stage["y"] < 740 - 60 + 30


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_press_where_no_sum_can_be_draws_nothing_and_says_why(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("dropout", lang, **how).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    press = stage.tap if how is PHONE else stage.click
    sentences = figure.element.evaluate("(e) => e.declaration.words.sentences")
    height = figure.element.evaluate("(e) => e.offsetHeight")
    for link, total, end, name, numbers in (
        ("", 0.51, 2, "gap", ("0.45", "1.55")),
        ("", 1, 2, "gap", ("0.45", "1.55")),
        ("n=200", 1.49, 2, "gap", ("0.45", "1.55")),
        ("n=1000", 1, 2, "gap", ("0.45", "1.55")),
        ("n=1000", 2, 2, "rare", ("2.00",)),
        ("p=0.2&n=200", 0.6, 2, "gap", ("0.28", "0.97")),
        ("p=0.3&n=200", 1.9, 2, "apart", ("1.43",)),
        ("p=0.9", 5, 10, "gap", ("2.24", "7.76")),
        ("p=0.9", 10, 10, "rare", ("10.00",)),
        ("p=0", 0.3, 2, "apart", ("1.00",)),
        ("p=1", 1, 2, "apart", ("0.00",)),
    ):
        figure.go(f"#dropout?{link}&ask=1")
        before = figure.state()
        press(position={"x": place(stage, total, end), "y": 90})
        assert figure.state() == before
        said = [*re.split(r"\{\w+\}", sentences[name]), *numbers]
        assert all(piece in figure.summary for piece in said), figure.summary
        assert figure.element.evaluate("(e) => e.offsetHeight") == height
    figure.go("#dropout?n=2")
    assert sentences["none"].rpartition("}")[2] in figure.summary


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_many_draws_are_bars_and_no_word_lies_on_another(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("dropout", lang, **how).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    for link, bars in (
        *(("", 0), ("n=12", 0), ("n=200", 12), ("p=0.2&n=200", 11), ("p=0.7&n=4", 0)),
        *(("p=0.9&n=1000", 10), ("p=0&n=9", 0), ("p=1&n=200", 1), ("mode=eval", 0)),
    ):
        figure.go(f"#dropout?{link}")
        assert drawing.locator(".attn-pile").count() == bars, link
        dots = drawing.locator(".attn-dot:not(.attn-now)").count()
        assert (dots > 0) == (bars == 0), link
        assert drawing.evaluate(OVERLAPPING, "text") == []
        # A head of a row ends before its first number.
        heads = figure.element.locator(".attn-body :not(.attn-sr) > table th.attn-row")
        assert heads.evaluate_all(
            """(heads) => heads.every((head) => {
              const words = document.createRange();
              words.selectNodeContents(head);
              return words.getBoundingClientRect().right <= head.getBoundingClientRect().right;
            })"""
        )


@pytest.mark.parametrize(("link", "wrong"), [("#dropout?n=16", "2000"), ("#shapes?i=6", "99")])
def test_a_number_that_is_refused_leaves_the_state(show: Any, link: str, wrong: str) -> None:
    figure = show(link[1:].partition("?")[0], fragment=link).ready()
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
    figure = show(name, fragment=f"#{name}?{last}").ready()
    button = figure.element.locator("[data-control]:not([hidden]) [data-next]")
    expect(button).to_have_text("From the start")
    button.click()
    assert figure.state()[last[0]] == 1
    expect(button).to_have_text("Draw again" if name == "dropout" else "Next line")
    figure.check()
