"""Figure `museum`: a beam that runs a test, lamps that are pressed, and what the fold says."""

from typing import Any

import pytest
from figures import LiveFigure, centred, middle
from hands import LOOKS, PHONE, WIDE, WINDOWS, Finger, Mouse, Window
from playwright.sync_api import Locator, expect
from reader import LANGUAGES

from attn_lib import museum
from attn_lib.language import words
from attn_lib.live.figures.museum import BUGS, TESTS

ALL = list(TESTS)


def address(figure: LiveFigure) -> str:
    return figure.page.evaluate("location.hash")


def cells(figure: LiveFigure) -> Locator:
    """What can be pressed in the picture: ten heads, nine names, and the lamps by rows."""
    return figure.element.locator(".attn-scene .attn-museum-cell > rect")


def lamp(figure: LiveFigure, bug: str, test: int) -> Locator:
    return cells(figure).nth(len(TESTS) + len(BUGS) + BUGS.index(bug) * len(TESTS) + test - 1)


def lines(figure: LiveFigure) -> Locator:
    """The lines of the test that is shown."""
    return figure.element.locator(".attn-body .attn-test:not([inert]) .attn-test-code")


def code(test: int) -> str:
    return museum.code([*museum.TESTS.values(), museum.agrees_with_torch][test - 1])


@WINDOWS
def test_the_beam_is_pulled_from_test_to_test_and_off_the_wall(show: Any, window: Window) -> None:
    figure = show("museum", **window).ready()
    pointer = Finger(figure) if window is PHONE else Mouse(figure)
    x, y = middle(figure.element.locator(".attn-scene .attn-hand"))
    at = [cells(figure).nth(n).bounding_box() for n in range(len(TESTS))]
    columns = [box["x"] + box["width"] / 2 for box in at]
    pointer.down(x, y)
    for test in (2, 7, 10):
        pointer.move(columns[test - 1], y)
        assert figure.state()["t"] == (test,)
        figure.check()
    pointer.move(columns[0] - at[0]["width"], y)
    pointer.up()
    assert address(figure) == "#museum?bug=nosqrt&t=none"
    figure.check()
    knob = figure.element.locator(".attn-scene .attn-hand")
    assert knob.get_attribute("aria-valuenow") == "0"
    knob.press("ArrowUp")
    assert address(figure) == "#museum?bug=nosqrt"  # T1 goes without saying
    assert knob.get_attribute("aria-valuetext") == "T1 published toy: caught 2 of 9"


@WINDOWS
def test_a_head_adds_a_test_a_name_chooses_an_exhibit_and_a_lamp_does_both(
    show: Any, window: Window
) -> None:
    figure = show("museum", fragment="#museum?t=1", **window).ready()
    press = Locator.tap if window is PHONE else Locator.click
    press(cells(figure).nth(4))
    assert address(figure) == "#museum?t=1,5"
    press(cells(figure).nth(0))  # it is taken back
    assert address(figure) == "#museum?t=5"
    press(cells(figure).nth(len(TESTS) + BUGS.index("fill")))
    assert address(figure) == "#museum?bug=fill&t=5"
    press(lamp(figure, "repeat", 8))
    assert address(figure) == "#museum?bug=repeat&t=5,8"
    press(lamp(figure, "squeeze", 8))  # the test runs already
    assert address(figure) == "#museum?bug=squeeze&t=5,8"
    figure.check()
    assert figure.element.locator("[data-key=t]:checked").count() == 2


@pytest.mark.parametrize("link", ["?t=10", "?t=4,5,7,8", "?bug=nan&on=one&t=1,9", "?t=none"])
def test_lamps_are_lit_where_a_test_fails_and_are_counted(show: Any, link: str) -> None:
    figure = show("museum", fragment=f"#museum{link}", **WIDE).ready()
    state = figure.state()
    drawn = figure.element.locator(".attn-scene .attn-museum-cell > circle").evaluate_all(
        "all => all.map((e) => e.getAttribute('class').replace('attn-museum-', ''))"
    )
    tests = [*museum.TESTS.values(), museum.agrees_with_torch]
    expected, caught = [], 0
    for bug, exhibit in museum.EXHIBITS.items():
        row = ["off"] * len(tests)
        for n in state["t"]:
            is_judged = n < len(tests) or not issubclass(exhibit, museum.Additive)
            if not is_judged or (state["on"] == "one" and bug != state["bug"]):
                row[n - 1] = "unrun"
            else:
                row[n - 1] = "passed" if museum.run(tests[n - 1], exhibit) else "lit"
        expected += row
        caught += "lit" in row
    assert drawn == expected
    expect(figure.element.locator(".attn-museum-count")).to_have_text(str(caught))
    # As high as so many rows, counted from below the last one.
    rows = figure.element.locator(".attn-scene .attn-museum-cell > circle").evaluate_all(
        "all => all.filter((_, i) => i % 10 === 0).map((e) => Number(e.getAttribute('cy')))"
    )
    below = 2 * rows[-1] - rows[-2]
    top = float(figure.element.locator(".attn-museum-top").get_attribute("cy"))
    assert top == pytest.approx([*rows, below][len(rows) - caught], abs=0.2)
    beams = figure.element.locator("path.attn-museum-beam").get_attribute("d").count("M")
    assert beams == max(0, len(state["t"]) - 1)  # the last one is in the hand


@LOOKS
def test_nothing_is_cut_whatever_is_chosen(show: Any, lang: str, window: Window) -> None:
    figure = show("museum", lang, **window).ready().open_fold()
    room = figure.element.bounding_box()
    for bug in BUGS:
        figure.go(f"#museum?bug={bug}&t={','.join(map(str, ALL))}&ask=0")
        broken = figure.element.locator(".attn-body .attn-listing:visible").evaluate_all(
            """all => all.filter((e) => e.scrollWidth > e.clientWidth
              || [...e.querySelectorAll(".attn-uncut")].some((one) => one.getClientRects()[1])
            ).length"""
        )
        assert broken == 0, bug
    for n in TESTS:  # what the beam stands on is named in the picture
        figure.go(f"#museum?t={n}&ask=0")
        said = figure.element.locator(".attn-scene svg > text.attn-num").bounding_box()
        assert room["x"] <= said["x"]
        assert said["x"] + said["width"] <= room["x"] + room["width"]


def test_the_fold_marks_lines_and_numbers_as_the_view_has_them(show: Any) -> None:
    figure = show("museum", **WIDE).ready().open_fold()
    served = figure.element.locator(".attn-body .attn-exhibit code").inner_html()
    figure.go("#museum?bug=nan&t=9")
    listing = figure.element.locator(".attn-body .attn-exhibit .attn-line")
    said = listing.evaluate_all(
        "all => all.map((e) => [e.lastElementChild.textContent.trimEnd(), e.dataset.kind])"
    )
    assert said == [["".join(cut), kind] for cut, kind in figure.check().parts["code"]["lines"]]
    figure.go("#museum?bug=nosqrt&t=none")
    assert set(listing.evaluate_all("all => all.map((e) => e.dataset.kind)")) == {"same"}
    differs = figure.element.locator(".attn-body .attn-differs")
    figure.go("#museum?bug=inplace&t=6")
    assert differs.all_text_contents() == ["−1e6", "−1e6"]
    figure.go("#museum?bug=inplace&t=4")  # it passes
    assert differs.count() == 0
    got = figure.element.locator(".attn-body .attn-got")
    figure.go("#museum?t=10")
    expect(got.last).to_have_text(words("museum")["no_torch"])
    figure.go("#museum?bug=squeeze&t=7")
    expect(got.nth(6)).to_have_text("(2,)")
    assert set(got.all_text_contents()) == {"", "(2,)"}
    figure.go(figure.figure.fragment(figure.start))  # painted as it was served
    assert figure.element.locator(".attn-body .attn-exhibit code").inner_html() == served


def test_the_lines_of_the_test_in_focus_are_shown(show: Any) -> None:
    figure = show("museum", fragment="#museum?bug=inplace&t=1,5", **WIDE).ready().open_fold()
    expect(lines(figure)).to_have_text(code(5))  # the first that fails
    ticks = figure.element.locator("[data-key=t]")
    ticks.nth(5).focus()  # as by the Tab key
    expect(lines(figure)).to_have_text(code(6))
    figure.element.locator(".attn-body .attn-findings tbody tr").nth(6).click()
    expect(lines(figure)).to_have_text(code(7))
    ticks.nth(6).blur()
    expect(lines(figure)).to_have_text(code(5))
    assert address(figure) == "#museum?bug=inplace&t=1,5"
    for test in TESTS:
        figure.go(f"#museum?bug=nosqrt&t={test}")
        expect(lines(figure)).to_have_text(code(test))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_missed_fault_is_named(show: Any, lang: str) -> None:
    figure = show("museum", lang, **PHONE).ready().open_fold()
    fates = figure.element.locator(".attn-body .attn-verdicts .attn-fate")
    missed, caught, unrun = words("museum")["fates"]
    for link, expected in (
        ("?t=none", [""] * 9),
        ("?t=10", [unrun, caught, missed, missed, caught, caught, missed, caught, missed]),
        ("?bug=nan&on=one&t=1", [*[""] * 8, missed]),
    ):
        figure.go(f"#museum{link}")
        assert fates.all_text_contents() == expected
    table = centred(figure.element.locator(".attn-body .attn-verdicts"))
    room = figure.element.bounding_box()
    for fate in fates.all():
        box = fate.bounding_box()
        assert box["x"] + box["width"] <= table["x"] + table["width"] + 1 <= room["width"]


def test_paper_shows_what_every_test_found_and_no_lines(show: Any) -> None:
    figure = show("museum").ready()
    figure.page.emulate_media(media="print")
    assert figure.element.locator(".attn-test-code:visible").count() == 0
    assert figure.element.locator(".attn-surprise .attn-findings tbody tr:visible").count() == 10
