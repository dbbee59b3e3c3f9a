"""The figure `cost` by hand: a block sweeps a square, a tank fills, and bark reads its keys."""

import itertools
from typing import Any

import pytest
from figures import LiveFigure, middle
from hands import LOOKS, WIDE, WINDOWS, Mouse, Window
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

COST = FIGURES["cost"]
MODES = ("predict", "train", "again", "kernel")
# Cells whose text is wider than they are.
CRAMPED = """(table) => [...table.querySelectorAll("th, td")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.textContent)"""

# In the drawing's own pixels.
BOX = "(e) => { const { x, y, width, height } = e.getBBox(); return { x, y, width, height }; }"


def boxes(figure: LiveFigure, *names: str) -> list[dict[str, float]]:
    """Where parts of the picture lie."""
    scene = figure.element.locator(".attn-body .attn-scene")
    return [scene.locator(f".attn-cost-{name}").bounding_box() for name in names]


def down_to(figure: LiveFigure, share: float) -> float:
    """The pixel of the window at this share of the square's height."""
    (square,) = boxes(figure, "table")
    return square["y"] + share * square["height"]


@pytest.mark.parametrize("name", ["p", "t"])
def test_a_hand_is_pulled_to_where_its_number_lies(pointer: Any, name: str) -> None:
    figure, pointer = pointer("cost", "#cost?p=0&ask=0")
    x, y = middle(figure.element.locator(f".attn-body [data-handle={name}]"))
    pointer.down(x, y)
    # It moves up and down only, and ends with the square.
    stops = {"p": (0.5, 0.24, 1.2), "t": (0.5, 0.25, 1.2)}
    reached = {"p": (50, 24, 100), "t": (1024, 512, 8192)}
    for share, value in zip(stops[name], reached[name], strict=True):
        pointer.move(x + 30, down_to(figure, share))
        assert figure.state()[name] == value
    pointer.up()
    figure.check()


def test_what_is_computed_twice_is_pulled_down_and_up_again(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=again&p=0", **WIDE).ready()
    mouse = Mouse(figure)
    x, y = middle(figure.element.locator("[data-handle=p]"))
    mouse.down(x, y)
    # From the foot the way goes into the other pass, both times.
    for share, p in ((0.4, 20), (1, 50), (0.4, 80), (0, 100), (0.4, 80), (1, 50), (0.4, 20)):
        mouse.move(x, down_to(figure, share))
        assert figure.state()["p"] == p
        figure.check()
    mouse.up()


@pytest.mark.parametrize("fragment", ["t=512&n=512", "t=256", "t=64&mode=again", "t=16&n=8192"])
def test_each_key_of_the_hand_ends_blocks(show: Any, fragment: str) -> None:
    figure = show("cost", fragment=f"#cost?p=0&{fragment}").ready()
    knob = figure.element.locator("[data-handle=p]")

    def swept() -> int:
        figure.check()
        return COST.compute(figure.state()).parts["table"]["swept"]

    steps = COST.compute(figure.state()).parts["table"]["steps"]
    places = [swept()]
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home"):
        knob.press(key)
        places.append(swept())
    assert places[0] == places[5] == 0 < places[1]
    assert places[1] < places[2] or places[1] == steps
    assert places[3] < places[2]
    assert places[4] == steps


@pytest.mark.parametrize("n", [512, 8192])
def test_each_stop_of_the_height_is_another_height(show: Any, n: int) -> None:
    figure = show("cost", fragment=f"#cost?n={n}&t=16").ready()
    slider = figure.element.locator("[data-key=t]")
    for step, press in (("ArrowDown", "[data-handle=t]"), ("ArrowRight", "[data-key=t]")):
        heights = [COST.compute(figure.state()).slots["T"]]
        for _ in range(int(slider.get_attribute("max"))):
            figure.element.locator(press).press(step)
            heights.append(figure.check().slots["T"])
        assert len(heights) == len(set(heights))
        assert heights[-1] == str(n)
        figure.go(f"#cost?n={n}&t=16")
    # All queries at once are still all of more words.
    figure.go("#cost?n=512&t=8192")
    figure.element.locator("[data-key=n]").press("End")
    assert figure.state()["t"] == 8192


@WINDOWS
@pytest.mark.parametrize("mode", MODES)
def test_the_picture_is_to_scale(show: Any, mode: str, window: Window) -> None:
    figure = show("cost", fragment=f"#cost?mode={mode}", **window).ready()
    fills = figure.element.locator(".attn-scene > svg > rect")
    for n, t, p in itertools.product((512, 8192), (64, 256), (0, 30, 76, 98)):
        figure.go(f"#cost?mode={mode}&n={n}&t={t}&p={p}")
        # Independently of the view: bytes of a block and of what is kept, and the blocks done.
        blocks, way = n // t, (2 if mode in ("again", "kernel") else 1)
        done = p * blocks * way // 100
        first = min(done, blocks)
        kept = {"train": n * t * first, "kernel": 65 * t * first}.get(mode, 0) / n**2
        start = done if done < blocks else 2 * blocks - 1 - done
        # Left of the block, the square, the block, its tile, the level of the tank.
        left, square, band, tile, level = (fills.nth(i).evaluate(BOX) for i in range(5))
        side = square["height"]
        assert square["width"] == pytest.approx(side)
        trail = first * t / n if mode == "train" else 0
        assert left["height"] == pytest.approx(trail * side, abs=0.2)
        assert band["y"] - square["y"] == pytest.approx(start * t / n * side, abs=0.2)
        assert band["height"] == pytest.approx(t / n * side, abs=0.2)
        assert level["height"] == pytest.approx(kept * side, abs=0.2)
        assert level["y"] + level["height"] == pytest.approx(square["y"] + side, abs=0.2)
        # Two of four keys are read.
        column = (tile["x"] - square["x"]) / side
        assert column - 0.001 <= 3 / 8 < column + tile["width"] / side + 0.001
        expect(fills.nth(3)).to_be_visible(visible=mode == "kernel")
        # What is computed again is striped.
        block = fills.nth(3 if mode == "kernel" else 2)
        expect(block).to_have_class(f"attn-cost-{'again' if done >= blocks else 'block'}")


def test_the_tank_has_a_layer_for_each_block(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=train&p=50&t=256").ready()
    layers = figure.element.locator(".attn-cost-layers")
    for p, lines in ((0, 0), (50, 3), (100, 7)):
        figure.go(f"#cost?mode=train&p={p}&t=256")
        assert (layers.get_attribute("d") or "").count("M") == lines
    # What the kernel keeps is no weights.
    figure.go("#cost?mode=kernel&p=100&t=256")
    assert layers.get_attribute("d") == ""
    expect(figure.element.locator(".attn-cost-output")).to_be_visible()


def test_at_the_end_nothing_is_in_work(show: Any) -> None:
    figure = show("cost").ready()
    for mode in MODES:
        figure.go(f"#cost?mode={mode}&p=100")
        for look in ("block", "row", "again"):
            expect(figure.element.locator(f"rect.attn-cost-{look}:visible")).to_have_count(0)


def test_what_the_ways_keep_is_shown_once_the_question_is_answered(show: Any) -> None:
    figure = show("cost").ready().open_fold()
    table = figure.element.locator(".attn-body [data-part=memory]")
    expect(table).to_be_hidden()
    figure.bet(0)
    kept = table.locator("td:last-child .attn-number")
    expect(kept).to_have_text(["0", "16.00", "0", "0.51"])
    expect(table).to_be_visible()
    figure.ask_again()
    expect(table).to_be_hidden()


RECORD = """(figure) => {
  figure.shown = [];
  const look = () => {
    figure.shown.push([figure.state.mode, figure.state.p]);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize("by", ["press", "key"])
def test_a_way_that_is_chosen_is_swept_from_its_first_block(show: Any, by: str) -> None:
    moving = {"reduced_motion": "no-preference"}
    figure = show("cost", fragment="#cost?p=80", **moving).ready().open_fold()
    figure.element.evaluate(RECORD)
    if by == "press":
        figure.element.locator("label:has([data-key=mode][value=train])").click()
    else:
        figure.element.locator("[data-key=mode]").first.press("ArrowDown")
    figure.page.wait_for_url(lambda address: address.endswith("#cost?mode=train&p=100"))
    figure.page.wait_for_function(
        "(e) => e.shown.some(([mode, p]) => mode === 'train' && p < 10) && e.state.p === 100",
        arg=figure.element.element_handle(),
    )
    shown = figure.element.evaluate("(e) => e.shown")
    swept = [p for mode, p in shown if mode == "train"]
    begun = swept[swept.index(min(swept)) :]
    assert begun == sorted(begun)
    assert len(set(begun)) > 3
    figure.check()


def test_row_of_bark_shows_how_the_last_key_changed_it(show: Any) -> None:
    figure = show("cost", fragment="#cost?mode=kernel&j=4").ready()
    view = figure.check()
    lines = figure.element.locator(".attn-body .attn-update tr").all_inner_texts()
    slots = ("larger", "old", "fresh", "s_sum", "o_sum", "ratio")
    for line, slot in zip(lines, slots, strict=True):
        assert view.slots[slot] in line
    read = figure.element.locator(".attn-body .attn-read:not(.attn-unread)")
    assert read.count() == 8
    figure.go("#cost?mode=kernel&j=1")
    assert read.all_inner_texts() == ["−2", "10"]


def test_pressed_word_is_read_and_its_slider_goes_on(pointer: Any) -> None:
    figure, pointer = pointer("cost")
    figure.open_fold()
    word = figure.element.locator(".attn-body .attn-bark thead th")
    for place, keys in ((2, 3), (0, 1)):
        pointer.down(*middle(word.nth(place)))
        pointer.up()
        assert figure.state()["j"] == keys
        figure.check()
    slider = figure.element.locator("[data-key=j]")
    if isinstance(pointer, Mouse):  # after a tap the browser itself moves the focus
        expect(slider).to_be_focused()
    slider.press("ArrowRight")
    assert figure.state()["j"] == 2


@WINDOWS
def test_a_link_to_the_reading_of_bark_lands_there(show: Any, window: Window) -> None:
    figure = show("cost", **window).ready().open_fold()
    figure.element.locator('.attn-tries a[href$="j=4"]').click()
    bark = figure.element.locator(".attn-body .attn-bark")
    said = bark.locator("caption")
    expect(said).to_contain_text("4 of 4 keys: largest 2, sum 1.2890, output 36.42")
    expect(bark).to_be_in_viewport(ratio=0.99)  # to the pixel


@LOOKS
def test_an_update_has_room(show: Any, lang: str, window: Window) -> None:
    figure = show("cost", lang, **window).ready()
    for j in range(5):
        figure.go(f"#cost?mode=kernel&j={j}")
        update = figure.element.locator(".attn-body .attn-update")
        assert update.evaluate(CRAMPED) == []
