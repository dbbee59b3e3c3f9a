"""The rows of the figure `heads`, pressed in the table of features or in any head."""

from itertools import pairwise
from typing import Any

import pytest
from figures import LiveFigure, centred, unasked
from hands import PHONE, Finger, Mouse
from playwright.sync_api import expect
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES


def row(figure: LiveFigure, part: str, number: int) -> tuple[float, float]:
    """The middle of a row's name."""
    table = figure.element.locator(f".attn-body [data-part='{part}']")
    table.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = table.locator("tbody .attn-row").nth(number - 1).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("start", "part"), [("", "features"), ("?h=2", "weights_two2"), ("?h=4", "weights_four3")]
)
def test_pressed_row_becomes_the_query(pointer: Any, start: str, part: str) -> None:
    figure, pointer = pointer("heads", f"#heads{start}")
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
    figure, pointer = pointer("heads", "#heads?h=4")
    table = figure.element.locator(".attn-body [data-part='weights_four3']")
    table.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = table.locator("tbody tr").nth(1).locator("td").nth(0).bounding_box()
    pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pointer.up()
    assert (figure.state()["q"], figure.state()["k"]) == ("2", "1")
    figure.check()
    worked = figure.element.locator(".attn-worked:visible").all_inner_texts()
    assert [line.replace("\u00a0", " ") for line in worked] == [
        "0·2 ÷ √1 = 0.0",
        "2·0 ÷ √1 = 0.0",
        "2·2 ÷ √1 = 4.0",
        "0·0 ÷ √1 = 0.0",
    ]
    assert "k=1" in figure.page.evaluate("location.hash")


def test_drag_goes_on_to_other_rows_and_escape_restores(show: Any) -> None:
    figure = show("heads", viewport={"width": 1280, "height": 900}).ready()
    mouse = Mouse(figure)
    x, y = row(figure, "weights_one1", 1)
    mouse.down(x, y)
    mouse.move(x, row(figure, "weights_one1", 4)[1])
    assert figure.state()["q"] == "4"
    figure.page.keyboard.press("Escape")
    assert figure.state()["q"] == "1"
    mouse.up()


def test_header_is_no_row(pointer: Any) -> None:
    figure, pointer = pointer("heads", "#heads?q=3")
    table = figure.element.locator(".attn-body [data-part='features']")
    table.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = table.locator("thead").bounding_box()
    pointer.down(box["x"] + 80, box["y"] + box["height"] / 2)
    pointer.up()
    assert figure.state()["q"] == "3"


def test_vertical_swipe_scrolls_and_changes_nothing(show: Any) -> None:
    figure = show("heads", **PHONE).ready()
    finger = Finger(figure)
    x, y = row(figure, "weights_one1", 3)
    before, state = figure.page.evaluate("scrollY"), figure.state()
    finger.down(x, y)
    finger.move(x + 2, y - 150)
    finger.up()
    figure.page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    assert figure.state() == state


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_height_is_constant(show: Any, viewport: dict[str, int]) -> None:
    figure = show("heads", viewport=viewport).ready()
    four = [{"h": 4, "m": 1, "c": 4}, {"h": 4, "len": 2}]
    states = [*FIGURES["heads"].tries, *four, {"len": 0}, {"c": 0, "h": 2}]
    heights = set()
    for settings in ({}, *states):
        figure.go(FIGURES["heads"].fragment({**settings, "ask": "0"}))
        heights.add(figure.element.locator("figure").bounding_box()["height"])
    assert len(heights) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("heads", [2, 4])
def test_columns_are_headed_by_their_words_on_a_phone(show: Any, lang: str, heads: int) -> None:
    figure = show("heads", lang, f"#heads?h={heads}", viewport=PHONE["viewport"]).ready()
    names = figure.element.evaluate("(e) => e.declaration.data.words")
    tables = figure.element.locator(".attn-head:visible [data-view='heatmap']").all()
    assert len(tables) == heads
    rows = []
    for table in tables:
        columns = table.locator("thead th").all()
        assert [column.inner_text() for column in columns] == names
        words = [
            column.evaluate(
                """(e) => {
                     const range = document.createRange();
                     range.selectNodeContents(e);
                     const { left, right } = range.getBoundingClientRect();
                     return [left, right, parseFloat(getComputedStyle(e).fontSize)];
                   }"""
            )
            for column in columns
        ]
        for (_, right, size), (left, *_) in pairwise(words):
            assert right < left
            assert size >= 11
        # Heads side by side share the names of their rows: these stand at the same height.
        rows.append([row.bounding_box()["y"] for row in table.locator("tbody tr").all()])
    for left, right in zip(rows[::2], rows[1::2], strict=True):
        assert left == pytest.approx(right)


def test_the_head_of_the_question_stands_out_once_it_is_answered(show: Any) -> None:
    figure = show("heads", viewport={"width": 1280, "height": 900}).ready()
    looks = "(heads) => heads.map((head) => getComputedStyle(head).outlineStyle)"
    four = figure.element.locator('.attn-body .attn-head[data-heads="4"]')
    figure.go("#heads?h=4&q=2&k=1&ask=1")
    assert four.evaluate_all(looks) == ["none"] * 4
    figure.bet(0)
    assert four.evaluate_all(looks) == ["solid"] + ["none"] * 3


@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_worked_scores_stand_clear_of_the_sentence_below(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("heads", lang, **settings).ready()
    figure.go("#heads?h=4&q=4")
    worked = figure.element.locator(".attn-body .attn-worked:visible").last.bounding_box()
    said = figure.element.locator(".attn-body .attn-pair-named").bounding_box()
    assert worked["y"] + worked["height"] <= said["y"]


@pytest.mark.parametrize("key", ["c", "len", "h", "q"])
def test_a_phone_shows_what_moves_features_and_heads_between_them(show: Any, key: str) -> None:
    figure = show("heads", **PHONE).ready()
    header = figure.page.locator("header").bounding_box()["height"]
    names = ("[data-part=features]", f".attn-item:has([data-key='{key}'])", ".attn-heads")
    boxes = [figure.element.locator(f".attn-body {name}").bounding_box() for name in names]
    feet = [box["y"] + box["height"] for box in boxes]
    assert feet == sorted(feet)
    assert feet[-1] - boxes[0]["y"] < 740 - header


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fingers_find_each_number_of_heads_and_features_are_as_wide(show: Any, lang: str) -> None:
    figure = show("heads", lang, **PHONE).ready()
    for label in figure.element.locator(".attn-choose [data-control='0'] label").all():
        box = label.bounding_box()
        assert min(box["width"], box["height"]) >= 43
    for h in (1, 2, 4):
        figure.go(f"#heads?h={h}")
        cells = figure.element.locator(".attn-body [data-part=features] tbody tr:first-child td")
        widths = cells.evaluate_all("(cells) => cells.map((cell) => cell.clientWidth)")
        assert max(widths) - min(widths) <= 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("touch", [False, True])
def test_a_small_phone_shows_cause_heads_and_sentence_at_once(
    show: Any, lang: str, touch: bool
) -> None:
    small = {"viewport": {"width": 360, "height": 640}, "has_touch": touch, "is_mobile": touch}
    figure = show("heads", lang, "#heads?h=4&q=2&m=1", **small).ready()
    header = figure.page.locator("header").bounding_box()["height"]
    names = (".attn-choose", ".attn-heads", ".attn-summary")
    boxes = [figure.element.locator(f".attn-body {name}").bounding_box() for name in names]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[-1]["y"] + boxes[-1]["height"] - boxes[0]["y"] < 640 - header


def test_row_of_a_single_head_stands_above_several_and_is_no_place_to_press(show: Any) -> None:
    figure = show("heads", viewport={"width": 1280, "height": 900}).ready()
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
    figure = show("heads", viewport={"width": 1280, "height": 900}).ready()
    cell = figure.element.locator(".attn-body [data-part='weights_one1'] tbody tr").nth(1)
    cell.locator("td").nth(0).click()
    chosen = figure.element.locator(".attn-body [data-key=k]:checked")
    assert chosen.evaluate("(e) => e === document.activeElement")
    centred(chosen)
    scrolled = figure.page.evaluate("scrollY")
    chosen.press("ArrowDown")
    assert figure.state()["k"] == "2"
    assert figure.page.evaluate("scrollY") == scrolled


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_line_on_a_pair_answers_the_press_and_moves_nothing(
    show: Any, lang: str, viewport: dict[str, int]
) -> None:
    figure = show("heads", lang, viewport=viewport).ready()
    line = figure.element.locator(".attn-body .attn-pair-named p")
    room = figure.element.locator(".attn-body .attn-pair-named").bounding_box()["height"]
    said, narrow = set(), viewport == PHONE["viewport"]
    for h, q, k in ((1, 1, 1), (1, 1, 4), (2, 2, 2), (2, 1, 3), (4, 2, 2), (4, 2, 4), (4, 1, 4)):
        # How a line wraps in a wide window is seen in one of these.
        for settings in ({"c": 4}, {"m": 1, "c": 4}, {"c": 0})[: 3 if narrow else 1]:
            figure.go(figure.figure.fragment({"h": h, "q": q, "k": k, **settings}))
            assert line.text_content() == figure.check().slots["pair"]
            assert line.bounding_box()["height"] <= room + 0.5
            said.add(line.text_content())
    assert len(said) > (15 if narrow else 5)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_features_heads_and_sentence_are_seen_in_one_window(show: Any, lang: str) -> None:
    viewport = {"width": 1280, "height": 900}
    figure = show("heads", lang, "#heads?h=2", viewport=viewport).ready()
    header = figure.page.locator("header").bounding_box()["height"]
    names = (".attn-view [data-part=features]", ".attn-view .attn-heads", "> .attn-controls")
    boxes = [figure.element.locator(f".attn-body {name}").bounding_box() for name in names]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[1]["y"] + boxes[1]["height"] - boxes[0]["y"] < 900 - header
    # The sentence stands beside the features, and ends above the heads.
    features, said = boxes[0], figure.element.locator(".attn-body .attn-summary").bounding_box()
    assert said["x"] > features["x"] + features["width"]
    assert said["y"] == pytest.approx(features["y"])
    assert said["y"] + said["height"] < boxes[1]["y"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_conclusion_is_seen_with_verdict_and_heads(show: Any, lang: str) -> None:
    figure = show("heads", lang, viewport={"width": 1280, "height": 900}).ready()
    figure.bet(0)
    expect(figure.said).to_contain_text("0.49")
    for part in (".attn-verdict:not([inert])", ".attn-summary", ".attn-heads"):
        expect(figure.element.locator(part).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_little_is_empty_above_the_button_on_a_phone(show: Any, lang: str) -> None:
    figure = show("heads", lang, **PHONE).ready()
    form, told = (
        figure.element.locator(f".attn-prediction {part}").first.bounding_box()["height"]
        for part in (".attn-options", ".attn-told")
    )
    assert told - form < 40


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE["viewport"]])
def test_choice_of_the_key_keeps_its_places(show: Any, lang: str, viewport: dict[str, int]) -> None:
    figure = show("heads", lang, "#heads?ask=0", viewport=viewport).ready()
    options = figure.element.locator(".attn-body .attn-controls .attn-segments label")
    in_figure = """(all) => all.map((e) => {
        const [of, at] = [e.closest(".attn-figure"), e].map((e) => e.getBoundingClientRect());
        return [at.x - of.x, at.y - of.y, at.width, at.height].map(Math.round);
    })"""
    places = options.evaluate_all(in_figure)
    assert len({y for _, y, *_ in places}) == 1
    for q in "1234":
        for k in "01234":
            figure.go(unasked(figure.figure.fragment({"q": q, "k": k})))
            assert options.evaluate_all(in_figure) == places
            assert options.evaluate_all("(all) => all.every((e) => e.scrollWidth <= e.clientWidth)")
