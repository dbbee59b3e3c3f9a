"""What a move costs a browser: it lays out once, and within the figure."""

from typing import Any
from unicodedata import east_asian_width

import pytest
from figures import LiveFigure
from playwright.sync_api import Locator, expect

from attn_lib.language import LANGUAGES, speaking, words
from attn_lib.live.figures import FIGURES

WITH_SLIDERS = sorted(set(FIGURES) - {"museum"})

# To and fro, in four steps at most, with a layout after each. What waits for a pause is no part
# of a move: it waits for `rest()`.
MOVE = """(slider) => {
  const { setTimeout } = window;
  const waiting = [];
  window.setTimeout = (...given) => waiting.push(given) && 0;
  window.rest = () => {
    window.setTimeout = setTimeout;
    for (const given of waiting) setTimeout(...given);
  };
  const move = (step) => {
    slider.stepUp(step);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return slider.closest("attn-explorer").getBoundingClientRect().height;
  };
  slider.value = slider.min;
  const all = Math.round((slider.max - slider.min) / slider.step);
  const by = Math.ceil(all / 4);
  const moves = Math.ceil(all / by);
  for (const step of [by, -by]) {
    for (let i = 0; i < moves; i += 1) move(step);
    const [now, end] = [slider.value, step > 0 ? slider.max : slider.min].map(Number);
    if (now !== end) throw new Error(`${moves} moves lead to ${now} and not to ${end}`);
  }
  return 2 * moves;
}"""


def layouts(figure: LiveFigure, devtools: Any) -> int:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return next(int(one["value"]) for one in metrics if one["name"] == "LayoutCount")


def at_rest(figure: LiveFigure) -> None:
    """Wait for what is painted a moment after the last move."""
    expect(figure.element.locator("[aria-busy]")).to_have_count(0)


def sliders_of(figure: LiveFigure) -> list[Locator]:
    """The sliders in sight, or those of its folds where a figure has none outside of them."""
    sliders = figure.element.locator("input[type=range]:visible:enabled")
    if not sliders.count():
        figure.element.evaluate(
            "(e) => e.querySelectorAll('.attn-body details').forEach((fold) => (fold.open = true))"
        )
    found = sliders.all()
    assert found
    return found


@pytest.mark.parametrize("name", WITH_SLIDERS)
def test_a_move_is_laid_out_once(show: Any, name: str) -> None:
    figure = show(name).unfold().ready()
    devtools = figure.page.context.new_cdp_session(figure.page)
    devtools.send("Performance.enable")
    sliders = sliders_of(figure)

    def move(slider: Locator) -> int:
        """Move to and fro; return the layouts beyond one for each move."""
        at_rest(figure)
        before = layouts(figure, devtools)
        moves = int(slider.evaluate(MOVE))
        more = layouts(figure, devtools) - before - moves
        figure.page.evaluate("rest()")
        return more

    for slider in sliders:
        move(slider)  # texts are measured the first time that they are shown
        # One more: what stood there before the first move. The rest of the page may lay out
        # something meanwhile, but not each time.
        assert any(move(slider) <= 1 for _ in range(3))


def longest(name: str) -> str:
    """The language in which the words beside a figure's sliders take the most room."""

    def length(language: str) -> int:
        with speaking(language):
            said = str(words(name)["controls"])
        return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in said)

    return max(LANGUAGES, key=length)


@pytest.mark.parametrize("name", WITH_SLIDERS)
def test_the_number_of_a_slider_has_room(show: Any, name: str) -> None:
    figure = show(name, longest(name), viewport={"width": 360, "height": 740}).ready()
    for slider in sliders_of(figure):
        wrong = slider.evaluate(
            """(slider) => {
              const output = slider.closest(".attn-item").querySelector("output");
              const text = document.createRange();
              // Forty places at most, and the last one.
              const all = Math.round((slider.max - slider.min) / slider.step);
              const by = Math.ceil(all / 40);
              const wrong = [];
              for (let place = 0; place < all + by; place += by) {
                const value = Number(slider.min) + Math.min(place, all) * slider.step;
                slider.value = value;
                slider.dispatchEvent(new Event("input", { bubbles: true }));
                text.selectNodeContents(output);
                const lines = text.getClientRects().length;
                const over = text.getBoundingClientRect().width - output.clientWidth;
                // What is clipped away shows nothing: the drawing has the number.
                const isShown = getComputedStyle(output).clipPath === "none";
                if (isShown && (lines > 1 || over > 1)) {
                  wrong.push([output.textContent, lines, over]);
                }
              }
              return wrong;
            }"""
        )
        assert wrong == []


@pytest.mark.parametrize("name", FIGURES)
def test_the_page_keeps_the_room_of_a_figure(show: Any, name: str) -> None:
    figure = show(name).unfold().ready()
    rooms = []
    for size in ("", "5rem", ""):
        figure.element.evaluate(
            "(e, size) => (e.querySelector('figure').style.paddingBlockEnd = size)", size
        )
        figure.page.evaluate("new Promise(requestAnimationFrame)")
        room, inside, contain = figure.element.evaluate(
            """(e) => [e, e.querySelector("figure")]
              .map((one) => one.getBoundingClientRect().height)
              .concat(getComputedStyle(e).contain)"""
        )
        assert "size" in contain
        assert abs(room - inside) < 1
        rooms.append(room)
    assert rooms[0] == rooms[2] < rooms[1]


@pytest.mark.parametrize("name", WITH_SLIDERS)
def test_the_sentence_follows_a_slider_at_once(show: Any, name: str) -> None:
    # In the state of the defaults: what a figure opens in may not care about its first slider.
    figure = show(name, fragment=f"#{name}").unfold().ready()
    # What has to be fetched is fetched when the pointer comes.
    figure.element.evaluate("async (e) => { await e.prepare?.(e.state, e.declaration.data); }")
    slider = sliders_of(figure)[0]
    slider.evaluate("(slider) => slider.stepUp(slider.value === slider.max ? -1 : 1)")
    said = slider.evaluate(
        """(slider) => {
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          return slider.closest("attn-explorer").querySelector(".attn-summary").textContent;
        }"""
    )
    assert said == figure.figure.sentences(figure.figure.compute(figure.state()))


def test_what_a_closed_fold_shows_is_not_worked_out_while_a_slider_moves(show: Any) -> None:
    figure = show("scale").ready()
    slider = figure.element.locator("input[type=range]").first
    slider.evaluate(
        """(slider) => {
          const explorer = slider.closest("attn-explorer");
          const { compute } = explorer;
          window.asked = new Set();
          explorer.compute = (...given) => {
            const view = compute(...given);
            for (const [name, { get }] of
                Object.entries(Object.getOwnPropertyDescriptors(view.parts))) {
              if (!get) continue;
              const noted = () => { window.asked.add(name); return get.call(view.parts); };
              Object.defineProperty(view.parts, name, { get: noted });
            }
            return view;
          };
        }"""
    )
    during = slider.evaluate(
        """(slider) => {
          slider.stepUp(-1);
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          return [...window.asked];
        }"""
    )
    assert during == []
    at_rest(figure)
    assert sorted(figure.page.evaluate("[...window.asked]")) == ["histogram", "moments", "softmax"]


@pytest.mark.parametrize("name", WITH_SLIDERS)
def test_page_keeps_its_place_while_a_slider_moves(show: Any, name: str) -> None:
    """As the browser keeps a place, so that nothing jumps, it must not hold on to what moves."""
    figure = show(name, viewport={"width": 360, "height": 740}).unfold().ready()
    for slider in sliders_of(figure):
        places = slider.evaluate(
            """async (slider) => {
              slider.scrollIntoView({ block: "center" });
              const frame = () => new Promise(requestAnimationFrame);
              for (let i = 0; i < 5; i += 1) await frame();
              const places = [scrollY];
              slider.value = slider.min;
              for (let i = 0; i < 6 && slider.value !== slider.max; i += 1) {
                slider.stepUp();
                slider.dispatchEvent(new Event("input", { bubbles: true }));
                await frame();
                await frame();
                places.push(scrollY);
              }
              return places;
            }"""
        )
        assert max(places) - min(places) < 1
