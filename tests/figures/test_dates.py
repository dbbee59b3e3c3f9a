"""The date reader on the page: its model comes when it is used, its characters are pressed."""

import itertools
from typing import Any

import pytest
from hands import PHONE
from playwright.sync_api import expect
from reader import LANGUAGES, Visit

from attn_lib.language import words
from attn_lib.live.figures.dates import FIGURE


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_what_is_said_of_a_text_keeps_its_height(
    show: Any, lang: str, viewport: dict[str, int]
) -> None:
    figure = show("dates", lang, viewport=viewport).ready()
    odd = ({"t": "14 July 1789", "model": "recent", "temp": 2.0}, {"t": "04/03/2024", "temp": 100})
    heights = set()
    for settings in ({}, *FIGURE.tries, *odd):
        figure.go(FIGURE.fragment({**settings, "ask": "0"}))
        view = figure.check()  # waits until the model has come
        assert figure.summary == FIGURE.sentences(view)
        heights.add(figure.element.bounding_box()["height"])
    assert len(heights) == 1


def test_a_row_is_pressed_by_key_or_anywhere_on_it(show: Any) -> None:
    figure = show("dates", fragment="#dates?t=04/03/2024").ready()
    body = figure.element.locator(".attn-body")
    buttons, said = body.locator(".attn-row button"), body.locator(".attn-looked")
    figure.check()
    expect(said).to_contain_text("Row 7 reads “4” (no. 1) 0.49")
    expect(said).to_contain_text("It writes “3” (0.55), not “4” (0.44), from the average")
    buttons.nth(9).press("Enter")
    expect(buttons.nth(9)).to_be_focused()
    expect(said).to_contain_text("Row 10 reads “4” (no. 1) 0.47")
    expect(said).to_contain_text("It writes “3” (0.69), not “4” (0.30), from the average")
    # A screen reader hears what was asked for.
    expect(said).to_have_attribute("aria-live", "polite")
    body.locator("tbody tr").nth(0).locator(".attn-weight").nth(3).click()
    expect(said).to_contain_text("Row 1 reads “2” (no. 1) 0.94")
    assert figure.page.evaluate("location.hash") == "#dates?t=04%2F03%2F2024&row=1"
    pressed = buttons.evaluate_all("all => all.map((one) => one.ariaPressed === 'true')")
    assert pressed == [True] + [False] * 9
    names = buttons.evaluate_all("all => all.map((one) => one.textContent)")
    assert names[4:8] == ["-", "month 0", "month 3", "-"]
    height = figure.element.bounding_box()["height"]
    # What cannot be read has no rows; another text has other symbols under the same buttons.
    before = said.text_content()
    figure.go("#dates?t=@%23")
    expect(said).to_have_css("opacity", "0.45")
    assert said.text_content() == before
    assert figure.element.bounding_box()["height"] == height
    figure.go("#dates?t=4 Sep 1998&row=7")
    figure.check()
    expect(buttons.nth(6)).to_have_text("month 9")


def test_a_row_is_pressed_before_anything_else(show: Any) -> None:
    figure = show("dates").ready()
    body = figure.element.locator(".attn-body")
    buttons = body.locator(".attn-row button")
    expect(buttons).to_have_count(10)
    expect(buttons.nth(6)).to_have_attribute("aria-pressed", "true")
    names = body.locator(".attn-map tbody .attn-row").all_text_contents()
    assert [name.split()[-1] for name in names] == list("2024-03-15")
    body.locator(".attn-map tbody tr").nth(9).locator("td").first.click()
    expect(body.locator(".attn-looked")).to_contain_text("It writes “5”")
    expect(buttons.nth(9)).to_have_attribute("aria-pressed", "true")


MODEL = "**/attn/models/additive.js"


def models(visit: Visit) -> list[str]:
    """Which models were asked for."""
    return [address.rpartition("/")[2] for address in visit.requests if "/models/" in address]


def test_the_model_sets_out_when_a_hand_comes_to_the_figure(show: Any, visit: Visit) -> None:
    figure = show("dates", viewport={"width": 1280, "height": 900}).ready()
    view, page = figure.element.locator(".attn-body .attn-map"), figure.page
    view.scroll_into_view_if_needed()
    drawn = view.inner_html()
    assert models(visit) == []
    with page.expect_response(MODEL):
        view.hover()
    # It is not in use: nothing waits for it, and nothing is painted.
    expect(figure.element).not_to_have_attribute("data-waiting", "")
    assert view.inner_html() == drawn
    figure.element.locator("[data-key=t]").focus()
    figure.element.locator(".attn-body .attn-row button").nth(9).click()
    figure.check()
    assert models(visit) == ["additive.js"]


def test_a_key_and_a_finger_let_the_model_set_out(show: Any, visit: Visit) -> None:
    figure = show("dates", **PHONE).ready()
    assert models(visit) == []
    with figure.page.expect_response(MODEL):
        figure.element.locator("[name=prediction]").first.focus()
    figure = show("dates", "ko", **PHONE).ready()
    with figure.page.expect_response(MODEL):
        figure.element.locator(".attn-question").tap()
    assert models(visit) == ["additive.js"] * 2
    expect(figure.element).not_to_have_attribute("data-waiting", "")


def test_a_model_that_has_not_come_is_asked_for_again_at_the_use(show: Any, visit: Visit) -> None:
    figure = show("dates", viewport={"width": 1280, "height": 900}).ready()
    page, note = figure.page, figure.element.locator(".attn-failed")
    page.route(MODEL, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        figure.element.locator(".attn-body .attn-map").hover()
    page.wait_for_timeout(50)
    expect(note).to_be_hidden()
    # Still not there when it is needed: the figure says so.
    button = figure.element.locator(".attn-body .attn-row button").nth(9)
    with page.expect_event("requestfailed"):
        button.click()
    expect(note).to_be_visible()
    page.unroute(MODEL)
    button.click()
    figure.check()
    expect(note).to_be_hidden()
    assert figure.state()["row"] == 10
    # Nothing but the browser has complained.
    assert all("Failed to load resource" in error for error in visit.errors)
    visit.errors.clear()


@pytest.mark.parametrize("text", ["15 March 2024", "ngày năm tháng năm năm 2005", "z" * 15])
def test_a_date_is_whole_on_a_phone(show: Any, text: str) -> None:
    figure = show("dates", fragment=FIGURE.fragment({"t": text}), **PHONE).ready()
    box = figure.element.locator(".attn-body .attn-map")
    heads = box.locator("thead th[scope=col]").evaluate_all(
        """all => all.map((head) => {
             const range = document.createRange();
             range.selectNodeContents(head.firstChild);
             const { left, right } = range.getBoundingClientRect();
             return [left, right];
           })"""
    )
    letters = heads[: len(text)]
    # Each is as wide as a finger needs it; where not all fit, the map scrolls.
    widths = box.locator("thead button").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(widths) >= 20
    if len(text) <= 13:
        assert box.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")
    for (_, right), (left, _) in itertools.pairwise(letters):
        assert right <= left + 1


def heads(figure: Any) -> Any:
    return figure.element.locator(".attn-body thead button")


def hidden(figure: Any) -> str:
    """What the page shows to be hidden, by its own account to a screen reader."""
    flags = figure.check().parts["map"]["flags"]  # waits until the model has come
    pressed = heads(figure).evaluate_all("all => all.map((one) => one.ariaPressed === 'true')")
    assert pressed == [flag == "hidden" for flag in flags]
    return "".join(
        letter
        for letter, is_hidden in zip(heads(figure).all_inner_texts(), pressed, strict=True)
        if is_hidden
    )


def test_a_character_is_hidden_and_shown_again_by_pressing_it(show: Any) -> None:
    figure = show("dates").ready()
    height = figure.element.bounding_box()["height"]
    button = heads(figure).nth(3)
    expect(button).to_have_accessible_name("hide “m”")
    # The first thing that is done, before anything was painted.
    button.click()
    assert hidden(figure) == "m"
    assert figure.state()["see"] == "15 _arch 2024"
    expect(figure.element.locator(".attn-body thead th").nth(3)).to_have_accessible_name("m hidden")
    assert "“m” is hidden, and it writes the same." in figure.summary
    heads(figure).nth(0).click()
    assert hidden(figure) == "1m"
    assert figure.element.bounding_box()["height"] == height
    assert "see=_5%20_arch%202024" in figure.page.evaluate("location.hash")
    heads(figure).nth(0).click()
    button.click()
    assert hidden(figure) == ""
    assert figure.page.evaluate("location.hash") == "#dates"
    # What was hidden in a text is hidden in no other.
    button.click()
    field = figure.element.locator("[data-key=t]")
    field.fill("16 March 2024")
    field.press("Enter")
    assert hidden(figure) == ""


def test_characters_are_one_stop_by_key_and_arrows_go_through_them(show: Any) -> None:
    figure = show("dates").ready()
    figure.element.locator(".attn-body .attn-map").focus()
    for key, place in (("Tab", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        figure.page.keyboard.press(key)
        expect(heads(figure).nth(place)).to_be_focused()
    figure.page.keyboard.press("Space")
    assert hidden(figure) == "5"
    expect(heads(figure).nth(1)).to_be_focused()
    figure.page.keyboard.press("Tab")
    expect(figure.element.locator(".attn-body tbody button").first).to_be_focused()
    figure.page.keyboard.press("Shift+Tab")
    expect(heads(figure).nth(1)).to_be_focused()


def test_a_character_hidden_with_the_month_is_shown_with_it(show: Any) -> None:
    figure = show("dates", fragment="#dates?m=0").ready()
    assert hidden(figure) == "march"
    heads(figure).nth(1).click()
    assert hidden(figure) == "5march"
    heads(figure).nth(5).click()
    assert hidden(figure) == "5"
    assert figure.state()["m"] == 1
    # What cannot be read has nothing to hide.
    figure.go("#dates?t=αβ")
    expect(heads(figure).first).to_be_disabled()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_character_is_pressed_by_a_finger(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    box = heads(figure).nth(3).bounding_box()
    # As high as a finger, and as wide as the column.
    assert box["height"] >= 44
    assert box["width"] >= 16
    height = figure.element.bounding_box()["height"]
    for j in range(3, 8):
        heads(figure).nth(j).tap()
        figure.check()
        assert figure.element.bounding_box()["height"] == height
    assert hidden(figure) == "march"
    assert figure.summary == FIGURE.sentences(figure.check())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_emptied_field_says_what_is_expected_and_whose_map_stays(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    body = figure.element.locator(".attn-body")
    field, wrong, caption = (
        body.locator(part) for part in ("[data-key=t]", ".attn-wrong", ".attn-map caption")
    )
    said = "(e) => getComputedStyle(e, '::before').content"
    height = round(figure.element.bounding_box()["height"])
    for text in ("", "  "):
        field.fill(text)
        expect(wrong).to_have_text(words("dates")["controls"]["t"]["not_understood"])
        assert caption.evaluate(said) == f'"{words("dates")["former"]}"'
        for part in ("thead", "tbody", ".attn-looked", ".attn-summary"):
            assert body.locator(part).evaluate("(e) => getComputedStyle(e).opacity") == "0.45"
        assert figure.check().slots["iso"] == "2024-03-15"
        assert round(figure.element.bounding_box()["height"]) == height
    field.fill("1")
    expect(wrong).to_have_text("")
    assert caption.evaluate(said) == "none"
    assert body.locator("tbody").evaluate("(e) => getComputedStyle(e).opacity") == "1"


def test_a_row_left_by_unknown_characters_is_told_as_it_was_moved_last(show: Any) -> None:
    figure = show("dates").ready()
    looked = figure.element.locator(".attn-body .attn-looked")
    slider, field = (
        figure.element.locator("[data-key=temp]"),
        figure.element.locator("[data-key=t]"),
    )
    first = looked.text_content()
    slider.focus()
    figure.page.keyboard.press("ArrowRight")
    figure.check()
    row = looked.text_content()
    assert row != first
    field.fill("15 March z2024")
    assert looked.text_content() == row
    # Nor does a slider that is dragged meanwhile change it.
    slider.evaluate(
        "(e) => { e.stepUp(); e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(figure.element.locator("[aria-busy]")).to_have_count(0)
    assert looked.text_content() == row


@pytest.mark.parametrize("lang", LANGUAGES)
def test_unknown_characters_leave_the_map_of_the_text_before(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    body = figure.element.locator(".attn-body")
    field, caption = body.locator("[data-key=t]"), body.locator(".attn-map caption")
    field.fill("4 Sep 1998")
    figure.check()
    table = body.locator(".attn-map table")
    cells = table.locator("[data-weight]")
    weights = cells.evaluate_all("all => all.map((one) => one.dataset.weight)")
    row, height = body.locator(".attn-looked").text_content(), figure.element.bounding_box()
    field.fill("4 Sepz 1998")
    expect(figure.said).to_contain_text("z")
    # The letter is named under the field, in one line, and only while it stands there.
    unread = body.locator(".attn-unread")
    expect(unread).to_have_text(words("dates")["unread"].format(unknown="z"))
    assert unread.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    below = field.bounding_box()
    assert 0 <= unread.bounding_box()["y"] - below["y"] - below["height"] < 4
    # The numbers are those of the text before, and said to be.
    assert cells.evaluate_all("all => all.map((one) => one.dataset.weight)") == weights
    assert body.locator(".attn-looked").text_content() == row
    said = caption.evaluate("(e) => getComputedStyle(e, '::before').content")
    assert said == f'"{words("dates")["former"]}"'
    for part in ("thead", "tbody", ".attn-looked"):
        assert body.locator(part).evaluate("(e) => getComputedStyle(e).opacity") == "0.45"
    # Why is not dimmed, and nothing of another text can be pressed.
    summary = body.locator(".attn-summary")
    assert summary.evaluate("(e) => getComputedStyle(e).opacity") == "1"
    assert table.locator("button:enabled").count() == 0
    assert figure.element.bounding_box() == height
    field.fill("4 Sep 1998")
    figure.check()
    expect(unread).to_have_text("")
    assert body.locator("tbody").evaluate("(e) => getComputedStyle(e).opacity") == "1"
    assert table.locator("button:enabled").count() == len("4 Sep 1998") + 10


LONG = "Thursday, the 15th of March 2024"


def test_a_long_text_has_wide_cells_and_begins_where_the_weight_lies(show: Any) -> None:
    figure = show("dates", fragment=FIGURE.fragment({"t": LONG}), **PHONE).ready()
    weights = figure.check().parts["map"]["rows"]
    box = figure.element.locator(".attn-body .attn-map")
    rows = box.locator("tbody tr")
    seen = box.bounding_box()
    for i in (0, 1, 2, 3, 6):
        heaviest = max(range(len(LONG)), key=lambda j, i=i: weights[i][j])
        cell = rows.nth(i).locator(".attn-weight").nth(heaviest).bounding_box()
        assert cell["width"] >= 18
        sure = rows.nth(i).locator(".attn-sure").bounding_box()
        assert seen["x"] + 28 <= cell["x"] + 1
        assert cell["x"] + cell["width"] <= sure["x"] + 1
    # A pressed row shows what it looked at, and edges fade behind which columns go on.
    fades = "(e) => [e.matches('.attn-less'), e.matches('.attn-more')]"
    for row in (1, 9):
        rows.nth(row - 1).locator(".attn-row button").tap()
        assert figure.state()["row"] == row
        figure.check()
        heaviest = max(range(len(LONG)), key=lambda j, i=row - 1: weights[i][j])
        cell = rows.nth(row - 1).locator(".attn-weight").nth(heaviest).bounding_box()
        assert seen["x"] + 28 <= cell["x"] + 1
        assert cell["x"] + cell["width"] <= seen["x"] + seen["width"] - 34 + 1
        left, right = box.evaluate(
            "(e) => [e.scrollLeft, e.scrollWidth - e.clientWidth - e.scrollLeft]"
        )
        assert box.evaluate(fades) == [left > 1, right > 1]
    # What is in sight stays where it is.
    scrolled = box.evaluate("(e) => e.scrollLeft")
    heaviest = max(range(len(LONG)), key=lambda j: weights[9][j])
    rows.nth(9).locator(".attn-weight").nth(heaviest).tap()
    assert figure.state()["row"] == 10
    assert box.evaluate("(e) => e.scrollLeft") == scrolled


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_what_a_row_says_stands_below_the_map(show: Any, viewport: dict[str, int]) -> None:
    figure = show("dates", viewport=viewport).ready()
    names = (".attn-map", ".attn-looked", ".attn-summary", ".attn-settings")
    boxes = [figure.element.locator(f".attn-body {name}").bounding_box() for name in names]
    for upper, lower in itertools.pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"] + 1
    assert boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"] < 10


@pytest.mark.parametrize("typed", ["hello €", "\t"])
def test_a_link_replaces_what_is_being_typed(show: Any, typed: str) -> None:
    figure = show("dates").ready()
    field = figure.element.locator("[data-key=t]")
    field.fill(typed)
    expect(field).to_be_focused()
    figure.go("#dates?t=4 Sep 1998&m=0")
    assert field.input_value() == "4 Sep 1998"
    assert field.get_attribute("aria-invalid") != "true"
    field.fill(" 4 sep 1998")  # what spells the present state stays as it is typed
    assert field.input_value() == " 4 sep 1998"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_date_is_spelt_with_its_rows(show: Any, motion: str) -> None:
    figure = show("dates", **PHONE, reduced_motion=motion).ready()
    figure.element.locator("[data-key=t]").fill("4 Sep 1998")
    figure.check()
    written = figure.element.locator(".attn-written b")
    expect(written).to_have_text("1998-09-04")
    names = "(e) => e.getAnimations().map((one) => one.animationName)"
    row = figure.element.locator(".attn-body tbody tr").last
    assert written.evaluate(names) == (["attn-spelt"] if motion == "no-preference" else [])
    assert row.evaluate(names) == (["attn-written"] if motion == "no-preference" else [])


def test_answer_and_row_speak_of_one_symbol(show: Any) -> None:
    figure = show("dates").ready()
    figure.bet(2)
    row = figure.element.locator(".attn-body .attn-looked")
    expect(row).to_contain_text("It writes “3” (0.55)")
    expect(figure.said).to_contain_text("number 7, is the “3” with probability 0.55")
