"""What holds of every figure: its bounds, its bet, its hands, its fold."""

import re
from typing import Any

import pytest
from figures import LiveFigure, ends
from hands import LOOKS, PHONE, Window
from playwright.sync_api import expect

from attn_lib.language import words
from attn_lib.live.figures import FIGURES

MOST = {"controls": 7, "numbers": 25, "words": 90}
HIGHEST, HIGHEST_ON_A_PHONE = 600, 640
# The same as a stranger counts them, by what a browser copies from the whole figure.
MOST_COPIED = {"numbers": 30, "words": 110}
NEAR = 6  # pixels from what has moved to its ghost

# What meets the eye before anything is touched.
COUNT = r"""(explorer) => {
  const figure = explorer.querySelector("figure");
  const sees = { opacityProperty: true, visibilityProperty: true };
  const seen = (one) => one.getBoundingClientRect().width > 1 && one.checkVisibility(sees)
    && !one.closest(".attn-sr, details:not([open]) > :not(summary)");
  const texts = [], walk = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: around, data } = walk.currentNode;
    if (data.trim() && !around.closest("script, style") && seen(around)) texts.push(data.trim());
  }
  const text = texts.join(" ");
  const controls = [...figure.querySelectorAll(
    "button, input, select, a[href], summary, [role=slider]")].filter(seen);
  const room = figure.getBoundingClientRect();
  const box = (one) => one.getBoundingClientRect();
  const isSmall = (one) => box(one).width < 43.5 || box(one).height < 43.5;
  const isOut = (one) => box(one).left < room.left - 1 || box(one).right > room.right + 1;
  const drawn = [...figure.querySelectorAll(".attn-scene text, .attn-bet")].filter(seen);
  const copied = explorer.innerText;
  return {
    height: room.height,
    counts: {
      controls: controls.length,
      numbers: (text.match(/[-−]?\d+(?:[.,\u00a0\u202f]\d+)*/g) ?? []).length,
      words: (text.match(/\p{L}[\p{L}'’-]*/gu) ?? []).length,
    },
    copied: {
      numbers: (copied.match(/[−-]?\d[\d.,]*/g) ?? []).length,
      words: copied.split(/\s+/).length,
    },
    small: matchMedia("(pointer: coarse)").matches ? controls.filter(isSmall).length : 0,
    out: drawn.filter(isOut).map((one) => one.textContent),
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""

# The middles of what moves, which the drawing names by its axes ("", "x" or "y"), and of a ghost.
APART = """(figure) => {
  const middle = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const moved = figure.querySelector(".attn-scene [data-answer]");
  const [ghost] = figure.querySelectorAll(".attn-bet-ghost.attn-right > :first-child");
  const [[x, y], [u, v]] = [moved, ghost].map(middle);
  return { "": Math.hypot(x - u, y - v), x: Math.abs(x - u), y: Math.abs(y - v) }[
    moved.dataset.answer];
}"""


def phase(figure: LiveFigure) -> str:
    return figure.element.locator("figure").get_attribute("data-phase")


@LOOKS
@pytest.mark.parametrize("name", FIGURES)
def test_first_look_keeps_within_its_bounds_and_the_answer_moves_nothing(
    show: Any, name: str, lang: str, window: Window
) -> None:
    figure = show(name, lang, **window).ready()
    first = figure.element.evaluate(COUNT)
    assert first["height"] <= (HIGHEST_ON_A_PHONE if window is PHONE else HIGHEST)
    assert {key: first["counts"][key] for key in MOST if first["counts"][key] > MOST[key]} == {}
    over = {key: first["copied"][key] for key in MOST_COPIED}
    assert {key: count for key, count in over.items() if count > MOST_COPIED[key]} == {}
    assert (first["small"], first["out"], first["wide"]) == (0, [], False)
    expect(figure.element.locator(".attn-bet:visible")).to_have_count(3)
    assert figure.element.locator(".attn-scene .attn-hand:visible").count() >= 1
    for option in range(3):
        figure.bet(option)
        expect(figure.reply).to_be_visible()
        after = figure.element.evaluate(COUNT)
        assert after["height"] == first["height"], option
        assert after["out"] == [], option
        if option == FIGURES[name].prediction.right:
            assert figure.element.evaluate(APART) <= NEAR
        figure.ask_again()


@pytest.mark.parametrize("name", FIGURES)
def test_one_press_answers_and_it_is_asked_again(show: Any, name: str) -> None:
    figure = show(name).ready()
    asked, frame = FIGURES[name].prediction, words("frame")
    after = FIGURES[name].compute(FIGURES[name].state(**asked.after))
    announced = figure.element.locator(".attn-announcement")
    ghosts = figure.element.locator(".attn-bet-ghost")
    for option in range(3):
        assert phase(figure) == "ask"
        # Where the reader has moved things, the question's own state comes first.
        figure.element.locator(".attn-hand").first.press("ArrowRight")
        assert phase(figure) == "ask"
        figure.bet(option)
        assert phase(figure) == "answered"
        is_right = option == asked.right
        expect(figure.reply.locator(".attn-mark")).to_have_text("✓" if is_right else "✗")
        said = frame["right"] if is_right else frame["wrong"]
        said += frame["between_sentences"] + words(name)["replies"][option].format(**after.slots)
        expect(figure.reply.locator(".attn-words")).to_have_text(said)
        expect(announced).to_have_text(said)
        assert figure.state() == FIGURES[name].state(**asked.after)
        assert figure.page.evaluate("location.hash") == FIGURES[name].fragment(asked.after)
        figure.check()
        expect(ghosts.nth(asked.right)).to_have_class(re.compile("attn-right"))
        if not is_right:
            expect(ghosts.nth(option)).to_have_class(re.compile("attn-wrong"))
        # The next move lets the ghosts go; the reply stays.
        figure.element.locator(".attn-hand").first.press("ArrowLeft")
        assert phase(figure) == "exploring"
        expect(figure.reply).to_be_visible()
        expect(figure.element.locator(".attn-bet-ghost:visible")).to_have_count(0)
        figure.ask_again()
        assert figure.state() == figure.start
        expect(figure.element.locator(".attn-bet").first).to_be_focused()
        expect(announced).to_have_text("")
        expect(figure.element.locator(".attn-asked")).to_be_visible()


@pytest.mark.parametrize("name", FIGURES)
def test_the_answer_is_a_motion_in_true_numbers_that_a_touch_ends(show: Any, name: str) -> None:
    figure = show(name, reduced_motion="no-preference").ready()
    figure.element.evaluate(
        """(e) => {
             e.shown = new Set();
             new MutationObserver(() => e.shown.add(JSON.stringify(e.state)))
               .observe(e.querySelector(".attn-body"), { subtree: true, attributes: true });
           }"""
    )
    figure.bet(0)
    figure.page.wait_for_timeout(900)
    assert figure.element.evaluate("(e) => e.shown.size") > 5
    figure.element.locator(".attn-question").click()
    assert phase(figure) == "answered"
    assert figure.state() not in (figure.start, FIGURES[name].state())
    figure.check()


def test_the_motion_ends_by_itself(show: Any) -> None:
    figure = show("mask", reduced_motion="no-preference").ready()
    for _ in range(2):
        figure.bet(0)
        expect(figure.element.locator("figure")).to_have_attribute("data-phase", "answered")
        assert figure.state() == FIGURES["mask"].state(**FIGURES["mask"].prediction.after)
        figure.check()
        figure.ask_again()


@pytest.mark.parametrize("name", FIGURES)
def test_every_hand_is_a_slider_for_keys(show: Any, name: str) -> None:
    figure = show(name).ready()
    for hand in figure.element.locator(".attn-scene .attn-hand:visible").all():
        before = figure.state()
        hand.press("ArrowRight")
        one = figure.state()
        assert one != before
        figure.check()  # what is computed elsewhere has come
        spoken = hand.get_attribute("aria-valuetext")
        hand.press("Shift+ArrowLeft")
        figure.check()
        assert hand.get_attribute("aria-valuetext") != spoken
        for key in ("PageDown", "PageUp", "Home", "End"):
            hand.press(key)
            figure.check()
        low, now, high = (
            float(hand.get_attribute(f"aria-value{end}")) for end in ("min", "now", "max")
        )
        assert low <= now <= high
        figure.go(FIGURES[name].fragment(FIGURES[name].opening))


@pytest.mark.parametrize("name", FIGURES)
def test_a_link_opens_the_fold_if_what_it_sets_lies_there(show: Any, name: str) -> None:
    figure = show(name).ready()
    moved = figure.element.locator(".attn-hand").evaluate_all(
        "all => all.flatMap((hand) => hand.dataset.moves.trim().split(' '))"
    )
    # What a hand alone would set, but for where the question begins.
    controls = [FIGURES[name].control(key) for key in set(moved)]
    pulled = [{one.key: end} for one in controls for end in ends(one) if end != one.default]
    pulled = [settings for settings in pulled if settings != FIGURES[name].opening]
    fold = figure.element.locator(".attn-more")
    opened = set()
    for settings in (*FIGURES[name].tries, FIGURES[name].prediction.after, *pulled):
        figure.arrive(FIGURES[name].fragment(settings))
        is_open = bool(set(settings) - set(moved))
        opened.add(is_open)
        assert fold.evaluate("(e) => e.open") == is_open, settings
        assert phase(figure) == "exploring"
        expect(figure.element.locator(".attn-caption")).to_be_visible()
    others = {control.key for control in FIGURES[name].controls} - set(moved)
    assert opened == ({True, False} if others else {False})
