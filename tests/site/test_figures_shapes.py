"""Figure `shapes`: the last block of an axis is dragged, and the silent fault is marked."""

import itertools
from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure
from playwright.sync_api import expect
from test_figures_grabbed import PHONE, Finger, Mouse

WIDE = {"viewport": {"width": 1280, "height": 900}}
# The blocks of one axis in the first tensor: those that stand in its row, before the next grip.
BLOCKS = """(drawing, item) => {
  const reach = drawing.querySelectorAll(".attn-reach")[item].getBoundingClientRect();
  return [...drawing.querySelectorAll(".attn-block")]
    .map((block) => block.getBoundingClientRect())
    .filter(({ x, y }) => x > reach.x && x < reach.right && y > reach.y && y < reach.bottom)
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
}"""


def blocks(figure: LiveFigure, item: int) -> list[list[float]]:
    """Return the middles of the blocks of one axis that can be dragged."""
    stage = figure.element.locator(".attn-body .attn-stage")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    return figure.element.locator(".attn-body .attn-drawing").evaluate(BLOCKS, item)


@pytest.mark.parametrize("by", ["mouse", "finger", "keys"])
def test_every_hand_makes_an_axis_longer(show: Any, by: str) -> None:
    figure = show("shapes", **(PHONE if by == "finger" else WIDE)).ready()
    if by == "keys":
        slider = "[data-control]:not([hidden]) input[type=range][data-key=n][data-item='1']"
        figure.element.locator(slider).focus()
        for _ in range(2):
            figure.page.keyboard.press("ArrowRight")
    else:
        hand = Mouse(figure) if by == "mouse" else Finger(figure)
        queries = blocks(figure, 1)
        assert len(queries) == 3
        (before, _), (last, y) = queries[-2:]
        hand.down(last, y)
        # Where blocks are thin, a step takes the finger further than a block.
        hand.move(last + 2 * max(12, last - before), y)
        hand.up()
    assert figure.state()["n"] == (2, 5, 10, 8)
    figure.check()


def test_a_finger_meets_every_size_though_blocks_are_thin(show: Any) -> None:
    figure = show("shapes", **PHONE).ready()
    hidden = blocks(figure, 2)
    assert len(hidden) == 8
    last, y = hidden[-1]
    finger = Finger(figure)
    finger.down(last, y)
    finger.move(last - 40, y)
    assert figure.state()["n"] == (2, 3, 10, 5)
    finger.move(last - 12, y)
    assert figure.state()["n"] == (2, 3, 10, 7)
    finger.up()


@pytest.mark.parametrize("link", ["n=10,10,10,10", "un=0&n=10,10,10,10"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_count_of_the_sums_stays_off_the_axes(
    show: Any, lang: str, settings: dict[str, Any], link: str
) -> None:
    figure = show("shapes", lang, **settings).ready()
    figure.go(f"#shapes?{link}")
    drawing = figure.element.locator(".attn-body .attn-drawing")
    texts = drawing.locator("text.attn-pairs, text.attn-pairs-of").all()
    counts = [text.bounding_box() for text in texts]
    names = [text.bounding_box() for text in drawing.locator("text.attn-axis-name").all()]
    assert counts
    for box in counts:
        beside = [n["x"] for n in names if n["x"] > box["x"] and abs(n["y"] - box["y"]) < 15]
        assert all(x - box["x"] - box["width"] >= 4 for x in beside)
    assert drawing.evaluate(OVERLAPPING, "text") == []
    assert drawing.evaluate(TOUCHED, ["text.attn-axis-name", ".attn-frame"]) == []


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_rows_stay_off_each_other(show: Any, lang: str, settings: dict[str, Any]) -> None:
    figure = show("shapes", lang, **settings).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    marks = ".attn-block, .attn-grip, .attn-frame, .attn-axis-line, rect[class^=attn-pair-]"
    for link in ("", "i=6", "un=0", "un=0&n=10,10,10,10", "n=10,10,10,10", "i=7&n=1,1,1,1&sq=all"):
        figure.go(f"#shapes?{link}")
        assert drawing.evaluate(OVERLAPPING, "text") == []
        assert drawing.evaluate(TOUCHED, ["text", marks]) == []
        rule = drawing.locator(".attn-axis-line").bounding_box()
        for grip in drawing.locator(".attn-grip").all():
            box = grip.bounding_box()
            assert box["y"] + box["height"] + 3 < rule["y"] or rule["y"] + 3 < box["y"]


@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_pairs_are_as_large_and_in_the_same_place_with_and_without_unsqueeze(
    show: Any, settings: dict[str, Any]
) -> None:
    figure = show("shapes", **settings).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    found = []
    for un, kind, count in ((1, "summed", "100 of 100"), (0, "made", "10 of 100")):
        figure.go(f"#shapes?un={un}&n=2,10,10,8")
        text = drawing.locator("text.attn-pairs")
        assert text.text_content() == count
        found.append(drawing.locator(f".attn-pair-{kind}").first.bounding_box())
    assert found[0] == found[1]


def test_result_marks_what_the_line_made_and_what_it_took_away(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    for link, made, gone in (
        ("", ["Q 3", "K 10"], []),
        ("i=5", [], []),
        ("i=7&sq=all&n=2,1,10,8", [], ["Q 1", "1"]),
        ("i=8", ["V 4"], ["K 10"]),
        ("i=8&sq=all&n=2,1,10,8", [], ["Q 1"]),  # where the product misses it
        ("p=bmm&i=3", ["K 4"], ["D 2"]),
    ):
        figure.go(f"#shapes?{link}")
        for names, mark, said in (("made", "frame", made), ("gone", "empty", gone)):
            assert drawing.locator(f"text.attn-{names}").all_text_contents() == said
            assert drawing.locator(f".attn-{mark}").count() == len(said)


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_each_slider_stands_below_its_own_axis(show: Any, lang: str) -> None:
    figure = show("shapes", lang, **WIDE).ready()
    look = """(e, letters) => {
      const x = (node) => Math.round(node.getBoundingClientRect().x);
      const names = [...e.querySelectorAll(".attn-drawing .attn-axis-name:not(.attn-gone)")];
      const sliders = [...e.querySelectorAll(".attn-sizes .attn-item")]
        .filter((item) => item.checkVisibility({ visibilityProperty: true }));
      return [...letters].flatMap((letter, i) => {
        const axes = names.filter((name) => name.textContent.startsWith(`${letter} `)).map(x);
        return axes.length ? [[letter, x(sliders[i]), axes]] : [];
      });
    }"""
    body = figure.element.locator(".attn-body")
    for link in (
        *(f"i={i}&n=2,10,10,8" for i in range(1, 8)),
        *(f"p=dot&i={i}" for i in range(1, 6)),
    ):
        figure.go(f"#shapes?{link}")
        for letter, slider, own in body.evaluate(look, "BQK" if "dot" in link else "BQKU"):
            assert any(abs(slider - axis) <= 2 for axis in own), (link, letter)
    # Queries and keys in one axis: it is as wide as both columns, above both sliders.
    figure.go("#shapes?un=0&n=2,10,10,8")
    frame = body.locator(".attn-frame").bounding_box()
    for letter, slider, own in body.evaluate(look, "BQKU"):
        if letter in "QK":
            assert frame["x"] <= slider <= frame["x"] + 0.6 * frame["width"]
        else:
            assert abs(slider - own[0]) <= 2


@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_no_slider_moves_when_unsqueeze_is_left_out(show: Any, settings: dict[str, Any]) -> None:
    figure = show("shapes", **settings).ready()
    sliders = figure.element.locator(".attn-sizes > :not([hidden]) .attn-item")
    place = "(e) => [e.offsetLeft, e.offsetTop]"
    found = []
    for i, un in itertools.product(range(1, 5), (1, 0)):
        figure.go(f"#shapes?i={i}&un={un}&n=2,10,10,8")
        found.append([slider.evaluate(place) for slider in sliders.all()])
    assert all(places == found[0] for places in found)
    assert sorted(found[0], key=lambda place: place[::-1]) == found[0]  # B, Q, K, U as one reads


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_sum_without_unsqueeze_says_from_where_it_aligns(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("shapes", lang, **settings).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    said = drawing.locator("text.attn-aligned")
    for link, count in (("", 0), ("un=0&i=3", 0), ("un=0", 1), ("un=0&n=2,10,10,8", 1)):
        figure.go(f"#shapes?{link}")
        assert said.count() == count
        assert drawing.evaluate(OVERLAPPING, "text") == []
    assert drawing.evaluate(TOUCHED, ["text.attn-aligned", ".attn-block, .attn-grip"]) == []


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_the_states_of_the_prediction_are_named_by_their_shapes(show: Any, lang: str) -> None:
    figure = show("shapes", lang).ready()
    said = figure.element.locator(".attn-pair button").all_text_contents()
    for text, shape in zip(said, ("(2, 10, 10, 8)", "(2, 10, 8)"), strict=True):
        assert shape in text.replace("\u00a0", " ")


def test_a_press_makes_that_block_the_last(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    figure.page.mouse.click(*blocks(figure, 2)[4])
    assert figure.state()["n"] == (2, 3, 10, 5)


def test_where_no_axis_can_be_dragged_a_press_does_nothing(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    figure.go("#shapes?p=bmm&i=3")
    assert figure.element.locator(".attn-reach").count() == 0
    before = figure.state()
    figure.element.locator(".attn-body .attn-stage").click()
    assert figure.state() == before


def test_the_field_says_where_the_program_stopped(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?un=0&i=6").ready()
    field = figure.element.locator("[data-control]:not([hidden]) .attn-count input")
    following = figure.element.locator("[data-control]:not([hidden]) [data-next]")
    expect(field).to_have_value("4")
    expect(following).to_be_disabled()
    expect(following).to_have_text("Next line")
    figure.element.locator("[data-key=un]").click()
    expect(field).to_have_value("6")
    expect(following).to_be_enabled()


def test_sums_of_the_silent_fault_are_drawn(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    figure.go("#shapes?n=2,10,10,8")
    assert drawing.locator(".attn-wrong, .attn-pair-made").count() == 0
    figure.go("#shapes?un=0&n=2,10,10,8")
    assert drawing.locator(".attn-pair-made").count() == 10
    assert drawing.locator(".attn-pair-none").count() == 90
    names = drawing.locator("text.attn-axis-name.attn-wrong").all_text_contents()
    assert names == ["Q 10", "K 10", "Q,K 10"]


@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_path_stays_where_it_is_pressed(show: Any, settings: dict[str, Any]) -> None:
    figure = show("shapes", **settings).ready()
    path = figure.element.locator("input[data-key=p]").first
    place = (
        "(e) => e.closest('attn-explorer').getBoundingClientRect().y - e.getBoundingClientRect().y"
    )
    found = []
    for option in ("additive", "dot", "bmm"):
        figure.go(f"#shapes?p={option}")
        found.append(path.evaluate(place))
    assert len(set(found)) == 1


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_height_is_the_same_on_every_path(show: Any, lang: str, settings: dict[str, Any]) -> None:
    figure = show("shapes", lang, **settings).ready()
    heights = {}
    for link in (
        *(f"i={line}" for line in range(1, 9)),
        *(f"i={line}&n=10,10,10,10" for line in (1, 4, 8)),
        *("un=0", "un=0&n=2,10,10,8", "un=0&n=2,1,10,8", "un=0&n=10,10,10,8&i=8"),
        *(f"i=4&un={un}&n=10,{n},10" for un in (0, 1) for n in ("1,10", "10,1", "1,1")),
        *("i=8&n=1,1,10,8&sq=all", "i=7&n=1,1,1,1&sq=all", "i=7&sq=all"),
        *(f"p=dot&i={line}" for line in range(1, 6)),
        *(f"p=bmm&i={line}" for line in range(1, 4)),
    ):
        figure.go(f"#shapes?{link}")
        heights[link] = figure.element.evaluate("(e) => e.offsetHeight")
    assert len(set(heights.values())) == 1, heights


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_a_line_its_blocks_and_its_sentence_in_one_window(
    show: Any, lang: str
) -> None:
    figure = show("shapes", lang, **PHONE).ready()
    for link in ("#shapes", "#shapes?un=0", "#shapes?p=bmm&i=3"):
        figure.go(link)
        boxes = [
            figure.element.locator(f".attn-body .attn-{part}").bounding_box()
            for part in ("summary", "stage", "where")
        ]
        for above, below in itertools.pairwise(boxes):
            assert 0 <= below["y"] - (above["y"] + above["height"]) <= 16
        where = figure.element.locator(".attn-body .attn-where")
        assert where.locator("[data-key=un]").count() == 1
        # A window of 640 px, less the header that stays.
        assert boxes[-1]["y"] + boxes[-1]["height"] - boxes[0]["y"] <= 580


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_the_answer_with_all_rows_of_its_drawing(show: Any, lang: str) -> None:
    figure = show("shapes", lang, **PHONE).ready()
    figure.page.set_viewport_size({"width": 360, "height": 740})
    figure.element.locator("[name=prediction]").first.check(force=True)
    figure.element.locator(".attn-confirm").click()
    body = figure.element.locator(".attn-body")
    expect(body.locator(".attn-pair-made")).to_have_count(10)
    # Of the result, Q,K in one axis.
    expect(body.locator("rect.attn-frame")).to_be_in_viewport(ratio=0.99)
    expect(figure.element.locator(".attn-verdict:not([inert])")).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_what_changes_a_line_with_the_blocks_that_it_changes(
    show: Any, lang: str
) -> None:
    figure = show("shapes", lang, "#shapes?i=7", **PHONE).ready()
    header = figure.page.locator(".bd-header-article").bounding_box()["height"]
    body = figure.element.locator(".attn-body")
    # It is the result that it changes, the last row.
    block = body.locator(".attn-block").last.bounding_box()
    change = body.locator(".attn-variants").bounding_box()
    assert change["y"] + change["height"] - block["y"] < 740 - header


def test_blocks_of_a_phone_are_thick_and_what_is_not_stored_is_hollow(show: Any) -> None:
    figure = show("shapes", **PHONE).ready()
    look = """(blocks) => blocks.map((block) => [
      block.getBoundingClientRect().width, getComputedStyle(block).fill])"""
    for link in ("#shapes", "#shapes?i=1"):  # the queries have 20 features
        figure.go(link)
        blocks = figure.element.locator(".attn-body .attn-block")
        assert all(width >= 5 for width, _ in blocks.evaluate_all(look))
    figure.go("#shapes")
    fills = [
        {fill for _, fill in figure.element.locator(f".attn-body {kind}").evaluate_all(look)}
        for kind in (".attn-repeated", ".attn-block:not(.attn-repeated)")
    ]
    assert fills[0] == {"none"}
    assert "none" not in fills[1]


def test_sentence_quotes_what_pytorch_says(show: Any) -> None:
    figure = show("shapes").ready()
    for link in ("un=0", "i=8&n=2,1,10,8&sq=all", "i=8&n=1,1,1,1&sq=all", "un=0&n=2,10,10,8&i=8"):
        figure.go(f"#shapes?{link}")
        view = figure.check()
        assert view.slots["error"] in figure.summary
        assert figure.summary == figure.figure.sentences(view)


def test_an_answer_brings_the_drawing_into_the_window(show: Any) -> None:
    figure = show("shapes", viewport={"width": 1280, "height": 700}).ready()
    figure.element.locator("[name=prediction]").first.check(force=True)
    confirm = figure.element.locator(".attn-confirm")
    confirm.evaluate("(e) => e.scrollIntoView({ block: 'end' })")
    confirm.click()
    for part in (".attn-verdict:not([inert])", ".attn-body .attn-stage"):
        expect(figure.element.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_a_line_of_code_that_is_pressed_is_the_one_shown(show: Any, by: str) -> None:
    figure = show("shapes", **(PHONE if by == "finger" else WIDE)).ready()
    hand = Mouse(figure) if by == "mouse" else Finger(figure)
    lines = figure.element.locator(".attn-body [data-ladder]:visible tbody tr")
    drawn = figure.element.locator(".attn-body .attn-code-line")
    for line in (7, 2):
        code = lines.nth(line - 1).locator("code")
        code.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
        box = code.bounding_box()
        hand.down(box["x"] + 20, box["y"] + box["height"] / 2)
        hand.up()
        assert figure.state()["i"] == line
        assert drawn.text_content() == code.text_content()
        figure.check()


def test_the_sum_has_a_cell_for_each_pair_that_it_makes(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?n=2,3,10,8&i=4").ready()
    cells = figure.element.locator(".attn-body .attn-stage .attn-pair-summed")
    assert cells.count() == 30
    figure.go("#shapes?n=2,10,10,8&i=4")
    assert cells.count() == 100
    figure.go("#shapes?un=0&n=2,10,10,8&i=4")
    assert cells.count() == 0
    assert figure.element.locator(".attn-body .attn-stage .attn-pair-made").count() == 10
    for fragment in ("un=0&n=2,1,10,8&i=4", "un=0&n=2,10,1,8&i=4", "un=0&n=2,1,1,8&i=4"):
        figure.go(f"#shapes?{fragment}")  # nothing is wrong, and there is no axis of its own
        assert cells.count() == 0
        figure.check()
