"""After any moves a figure says what a fresh load of its address says.

A node that is painted once and then stays, or a part that forgets to follow, shows here. That a
fresh load says the truth is shown elsewhere: its numbers and words without a browser
(test_ports.py) and in test_read.py. Following knows no language: each figure has one, in turn.
"""

import difflib
import random
from typing import Any

import pytest
from figures import PAINTED, unasked
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES

ROUNDS = 4
MOVES = 4  # from one look to the next
# What follows from how a reader came there, and not from the state: ways already tried, a text
# that could not be read.
PASSING = ".attn-wrong, .attn-again, .attn-bet, .attn-bet-ghost"
# What a reader sees of the view and its folds, what the summary says, what each control is set to.
SEEN = """async (figure, passing) => {
  await (PAINTED)(figure);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const lines = (part) => part.innerText.split("\\n").map((line) => line.trim()).filter(Boolean);
  const shown = [...figure.querySelectorAll(".attn-body > :not(.attn-summary)")];
  document.querySelectorAll(passing).forEach((part) => (part.style.visibility = "hidden"));
  const sees = { visibilityProperty: true, opacityProperty: true };
  const controls = [...figure.querySelectorAll("[data-key]")]
    .filter((one) => one.checkVisibility(sees) && one.type !== "text");
  return {
    said: lines(figure.querySelector(".attn-summary")).join(" "),
    shown: shown.flatMap(lines),
    controls: controls.map(({ dataset, type, value, checked, ariaValueText }) =>
      [dataset.key, value, type === "range" ? ariaValueText : checked].join(" ")),
  };
}""".replace("PAINTED", PAINTED)

# What can be moved or pressed now; the closed box of own numbers and words counts.
CHOICES = """(figure) => [...figure.querySelectorAll(".attn-body [data-key], .attn-own [data-key]")]
  .map((one, place) => [one, place])
  .filter(([one]) => !one.disabled && (one.checkVisibility() || one.closest(".attn-own")))
  .map(([one, place]) => ({
    place, kind: one.tagName === "SELECT" ? "select" : one.type,
    least: Number(one.min), most: Number(one.max), step: Number(one.step) || 1,
    options: [...(one.options ?? [])].map((option) => option.value),
  }))"""

# Do to a control what the browser does when a reader has moved it.
MOVE = """(figure, [place, value]) => {
  const one = figure.querySelectorAll(".attn-body [data-key], .attn-own [data-key]")[place];
  const tell = (kind) => one.dispatchEvent(new Event(kind, { bubbles: true }));
  if (value === null) one.click();
  else {
    one.value = value;
    tell("input");
    tell("change");
  }
}"""

TYPED = {  # texts a reader may try; a figure refuses those that it cannot read
    "dates": ["2 May 2010", "3 June 2011", "4 July 2012", "31/12/1999", "nonsense"],
    "lookup": ["Smola", "Hi", "Zhang", "no name", ""],
}
NUMBERS = ["1, 0; 0, 1", "2, -1, 0.5", "0.5, 0.25, 3", "", "no numbers"]


def random_move(figure: Any, dice: random.Random) -> str:
    """Move, choose, tick or type; say what."""
    choices = figure.open_fold().element.evaluate(CHOICES)
    choice = dice.choice(choices)
    if choice["kind"] == "range":
        places = round((choice["most"] - choice["least"]) / choice["step"])
        value: Any = str(round(choice["least"] + dice.randint(0, places) * choice["step"], 9))
    elif choice["kind"] == "select":
        value = dice.choice(choice["options"])
    elif choice["kind"] == "number":
        value = str(dice.randint(int(choice["least"]), int(choice["most"])))
    elif choice["kind"] == "text":
        value = dice.choice(TYPED.get(figure.figure.id, NUMBERS))
    else:
        value = None
    figure.element.evaluate(MOVE, [choice["place"], value])
    return f"{choice['kind']} {choice['place']} to {value}"


def answer(figure: Any, dice: random.Random) -> str:
    """Ask the question again where it is answered; answer it."""
    if figure.element.locator(".attn-again:visible").count():
        figure.ask_again()
    if figure.element.locator(".attn-bet:visible").count():
        figure.bet(dice.randrange(3))
    return "an answer"


@pytest.mark.parametrize(
    ("name", "lang"),
    [(name, LANGUAGES[at % len(LANGUAGES)]) for at, name in enumerate(FIGURES)],
    scope="module",
)
def test_moved_figure_says_what_a_fresh_one_says(show: Any, name: str, lang: str) -> None:
    dice = random.Random(f"{name} {lang}")
    figure = show(name, lang).ready().open_fold()
    figure.page.set_viewport_size({"width": 1280, "height": 3000})
    for _ in range(ROUNDS):
        done = [answer(figure, dice)]
        for _ in range(MOVES):
            move = answer if dice.random() < 0.2 else random_move
            done.append(move(figure, dice))
        moved = figure.open_fold().element.evaluate(SEEN, PASSING)
        address = figure.page.evaluate("location.hash")
        fresh = (
            figure.arrive(address if "ask=" in address else unasked(address))
            .open_fold()
            .element.evaluate(SEEN, PASSING)
        )
        where = f"{address} after {done}"
        assert fresh.pop("said") == moved.pop("said"), where
        for part, lines in fresh.items():
            differences = difflib.unified_diff(moved[part], lines, "moved", "fresh", lineterm="")
            assert moved[part] == lines, "\n".join([where, *differences])
