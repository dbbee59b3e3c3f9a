"""The date reader: a hand writes on, characters are pressed, its model comes when it is used."""

import itertools
from typing import Any

import pytest
from hands import LOOKS, PHONE, WIDE, WINDOWS, Mouse, Window
from playwright.sync_api import Locator, expect
from reader import LANGUAGES, Visit

from attn_lib.language import words
from attn_lib.live.figures.dates import CANDIDATES, FIGURE

# Where each string of the symbol in hand begins and ends, in pixels of the drawing.
STRINGS = """(scene) => [...scene.querySelectorAll(".attn-lit > path")]
  .filter((path) => path.getAttribute("visibility") !== "hidden")
  .map((path) => [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())]
    .map(({ x, y }) => [x, y]).concat([Number(path.getAttribute("stroke-width"))]))"""

BOXES = """(rects) => rects.map((rect) => rect.getBBox())
  .map(({ x, y, width, height }) => [x, y, x + width, y + height])"""

# Which ghosts lie in the frame around what still fits.
FITTING = """(scene) => {
  const frame = scene.querySelector(".attn-dates-fits");
  if (frame.getAttribute("visibility") === "hidden") return [];
  const { top, bottom } = frame.getBoundingClientRect();
  return [...scene.querySelectorAll(".attn-bet-ghost")].flatMap((ghost, option) => {
    const box = ghost.firstChild.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    return top < middle && middle < bottom ? [option] : [];
  });
}"""


def scene(figure: Any) -> Locator:
    return figure.element.locator(".attn-scene")


def characters(figure: Any) -> Locator:
    """What is read, in the picture."""
    return scene(figure).locator(".attn-dates-tile:not([visibility=hidden])")


def heads(figure: Any) -> Locator:
    """What is read, in the map of the fold."""
    return figure.element.locator(".attn-body .attn-map thead button")


def lines(figure: Any) -> list[str]:
    """What is written, and what lies ahead of the hand."""
    texts: list[str] = scene(figure).locator("> svg > .attn-dates-line").all_text_contents()
    return texts[1:]


def field(figure: Any) -> Locator:
    return figure.element.locator("[data-key=t]")


@LOOKS
def test_what_is_said_of_a_text_keeps_its_height(show: Any, lang: str, window: Window) -> None:
    figure = show("dates", lang, **window).ready()
    odd = (
        {"t": "14 July 1789", "model": "recent", "temp": 2.0, "row": 10},
        {"t": "04/03/2024", "temp": 100, "row": 10},
        {"t": "15 March 2024", "row": 8},
        {"t": "15 March 2024", "see": "15 ____h 20_4", "row": 10},
        {"t": "αβγδεζηθικλμ"},
    )
    heights = set()
    for settings in ({}, *FIGURE.tries, *odd):
        figure.go(FIGURE.fragment({**settings, "ask": "0"}))
        view = figure.check()  # waits until the model has come
        assert figure.summary == FIGURE.sentences(view)
        figure.element.locator(".attn-more").evaluate("(e) => { e.open = false; }")
        heights.add(figure.height)
    assert len(heights) == 1


@WINDOWS
@pytest.mark.parametrize("row", [4, 7, 10])
def test_strings_lead_from_the_symbol_in_hand_to_what_it_looks_at(
    show: Any, window: Window, row: int
) -> None:
    figure = show("dates", fragment=f"#dates?row={row}", **window).ready()
    weights = figure.check().parts["map"]["rows"][row - 1]
    seen = [j for j, weight in enumerate(weights) if weight >= 0.05]
    symbols = scene(figure).locator(".attn-dates-symbol").evaluate_all(BOXES)
    letters = characters(figure).locator("rect").evaluate_all(BOXES)
    strings = scene(figure).evaluate(STRINGS)
    assert len(letters) == len(weights)
    assert len(strings) == len(seen)
    left, top, right, _ = symbols[row - 1]
    for j, (start, end, thick) in zip(seen, strings, strict=True):
        assert start == pytest.approx([(left + right) / 2, top], abs=0.3)
        assert end == pytest.approx([(letters[j][0] + letters[j][2]) / 2, letters[j][3]], abs=0.3)
        assert thick == pytest.approx(1 + 13 * weights[j], abs=0.06)


def test_what_lies_ahead_is_blank_while_it_is_asked(show: Any) -> None:
    figure = show("dates").ready()
    assert lines(figure) == ["2024", ""]
    figure.element.locator(".attn-hand").press("PageUp")
    assert lines(figure) == ["2024-03-0", ""]
    figure.bet(0)
    assert lines(figure) == ["2024-03-03", ""]
    # A link asks nothing: the whole date is there, and what is ahead of the hand is grey.
    figure.go("#dates?t=4 Sep 1998")
    figure.check()
    assert lines(figure) == ["1998-09", "-04"]


@WINDOWS
def test_the_frame_is_around_the_candidates_that_fit(show: Any, window: Window) -> None:
    figure = show("dates", **window).ready()
    hand = figure.element.locator(".attn-hand")
    for row in range(4, 11):
        written = lines(figure)[0]
        assert len(written) == row
        fit = [n for n, candidate in enumerate(CANDIDATES) if candidate.startswith(written)]
        assert scene(figure).evaluate(FITTING) == fit
        hand.press("ArrowRight")
    # They are candidates for the question's text alone.
    figure.go("#dates?t=4 Sep 1998")
    figure.check()
    assert scene(figure).evaluate(FITTING) == []


def test_the_hand_is_pulled_to_a_symbol_or_a_symbol_is_pressed(show: Any) -> None:
    figure = show("dates", **WIDE).ready()
    symbols = scene(figure).locator(".attn-dates-symbol")
    box, goal = (
        one.bounding_box() for one in (figure.element.locator(".attn-hand"), symbols.nth(6))
    )
    mouse = Mouse(figure)
    mouse.down(box["x"] + 22, box["y"] + 22)
    mouse.move(goal["x"] + goal["width"] / 2, box["y"] + 22)
    mouse.up()
    assert figure.state()["row"] == 7
    assert "Symbol 7 reads “4”\u00a0(no.\u00a01)\u00a00.49" in figure.summary
    assert "It writes “3” (0.55), not “4” (0.44)" in figure.summary
    symbols.nth(9).click()
    assert figure.state()["row"] == 10
    figure.check()
    # Of the last symbol alone the fold speaks.
    figure.open_fold()
    looked = figure.element.locator(".attn-body [data-looked]")
    expect(looked).to_contain_text("Symbol 10 reads “4” (no. 1) 0.47")
    symbols.nth(0).click()
    expect(looked).to_be_hidden()


MODEL = "**/attn/models/additive.js"


def models(visit: Visit) -> list[str]:
    """Which models were asked for."""
    return [address.rpartition("/")[2] for address in visit.requests if "/models/" in address]


def test_the_question_is_answered_without_a_model(show: Any, visit: Visit) -> None:
    figure = show("dates", new=True).ready()
    figure.page.route(MODEL, lambda route: route.abort())
    figure.element.locator(".attn-bet").nth(0).evaluate("(bet) => bet.click()")
    figure.check()
    assert lines(figure) == ["2024-03-03", ""]
    assert models(visit) == []
    figure.page.unroute(MODEL)


def test_the_model_sets_out_when_a_hand_comes_to_the_figure(show: Any, visit: Visit) -> None:
    figure = show("dates", new=True, **WIDE).ready()
    drawn = scene(figure).inner_html()
    assert models(visit) == []
    with figure.page.expect_response(MODEL):
        scene(figure).hover()
    # It is not in use: nothing waits for it, and nothing is painted.
    expect(figure.element).not_to_have_attribute("data-waiting", "")
    assert scene(figure).inner_html() == drawn
    field(figure).fill("4 Sep 1998")
    figure.check()
    assert models(visit) == ["additive.js"]


def test_a_key_and_a_finger_let_the_model_set_out(show: Any, visit: Visit) -> None:
    figure = show("dates", new=True, **PHONE).ready()
    assert models(visit) == []
    with figure.page.expect_response(MODEL):
        figure.element.locator(".attn-bet").first.focus()
    figure = show("dates", "ko", new=True, **PHONE).ready()
    with figure.page.expect_response(MODEL):
        figure.element.locator(".attn-question").tap()
    assert models(visit) == ["additive.js"] * 2
    expect(figure.element).not_to_have_attribute("data-waiting", "")


def test_a_model_that_has_not_come_is_asked_for_again_at_the_use(show: Any, visit: Visit) -> None:
    figure = show("dates", new=True, **WIDE).ready()
    page, note = figure.page, figure.element.locator(".attn-failed")
    page.route(MODEL, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        scene(figure).hover()
    # The picture needs none, and so nothing is said.
    figure.element.locator(".attn-hand").press("ArrowRight")
    figure.check()
    expect(note).to_be_hidden()
    # Still not there when it is needed: the figure says so.
    with page.expect_event("requestfailed"):
        characters(figure).nth(1).click()
    expect(note).to_be_visible()
    page.unroute(MODEL)
    characters(figure).nth(4).click()
    figure.check()
    expect(note).to_be_hidden()
    # Nothing but the browser has complained.
    assert all("Failed to load resource" in error for error in visit.errors)
    visit.errors.clear()


def hidden(figure: Any) -> str:
    """What the page shows to be hidden: in the picture, and in the map to a screen reader."""
    part = figure.check().parts["map"]  # waits until the model has come
    flags = [flag == "hidden" for flag in part["flags"]]
    pressed = heads(figure).evaluate_all("all => all.map((one) => one.ariaPressed === 'true')")
    assert pressed == flags
    struck = characters(figure).evaluate_all(
        "all => all.map((one) => one.matches('.attn-letter-hidden'))"
    )
    assert struck == flags
    pairs = zip(part["letters"], flags, strict=True)
    return "".join(letter for letter, is_hidden in pairs if is_hidden)


def test_a_character_is_hidden_and_shown_again_by_pressing_it(show: Any) -> None:
    figure = show("dates", fragment="#dates?row=10").ready()
    height = figure.height
    characters(figure).nth(3).click()
    assert hidden(figure) == "m"
    assert figure.state()["see"] == "15 _arch 2024"
    assert "“m” is hidden, and it writes the same." in figure.summary
    characters(figure).nth(0).click()
    assert hidden(figure) == "1m"
    assert figure.height == height
    assert "see=_5%20_arch%202024" in figure.page.evaluate("location.hash")
    # So it is in the map.
    figure.open_fold()
    head = figure.element.locator(".attn-map thead th").nth(3)
    expect(head).to_have_accessible_name("m hidden")
    expect(heads(figure).nth(3)).to_have_accessible_name("hide “m”")
    heads(figure).nth(0).click()
    heads(figure).nth(3).click()
    assert hidden(figure) == ""
    assert figure.page.evaluate("location.hash") == "#dates?row=10"
    # What was hidden in a text is hidden in no other.
    characters(figure).nth(3).click()
    field(figure).fill("16 March 2024")
    field(figure).press("Enter")
    assert hidden(figure) == ""


def test_characters_of_the_map_are_one_stop_by_key(show: Any) -> None:
    figure = show("dates", fragment="#dates?row=10").ready().open_fold()
    figure.check()
    figure.element.locator(".attn-body .attn-map").focus()
    for key, place in (("Tab", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        figure.page.keyboard.press(key)
        expect(heads(figure).nth(place)).to_be_focused()
    figure.page.keyboard.press("Space")
    assert hidden(figure) == "5"
    expect(heads(figure).nth(1)).to_be_focused()


def test_a_character_hidden_with_the_month_is_shown_with_it(show: Any) -> None:
    figure = show("dates", fragment="#dates?m=0").ready()
    assert hidden(figure) == "march"
    characters(figure).nth(1).click()
    assert hidden(figure) == "5march"
    characters(figure).nth(5).click()
    assert hidden(figure) == "5"
    assert figure.state()["m"] == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_character_is_pressed_by_a_finger(show: Any, lang: str) -> None:
    figure = show("dates", lang, fragment="#dates?row=10", **PHONE).ready()
    height = figure.height
    for j in range(3, 8):
        characters(figure).nth(j).tap()
        figure.check()
        assert figure.height == height
    assert hidden(figure) == "march"
    assert figure.summary == FIGURE.sentences(figure.check())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_emptied_field_says_what_is_expected_and_the_answer_stays(show: Any, lang: str) -> None:
    figure = show("dates", lang, **PHONE).ready()
    wrong = figure.element.locator(".attn-body .attn-wrong")
    height = round(figure.height)
    dimmed = [figure.element.locator(f".attn-body {one}") for one in (".attn-map", ".attn-summary")]
    for text in ("", "  "):
        field(figure).fill(text)
        expect(wrong).to_have_text(words("dates")["controls"]["t"]["not_understood"])
        for part in dimmed:
            assert part.evaluate("(e) => getComputedStyle(e).opacity") == "0.45"
        assert figure.check().slots["text"] == "04/03/2024"
        assert round(figure.height) == height
    field(figure).fill("1")
    expect(wrong).to_have_text("")
    assert dimmed[0].evaluate("(e) => getComputedStyle(e).opacity") == "1"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_with_an_unknown_character_is_not_read(show: Any, lang: str) -> None:
    figure = show("dates", lang, fragment="#dates?row=10", **PHONE).ready()
    figure.check()
    height = figure.height
    field(figure).fill("4 Sepz 1998")
    view = figure.check()
    assert view.summary == ("unknown",)
    assert figure.summary == FIGURE.sentences(view)
    assert lines(figure) == ["", ""]
    assert scene(figure).evaluate(STRINGS) == []
    expect(scene(figure).locator(".attn-letter-unknown")).to_have_text("z")
    # There is nothing to hide in it, and its map has no rows.
    assert heads(figure).evaluate_all("all => all.every((one) => one.disabled)")
    expect(figure.element.locator(".attn-body .attn-map tbody tr")).to_have_count(0)
    assert figure.height == height
    field(figure).fill("4 Sep 1998")
    figure.check()
    assert lines(figure) == ["1998-09-04", ""]


@pytest.mark.parametrize(
    ("text", "window", "count"),
    [
        ("Thursday, the 15th of March 2024", WIDE, 1),
        ("Thursday, the 15th of March 2024", PHONE, 1),
        ("1" * 64, WIDE, 1),
        ("1" * 64, PHONE, 2),
    ],
)
def test_a_long_text_is_whole_in_the_picture(
    show: Any, text: str, window: dict[str, Any], count: int
) -> None:
    figure = show("dates", fragment=FIGURE.fragment({"t": text}), **window).ready()
    figure.check()
    boxes = characters(figure).locator("rect").evaluate_all(BOXES)
    assert len(boxes) == len(text)
    room = scene(figure).bounding_box()["width"]
    assert min(left for left, *_ in boxes) >= 0
    assert max(right for _, _, right, _ in boxes) <= room
    assert len({top for _, top, _, _ in boxes}) == count
    # None lies on its neighbour, and above the strings there is room for them.
    tops = scene(figure).locator(".attn-dates-symbol").evaluate_all(BOXES)
    assert max(bottom for *_, bottom in boxes) + 60 < tops[0][1]
    for one, other in itertools.pairwise(boxes):
        assert one[1] < other[1] or one[2] <= other[0] + 0.5


@pytest.mark.parametrize("typed", ["hello €", "\t"])
def test_a_link_replaces_what_is_being_typed(show: Any, typed: str) -> None:
    figure = show("dates").ready()
    field(figure).fill(typed)
    expect(field(figure)).to_be_focused()
    figure.go("#dates?t=4 Sep 1998&m=0")
    assert field(figure).input_value() == "4 Sep 1998"
    assert field(figure).get_attribute("aria-invalid") != "true"
    field(figure).fill(" 4 sep 1998")  # what spells the present state stays as it is typed
    assert field(figure).input_value() == " 4 sep 1998"
