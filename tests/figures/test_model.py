"""Figure `model`: its maps come with the page, and its frame is pulled over them."""

from typing import Any

import pytest
from figures import LiveFigure, centred, middle
from hands import PHONE, WIDE, Finger
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.model.record import SETS, read, read_maps

MODEL = FIGURES["model"]
MAPS = "[data-field=maps]"
# The names of the files with maps that the page has asked for.
FETCHED = """() => performance.getEntriesByType("resource").map(({ name }) => name)
  .filter((name) => name.includes("/maps/")).map((name) => name.split("/").pop()).sort()"""
# The colours of all pixels of the picture, as red, green and blue.
PIXELS = """async (image) => {
  const picture = Object.assign(new Image(), { src: image.getAttribute("href") });
  await picture.decode();
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) =>
    [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)]));
  return rows;
}"""
NONE, FULL = [244, 247, 251], [8, 48, 107]  # the colours of the weights 0 and 1


def tile(figure: LiveFigure, layer: int, head: int) -> tuple[float, float]:
    """The middle of a map, in pixels of the window."""
    box = centred(figure.element.locator(MAPS))
    return (
        box["x"] + box["width"] * (head - 0.5) / 12,
        box["y"] + box["height"] * (layer - 0.5) / 12,
    )


def asker(figure: LiveFigure, piece: int) -> tuple[float, float]:
    """The middle of a piece that asks."""
    return middle(figure.element.locator(".attn-scene text.attn-num.attn-end").nth(piece - 1))


def test_the_frame_is_pulled_over_the_maps(pointer: Any) -> None:
    figure, pointer = pointer("model")
    hand = figure.element.locator(".attn-scene .attn-hand")
    x, y = middle(hand)
    wide = figure.element.locator(MAPS).bounding_box()["width"] / 12
    pointer.down(x, y)
    for layer, head in ((3, 2), (1, 12), (12, 1)):
        pointer.move(x + (head - 7) * wide, y + (layer - 3) * wide)
        assert (figure.state()["l"], figure.state()["h"]) == (layer, head)
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#model?l=12&h=1"
    assert hand.evaluate("(e) => e === document.activeElement")
    hand.press("ArrowUp")
    assert figure.page.evaluate("location.hash") == "#model?l=11&h=1"


def test_a_press_puts_the_frame_and_chooses_who_asks(show: Any) -> None:
    figure = show("model", **WIDE).ready()
    figure.page.mouse.click(*tile(figure, 5, 6))
    assert figure.page.evaluate("location.hash") == "#model?l=5&h=6"
    figure.page.mouse.click(*asker(figure, 3))
    assert figure.page.evaluate("location.hash") == "#model?l=5&h=6&w=3"
    figure.check()


def test_a_finger_taps_a_map_and_scrolls_past_them(show: Any) -> None:
    figure = show("model", **PHONE).ready()
    figure.page.touchscreen.tap(*tile(figure, 5, 6))
    figure.page.wait_for_url(lambda address: address.endswith("#model?l=5&h=6"))
    figure.page.touchscreen.tap(*asker(figure, 9))
    figure.page.wait_for_url(lambda address: address.endswith("#model?l=5&h=6&w=9"))
    finger = Finger(figure)
    x, y = tile(figure, 8, 3)
    before = figure.page.evaluate("scrollY")
    finger.down(x, y)
    finger.move(x + 2, y - 140)
    finger.up()
    assert figure.state()["l"] == 5
    assert figure.page.evaluate("scrollY") != before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_brings_its_own_right_maps_and_those_of_the_bugs_when_one_is_chosen(
    show: Any, lang: str
) -> None:
    figure = show("model", lang, **WIDE).ready()
    assert figure.page.evaluate(FETCHED) == [f"heads-{lang}.js"]
    pixels = figure.element.locator(".attn-scene image").evaluate(PIXELS)
    right = read_maps(lang)["right"]
    pitch = len(read(lang)["pieces"]) + 1
    for layer in range(12):
        for head in range(12):
            for key, row in enumerate(right[layer, head].tolist()):
                for query, weight in enumerate(row):
                    shown = pixels[layer * pitch + query][head * pitch + key]
                    assert (shown == NONE) == (weight == 0)
                    assert (shown == FULL) == (weight == 100)
    with figure.page.expect_request(f"**/attn/maps/bugs-{lang}.js"):
        figure.go("#model?set=pad")


def test_strings_are_as_thick_as_weights_and_the_largest_ends_in_a_dot(show: Any) -> None:
    figure = show("model").ready()
    own = figure.element.locator(".attn-scene .attn-model-own")
    end = figure.element.locator(".attn-scene .attn-model-end")
    answers = figure.element.locator(".attn-scene text.attn-num:not(.attn-end, .attn-model-most)")
    for settings in ({}, *({"set": kind, "l": 6, "h": 6, "w": 5} for kind in SETS)):
        figure.go(MODEL.fragment(settings))
        view = figure.check()
        rows, masked = view.parts["row"]["rows"], view.parts["row"]["masked"]
        thick = own.evaluate_all(
            "all => all.map((e) => e.getAttribute('d') ? e.getAttribute('stroke-width') / 11 : 0)"
        )
        weights = [0 if out else weight for (weight,), (out,) in zip(rows, masked, strict=True)]
        # A tenth of a pixel is the finest stroke.
        assert thick == pytest.approx(weights, abs=0.0051)
        level = float(answers.nth(weights.index(max(weights))).get_attribute("y"))
        assert float(end.get_attribute("cy")) == pytest.approx(level - 4.5, abs=0.11)
