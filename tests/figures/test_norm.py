"""The tip of key 2 in figure `norm`: mouse, finger and keys move it both ways."""

from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure, centred
from hands import PHONE, Finger
from playwright.sync_api import expect
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES

# Where the plane ends, and the pixels below it for the numbers.
REACH, FOOT = 4.6, 34


def plane(figure: LiveFigure) -> Any:
    """Return a function from a place of the plane to pixels of the window."""
    stage = figure.element.locator(".attn-body .attn-stage")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = stage.evaluate(
        """(e) => {
             const { x, y } = e.getBoundingClientRect();
             return [x + e.clientLeft, y + e.clientTop, e.clientWidth, e.clientHeight];
           }"""
    )
    left, top, width, height = box
    height -= FOOT
    unit = (min(width, height) - 8) / (2 * REACH)
    return lambda x, y: (left + width / 2 + x * unit, top + height / 2 - y * unit)


def test_tip_is_dragged_both_ways_and_snaps(pointer: Any) -> None:
    figure, pointer = pointer("norm")
    at = plane(figure)
    pointer.down(*at(1, -1))
    pointer.move(*at(3.9, -2.1))
    assert (figure.state()["x"], figure.state()["y"]) == (4, -2)
    assert figure.page.evaluate("location.hash") == ""
    figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == FIGURES["norm"].fragment({"x": 4, "y": -2})
    assert figure.element.locator(".attn-body .attn-handle").evaluate(
        "(e) => e === document.activeElement"
    )


def test_handle_lies_on_the_tip(pointer: Any) -> None:
    figure, _ = pointer("norm")
    for x, y in ((1, -1), (-4, 4), (0, 0), (2.5, 3)):
        figure.go(FIGURES["norm"].fragment({"x": x, "y": y}))
        expected = plane(figure)(x, y)
        box = figure.element.locator(".attn-body .attn-handle").bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert middle == pytest.approx(expected, abs=2)


def test_escape_puts_the_tip_back(pointer: Any) -> None:
    figure, pointer = pointer("norm")
    at = plane(figure)
    pointer.down(*at(1, -1))
    pointer.move(*at(-2, 3))
    assert figure.state()["x"] == -2
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert (figure.state()["x"], figure.state()["y"]) == (1, -1)
    assert figure.page.evaluate("location.hash") == ""


def test_keys_move_the_tip_and_it_says_what_came(show: Any) -> None:
    figure = show("norm").ready()
    handle = figure.element.locator(".attn-body .attn-handle")
    for key in ("Shift+ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        handle.press(key)
    assert (figure.state()["x"], figure.state()["y"]) == (4, -2)
    assert figure.page.evaluate("location.hash") == "#norm?x=4&y=-2"
    assert "0.50" in handle.get_attribute("aria-valuetext")
    figure.check()


def test_keys_of_a_slider_move_the_tip_and_scroll_nothing(show: Any) -> None:
    figure = show("norm", fragment="#norm?x=1&y=-1").ready()
    handle = figure.element.locator(".attn-body .attn-handle")
    handle.focus()
    scrolled = figure.page.evaluate("scrollY")
    for key, place in (
        ("Home", (-4, -1)),
        ("End", (4, -1)),
        ("PageUp", (4, 1.5)),
        ("PageDown", (4, -1)),
    ):
        handle.press(key)
        assert (figure.state()["x"], figure.state()["y"]) == place, key
    assert figure.page.evaluate("scrollY") == scrolled
    figure.check()


def test_finger_beside_the_tip_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    finger = Finger(figure)
    x, y = plane(figure)(-3, 0)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert (figure.state()["x"], figure.state()["y"]) == (1, -1)
    assert figure.page.evaluate("scrollY") != before


def test_tap_places_the_tip(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    figure.page.touchscreen.tap(*plane(figure)(-2, 2.5))
    assert (figure.state()["x"], figure.state()["y"]) == (-2, 2.5)
    figure.check()


CORNERS = [(-4, -4), (-4, 4), (4, 4), (4, -4)]
STATES = [
    *({"x": x, "y": y, "sub": sub} for x, y in CORNERS for sub in ("off", "on")),
    {"x": 2, "y": 2},
    {"x": 1, "y": 1, "sub": "on"},
    {"x": -3, "y": 1, "sub": "on"},
    {"x": 2, "y": 1.5},
    {"x": -0.5, "y": -0.5},
]

# The numbers below the plane, and what of the plane reaches down to them.
FOOT_LINES = """(figure) => {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const box = (node) => node.getBoundingClientRect();
  const floor = box(stage.querySelector(".attn-floor")).top;
  const texts = [...stage.querySelectorAll(".attn-tag")];
  const isBelow = (node) => box(node).bottom > floor;
  return [
    texts.filter(isBelow).map((node) => node.textContent),
    texts.filter((node) => isBelow(node) && box(node).top < floor).map((node) => node.textContent),
  ];
}"""

# The numbers on the axes that are seen under another text, and what sticks out of the plane.
FAULTS = """(figure) => {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const frame = stage.getBoundingClientRect();
  const isSeen = (node) => node.getAttribute("visibility") !== "hidden";
  const meets = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const box = (node) => node.getBoundingClientRect();
  const ticks = [...stage.querySelectorAll("svg > g:first-child text")].filter(isSeen);
  const names = [...stage.querySelectorAll(".attn-name")];
  const bars = [...stage.querySelectorAll(".attn-shadow-1, .attn-shadow-2")];
  const isOut = (b) =>
    b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom;
  return [
    ...ticks.filter((tick) => names.some((name) => meets(box(tick), box(name)))),
    ...bars.filter((bar) => isOut(box(bar))),
  ].map((node) => node.textContent || node.getAttribute("class"));
}"""


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_what_is_written_stands_below_the_plane_and_on_nothing_else(
    show: Any, screen: dict[str, Any]
) -> None:
    figure = show("norm", **screen).ready()
    for settings in STATES:
        figure.go(FIGURES["norm"].fragment(settings))
        below, across = figure.element.evaluate(FOOT_LINES)
        assert [text.split(" ")[0].strip(":") for text in below] in (
            ["q·k₁", "q·k₂", "distance"],
            ["k₁", "k₂", "distance"],
        ), settings
        assert across == [], settings
        drawing = figure.element.locator(".attn-body .attn-stage")
        assert drawing.evaluate(OVERLAPPING, ".attn-tag:not([visibility=hidden])") == [], settings
        assert figure.element.evaluate(FAULTS) == [], settings


def test_subtracting_cuts_the_bars_and_shrinks_the_ground(show: Any) -> None:
    figure = show("norm", fragment="#norm?x=2&y=2").ready()
    bar = figure.element.locator(".attn-body .attn-shadow-2")
    region = figure.element.locator(".attn-body .attn-region")
    assert bar.evaluate("(e) => e.getBBox().width") > 100
    figure.go("#norm?x=2&y=2&sub=on")
    assert bar.evaluate("(e) => e.getBBox().width") == 3  # a stroke: there is none
    assert figure.element.locator(".attn-body .attn-was").nth(1).is_visible()
    assert figure.element.locator(".attn-body .attn-wins").text_content() == "key 2 never wins"
    region.evaluate("(e) => Promise.all(e.getAnimations().map((one) => one.finished))")
    assert region.bounding_box()["width"] == 0
    texts = figure.element.locator(".attn-body .attn-hue-key > .attn-tag").all_text_contents()
    assert "k₂: 4.00 − 4.00 = 0.00" in texts


# What a phone of 640 pixels shows below the header of the page.
WINDOW = 584


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_cause_and_effect_in_one_window(show: Any, lang: str) -> None:
    figure = show("norm", lang, **PHONE).ready()
    figure.go("#norm?x=2&y=2&sub=on")
    body = figure.element.locator(".attn-body")
    top = body.locator(".attn-stage").bounding_box()
    feet = {}
    for part in ("[data-key=x]", "[data-key=y]", "[data-part=weights_shifted]", ".attn-summary"):
        box = body.locator(part).bounding_box()
        feet[part] = box["y"] + box["height"] - top["y"]
    assert feet["[data-key=x]"] == feet["[data-key=y]"]
    assert list(feet.values()) == sorted(feet.values())
    assert feet[".attn-summary"] <= WINDOW
    sub = body.locator(".attn-segments").bounding_box()
    assert sub["y"] + sub["height"] - top["y"] <= 640
    # Two scorers stand abreast, their formulas on one line.
    shifted, gaussian = (
        body.locator(f"[data-part=scores_{name}]") for name in ("shifted", "gaussian")
    )
    assert shifted.bounding_box()["y"] == gaussian.bounding_box()["y"]
    for table in (shifted, gaussian):
        figure.go("#norm?x=-4&y=-4&sub=on")
        number = table.locator(".attn-number").last
        assert number.evaluate("(e) => e.scrollWidth <= e.parentElement.clientWidth")
        room = table.locator("caption").evaluate("(e) => e.clientWidth - e.scrollWidth")
        assert room >= 0


@pytest.mark.parametrize("key", ["x", "y"])
def test_slider_of_a_phone_is_a_target_of_44_pixels(show: Any, key: str) -> None:
    figure = show("norm", **PHONE).ready()
    slider = figure.element.locator(f"[data-key={key}]")
    box = centred(slider)
    assert box["height"] == 44
    for y in (box["y"] + 1, box["y"] + 43):
        # Its name lies over it and takes no press.
        hit = figure.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).dataset.key", [box["x"] + 8, y]
        )
        assert hit == key


def test_where_keys_tie_is_drawn_once_key_2_has_been_there(show: Any) -> None:
    figure = show("norm").ready()
    region = figure.element.locator(".attn-body .attn-region")
    wins = figure.element.locator(".attn-body .attn-wins")
    for link, seen in (
        ("x=1&y=0.5", False),
        ("x=-4&y=4", False),
        ("x=-2&y=4", True),
        ("x=-4&y=-4", True),
    ):
        figure.go(f"#norm?{link}&ask=1")
        for node in (region, wins):
            assert node.get_attribute("visibility") == ("visible" if seen else "hidden"), link
    for link, text in (
        ("x=4&y=-2", "a tie: 0.50"),
        ("x=4&y=-1.5", "key 2 wins"),
        ("x=1&y=1&sub=on", "key 2 never wins"),
    ):
        figure.go(f"#norm?{link}")
        assert wins.text_content() == text


@pytest.mark.parametrize("way", ["ask again", "reset"])
def test_who_is_asked_again_is_not_shown_where_keys_tie(show: Any, way: str) -> None:
    figure = show("norm").ready()
    wins = figure.element.locator(".attn-body .attn-wins")
    figure.bet(0)
    expect(wins).to_have_attribute("visibility", "visible")
    if way == "ask again":
        figure.ask_again()
    else:
        figure.element.locator(".attn-reset").click()
    expect(wins).to_have_attribute("visibility", "hidden")
    figure.go("#norm?x=4&y=-3&ask=1")
    expect(wins).to_have_attribute("visibility", "hidden")


@pytest.mark.parametrize("link", ["x=3&y=0", "x=4&y=4", "x=2&y=2&sub=on", "x=3&y=3.5"])
def test_where_keys_tie_is_drawn_for_who_arrives_beyond(show: Any, link: str) -> None:
    figure = show("norm", fragment=f"#norm?{link}").ready()
    region = figure.element.locator(".attn-body .attn-region")
    assert region.get_attribute("visibility") == "visible"


def test_answer_goes_along_the_line(show: Any) -> None:
    figure = show("norm", reduced_motion="no-preference").ready()
    figure.element.evaluate(
        """(e) => {
             window.tips = [];
             const look = () => {
               window.tips.push([e.state.x, e.state.y]);
               requestAnimationFrame(look);
             };
             look();
           }"""
    )
    figure.bet(2)
    figure.page.wait_for_function("() => location.hash === '#norm?x=4&y=-2'")
    tips = figure.page.evaluate("window.tips")
    reached = next(i for i, (x, y) in enumerate(tips) if x + y > 2 - 1e-6)
    assert reached < len(tips) - 3
    assert all(x + y == pytest.approx(2) for x, y in tips[reached:])
    assert tips[reached][0] < 3 < tips[-1][0]


def test_plumb_line_ends_at_the_shadow(show: Any) -> None:
    figure = show("norm").ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    for link in ("x=3&y=0", "x=2.5&y=0.5", "x=0&y=3", "x=2&y=1.5"):
        figure.go(f"#norm?{link}")
        assert stage.evaluate(TOUCHED, [".attn-name", ".attn-plumb"]) == [], link


# Where names have lain on something.
LINKS = [
    "x=1&y=-1",
    "x=1.5&y=3.5",
    "x=2&y=2",
    "x=2&y=1",
    "x=3.5&y=3",
    "x=1&y=2",
    "x=3&y=0&sub=on",
    "x=1&y=3",
    "x=4&y=4",
    "x=-4&y=-3.5&sub=on",
    "x=0.5&y=0.5",
    "x=0.5&y=1",
    "x=1.5&y=1.5",
    "x=-2.5&y=-3&sub=on",
    "x=0.5&y=3&sub=on",
]


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_no_name_lies_on_what_is_drawn_of_the_keys(show: Any, screen: dict[str, Any]) -> None:
    figure = show("norm", **screen).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    for link in LINKS:
        figure.go(f"#norm?{link}")
        for marks in (".attn-key-arrow", "[class*=attn-shadow-]", ".attn-plumb", ".attn-apart"):
            assert stage.evaluate(TOUCHED, [".attn-name", marks]) == [], link
        assert stage.evaluate(OVERLAPPING, ".attn-name, .attn-wins, .attn-hint") == [], link


def test_dots_of_the_distance_are_seen_where_it_runs_along_another_line(show: Any) -> None:
    figure = show("norm").ready()
    over = """(dots) => [...dots.closest("svg").querySelectorAll(".attn-plumb, .attn-key-arrow")]
      .every((mark) => mark.compareDocumentPosition(dots) & Node.DOCUMENT_POSITION_FOLLOWING)"""
    for link in ("x=4&y=-2", "x=3&y=3"):
        figure.go(f"#norm?{link}")
        for dots in figure.element.locator(".attn-body .attn-apart").all():
            assert dots.evaluate(over), link


def test_that_key_2_can_be_dragged_is_said_until_a_hand_has_come(show: Any) -> None:
    figure = show("norm").ready()
    hint = figure.element.locator(".attn-body .attn-hint")
    assert hint.text_content() == "drag"
    assert hint.get_attribute("visibility") == "visible"
    figure.go("#norm?x=4&y=-2")
    assert hint.get_attribute("visibility") == "hidden"
    figure.go("#norm?x=1&y=-1")
    assert hint.get_attribute("visibility") == "visible"
    figure.element.locator(".attn-body .attn-handle").press("ArrowLeft")
    expect(hint).to_have_count(0)


def test_equal_distances_are_drawn_while_key_2_is_moved_and_while_something_is_subtracted(
    pointer: Any,
) -> None:
    figure, pointer = pointer("norm")
    drawn = figure.element.locator(".attn-body .attn-equal")
    number = figure.element.locator(".attn-body .attn-stage").get_by_text("distance 2.00")
    seen = "(e) => getComputedStyle(e).visibility"
    assert number.is_visible()
    assert figure.element.locator(".attn-body .attn-apart").last.evaluate(seen) == "visible"
    assert drawn.evaluate(seen) == "hidden"
    at = plane(figure)
    pointer.down(*at(1, -1))
    pointer.move(*at(2, -1))
    assert drawn.evaluate(seen) == "visible"
    pointer.up()
    figure.element.locator(".attn-body .attn-handle").evaluate("(e) => e.blur()")
    assert drawn.evaluate(seen) == "hidden"
    figure.go("#norm?x=2&y=2&sub=on")
    assert drawn.evaluate(seen) == "visible"


def test_key_across_the_query_has_a_stroke_for_a_shadow(show: Any) -> None:
    figure = show("norm").ready()
    stroke = figure.element.locator(".attn-body .attn-none")
    assert stroke.get_attribute("visibility") == "visible"
    figure.go("#norm?x=4&y=-2")
    assert stroke.get_attribute("visibility") == "hidden"


def test_height_keeps_still(show: Any) -> None:
    figure = show("norm", **PHONE).ready()
    heights = set()
    for settings in ({}, *FIGURES["norm"].tries, {"x": -4, "y": -4}, {"x": -3.5, "sub": "on"}):
        figure.go(FIGURES["norm"].fragment({**settings, "ask": "0"}))
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1
