"""Figure `choose`: query and keys are dragged in four planes, which are painted once it is used."""

from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE
from playwright.sync_api import Locator, expect
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.choose import SCORES, WINDOW

CHOOSE = FIGURES["choose"]
WIDE = {"viewport": {"width": 1280, "height": 900}}
# How many colours a map has.
COLOURS = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def plane(figure: LiveFigure, score: str) -> Any:
    """Return a function from a place of a plane to pixels of the window."""
    stage = figure.element.locator(f".attn-body [data-map={score}] .attn-stage")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = stage.bounding_box()
    return lambda x, y: (
        box["x"] + box["width"] * (x / WINDOW[0] + 1) / 2,
        box["y"] + box["height"] * (1 - y / WINDOW[1]) / 2,
    )


def field(figure: LiveFigure, score: str) -> Locator:
    return figure.element.locator(f".attn-body [data-map={score}] canvas")


@pytest.mark.parametrize("score", ["dot", "cosine"])
def test_a_key_is_dragged_in_any_plane(pointer: Any, score: str) -> None:
    figure, pointer = pointer("choose", f"#choose?f={score}")
    at = plane(figure, score)
    pointer.down(*at(-2, 0.5))
    pointer.move(*at(-3.2, 1.3))
    state = figure.state()
    assert (state["kx"][5], state["ky"][5], state["x"], state["y"]) == (-3.25, 1.25, 1, 1)
    figure.check()
    figure.page.keyboard.press("Escape")
    assert figure.state()["kx"][5] == -2
    pointer.up()


def test_the_query_is_dragged_and_the_address_is_written_on_release(pointer: Any) -> None:
    figure, pointer = pointer("choose")
    at = plane(figure, "dot")
    pointer.down(*at(1, 1))
    pointer.move(*at(0.52, 0.2))
    assert (figure.state()["x"], figure.state()["y"]) == (0.5, 0.25)
    assert figure.page.evaluate("location.hash") == ""
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#choose?x=0.5&y=0.25"
    figure.check()


def test_a_press_elsewhere_places_the_query(show: Any) -> None:
    figure = show("choose", **WIDE).ready()
    figure.page.mouse.click(*plane(figure, "gauss")(2, -1.5))
    assert (figure.state()["x"], figure.state()["y"]) == (2, -1.5)
    phone = show("choose", **PHONE).ready()
    phone.page.touchscreen.tap(*plane(phone, "dot")(2, -1.5))
    assert (phone.state()["x"], phone.state()["y"]) == (2, -1.5)


def test_keys_are_moved_by_the_keyboard_and_say_where_they_are(show: Any) -> None:
    figure = show("choose", **WIDE).ready()
    fish = figure.element.locator(".attn-body [data-map=dot] [data-handle=k4]")
    fish.press("ArrowRight")
    fish.press("Shift+ArrowUp")
    state = figure.state()
    assert (state["kx"][4], state["ky"][4]) == (0.75, 1.5)
    spoken = fish.get_attribute("aria-valuetext")
    assert spoken.startswith("0.75, 1.50; dot product: fish 0.49; Gaussian: cats 0.46")
    # One plane's handles are enough for the keyboard and the ear.
    assert figure.element.locator(".attn-body [role=slider]").count() == 7


def test_nothing_is_painted_before_the_figure_is_used(show: Any) -> None:
    figure = show("choose", **WIDE).ready()
    outline = figure.element.locator(".attn-body .attn-key-outline").first
    lost = figure.element.locator(".attn-body .attn-unfindable")
    expect(field(figure, "dot")).to_have_css("opacity", "0")
    expect(outline).to_have_attribute("visibility", "hidden")
    assert lost.count() == 0
    figure.bet(0)
    for score in SCORES:
        expect(field(figure, score)).to_have_css("opacity", "1")
        assert field(figure, score).evaluate(COLOURS) > 5
    expect(outline).to_have_attribute("visibility", "visible")
    expect(lost).to_have_count(4)  # fish; three under the additive score
    figure.page.wait_for_url(lambda address: address.endswith("#choose?x=0.5&y=0.25"))
    figure.check()


def test_on_a_phone_the_heads_choose_the_plane(show: Any) -> None:
    figure = show("choose", **PHONE).ready()
    stages = figure.element.locator(".attn-body .attn-stage:visible")
    assert stages.count() == 1
    figure.element.locator(".attn-body [data-map=gauss] label").click()
    assert figure.state()["f"] == "gauss"
    expect(stages).to_have_count(1)
    expect(field(figure, "gauss")).to_have_css("opacity", "1")
    assert field(figure, "gauss").evaluate(COLOURS) > 5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("screen", [PHONE, WIDE], ids=["phone", "wide"])
def test_no_sentence_moves_what_lies_below(show: Any, lang: str, screen: dict[str, Any]) -> None:
    figure = show("choose", lang, **screen).ready()
    loud = CHOOSE.tries[0]
    heights = set()
    for score in SCORES:
        for settings in ({"x": 0.5, "y": 0.25}, loud, {"x": 0, "y": 0}, {"x": -1, "y": -1}):
            figure.go(CHOOSE.fragment({**settings, "f": score}))
            heights.add(figure.element.bounding_box()["height"])
    figure.go(CHOOSE.fragment({"x": 0.5, "y": 0.25, "rho": 0}))
    heights.add(figure.element.bounding_box()["height"])
    assert max(heights) - min(heights) < 1


def test_an_old_link_leads_to_the_nearest_state(show: Any) -> None:
    figure = show("choose", fragment="#compare?s=2&f=scaled&q=-1.5").ready()
    state = figure.state()
    assert (state["f"], state["x"], state["y"]) == ("dot", -1.5, -1.5)
    assert (state["kx"][0], state["ky"][0]) == (2, 2)
    figure.check()
