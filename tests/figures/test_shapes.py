"""Figure `shapes`: the last block of an axis is dragged, and the silent fault is marked."""

import itertools
from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure
from hands import PHONE, Finger, Mouse
from playwright.sync_api import expect

WIDE = {"viewport": {"width": 1280, "height": 900}}
# Each block or cell of a path: its left edge in the path, its width.
BOXES = """(path) => [...path.getAttribute("d").matchAll(/M(\\S+) \\S+?h([^v]+)/g)]
  .map(([, x, width]) => [Number(x), Number(width)])"""
# The middles of the blocks of one axis in the first tensor: those below the reach of its grip.
BLOCKS = f"""(drawing, item) => {{
  const boxes = {BOXES};
  const reach = drawing.querySelectorAll(".attn-reach")[item].getBoundingClientRect();
  return [...drawing.querySelectorAll(".attn-block")].flatMap((path) => {{
    const {{ x, y, height }} = path.getBoundingClientRect();
    if (!(x > reach.x && x < reach.right && y > reach.y && y < reach.bottom)) return [];
    const all = boxes(path);
    return all.map(([left, width]) => [x + left - all[0][0] + width / 2, y + height / 2]);
  }});
}}"""
# A row of blocks and the cells of pairs are paths: no text lies in one of them.
COVERED = TOUCHED.replace('mark.matches("path, polyline")', 'mark.matches(".attn-axis-line")')


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
        pointer = Mouse(figure) if by == "mouse" else Finger(figure)
        queries = blocks(figure, 1)
        assert len(queries) == 3
        (before, _), (last, y) = queries[-2:]
        pointer.down(last, y)
        # Where blocks are thin, a step takes the finger further than a block.
        pointer.move(last + 2 * max(12, last - before), y)
        pointer.up()
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
    marks = ".attn-block, .attn-grip, .attn-frame, .attn-axis-line, path[class^=attn-pair-]"
    for link in ("", "i=6", "un=0", "un=0&n=10,10,10,10", "n=10,10,10,10", "i=7&n=1,1,1,1&sq=all"):
        figure.go(f"#shapes?{link}")
        assert drawing.evaluate(OVERLAPPING, "text") == []
        assert drawing.evaluate(COVERED, ["text", marks]) == []
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
        figure.go(f"#shapes?un={un}&n=2,10,10,8&ask=0")
        text = drawing.locator("text.attn-pairs")
        assert text.text_content() == count
        pairs = drawing.locator(f".attn-pair-{kind}")
        found.append((pairs.bounding_box(), pairs.evaluate(BOXES)[0]))
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
        for names, mark, said in (
            ("made", "rect.attn-frame", made),
            ("gone", "path.attn-gone", gone),
        ):
            assert drawing.locator(f"text.attn-{names}").all_text_contents() == said
            assert drawing.locator(mark).count() == len(said)


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
        figure.go(f"#shapes?i={i}&un={un}&n=2,10,10,8&ask=0")
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
    assert drawing.evaluate(COVERED, ["text.attn-aligned", ".attn-block, .attn-grip"]) == []


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
    assert len(drawing.locator(".attn-pair-made").evaluate(BOXES)) == 10
    assert len(drawing.locator(".attn-pair-none").evaluate(BOXES)) == 90
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
        figure.go(f"#shapes?p={option}&ask=0")
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
        figure.go(f"#shapes?{link}&ask=0")
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
    figure.bet(0)
    body = figure.element.locator(".attn-body")
    expect(body.locator("text.attn-pairs")).to_have_class("attn-pairs attn-wrong")
    # Of the result, Q,K in one axis.
    expect(body.locator("rect.attn-frame")).to_be_in_viewport(ratio=0.99)
    expect(figure.reply).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_what_changes_a_line_with_the_blocks_that_it_changes(
    show: Any, lang: str
) -> None:
    figure = show("shapes", lang, "#shapes?i=7", **PHONE).ready()
    header = figure.page.locator("header").bounding_box()["height"]
    body = figure.element.locator(".attn-body")
    # It is the result that it changes, the last row.
    block = body.locator(".attn-block").last.bounding_box()
    for change in body.locator(".attn-where > :nth-last-child(-n + 2)").all():
        box = change.bounding_box()
        assert box["y"] + box["height"] - block["y"] < (740 - header) / 2


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, WIDE], ids=["phone", "wide"])
def test_where_the_reader_is_fits_its_row(show: Any, lang: str, settings: dict[str, Any]) -> None:
    figure = show("shapes", lang, **settings).ready()
    body = figure.element.locator(".attn-body")
    least = 44 if settings is PHONE else 24
    places = []
    for link in ("i=1", "i=8", "un=0&n=2,10,10,8", "i=7&sq=all"):
        figure.go(f"#shapes?{link}")
        targets = body.locator(".attn-where [data-control]:not([hidden])").locator(
            "label:has(input), button"
        )
        boxes = [target.bounding_box() for target in targets.all()]
        assert len(boxes) == 7
        assert all(box["height"] >= least for box in boxes)
        assert all(
            a["x"] + a["width"] <= b["x"] + 1 or a["y"] < b["y"]
            for a, b in itertools.pairwise(boxes)
        )
        room = "(all) => all.map((one) => one.scrollWidth - one.clientWidth)"
        assert max(targets.evaluate_all(room)) <= 1
        places.append(boxes)
    # Neither the last line's button nor a switch moves what stands beside it.
    assert all(boxes == places[0] for boxes in places)


def test_a_switch_of_a_later_line_is_dimmed(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    for link, dimmed in (("i=1", ["un", "sq"]), ("i=4", ["sq"]), ("i=7", []), ("un=0&i=7", ["sq"])):
        figure.go(f"#shapes?{link}")  # without unsqueeze the program stops at line 4
        found = figure.element.locator(".attn-where .attn-elsewhere [data-key]").evaluate_all(
            "(all) => [...new Set(all.map((one) => one.dataset.key))]"
        )
        assert found == dimmed


def test_squeeze_shows_what_it_takes_by_mistake_in_the_line_that_does(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    drawing = figure.element.locator(".attn-body .attn-drawing")
    for link, lost in (("i=7", []), ("i=7&sq=all", []), ("i=7&sq=all&n=2,1,10,8", ["Q 1"])):
        figure.go(f"#shapes?{link}")
        assert drawing.locator("text.attn-gone.attn-wrong").all_text_contents() == lost
        assert drawing.locator("path.attn-gone.attn-wrong").count() == len(lost)
        assert drawing.locator("tspan.attn-wrong").count() == len(lost)  # no error says so
    # What is behind the lost axis has a smaller number: it stands below that number.
    row = figure.element.locator(".attn-body [data-ladder]:visible tbody tr").nth(6)
    cells = row.locator(".attn-axis")
    assert cells.all_text_contents() == ["B2", "K10", "Q1", "1"]
    borders = cells.evaluate_all("(all) => all.map((one) => getComputedStyle(one).borderTopStyle)")
    assert borders == ["solid", "solid", "none", "none"]
    struck = "(all) => all.map((one) => getComputedStyle(one.lastElementChild).textDecorationLine)"
    assert cells.evaluate_all(struck) == ["none", "none", "line-through", "line-through"]


def test_dashes_mean_one_thing(show: Any) -> None:
    figure = show("shapes", **WIDE).ready()
    dashed = """(e) => [...e.querySelectorAll(".attn-drawing *, .attn-ladder *, .attn-meanings i")]
      .filter((one) => {
        const { borderTopStyle, strokeDasharray, stroke } = getComputedStyle(one);
        return borderTopStyle === "dashed" || (stroke !== "none" && strokeDasharray !== "none");
      }).map((one) => one.getAttribute("class"))"""
    for link, blocks in (("", 2), ("i=7&sq=all&n=2,1,10,8", 0), ("i=8&sq=all&n=2,1,10,8", 0)):
        figure.go(f"#shapes?{link}")
        found = figure.element.locator(".attn-body").evaluate(dashed)
        assert found == ["attn-block attn-repeated"] * blocks + ["attn-key-repeated"]


@pytest.mark.parametrize("item", [0, 1, 2, 3])
def test_a_move_makes_no_node(show: Any, item: int) -> None:
    figure = show("shapes", "en", "#shapes?n=5,5,5,5", **PHONE).ready()
    watch = """(e) => {
      window.made = 0;
      const count = (changes) => changes.forEach(({ addedNodes }) => {
        window.made += addedNodes.length;
      });
      new MutationObserver(count).observe(e, { childList: true, subtree: true });
    }"""
    figure.element.locator(".attn-body .attn-drawing").evaluate(watch)
    slider = f"[data-control]:not([hidden]) input[type=range][data-key=n][data-item='{item}']"
    figure.element.locator(slider).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        figure.page.keyboard.press(key)
    assert figure.state()["n"][item] == 6
    assert figure.page.evaluate("window.made") == 0


def test_blocks_of_a_phone_are_thick_and_what_is_not_stored_is_hollow(show: Any) -> None:
    figure = show("shapes", **PHONE).ready()
    look = """(blocks) => blocks.map((block) => [
      Math.min(...boxes(block).map(([, width]) => width)), getComputedStyle(block).fill])"""
    look = look.replace("boxes", f"({BOXES})")
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
    pointer = Mouse(figure) if by == "mouse" else Finger(figure)
    lines = figure.element.locator(".attn-body [data-ladder]:visible tbody tr")
    drawn = figure.element.locator(".attn-body .attn-code-line")
    for line in (7, 2):
        code = lines.nth(line - 1).locator("code")
        code.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
        box = code.bounding_box()
        pointer.down(box["x"] + 20, box["y"] + box["height"] / 2)
        pointer.up()
        assert figure.state()["i"] == line
        assert drawn.text_content() == code.text_content()
        expect(figure.element.locator(".attn-body .attn-stage")).to_be_in_viewport(ratio=1)
        figure.check()


def test_the_sum_has_a_cell_for_each_pair_that_it_makes(show: Any) -> None:
    figure = show("shapes", fragment="#shapes?n=2,3,10,8&i=4").ready()
    cells = figure.element.locator(".attn-body .attn-stage .attn-pair-summed")
    assert len(cells.evaluate(BOXES)) == 30
    figure.go("#shapes?n=2,10,10,8&i=4")
    assert len(cells.evaluate(BOXES)) == 100
    figure.go("#shapes?un=0&n=2,10,10,8&i=4")
    assert cells.count() == 0
    made = figure.element.locator(".attn-body .attn-stage .attn-pair-made")
    assert len(made.evaluate(BOXES)) == 10
    for fragment in ("un=0&n=2,1,10,8&i=4", "un=0&n=2,10,1,8&i=4", "un=0&n=2,1,1,8&i=4"):
        figure.go(f"#shapes?{fragment}")  # nothing is wrong, and there is no axis of its own
        assert cells.count() == 0
        figure.check()
