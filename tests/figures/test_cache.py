"""Figure `cache` by hand: a tank is pulled down, and heads share the keys that are kept."""

from typing import Any

from figures import middle
from hands import WIDE
from playwright.sync_api import expect

from attn_lib.live.figures import FIGURES

CACHE = FIGURES["cache"]
BOX = "(e) => { const { x, y, width, height } = e.getBBox(); return { x, y, width, height }; }"
STATES = [
    {},
    *({"g": groups, "how": how} for groups in (6, 1) for how in ("near", "alike", "repeat")),
    {"g": 2},
    {"g": 2, "model": "llama", "n": 32768, "kv": "1"},
    {"kv": "1"},
]


def test_the_hand_stands_on_what_is_kept(pointer: Any) -> None:
    figure, pointer = pointer("cache", "#cache?ask=0")
    scene = figure.element.locator(".attn-scene")
    tank = scene.locator(".attn-cache-tank").bounding_box()
    x, y = middle(scene.locator("[data-handle=g]"))
    tank = scene.locator(".attn-cache-tank").bounding_box()
    pointer.down(x, y)
    # Where it is let go, the nearest number that twelve heads can be divided by.
    for share, groups in ((0.5, 6), (0.27, 3), (0.0, 1), (-0.2, 1), (0.36, 4)):
        pointer.move(x, y + (1 - share) * tank["height"])
        assert figure.state()["g"] == groups
        figure.check()
    pointer.up()
    assert figure.page.evaluate("location.hash").removesuffix("&ask=0") == "#cache?g=4"


def test_wires_lead_to_the_blocks_that_heads_read(show: Any) -> None:
    figure = show("cache", **WIDE).ready()
    for settings in STATES[1:]:
        figure.go(CACHE.fragment(settings))
        view = figure.check()
        scene = figure.element.locator(".attn-scene")
        blocks = [
            block.evaluate(BOX)
            for block in scene.locator("rect.attn-cache-kept[rx]").all()
            if block.get_attribute("visibility") != "hidden"
        ]
        groups = figure.state()["g"]
        assert len(blocks) == groups
        ends = scene.locator(".attn-cache-wire").evaluate_all(
            "all => all.map((wire) => wire.getPointAtLength(wire.getTotalLength()).x)"
        )
        for end, place in zip(ends, view.parts["tank"]["places"], strict=True):
            block = blocks[place * groups // 12]
            assert block["x"] < end < block["x"] + block["width"]


def test_the_fold_and_the_picture_keep_the_answer(show: Any) -> None:
    figure = show("cache").ready().open_fold()
    table = figure.element.locator(".attn-more [data-part=moved]")
    bare = figure.element.locator(".attn-cache-bare")
    expect(table).to_be_hidden()
    expect(bare).to_have_attribute("visibility", "hidden")
    figure.bet(0)
    expect(table).to_be_visible()
    expect(bare).to_have_attribute("visibility", "visible")
