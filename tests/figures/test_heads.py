"""What a reader sees and does in the figure of heads: the frame around who asks, maps and bars."""

from typing import Any

import pytest
from figures import FOOT, OVERLAPPING, LiveFigure, centred, middle, unasked
from hands import LOOKS, PHONE, WIDE, Finger, Mouse, Window
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

HEADS = FIGURES["heads"]
COUNTS = {"1": "one", "2": "two", "4": "four"}
# Of each head that is shown: the hundredths and the stripes of its cells, and its bars in pixels.
DRAWN = """(figure) => {
  const heads = [...figure.querySelectorAll(".attn-scene svg > g:has(> .attn-heads-cell)")]
    .filter((head) => head.checkVisibility({ visibilityProperty: true }));
  const shade = (one) => Number(one.getAttribute("class").match(/attn-w(\\d+)/)[1]);
  return heads.map((head) => {
    const cells = [...head.querySelectorAll(".attn-heads-cell")];
    return {
      shades: cells.map(shade),
      masked: cells.map((cell) => cell.style.fill.startsWith("url")),
      blank: cells.map((cell) => cell.matches(".attn-heads-kept")),
      bars: [...head.querySelectorAll(".attn-heads-bar")].map((bar) => bar.height.baseVal.value),
      texts: [...head.querySelectorAll("text")].map((text) => text.textContent),
    };
  });
}"""
# Where names of rows stand, the lowest first: below the maps a name stands once more.
ROWS = """(names) => Object.fromEntries(names
  .map((name) => [name.textContent, name.getBoundingClientRect().y]).sort((a, b) => b[1] - a[1]))"""
# The rows that the frame goes around, by the middles of the names before them.
FRAMED = """(figure) => {
  const frame = figure.querySelector(".attn-heads-frame").getBoundingClientRect();
  return [...figure.querySelectorAll(".attn-scene svg > text.attn-word")].filter((name) => {
    const { top, height } = name.getBoundingClientRect();
    return frame.top < top + height / 2 && top + height / 2 < frame.bottom;
  }).map((name) => name.textContent);
}"""


def row(figure: LiveFigure, part: str, number: int) -> tuple[float, float]:
    """The middle of a row's name in a table of the fold."""
    return middle(
        figure.element.locator(f".attn-body [data-part='{part}'] tbody .attn-row").nth(number - 1)
    )


def test_the_frame_is_drawn_to_the_word_that_asks(pointer: Any) -> None:
    figure, pointer = pointer("heads", "#heads?h=4&ask=0")
    hand = figure.element.locator(".attn-scene .attn-hand")
    names = figure.element.locator(".attn-scene svg > text.attn-word").evaluate_all(ROWS)
    x, y = middle(hand)
    pointer.down(x, y)
    pointer.move(x - 5, y + names["dogs"] - names["cats"])
    pointer.up()
    assert figure.state()["q"] == "3"
    assert figure.element.evaluate(FRAMED) == ["dogs"]
    assert "q=3" in figure.page.evaluate("location.hash")
    figure.check()
    expect(hand).to_have_attribute("aria-valuenow", "3")
    expect(hand).to_have_attribute("aria-valuetext", figure.summary)
    for key, now in (("ArrowUp", "2"), ("ArrowDown", "3"), ("End", "4"), ("Home", "1")):
        hand.press(key)
        assert figure.state()["q"] == now
        assert figure.element.evaluate(FRAMED) == [figure.check().slots["q"]]


def test_a_pressed_row_of_a_map_asks(show: Any) -> None:
    figure = show("heads", fragment="#heads?h=4&ask=0").ready()
    figure.element.locator(".attn-heads-cell").nth(13).click()
    assert figure.state()["q"] == "4"
    assert figure.element.evaluate(FRAMED) == ["bark"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"h": 2, "q": 3},
        {"h": 4, "q": 2},
        {"h": 4, "q": 3, "m": 1, "c": 1},
        {"h": 2, "len": 3, "q": 4},
        {"len": 0},
    ],
)
def test_maps_and_bars_show_the_weights(show: Any, settings: dict[str, Any]) -> None:
    figure = show("heads", fragment=unasked(HEADS.fragment(settings))).ready()
    state, parts = figure.state(), figure.check().parts
    shown = figure.element.evaluate(DRAWN)
    assert len(shown) == int(state["h"])
    scale = max(max(head["bars"]) for head in shown)
    rows = []
    for number, head in enumerate(shown, 1):
        part = parts[f"weights_{COUNTS[state['h']]}{number}"]
        hundredths = [100 * weight for row in part["rows"] for weight in row]
        assert head["shades"] == pytest.approx(hundredths, abs=0.51)
        assert head["masked"] == [masked for row in part["masked"] for masked in row]
        assert not any(head["blank"])
        rows.append(part["rows"][int(state["q"]) - 1])
    largest = max(map(max, rows))
    for head, weights in zip(shown, rows, strict=True):
        expected = [scale * weight / (largest or 1) for weight in weights]
        assert head["bars"] == pytest.approx(expected, abs=0.2)


def test_full_dots_are_the_features_that_a_head_has(show: Any) -> None:
    figure = show("heads").ready()
    has = HEADS.data()["features"]
    full = ".attn-scene .attn-heads-dot.attn-hue-{role}"
    for role in ("key", "query"):
        dots = figure.element.locator(full.format(role=role))
        found = dots.evaluate_all("all => all.map((dot) => dot.matches('.attn-heads-has'))")
        assert found == [bool(row[feature]) for feature in range(4) for row in has]


def test_rows_with_a_query_of_0_are_kept_back_until_the_answer(show: Any) -> None:
    figure = show("heads").ready().open_fold()
    has = HEADS.data()["features"]
    tables = figure.element.locator(".attn-body .attn-heads")
    expect(tables).to_be_hidden()
    hand = figure.element.locator(".attn-scene .attn-hand")
    for query in range(4):
        shown = figure.element.evaluate(DRAWN)
        for feature, head in enumerate(shown):
            blank = [not word[feature] for word in has for _ in range(4)]
            assert head["blank"] == blank
            assert not any(shade for shade, kept in zip(head["shades"], blank, strict=True) if kept)
            assert any(head["bars"]) == bool(has[query][feature])
            assert "0.25" not in head["texts"]
        hand.press("ArrowDown")
    figure.bet(0)
    shown = figure.element.evaluate(DRAWN)
    assert not any(any(head["blank"]) for head in shown)
    assert shown[0]["shades"][4:8] == [25] * 4
    assert len({round(bar, 1) for bar in shown[0]["bars"]}) == 1
    assert shown[0]["bars"][0] > 0
    expect(tables).to_be_visible()


@LOOKS
def test_no_text_lies_on_another_and_the_height_stays(show: Any, lang: str, window: Window) -> None:
    figure = show("heads", lang, **window).ready()
    half = [{"h": h, "q": q, "len": 2} for h in (2, 4) for q in (1, 3)]
    causal = [{"h": h, "q": q, "m": 1} for h in (1, 2, 4) for q in (1, 2, 4)]
    others = [{"h": 4}, {"h": 4, "q": 2, "len": 1}, {"len": 0}, {"c": 0, "h": 2}]
    feet = set()
    for state in ({}, *HEADS.tries, *half, *causal, *others):
        figure.go(unasked(HEADS.fragment(state)))
        # Names that stand upright are as near to one another as lines of a text.
        texts = ".attn-scene .attn-label:not(.attn-soft)"
        assert figure.element.evaluate(OVERLAPPING, texts) == [], state
        feet.add(figure.element.evaluate(FOOT))
    assert len(feet) == 1


@pytest.mark.parametrize(
    ("start", "part"),
    [("?ask=0", "features"), ("?h=2", "weights_two2"), ("?h=4&ask=0", "weights_four3")],
)
def test_pressed_row_of_a_table_becomes_the_query(pointer: Any, start: str, part: str) -> None:
    figure, pointer = pointer("heads", f"#heads{start}")
    figure.open_fold()
    pointer.down(*row(figure, part, 3))
    pointer.up()
    assert figure.state()["q"] == "3"
    figure.check()
    lit = figure.element.locator(".attn-body td.attn-lit")
    # Dogs shares two features with itself, one with cats and one with bark.
    assert lit.count() == 4
    assert figure.element.locator("[data-key=q][value='3']").is_checked()
    assert "q=3" in figure.page.evaluate("location.hash")


def test_pressed_cell_works_out_its_own_score(pointer: Any) -> None:
    figure, pointer = pointer("heads", "#heads?h=4&ask=0")
    table = figure.open_fold().element.locator(".attn-body [data-part='weights_four3']")
    pointer.down(*middle(table.locator("tbody tr").nth(1).locator("td").nth(0)))
    pointer.up()
    assert (figure.state()["q"], figure.state()["k"]) == ("2", "1")
    assert (
        figure.check().slots["pair"]
        == figure.element.locator(".attn-body .attn-pair-named").text_content()
    )
    worked = figure.element.locator(".attn-worked:visible").all_inner_texts()
    assert [line.replace("\u00a0", " ") for line in worked] == [
        "0·2 ÷ √1 = 0.0",
        "2·0 ÷ √1 = 0.0",
        "2·2 ÷ √1 = 4.0",
        "0·0 ÷ √1 = 0.0",
    ]
    assert "k=1" in figure.page.evaluate("location.hash")


def test_drag_goes_on_to_other_rows_and_escape_restores(show: Any) -> None:
    figure = show("heads", fragment="#heads?ask=0", **WIDE).ready().open_fold()
    mouse = Mouse(figure)
    x, y = row(figure, "weights_one1", 1)
    mouse.down(x, y)
    table = figure.element.locator(".attn-body [data-part='weights_one1'] tbody").bounding_box()
    mouse.move(x, table["y"] + table["height"] - 5)
    assert figure.state()["q"] == "4"
    figure.page.keyboard.press("Escape")
    assert figure.state()["q"] == "1"
    mouse.up()


def test_header_is_no_row(pointer: Any) -> None:
    figure, pointer = pointer("heads", "#heads?q=3")
    head = figure.open_fold().element.locator(".attn-body [data-part='features'] thead th").first
    pointer.down(*middle(head))
    pointer.up()
    assert figure.state()["q"] == "3"


def test_vertical_swipe_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("heads", fragment="#heads?ask=0", **PHONE).ready().open_fold()
    finger = Finger(figure)
    x, y = row(figure, "weights_one1", 3)
    before, state = figure.page.evaluate("scrollY"), figure.state()
    finger.down(x, y)
    finger.move(x + 2, y - 150)
    finger.up()
    figure.page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    assert figure.state() == state


def test_row_of_a_single_head_stands_above_several_and_is_no_place_to_press(show: Any) -> None:
    figure = show("heads", fragment="#heads?ask=0", **WIDE).ready().open_fold()
    single = figure.element.locator(".attn-body [data-part='single']")
    assert not single.is_visible()
    for heads in (2, 4):
        figure.go(f"#heads?h={heads}&q=3")
        figure.check()
        box = single.bounding_box()
        first = figure.element.locator(".attn-head:visible").first.bounding_box()
        assert box["y"] + box["height"] <= first["y"]
        said = [" ".join(text.split()) for text in single.locator("td").all_inner_texts()]
        assert said == ["cats 0.10", "purr 0.01", "dogs 0.78", "bark 0.10"]
        single.locator("td").first.click()
        assert (figure.state()["q"], figure.state()["k"]) == ("3", "0")


def test_after_a_pressed_cell_the_keys_go_on_with_its_key(show: Any) -> None:
    figure = show("heads", fragment="#heads?ask=0", **WIDE).ready().open_fold()
    cell = figure.element.locator(".attn-body [data-part='weights_one1'] tbody tr").nth(1)
    cell.locator("td").nth(0).click()
    chosen = figure.element.locator(".attn-body [data-key=k]:checked")
    assert chosen.evaluate("(e) => e === document.activeElement")
    centred(chosen)
    scrolled = figure.page.evaluate("scrollY")
    chosen.press("ArrowDown")
    assert figure.state()["k"] == "2"
    assert figure.page.evaluate("scrollY") == scrolled


def test_a_key_that_the_figure_takes_is_named_where_it_could_be_chosen(show: Any) -> None:
    figure = show("heads", fragment="#heads?h=2&q=2").ready()
    automatic = figure.element.locator(".attn-body [data-key=k][value='0'] + span")
    expect(automatic).to_have_text("automatic: bark")
    figure.go("#heads?h=2&q=2&k=1")
    expect(automatic).to_have_text("automatic")
