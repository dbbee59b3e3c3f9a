"""What a figure shows and says in the browser is what it does in Python, whatever is set."""

import dataclasses
import json
import math
import random
from functools import cache

import pytest
from node import run

import attn_lib
from attn_lib.examples.dates import write_dates
from attn_lib.examples.dates.checkpoint import FOLDER
from attn_lib.explorer.controls import (
    Checklist,
    Choice,
    Line,
    Listed,
    Numbers,
    Range,
    Words,
    active,
)
from attn_lib.figures import FIGURES
from attn_lib.figures.model.record import read
from attn_lib.language import LANGUAGES

STATES = 120

# The stored models of `dates` and the maps of `model` come from their files: a page loads them.
SHOW = """async (name, jobs, models) => {
  globalThis.document = { createElement: () => ({}), currentScript: { src: "https://here/" } };
  const { register } = await import("./frontend/loader.js");
  document.head = { append: (script) => {
    const part = new URL(script.src).pathname.slice(1, -".js".length);
    register(part, models[part]);
    script.onload();
  } };
  const { compute, prepare } = await import(`./figures/${name}/compute.js`);
  const { sumUp } = await import("./frontend/format.js");
  const shown = [];
  for (const [{ data, words }, states] of jobs) {
    for (const state of states) {
      await prepare?.(state, data);
      const view = compute(state, data);
      const said = [undefined, "0.90"].map((was) => sumUp(view, words, was));
      // A part may be worked out when it is looked at, and a table be filled anew.
      shown.push(structuredClone({ about: "", ...view, said }));
    }
  }
  return shown;
}"""

TEXTS = (
    "15 March 2024",
    "the 31st of December 1999 (Friday)",
    "ngày ba mươi mốt tháng chạp năm 1999",
    "이천이십사년 시월 구일까지",
    "二〇二四年三月十五日",
    "２０２４年１２月１日",
    "NGÀY 5.5.1995 ",
    "29 February 1900",
    "14 July 1789",
    "5 May 0999",
    "15 March ’24",
    "may may 2005",
    "hello",
    "αβ @",
    "5",
    "5 5 5",
    "廿三日",
    "①月ﬁ",
    "Ｊｕｎｅ　５",
    "31 de março",
    "z" * 64,
)
SURNAMES = ("Li", "li", "Le", "Lee", "Hi", "Smola", "Nguyễn", "김", "O’Brien", "Q")


@pytest.fixture(autouse=True)
def english():
    yield
    attn_lib.set_language("en")


def any_numbers(control, choose):
    """Return typed numbers, about half of them on the sliders' grid, where scores are tied."""
    digits = choose.choice([0, 0, 1, 2])
    limit = choose.choice([1, 2, control.limit])
    rows = [
        [round(choose.uniform(-limit, limit), digits) for _ in range(control.columns)]
        for _ in range(choose.randint(control.fewest or control.rows, control.rows))
    ]
    return choose.choice([rows, [rows[0]] * len(rows), control.example])


def any_value(control, state, choose):
    """Return a value of a control: its default, an end of its range or anything between."""
    if isinstance(control.default, tuple) and not isinstance(control, Checklist):
        return [any_item(control, choose) for _ in control.default]
    return any_item(control, choose)


def any_item(control, choose):
    if isinstance(control, Range):
        steps = round((control.max - control.min) / control.step)
        return control.min + choose.choice([0, steps, *range(steps + 1)]) * control.step
    if isinstance(control, Listed):
        return choose.choice(control.values)
    if isinstance(control, Choice):
        return choose.choice(control.options)
    if isinstance(control, Checklist):
        return [option for option in control.options if choose.random() < 0.5]
    if isinstance(control, Numbers):
        return any_numbers(control, choose)
    if isinstance(control, Words):
        words = ["we", "drink", "tea", "chúng", "tôi", "我们", "새가", "x-ray", "don't", "0"]
        return [choose.sample(words, choose.randint(1, control.columns)) for _ in range(2)]
    assert isinstance(control, Line)
    return choose.choice(SURNAMES)


def any_state(figure, choose):
    """Return a random state, in which about half of all settings are the default ones."""
    state = {}
    for control in figure.controls:
        if active((control,), state):
            given = control.default_in(state)
            if choose.random() < 0.6:
                given = any_value(control, state, choose)
            state[control.key] = control.value(given)
    if figure.id == "dates":
        state["t"] = choose.choice([*TEXTS, write_dates(1, choose)[0].text])
        hidden = (choose.choice([letter] * 4 + ["_"]) for letter in state["t"])
        state["see"] = "all" if choose.random() < 0.5 else "".join(hidden)
    return figure.state(**state)


@cache
def views_of(name, lang):
    """Return the states that a reader is led to, in English also random ones, and their views."""
    attn_lib.set_language(lang)
    figure = FIGURES[name]
    asked = figure.prediction
    led_to = ({}, asked.before, asked.after, *asked.by, figure.surprise, *figure.tries)
    states = [figure.state(**settings) for settings in led_to]
    if lang == "en":
        choose = random.Random(name)
        states += [any_state(figure, choose) for _ in range(STATES)]
    return [(state, figure.compute(state)) for state in states]


def differences(shown, wanted, where=""):
    """Return where two views differ; numbers may do so in their last digits."""
    if isinstance(wanted, dict) and isinstance(shown, dict):
        keys = sorted({*shown, *wanted})
        pairs = ((shown.get(k, "nothing"), wanted.get(k, "nothing"), k) for k in keys)
    elif isinstance(wanted, list | tuple) and isinstance(shown, list):
        if len(shown) != len(wanted):
            return [f"{where}: {len(shown)} items, not {len(wanted)}"]
        pairs = ((a, b, i) for i, (a, b) in enumerate(zip(shown, wanted, strict=True)))
    elif shown == wanted or is_close(shown, wanted, is_written="/rows/" in where):
        return []
    else:
        return [f"{where}: {shown!r}, not {wanted!r}"]
    return [d for a, b, key in pairs for d in differences(a, b, f"{where}/{key}")]


def is_close(shown, wanted, is_written):
    if not all(isinstance(x, int | float) for x in (shown, wanted)):
        return False
    # A bare 0 or 1 is exact.
    is_bare = is_written and any(x in (0, 1) for x in (shown, wanted))
    return not is_bare and math.isclose(shown, wanted, rel_tol=1e-9, abs_tol=1e-8)


def report(name, wrong):
    """Fail with the smallest of the states in which something is wrong."""
    links = {FIGURES[name].fragment(state): what for state, what in wrong}
    smallest = min(links, key=len, default="")
    assert not links, f"{len(links)} states, such as {smallest}: {links[smallest]}"


@pytest.mark.parametrize("name", FIGURES)
def test_the_browser_shows_and_says_what_python_does(name):
    figure = FIGURES[name]
    models = {}
    if name == "dates":
        options = figure.control("model").options
        models = {f"models/{o}": json.loads((FOLDER / f"{o}.json").read_text()) for o in options}
    if name == "model":
        models = {f"maps/heads-{lang}": read(lang) for lang in LANGUAGES}
    jobs, wanted = [], []
    for lang in LANGUAGES:
        views = views_of(name, lang)
        attn_lib.set_language(lang)
        jobs.append((figure.declaration(), [state for state, _ in views]))
        for state, view in views:
            said = [figure.sentences(view, was) for was in (None, "0.90")]
            wanted.append((state, dataclasses.asdict(view) | {"said": said}))
    wrong = []
    for (state, view), shown in zip(wanted, run(SHOW, name, jobs, models), strict=True):
        if found := differences(shown, view):
            wrong.append((state, found[:5]))
    report(name, wrong)


# Where a weight may be exactly 0 or 1, besides masked ones: dropped, beyond a compact kernel's
# width, of an equal key, hidden, of a bin that there is not, below the ground.
EXACT = {
    "dropout": lambda state: True,
    "kernel": lambda state: state["k"] != "gaussian",
    "lookup": lambda state: state["how"] == "exact",
    "sparse": lambda state: state["a"] > 1,
    "dates": lambda state: state["m"] == 0 or "_" in state["see"],
    "sink": lambda state: state["bin"] == "off",
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_rounded_weight_never_reads_as_a_bare_0_or_1(name):
    wrong = []
    for state, view in views_of(name, "en"):
        if name in EXACT and EXACT[name](state):
            continue
        for part, numbers in view.parts.items():
            if not numbers or not part.startswith(("weights", "typical", "single", "map")):
                continue
            for i, row in enumerate(numbers["rows"]):
                masked = numbers["masked"][i] if "masked" in numbers else [False] * len(row)
                seen = [weight for weight, m in zip(row, masked, strict=True) if not m]
                if len(seen) > 1 and {0.0, 1.0} & set(seen):
                    wrong.append((state, (part, row)))
    report(name, wrong)
