"""What a reader drags, presses and sees in the figure of the matrices behind queries and keys."""

from typing import Any

import pytest
from figures import LiveFigure, middle, unasked
from hands import WIDE, WINDOWS, Window
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

PROJECTIONS = FIGURES["projections"]

# How far each bead is on its way from its own word to the other, the noun's first; how thick the
# bows are, in pixels; where the query and the keys of all words end, by the unit of the plane.
PAIR = """(figure) => {
  const at = (one) => Number(one.getAttribute("cy"));
  const all = (one) => [...figure.querySelectorAll(one)];
  const words = all(".attn-word-of .attn-dot[r='15']").map(at).sort((a, b) => a - b);
  const beads = all(".attn-bead").map((one) => [one.dataset.answer === "", at(one)]);
  const from = (isVerb) => beads.find(([is]) => is === isVerb)[1];
  const long = words[1] - words[0];
  const corners = all(".attn-vector").map((one) => one.getAttribute("points").split(" ")
    .map((corner) => corner.split(",").map(Number)));
  const [square] = all(".attn-hairline.attn-untouched").map((one) => one.getBBox());
  const tip = ([x, y]) => [(x - square.x) / square.width, 1 - (y - square.y) / square.height];
  return {
    vectors: corners.filter((one) => one.length === 7).map((one) => tip(one[3])),
    shares: [(from(false) - words[0]) / long, (words[1] - from(true)) / long],
    bows: all("path.attn-finding").slice(-2).map((one) => parseFloat(one.style.strokeWidth)),
  };
}"""


def handle(figure: LiveFigure, name: str) -> Any:
    return figure.element.locator(f".attn-scene [data-handle={name}]")


def unit(figure: LiveFigure) -> float:
    """Pixels of one unit in the plane of the matrices: W_q sends "cat" to (1, 0), "noun" below."""
    return middle(handle(figure, "q0"))[0] - middle(handle(figure, "q1"))[0]


def test_noun_is_dragged_and_keys_go_on(pointer: Any) -> None:
    figure, pointer = pointer("projections", "#projections?ask=0")
    one = unit(figure)
    assert one > 30
    noun = handle(figure, "q1")
    x, y = middle(noun)
    pointer.down(x + 2, y)
    pointer.move(x + 2 + one / 2, y - 2 * one)
    figure.check()
    pointer.up()
    assert figure.state()["q"] == (1, 0, 0.5, 1)
    expect(noun).to_be_focused()
    expect(noun).to_have_attribute(
        "aria-valuetext", "noun goes to 0.50 right, 1.00 up; purr finds purr, 0.64"
    )
    noun.press("ArrowLeft")
    noun.press("Shift+ArrowDown")
    assert figure.state()["q"] == (1, 0, 0.25, -0.25)
    figure.check()


def test_where_both_arrows_end_the_upper_is_taken_and_then_the_other(show: Any) -> None:
    figure = show("projections", fragment="#projections?ask=0", **WIDE).ready()
    one, mouse = unit(figure), figure.page.mouse
    x, y = middle(handle(figure, "q0"))
    for up in (1, -1):
        mouse.move(x, y)
        mouse.down()
        mouse.move(x, y - up * one)
        mouse.up()
    assert (figure.state()["q"], figure.state()["k"]) == ((1, 1, 0, -1), (1, -1, 0, 1))
    figure.check()


def test_keys_have_no_handles_while_it_is_asked_or_one_matrix_makes_both(show: Any) -> None:
    figure = show("projections").ready()
    keys = figure.element.locator(".attn-scene .attn-hand.attn-hue-key:visible")
    expect(keys).to_have_count(0)
    figure.bet(2)
    expect(keys).to_have_count(0)
    figure.go("#projections?m=one&k=0,1,-1,0")
    expect(keys).to_have_count(0)
    # The other matrix is kept for when there are two again.
    figure.element.locator("[data-key=m][value=two]").check(force=True)
    expect(keys).to_have_count(2)
    assert figure.state()["k"] == (0, 1, -1, 0)
    figure.check()


def test_escape_brings_a_matrix_back(pointer: Any) -> None:
    figure, pointer = pointer("projections", "#projections?q=1,0,0,1")
    x, y = middle(handle(figure, "q0"))
    pointer.down(x, y)
    pointer.move(x - 40, y + 30)
    assert figure.state()["q"] != (1, 0, 0, 1)
    figure.page.keyboard.press("Escape")
    pointer.up()
    assert figure.state()["q"] == (1, 0, 0, 1)


def test_a_row_chooses_its_word_and_so_do_its_disc_and_buttons(show: Any) -> None:
    figure = show("projections").ready().open_fold()
    expect(figure.said).to_contain_text("purr looks for a cat noun and shows a cat verb.")
    rows = figure.element.locator(".attn-body .attn-finders tbody tr")
    rows.nth(2).click()
    assert figure.state()["w"] == "dogs"
    expect(figure.said).to_contain_text("dogs looks for a dog verb")
    figure.element.locator("[data-key=w][value=bark]").check(force=True)
    expect(rows.nth(3)).to_have_class("attn-asker")
    discs = figure.element.locator(".attn-scene .attn-word-of")
    discs.nth(0).locator("circle").click()
    assert figure.state()["w"] == "cats"
    expect(discs.nth(0)).to_have_class("attn-word-of attn-asking")
    figure.check()


def test_every_number_of_a_matrix_has_a_slider_of_its_own(show: Any) -> None:
    figure = show("projections").ready().open_fold()
    for key in "qk":
        for item in range(4):
            slider = figure.element.locator(f"[data-key={key}][data-item='{item}']")
            before = figure.state()[key][item]
            slider.press("ArrowRight")
            assert figure.state()[key][item] == before + 0.25
    figure.check()
    figure.go("#projections?m=one")
    expect(figure.element.locator("[data-key=k][data-item='0']")).to_be_disabled()


@WINDOWS
def test_beads_bows_and_vectors_are_drawn_as_the_view_has_them(show: Any, window: Window) -> None:
    figure = show("projections", **window).ready()
    for state in ({}, {"m": "one", "q": (1.5, 0, 0.5, 0.5)}, {"w": "dogs", "q": (0, 1, -1, 0.5)}):
        figure.go(unasked(PROJECTIONS.fragment(state)))
        noun = 2 if state.get("w") == "dogs" else 0
        parts = figure.check().parts
        rows, vectors = parts["weights"]["rows"], parts["vectors"]["rows"]
        drawn = figure.element.evaluate(PAIR)
        pairs = ((noun, noun + 1), (noun + 1, noun))
        wished = [rows[i][j] / (rows[i][j] + rows[i][i]) for i, j in pairs]
        assert drawn["shares"] == pytest.approx(wished, abs=0.002)
        tips = [vectors[parts["pair"]["word"]][:2], *(row[2:] for row in vectors)]
        ends = [drawn["vectors"][-1], *drawn["vectors"][:-1]]  # the query lies on top
        for end, tip in zip(ends, tips, strict=True):
            assert end == pytest.approx(tip, abs=0.01)
        assert drawn["bows"] == pytest.approx([1.5 + 18 * rows[i][j] for i, j in pairs], abs=0.06)


def test_on_the_way_to_the_answer_the_beads_pass_once_and_never_back(show: Any) -> None:
    figure = show("projections", reduced_motion="no-preference").ready()
    figure.element.evaluate(
        """(e) => {
             window.seen = [];
             const look = () => {
               window.seen.push([e.state.m, (PAIR)(e).shares]);
               requestAnimationFrame(look);
             };
             look();
           }""".replace("PAIR", PAIR)
    )
    figure.bet(2)
    expect(figure.element.locator("figure")).to_have_attribute("data-phase", "answered")
    seen = figure.page.evaluate("window.seen")
    assert sum(seen[0][1]) > 1.5
    one = [shares for m, shares in seen if m == "one"]
    assert len(one) > 10
    assert all(noun + verb < 1.01 for noun, verb in one)
    assert max(verb for _, verb in one) > 0.55
    assert figure.element.evaluate(PAIR)["shares"] == pytest.approx([0.119, 0.119], abs=0.003)
