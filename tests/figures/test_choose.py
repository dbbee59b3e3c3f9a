"""Figure `choose`: keys and query are dragged on one large map, and four maps are painted."""

from typing import Any

import torch
from figures import LiveFigure, centred, middle
from hands import PHONE, WIDE
from playwright.sync_api import expect

import attn_lib
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.choose import SCORES, WINDOW

CHOOSE = FIGURES["choose"]
FISH = 4
# The colours of places of the canvas, given as shares of the box of an element over it.
COLOURS = """(box, shares) => {
  const canvas = box.closest(".attn-scene").querySelector("canvas");
  const [all, part] = [canvas, box].map((one) => one.getBoundingClientRect());
  const scale = canvas.width / all.width;
  const pixels = canvas.getContext("2d");
  return shares.map(([x, y]) => [...pixels.getImageData(
    Math.round(scale * (part.x - all.x + x * part.width)),
    Math.round(scale * (part.y - all.y + y * part.height)), 1, 1).data]);
}"""
# A blue has so much more blue than green; where fish wins, it has less.
BLUER = 9


def plane(figure: LiveFigure) -> Any:
    """Return a function from a place of the large map to pixels of the window."""
    box = centred(figure.element.locator(".attn-body .attn-plane"))
    return lambda x, y: (
        box["x"] + box["width"] * (x / WINDOW[0] + 1) / 2,
        box["y"] + box["height"] * (1 - y / WINDOW[1]) / 2,
    )


def greens(figure: LiveFigure, map_of: str, places: list[tuple[float, float]]) -> list[bool]:
    """Whether places of the map of a score are painted as fish's ground."""
    frame = figure.element.locator(".attn-map-frame").nth(SCORES.index(map_of))
    shares = [((x / WINDOW[0] + 1) / 2, (1 - y / WINDOW[1]) / 2) for x, y in places]
    return [blue - green < BLUER for _, green, blue, _ in frame.evaluate(COLOURS, shares)]


def found(score: str, state: dict[str, Any], queries: list[tuple[float, float]]) -> list[bool]:
    """Whether fish wins at queries, by the library."""
    K = torch.tensor([list(zip(state["kx"], state["ky"], strict=True))], dtype=torch.float64)
    Q = torch.tensor([queries], dtype=torch.float64)
    scores: torch.Tensor = {
        "dot": lambda: attn_lib.dot_product_scores(Q, K, scaled=False),
        "gauss": lambda: attn_lib.gaussian_scores(Q, K),
        "cosine": lambda: attn_lib.cosine_scores(Q, K),
    }[score]()
    return (scores[0].argmax(1) == FISH).tolist()


def test_keys_and_query_are_dragged_and_the_address_is_written_on_release(pointer: Any) -> None:
    figure, pointer = pointer("choose", "#choose")
    at = plane(figure)
    pointer.down(*at(0.5, 0.25))
    pointer.move(*at(1.52, -1.2))
    assert (figure.state()["kx"][FISH], figure.state()["ky"][FISH]) == (1.5, -1.25)
    figure.check()
    figure.page.keyboard.press("Escape")
    assert (figure.state()["kx"][FISH], figure.state()["ky"][FISH]) == (0.5, 0.25)
    pointer.up()
    pointer.down(*at(-2, 0.5))
    pointer.move(*at(-3.2, 1.3))
    state = figure.state()
    assert (state["kx"][5], state["ky"][5], state["x"], state["y"]) == (-3.25, 1.25, 1, 1)
    assert figure.page.evaluate("location.hash") == "#choose"
    pointer.up()
    wolf = "kx=1,1,-1,-1,0.5,-3.25&ky=1,-1,1,-1,0.25,1.25"
    assert figure.page.evaluate("location.hash") == f"#choose?{wolf}"
    # The query lies on cats.
    pointer.down(*at(1, 1))
    pointer.move(*at(0.52, 2.2))
    pointer.up()
    assert (figure.state()["x"], figure.state()["y"]) == (0.5, 2.25)
    assert figure.page.evaluate("location.hash") == f"#choose?x=0.5&y=2.25&{wolf}"
    figure.check()


def test_a_press_elsewhere_places_the_query_and_a_small_map_comes_to_the_front(show: Any) -> None:
    for screen in (WIDE, PHONE):
        figure = show("choose", **screen).ready()
        press = figure.page.mouse.click if screen is WIDE else figure.page.touchscreen.tap
        press(*plane(figure)(-2, -1.5))
        assert (figure.state()["x"], figure.state()["y"]) == (-2, -1.5)
        frames = figure.element.locator(".attn-map-frame")
        for score in ("gauss", "additive", "cosine", "dot"):
            press(*middle(frames.nth(SCORES.index(score))))
            state = figure.state()
            assert (state["f"], state["x"], state["y"]) == (score, -2, -1.5)
            figure.check()
            boxes = [frames.nth(i).bounding_box() for i in range(4)]
            assert max(range(4), key=lambda i: boxes[i]["width"]) == SCORES.index(score)
            corners = {(round(box["x"]), round(box["y"])) for box in boxes}
            assert len(corners) == 4


def test_fish_is_moved_by_the_keyboard_and_says_where_it_is(show: Any) -> None:
    figure = show("choose", fragment="#choose").ready()
    fish = figure.element.locator(".attn-body [data-handle=k4]")
    fish.press("ArrowRight")
    fish.press("Shift+ArrowUp")
    state = figure.state()
    assert (state["kx"][FISH], state["ky"][FISH]) == (0.75, 1.5)
    spoken = fish.get_attribute("aria-valuetext")
    assert spoken.startswith("0.75, 1.50; dot product: fish 0.49; Gaussian: cats 0.46")
    # The other keys have sliders in the fold.
    assert figure.element.locator(".attn-body [role=slider]").count() == 2
    assert figure.open_fold().element.locator("[data-key=kx], [data-key=ky]").count() == 12


def test_what_the_outline_tells_is_hidden_while_it_is_asked(show: Any) -> None:
    figure = show("choose").ready()
    outline = figure.element.locator(".attn-body .attn-key-outline")
    hollow = figure.element.locator(".attn-body .attn-unfindable")
    for _ in range(2):
        expect(outline).to_have_attribute("visibility", "hidden")
        expect(hollow).to_have_count(4)  # fish; three under the additive score
        figure.bet(0)
        expect(outline).to_have_attribute("visibility", "visible")
        figure.check()
        figure.ask_again()
    # It is the dot product's own.
    figure.go("#choose?f=cosine&x=0.5&y=0.25")
    expect(outline).to_have_attribute("visibility", "hidden")


def test_the_ground_of_fish_is_painted_where_it_wins(show: Any) -> None:
    figure = show("choose", **WIDE).ready()
    places = [(x / 2 + 0.1, y / 2 + 0.15) for x in range(-6, 6) for y in range(-4, 4)]
    below = figure.start | {"ky": CHOOSE.state(**CHOOSE.prediction.after)["ky"]}
    for state in (figure.start, below):
        for score in ("dot", "gauss", "cosine"):
            painted, wins = greens(figure, score, places), found(score, state, places)
            # A border between two places is neither.
            different = [at for at, p, w in zip(places, painted, wins, strict=True) if p != w]
            assert len(different) <= 1, (score, different)
            assert any(wins) == (score != "dot" or state is below)
        if state is below:
            continue
        figure.bet(0)
        expect(figure.reply).to_be_visible()
        canvas = figure.element.locator("canvas")
        # It is sharp again after a rest.
        expect(canvas).to_have_js_property("width", canvas.evaluate("(e) => e.clientWidth"))


def test_an_old_link_leads_to_the_nearest_state(show: Any) -> None:
    figure = show("choose", fragment="#compare?s=2&f=scaled&q=-1.5").ready()
    state = figure.state()
    assert (state["f"], state["x"], state["y"]) == ("dot", -1.5, -1.5)
    assert (state["kx"][0], state["ky"][0]) == (2, 2)
    figure.check()
