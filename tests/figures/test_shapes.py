"""Figure `shapes`: a cursor goes along the code, the edge of the queries is pulled, blocks fill."""

import re
from typing import Any

import pytest
from figures import FOOT, OVERLAPPING, LiveFigure, middle
from hands import LOOKS, PHONE, WIDE, WINDOWS, Window
from playwright.sync_api import expect

# The front faces of a block, as left, top, width and height, in the unit of a number.
FACES = r"""(path) => {
  const face = /M(\S+) (\S+)L(\S+) (\S+)L(\S+) (\S+)L[^Z]*Z/g;
  return [...path.getAttribute("d").matchAll(face)].map((found) => found.slice(1).map(Number))
    .filter(([, y0, , y1]) => y0 === y1)
    .map(([x0, y0, x1, , , y2]) => [x0, y0, x1 - x0, y2 - y0]);
}"""


def hand(figure: LiveFigure, name: str) -> Any:
    return figure.element.locator(f".attn-hand[data-handle={name}]")


def drawing(figure: LiveFigure) -> Any:
    return figure.element.locator(".attn-scene .attn-drawing")


def test_the_edge_of_the_queries_is_pulled(pointer: Any) -> None:
    figure, pointer = pointer("shapes")
    figure.go("#shapes?i=1&ask=0")
    (low, _), knob = middle(hand(figure, "Q")), hand(figure, "Q").bounding_box()
    span = drawing(figure).locator(".attn-axis-line").bounding_box()
    x, y = low, knob["y"] + 22
    pointer.down(x, y)
    pointer.move(x, y + 2 * span["height"] / 3)
    pointer.up()
    assert figure.state()["n"] == (2, 5, 10, 8)
    figure.check()


def test_the_cursor_is_dragged_to_another_line(pointer: Any) -> None:
    figure, pointer = pointer("shapes")
    figure.go("#shapes?i=1&ask=0")
    rows = drawing(figure).locator(".attn-shapes-row")
    x, y = middle(hand(figure, "line"))
    tall = rows.first.bounding_box()["height"]
    pointer.down(x, y)
    pointer.move(x, y + 6 * tall)
    pointer.up()
    assert figure.state()["i"] == 7
    assert hand(figure, "line").get_attribute("aria-valuetext").startswith("7: weights = softmax")
    figure.check()


def test_a_line_is_pressed_and_unsqueeze_is_taken_out(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?i=4&ask=0", **WIDE).ready()
    drawing(figure).locator(".attn-shapes-row").nth(6).click()
    assert figure.state()["i"] == 7
    code = drawing(figure).locator(".attn-shapes-code")
    switch = drawing(figure).locator(".attn-shapes-switch", has_text="unsqueeze(1)")
    for un, text in (("0", "k = W_k(keys)  # .unsqueeze(1)"), ("1", "k = W_k(keys).unsqueeze(1)")):
        switch.click()
        assert figure.state()["un"] == un
        assert code.nth(2).text_content() == text
    figure.check()


def test_keys_go_on_from_the_line_where_the_program_stopped(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?un=0&i=8&ask=0", **WIDE).ready()
    assert figure.summary.startswith("Line 4 stops")
    # A program that stops has no next line.
    shown = drawing(figure).locator(".attn-shapes-code").all_text_contents()
    assert [bool(text) for text in shown[:8]] == [True] * 4 + [False] * 4
    hand(figure, "line").press("ArrowUp")
    assert figure.state()["i"] == 3
    hand(figure, "line").press("ArrowDown")
    assert figure.state()["i"] == 4
    figure.check()


@WINDOWS
def test_sums_are_a_full_square_or_its_diagonal(show: Any, window: Window) -> None:
    figure = show("shapes", **window).ready()
    told = drawing(figure).locator(".attn-shapes-pairs")
    cell = 11 if window is PHONE else 20
    for link, width, text in (("", 10, "100 of 100 pairs"), ("un=0&", 1, "10 of 100 pairs")):
        figure.go(f"#shapes?{link}n=2,10,10,8&ask=0")
        expect(told).to_have_text(text)
        rows = drawing(figure).locator(".attn-shapes-block:not(.attn-shapes-taken)").all()
        faces = [face for row in rows for face in row.evaluate(FACES) if face[3] == cell]
        faces.sort(key=lambda face: face[1])
        assert len(faces) == 10
        left, top = faces[0][:2]
        for q, face in enumerate(faces):
            x = left + (q * cell if width == 1 else 0)
            assert face == pytest.approx([x, top + q * cell, width * cell, cell], abs=0.3)


def test_edges_are_named_with_what_the_line_makes_and_takes_away(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    for link, made, gone in (
        ("", ["Q 3", "K 10"], []),
        ("i=2", ["1"], []),
        ("i=7&sq=all&n=2,1,10,8", [], ["Q 1", "1"]),
        ("i=8", ["V 4"], ["K 10"]),
        ("p=bmm&i=3", ["K 4"], ["D 2"]),
    ):
        figure.go(f"#shapes?{link}{'&' if link else ''}ask=0")
        edges = (
            drawing(figure)
            .locator("text")
            .evaluate_all(r"all => all.map((e) => [e.textContent, e.getAttribute('class')])")
        )
        named = [(text, look) for text, look in edges if re.fullmatch(r"([BQKUDV] )?\d+", text)]
        named = [(text, look) for text, look in named if "attn-soft" not in look]
        assert [text for text, look in named if "attn-word" in look] == made, link
        assert [text for text, look in named if "attn-shapes-gone" in look] == gone, link


@LOOKS
def test_height_keeps_still_and_no_text_lies_on_another(
    show: Any, lang: str, window: Window
) -> None:
    figure = show("shapes", lang, **window).ready()
    feet = {}
    for link in (
        *(f"i={line}" for line in range(1, 9)),
        *("un=0", "un=0&n=2,10,10,8", "un=0&n=2,1,10,8", "un=0&n=10,10,10,8&i=8"),
        *(f"i=4&un={un}&n=10,{n},10" for un in (0, 1) for n in ("1,10", "10,1", "1,1")),
        *("i=4&n=10,10,10,10", "i=8&n=1,1,10,8&sq=all", "i=7&n=1,1,1,1&sq=all", "i=7&sq=all"),
        *(f"p=dot&i={line}" for line in range(1, 6)),
        *(f"p=bmm&i={line}" for line in range(1, 4)),
    ):
        figure.go(f"#shapes?{link}&ask=0")
        feet[link] = figure.element.evaluate(FOOT)
        assert drawing(figure).evaluate(OVERLAPPING, "text") == [], link
    assert len(set(feet.values())) == 1, feet


def test_ladder_strikes_what_squeeze_takes_by_mistake(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?i=7&sq=all&n=2,1,10,8", **WIDE).ready().open_fold()
    row = figure.element.locator(".attn-body [data-ladder]:visible tbody tr").nth(6)
    cells = row.locator(".attn-axis")
    # What is behind the lost axis has a smaller number: it stands below that number.
    assert cells.all_text_contents() == ["B2", "K10", "Q1", "1"]
    struck = "(all) => all.map((one) => getComputedStyle(one.lastElementChild).textDecorationLine)"
    assert cells.evaluate_all(struck) == ["none", "none", "line-through", "line-through"]


def test_sentence_quotes_what_pytorch_says(show: Any) -> None:
    figure = show("shapes").ready()
    for link in ("un=0", "i=8&n=2,1,10,8&sq=all", "i=8&n=1,1,1,1&sq=all", "un=0&n=2,10,10,8&i=8"):
        figure.go(f"#shapes?{link}&ask=0")
        view = figure.check()
        assert view.slots["error"] in figure.summary
        assert figure.summary == figure.figure.sentences(view)
