"""The figure `cost` by hand: the block sweeps, and the edge, dragged, is the slider of T."""

import itertools
import re
from typing import Any

import pytest
from figures import LiveFigure, centred, unasked
from hands import PHONE, Finger, Mouse
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

EDGE = ".attn-body .attn-stage .attn-handle"
# Cells whose text is wider than they are.
CRAMPED = """(table) => [...table.querySelectorAll("th, td")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.textContent)"""

# What the edge's circle, whose radius is 12, hides of texts and bars.
UNDER_EDGE = """(stage) => {
  const edge = stage.querySelector(".attn-handle").getBoundingClientRect();
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  return [...stage.querySelectorAll("text, .attn-kept ~ .attn-kept")].filter((other) => {
    const { left, right, top, bottom, height } = other.getBoundingClientRect();
    const away = Math.max(left - x, x - right, top - y, y - bottom);
    return other.getAttribute("visibility") !== "hidden" && height > 0 && away < 10;
  }).map((other) => other.outerHTML);
}"""


def drag(figure: LiveFigure, down: float) -> None:
    """Take the edge of the block and move it down by so many pixels."""
    edge = figure.element.locator(EDGE)
    edge.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = edge.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    figure.page.mouse.move(x, y)
    figure.page.mouse.down()
    figure.page.mouse.move(x, y + down, steps=4)


def extent(figure: LiveFigure) -> tuple[float, float]:
    """Where the block begins and ends, from the top of the square."""
    block, square = (
        figure.element.locator(f".attn-body .attn-{name}").bounding_box()
        for name in ("band", "absent")
    )
    start = block["y"] - square["y"]
    return start, start + block["height"]


def test_dragging_the_edge_and_the_slider_reach_the_same_link(show: Any) -> None:
    figure = show("cost", fragment="#cost?p=0").ready()
    side = figure.element.locator(".attn-body .attn-band").bounding_box()["width"]
    drag(figure, side * (512 - 64) / 2048)
    figure.page.mouse.up()
    assert figure.state()["t"] == 512
    figure.check()
    link = figure.page.evaluate("location.hash")
    slider = figure.element.locator('[data-key="t"]')
    assert slider.evaluate("(e) => e === document.activeElement")
    slider.press("ArrowLeft")
    slider.press("ArrowRight")
    assert figure.page.evaluate("location.hash") == link == "#cost?p=0&t=512"


@pytest.mark.parametrize("fragment", ["", "p=70", "mode=train&p=100", "mode=again&p=80&t=8192"])
def test_edge_stays_under_the_hand(show: Any, fragment: str) -> None:
    figure = show("cost", fragment=f"#cost?{fragment}").ready()
    square = figure.element.locator(".attn-body .attn-absent")
    edge, block = figure.element.locator(EDGE), figure.element.locator(".attn-body .attn-band")
    side = square.bounding_box()["height"]

    def middle() -> float:
        box = edge.bounding_box()
        return box["y"] + box["height"] / 2 - square.bounding_box()["y"]

    def corner() -> tuple[float, int]:
        """Where the corner of the block is, and the way in which it grows."""
        start, foot = extent(figure)
        return (start, -1) if start + foot > side + 1 else (foot, 1)

    for part, queries in ((0.5, 1024), (0.25, 512), (1, 8192), (0.125, 256)):
        start, foot = extent(figure)
        _, way = corner()
        place = foot - side * part if way < 0 else start + side * part
        drag(figure, place - middle())
        reached = middle()
        figure.page.mouse.up()
        assert figure.state()["t"] == queries
        # No block reaches out of the square.
        assert abs(reached - min(side, max(0, place))) <= 2
        # Once it is let go, it is the corner of the block again.
        assert abs(middle() - corner()[0]) <= 2
        box, corner_box = block.bounding_box(), edge.bounding_box()
        assert abs(corner_box["x"] + corner_box["width"] / 2 - box["x"] - box["width"]) <= 2
    figure.check()


@pytest.mark.parametrize("fragment", ["p=0", "p=94", "mode=train&p=100", "mode=kernel&p=52"])
def test_the_end_of_the_rule_reaches_all_queries_within_the_square(
    show: Any, fragment: str
) -> None:
    figure = show("cost", fragment=f"#cost?{fragment}").ready()
    edge = figure.element.locator(EDGE)
    side = figure.element.locator(".attn-body .attn-absent").bounding_box()["height"]
    start, foot = extent(figure)
    # A low block has its room above.
    drag(figure, -foot if start + foot > side else side - foot)
    held = edge.bounding_box()
    assert figure.state()["t"] == 8192
    bare = figure.element.locator(".attn-body .attn-absent").bounding_box()
    middle = held["y"] + held["height"] / 2 - bare["y"]
    assert min(middle, side - middle) <= 0.08 * side
    figure.page.mouse.up()
    figure.check()


def test_the_corner_stays_under_the_hand_that_takes_it(pointer: Any) -> None:
    figure, pointer = pointer("cost", "#cost?p=70")
    edge, block = figure.element.locator(EDGE), figure.element.locator(".attn-body .attn-band")
    edge.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    side = block.bounding_box()["width"]

    def middle() -> tuple[float, float]:
        box = edge.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    x, y = middle()
    pointer.down(x, y)
    # From 64 queries to 512, whose block begins elsewhere. It is low, so it grows upwards.
    for queries in (256, 512):
        up = y - side * (queries - 64) / 2048
        pointer.move(x, up)
        assert figure.state()["t"] == queries
        assert abs(middle()[1] - up) <= 2
    pointer.up()
    box = block.bounding_box()
    assert middle() == pytest.approx((box["x"] + box["width"], box["y"]), abs=2)
    figure.check()


def test_block_is_swept_by_hand(pointer: Any) -> None:
    figure, pointer = pointer("cost", "#cost?t=16")
    square = figure.element.locator(".attn-body .attn-absent")
    square.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = square.bounding_box()
    x = box["x"] + box["width"] / 2
    pointer.down(x, box["y"] + 0.8 * box["height"])
    pointer.up()
    assert figure.state() | {"p": 80, "t": 16} == figure.state()
    block = figure.element.locator(".attn-body .attn-band").bounding_box()
    assert abs(block["y"] - box["y"] - 0.8 * box["height"]) <= 2
    # At the right edge it is the height that is pressed, from where the block begins.
    figure.go("#cost?t=16&p=20")
    box = centred(square)
    block = figure.element.locator(".attn-body .attn-band").bounding_box()
    pointer.down(box["x"] + box["width"] - 3, block["y"] + 0.5 * box["height"])
    pointer.up()
    assert figure.state() | {"p": 20, "t": 1024} == figure.state()
    figure.check()


@pytest.mark.parametrize("fragment", ["t=8192&n=512&mode=train", "n=4096&p=70", "mode=again&p=80"])
def test_sliders_and_sentence_say_the_same(show: Any, fragment: str) -> None:
    figure = show("cost", fragment=f"#cost?{fragment}").ready()
    slots = figure.check().slots
    labels = figure.element.locator(".attn-body .attn-slider").all_inner_texts()
    done = f"{slots['swept']} of {slots['blocks']} done; in work: {slots['now']}"
    assert f"Pass {slots['pass']}/{slots['passes']}: {done}" in labels
    assert f"T, queries in a block: {slots['T']}" in labels
    assert f"{slots['T']}" in figure.element.locator('[data-key="t"]').get_attribute(
        "aria-valuetext"
    )


def test_row_of_bark_shows_how_the_last_key_changed_it(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=kernel&j=4").ready()
    view = figure.check()
    lines = figure.element.locator(".attn-body .attn-update tr").all_inner_texts()
    for line, slot in zip(
        lines, ("larger", "old", "fresh", "s_sum", "o_sum", "ratio"), strict=True
    ):
        assert view.slots[slot] in line
    read = figure.element.locator(".attn-body .attn-read:not(.attn-unread)")
    assert read.count() == 8
    figure.go("#cost?mode=kernel&j=1")
    assert read.all_inner_texts() == ["−2", "10"]


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_bark_reads_in_every_way_and_its_sums_lie_side_by_side(
    show: Any, lang: str, screen: dict[str, Any]
) -> None:
    figure = show("cost", lang, **screen).ready()
    slider = figure.element.locator("[data-key=j]")
    update = figure.element.locator(".attn-body .attn-update")
    for mode, j in itertools.product(("predict", "train", "again", "kernel"), range(5)):
        figure.go(f"#cost?mode={mode}&j={j}")
        expect(slider).to_be_enabled()
        assert update.evaluate(CRAMPED) == []


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_the_corner_of_the_block_hides_no_text_and_no_bar(
    show: Any, screen: dict[str, Any]
) -> None:
    figure = show("cost", **screen).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    rows = itertools.product(
        ("train", "again", "kernel"), (512, 2048, 8192), (16, 256, 8192), (0, 50, 98)
    )
    for mode, n, t, p in rows:
        figure.go(f"#cost?mode={mode}&n={n}&t={t}&p={p}")
        assert stage.evaluate(UNDER_EDGE) == [], (mode, n, t, p)


def test_pressed_word_is_read_and_its_slider_goes_on(pointer: Any) -> None:
    figure, pointer = pointer("cost")
    word = figure.element.locator(".attn-body .attn-bark thead th")
    word.first.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    for place, keys in ((2, 3), (0, 1)):
        box = word.nth(place).bounding_box()
        pointer.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        pointer.up()
        assert figure.state()["j"] == keys
        figure.check()
    # The way of computing stays.
    assert figure.page.evaluate("location.hash") == "#cost?j=1"
    slider = figure.element.locator("[data-key=j]")
    if isinstance(pointer, Mouse):  # after a tap the browser itself moves the focus
        expect(slider).to_be_focused()
    slider.press("ArrowRight")
    assert figure.state()["j"] == 2


def inside(inner: dict[str, float], outer: dict[str, float]) -> bool:
    """Whether one box lies in the other."""
    return all(
        outer[at] <= inner[at] and inner[at] + inner[size] <= outer[at] + outer[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_numbers_stand_at_what_they_count(show: Any, screen: dict[str, Any]) -> None:
    figure = show("cost", fragment="#cost?mode=train&p=50", **screen).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    said = stage.locator("text").filter(has_text="MiB kept")
    fill, bar = (stage.locator(".attn-kept").nth(i) for i in range(2))
    tile = stage.locator("rect.attn-tile")
    for fragment, text in (("p=50", "8.00"), ("p=100", "16.00"), ("p=100&t=1024", "16.00")):
        figure.go(f"#cost?mode=train&{fragment}")
        expect(said).to_have_text(f"{text} MiB kept")
        assert inside(said.bounding_box(), fill.bounding_box())
    figure.go("#cost?mode=again&p=50")
    expect(said).to_be_hidden()
    # The kernel's stands above its bar, which is never too thin to see; the tile's at the tile.
    for fragment, text in (("n=8192", "0.016 MiB"), ("n=512&t=512", "1.00 MiB")):
        figure.go(f"#cost?mode=kernel&p=100&{fragment}")
        words, thing = said.bounding_box(), bar.bounding_box()
        assert thing["width"] >= 8
        assert 0 <= thing["y"] - words["y"] - words["height"] <= 12
        assert words["x"] < thing["x"] + thing["width"] / 2 < words["x"] + words["width"]
        # At the end no tile is in work.
        expect(tile).to_be_hidden()
        figure.go(f"#cost?mode=kernel&p=50&{fragment}")
        size, thing = stage.get_by_text(text, exact=True).bounding_box(), tile.bounding_box()
        assert thing["x"] - 60 < size["x"] < thing["x"] + thing["width"]
        assert thing["y"] - 24 < size["y"] < thing["y"] + thing["height"]


@pytest.mark.parametrize("fragment", ["t=512&n=512", "t=256", "t=64&mode=again", "t=16&n=8192"])
def test_each_key_of_the_sweep_ends_a_block(show: Any, fragment: str) -> None:
    figure = show("cost", fragment=f"#cost?p=100&{fragment}").ready()
    slider = figure.element.locator("[data-key=p]")
    swept = [int(figure.check().slots["swept"])]
    for key in ["ArrowLeft"] * 3 + ["ArrowRight"] * 3:
        slider.press(key)
        swept.append(int(figure.check().slots["swept"]))
    assert all(a > b or b == 0 for a, b in itertools.pairwise(swept[:4]))
    assert swept[3] < swept[4] <= swept[6] == swept[0]


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_a_link_to_the_reading_of_bark_lands_there(show: Any, screen: dict[str, Any]) -> None:
    figure = show("cost", **screen).ready()
    figure.element.locator('.attn-tries a[href$="j=4"]').click()
    bark = figure.element.locator(".attn-body .attn-bark")
    said = bark.locator("caption")
    expect(said).to_contain_text("4 of 4 keys: largest 2, sum 1.2890, output 36.42")
    expect(bark).to_be_in_viewport(ratio=0.99)  # to the pixel
    bark.locator("[data-key=j]").press("ArrowLeft")
    expect(said).to_contain_text("3 of 4 keys")


@pytest.mark.parametrize("mode", ["train", "kernel"])
def test_at_the_end_nothing_is_in_work(show: Any, mode: str) -> None:
    figure = show("cost", fragment=f"#cost?mode={mode}&p=98").ready()
    band = figure.element.locator(".attn-body .attn-band")
    expect(band).to_be_visible()
    figure.go(f"#cost?mode={mode}&p=100")
    expect(band).to_be_hidden()


def test_escape_restores_the_block(show: Any) -> None:
    figure = show("cost", fragment="#cost?p=0").ready()
    drag(figure, 120)
    assert figure.state()["t"] != 64
    figure.page.keyboard.press("Escape")
    assert figure.state()["t"] == 64
    figure.page.mouse.up()


def test_a_phone_shows_the_square_and_all_that_moves_it(show: Any) -> None:
    figure = show("cost", **PHONE).ready()
    box = figure.element.locator(".attn-body .attn-stage").bounding_box()
    header = figure.page.locator("header").bounding_box()
    feet = []
    for key in ("p", "mode", "t", "n", "j"):
        item = figure.element.locator(
            f'.attn-body .attn-item:has([data-key="{key}"])'
        ).bounding_box()
        feet.append(item["y"] + item["height"] - box["y"])
    assert 0 < feet[0] < box["height"] + 90
    assert feet == sorted(feet)
    # All but the reading of bark, in one window of 740 pixels.
    assert feet[3] <= 740 - header["height"]


MIDDLE = {"viewport": {"width": 560, "height": 800}}


@pytest.mark.parametrize("screen", [{}, MIDDLE, PHONE], ids=["wide", "middle", "phone"])
def test_height_keeps_still(show: Any, screen: dict[str, Any]) -> None:
    figure = show("cost", **screen).ready()
    heights = set()
    for fragment in (
        "#cost",
        *map(FIGURES["cost"].fragment, FIGURES["cost"].tries),
        "#cost?mode=kernel&n=8192&t=1024&p=100&j=4",
        "#cost?mode=train&n=8192&t=16&j=1",
        "#cost?mode=again&n=8192&t=16&p=90&j=1",
        "#cost?j=0&p=0",
    ):
        figure.go(unasked(fragment))
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1


def test_a_finger_sweeps_the_block_up_and_down_and_beside_it_scrolls(show: Any) -> None:
    figure = show("cost", **PHONE).ready()
    square = figure.element.locator(".attn-body .attn-absent")
    box = centred(square)
    x, scrolled = box["x"] + box["width"] / 2, figure.page.evaluate("scrollY")
    finger = Finger(figure)
    finger.down(x, box["y"] + 0.4 * box["height"])
    finger.move(x, box["y"] + 0.75 * box["height"])
    finger.up()
    assert abs(figure.state()["p"] - 75) <= 2
    assert figure.page.evaluate("scrollY") == scrolled
    figure.go("#cost?p=0")
    square.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box, scrolled = square.bounding_box(), figure.page.evaluate("scrollY")
    finger.down(x, box["y"] + 0.8 * box["height"])
    finger.move(x, box["y"] + 0.3 * box["height"])
    finger.up()
    assert figure.state()["p"] == 0
    assert figure.page.evaluate("scrollY") != scrolled


def test_the_tile_of_the_kernel_is_dragged_along_its_row(pointer: Any) -> None:
    figure, pointer = pointer("cost", "#cost?mode=kernel&t=256&p=26&j=1")
    square = figure.element.locator(".attn-body .attn-absent")
    box = centred(square)
    # Within its block, so that nothing is swept.
    y = box["y"] + 0.6 * box["height"]
    pointer.down(box["x"] + 0.1 * box["width"], y)
    for place, keys in ((0.4, 2), (0.7, 3), (0.85, 4)):
        pointer.move(box["x"] + place * box["width"], y)
        assert figure.state()["j"] == keys
        tile = figure.element.locator(".attn-body rect.attn-tile").bounding_box()
        assert abs(tile["x"] - box["x"] - (keys - 0.5) / 4 * box["width"]) <= tile["width"]
    assert figure.state()["p"] == 26
    # Down the square it is the block alone.
    pointer.move(box["x"] + 0.85 * box["width"], box["y"] + 0.8 * box["height"])
    pointer.up()
    assert abs(figure.state()["p"] - 40) <= 2
    assert figure.state()["j"] == 4
    figure.check()


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_the_square_says_what_bark_keeps_clear_of_its_tile(show: Any, lang: str) -> None:
    figure = show("cost", lang, **PHONE).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    square, tile = stage.locator(".attn-absent"), stage.locator("rect.attn-tile")
    # Where the words stand is the same in every language, how long they are is not.
    everywhere = itertools.product((0, 24, 40, 48), (64, 256, 1024), range(5))
    ends = itertools.product((0, 48), (64, 1024), (0, 4))
    for p, t, j in everywhere if lang == "en" else ends:
        figure.go(f"#cost?mode=kernel&p={p}&t={t}&j={j}")
        view = figure.check()
        kept = [view.slots[name] for name in ("m", "s", "page")]
        said = stage.locator("text").filter(has_text=re.compile(".*".join(map(re.escape, kept))))
        expect(said).to_be_visible()
        words, of, size = (one.bounding_box() for one in (said, square, tile))
        assert inside(words, of)
        # The line above belongs to it. The size of the tile may stand between, or the small
        # square be in the way.
        above, below = words["y"] - 14, words["y"] + words["height"]
        assert below <= size["y"] + 1 or size["y"] + size["height"] <= above + 1
        between = max(size["y"] - below, above - size["y"] - size["height"])
        small = stage.locator(".attn-smallest").bounding_box()
        assert between <= 22 or 0 <= above - small["y"] - small["height"] <= 14
    # Nothing is read on the way back.
    figure.go("#cost?mode=kernel&p=60")
    expect(stage.locator("text:visible").filter(has_text=figure.check().slots["s"])).to_have_count(
        0
    )


def test_the_kernel_computes_its_tiles_again_on_the_way_back(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=kernel&p=40").ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    tile, striped = stage.locator("rect.attn-tile"), stage.locator(".attn-again")
    expect(tile).to_be_visible()
    expect(striped).to_have_attribute("visibility", "hidden")
    place = tile.bounding_box()
    figure.go("#cost?mode=kernel&p=60")
    # Of what is in nobody's memory there is an outline.
    expect(tile).to_have_css("fill", "none")
    expect(striped).to_have_attribute("visibility", "visible")
    again = striped.evaluate("(e) => e.getBoundingClientRect().toJSON()")
    assert again["left"] == pytest.approx(place["x"], abs=1)
    assert again["width"] == pytest.approx(place["width"], abs=1)
    figure.check()


@pytest.mark.parametrize("answered", [False, True])
def test_what_a_way_keeps_is_shown_once_it_is_chosen_or_the_question_answered(
    show: Any, answered: bool
) -> None:
    figure = show("cost", fragment="#cost?p=100" if answered else "#cost?p=100&ask=1").ready()
    rows = figure.element.locator(".attn-body [data-part=memory] tbody tr")
    kept = rows.locator("td:last-child .attn-number:visible")
    assert kept.all_text_contents() == (["0", "16.00", "0", "0.51"] if answered else ["0"])
    if not answered:
        for way, numbers in ((1, ["0", "16.00"]), (3, ["0", "16.00", "0.51"])):
            rows.nth(way).locator("label").click()
            assert figure.state()["mode"] == ("predict", "train", "again", "kernel")[way]
            assert kept.all_text_contents() == numbers
    figure.check()


def test_what_a_way_keeps_is_asked_again(show: Any) -> None:
    figure = show("cost").ready()
    kept = figure.element.locator(
        ".attn-body [data-part=memory] td:last-child .attn-number:visible"
    )
    figure.bet(0)
    expect(kept).to_have_text(["0", "16.00"])
    figure.ask_again()
    expect(kept).to_have_text(["0"])


def test_on_the_way_back_bark_reads_no_keys(pointer: Any) -> None:
    figure, pointer = pointer("cost", "#cost?mode=kernel&t=256&p=70&j=2")
    bark = figure.element.locator(".attn-body .attn-bark")
    assert bark.evaluate("(e) => e.classList.contains('attn-faded')")
    square = figure.element.locator(".attn-body .attn-absent")
    box = centred(square)
    y = box["y"] + 0.58 * box["height"]
    pointer.down(box["x"] + 0.2 * box["width"], y)
    pointer.move(box["x"] + 0.8 * box["width"], y)
    pointer.up()
    assert figure.state()["j"] == 2
    figure.go("#cost?mode=kernel&t=256&p=30")
    assert not bark.evaluate("(e) => e.classList.contains('attn-faded')")


def test_a_phone_shows_the_sentence_before_the_reading_of_bark(show: Any) -> None:
    figure = show("cost", **PHONE).ready()
    boxes = [
        figure.element.locator(f".attn-body .attn-{part}").bounding_box()
        for part in ("summary", "swept", "memory", "extent", "bark")
    ]
    # The sentence on the square, it and its ways, what all of them keep, then another subject.
    for above, below in itertools.pairwise(boxes):
        assert 0 <= below["y"] - (above["y"] + above["height"]) <= 16


def test_a_block_that_fills_the_square_leaves_the_small_one_its_name(show: Any) -> None:
    figure = show("cost", fragment="#cost?t=8192&n=8192&p=50").ready()
    small = figure.element.locator(".attn-body .attn-stage text").filter(has_text="512 words")
    expect(small).to_be_visible()
    expect(small).to_have_class("attn-inside")
    figure.go("#cost?mode=train&p=50")
    said = figure.element.locator(".attn-body .attn-stage text").filter(has_text="MiB kept")
    named, kept = small.bounding_box(), said.bounding_box()
    assert named["y"] + named["height"] <= kept["y"] + 3


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_rows_of_the_ways_keep_their_height(show: Any, lang: str) -> None:
    figure = show("cost", lang, **PHONE).ready()
    rows = figure.element.locator(".attn-body [data-part=memory] tbody tr")
    for mode in ("predict", "train", "again", "kernel"):
        figure.go(f"#cost?mode={mode}")
        assert len(set(rows.evaluate_all("all => all.map((e) => e.offsetHeight)"))) == 1


# The texts, with their halo, that lie on an edge of the small square.
ON_EDGE = """(stage) => {
  const small = stage.querySelector(".attn-smallest");
  const it = small.getBoundingClientRect();
  return [...stage.querySelectorAll("text")].filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const [l, r, t, b] = [left - 1, right + 1, top + 1, bottom - 1];
    const meets = l < it.right && r > it.left && t < it.bottom && b > it.top;
    const isIn = l > it.left && r < it.right && t > it.top && b < it.bottom;
    const isShown = (e) => e.getAttribute("visibility") !== "hidden" && e.textContent;
    return isShown(text) && meets && !isIn;
  }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_no_text_lies_on_an_edge_of_the_small_square(show: Any, screen: dict[str, Any]) -> None:
    figure = show("cost", **screen).ready()
    stage = figure.element.locator(".attn-body .attn-stage")
    for n, t, p in itertools.product((1024, 2048, 8192), (16, 64, 256), (0, 10, 20, 30, 50, 60)):
        for way in ("mode=train", "mode=kernel&j=0", "mode=kernel&j=2", "mode=kernel&j=4"):
            figure.go(f"#cost?{way}&n={n}&t={t}&p={p}")
            assert stage.evaluate(ON_EDGE) == [], (way, n, t, p)


def test_what_only_the_kernel_computes_fades_in_the_other_ways(show: Any) -> None:
    figure = show("cost").ready()
    bark = figure.element.locator(".attn-body .attn-bark")
    value = bark.locator(".attn-update td.attn-value").first
    for mode in ("kernel", "train", "kernel", "predict"):
        figure.go(f"#cost?mode={mode}")
        faded = bark.evaluate("(e) => e.classList.contains('attn-faded')")
        assert faded == (mode != "kernel")
        weight = value.evaluate("(e) => getComputedStyle(e).fontWeight")
        assert weight == ("400" if faded else "600")


def choose(figure: LiveFigure, way: str) -> None:
    """Press the name of a way of computing."""
    figure.element.locator(f".attn-body [data-key=mode][value={way}]").locator("xpath=..").click()


@pytest.mark.parametrize("fragment", ["t=256", "p=80&t=256", "p=98", "mode=again&p=70"])
def test_the_block_stays_where_it_is_while_the_way_changes(show: Any, fragment: str) -> None:
    figure = show("cost", fragment=f"#cost?{fragment}").ready()
    place = extent(figure)
    # No key of the sweep's slider ends every number of blocks.
    step = 0.03 * figure.element.locator(".attn-body .attn-absent").bounding_box()["height"]
    for way in ("train", "kernel", "predict", "again", "train"):
        choose(figure, way)
        assert figure.state()["mode"] == way
        assert extent(figure) == pytest.approx(place, abs=step + 1)
        figure.check()


def test_at_the_end_each_way_is_at_its_end(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=train&p=100").ready()
    for way in ("kernel", "predict", "again"):
        choose(figure, way)
        assert figure.page.evaluate("location.hash") == FIGURES["cost"].fragment(
            {"mode": way, "p": 100}
        )


MOVING = {"reduced_motion": "no-preference"}
RECORD = """(figure) => {
  figure.shown = [];
  const look = () => {
    const { mode, p } = figure.state;
    const spoken = figure.querySelector(".attn-summary").getAttribute("aria-live");
    figure.shown.push([mode, p, spoken]);
    requestAnimationFrame(look);
  };
  look();
}"""
# Whether the place has been at its beginning and is at its end, and is said to be there.
SWEPT = """(figure) => {
  const [mode, p, spoken] = figure.shown.at(-1);
  const begun = figure.shown.some(([way, place]) => way === mode && place <= 4);
  return begun && mode === "train" && p === 80 && spoken === "polite";
}"""


@pytest.mark.parametrize("by", ["press", "key"])
def test_a_way_that_is_chosen_is_swept_from_its_first_block(show: Any, by: str) -> None:
    figure = show("cost", fragment="#cost?p=80", **MOVING).ready()
    figure.element.evaluate(RECORD)
    if by == "press":
        choose(figure, "train")
    else:
        figure.element.locator("[data-key=mode]").first.press("ArrowDown")
    figure.page.wait_for_function(SWEPT, arg=figure.element.element_handle())
    shown = figure.element.evaluate("(e) => e.shown")
    swept = [p for mode, p, _ in shown if mode == "train"]
    # Before a frame is drawn it is at the beginning.
    begun = swept[swept.index(min(swept)) :]
    assert begun == sorted(begun)
    assert begun[0] <= 4
    assert begun[-1] == 80
    assert len(set(begun)) > 3
    # What it came to is heard, not compared with what was on the way.
    assert shown[-1][2] == "polite"
    assert "was" not in figure.summary
    assert figure.page.evaluate("location.hash") == "#cost?mode=train&p=80"
    figure.check()


def test_a_key_ends_the_sweep_that_is_shown(show: Any) -> None:
    figure = show("cost", fragment="#cost?p=80", **MOVING, clock=True).ready()
    choose(figure, "train")
    figure.page.clock.run_for(300)
    figure.element.locator("[data-key=mode]:checked").press("Shift")
    place = figure.state()["p"]
    assert place < 80
    figure.page.clock.run_for(900)
    assert figure.state()["p"] == place


@pytest.mark.parametrize("n", [512, 1024, 2048, 8192])
def test_each_stop_of_the_height_is_another_height(show: Any, n: int) -> None:
    figure = show("cost", fragment=f"#cost?n={n}").ready()
    slider = figure.element.locator("[data-key=t]")
    slider.press("End")
    heights = []
    while not heights or slider.input_value() != "0":
        heights.append(int(figure.check().slots["T"]))
        slider.press("ArrowLeft")
    assert heights[0] == min(n, 8192)
    assert len(heights) == len(set(heights))


def test_all_queries_at_once_are_still_all_of_more_words(show: Any) -> None:
    figure = show("cost", fragment="#cost?n=512&t=8192").ready()
    words = figure.element.locator("[data-key=n]")
    words.press("End")
    assert figure.state()["t"] == 8192
    slider = figure.element.locator("[data-key=t]")
    assert slider.input_value() == slider.get_attribute("max") == "5"
    slider.press("ArrowLeft")
    assert figure.state()["t"] == 1024
