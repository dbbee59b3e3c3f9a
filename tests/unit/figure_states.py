"""States of the figures for tests: those that readers are led to, and random ones."""

import math
import random
from functools import cache

import pytest

import attn_lib
from attn_lib.examples.dates import write_dates
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.controls import (
    Checklist,
    Choice,
    Line,
    Listed,
    Numbers,
    Range,
    Text,
    Words,
    active,
)

STATES = 120
# A model writes letter by letter; live/test_writer.py holds its numbers by texts and switches.
FEWER = {"writer": 40}
# What few random states meet: a head that looks at its own letter, more letters than were learnt.
RARE = {"writer": ({"w": 3, "head": "1.2"}, {"t": "ab" * 70, "w": 3})}

# With `--dist loadgroup` one process has the tests of a figure, and computes its views once.
each_figure = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in FIGURES]
)

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
GREETINGS = (
    "hello Zorblik! HELLO wug! bye",
    "hello wump! hello wumblo! bye wum",
    "chào vịt! cha\u0300o me\u0300o! tạm biệt",
    "안녕 블릭! 안녕 워그! 잘 가 ㅂ",
    "你好魑魅！你好饕餮！再见",
    "hello 🙂, é; bye",
    "".join(chr(0x0430 + i) for i in range(30)),
    "ab" * 75,
    "x",
)
SURNAMES = ("Li", "li", "Le", "Lee", "Hi", "Smola", "Nguyễn", "김", "O’Brien", "Q")


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
    if isinstance(control, Text):
        return choose.choice(GREETINGS)
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
    if figure.id == "writer":
        # Long texts take long to write in Python.
        state["w"] = choose.choice([0, 1, 2, 3, 6, 12, 30, min(state["w"], 200)])
        state["at"] = choose.choice([0, 0, 1, choose.randint(1, 60), state["at"]])
    return figure.state(**state)


@cache
def views_of(name, lang):
    """Return the states that a reader is led to, in English also random ones, and their views."""
    count = FEWER.get(name, STATES) if lang == "en" else 0
    return views_in(states_of(name, count), name, lang)


def states_of(name, count):
    """Return the states that a reader is led to, and so many random ones."""
    figure = FIGURES[name]
    asked = figure.prediction
    led_to = ({}, asked.before, asked.after, *asked.by, figure.surprise, *figure.tries)
    led_to += RARE.get(name, ())
    choose = random.Random(name)
    return [
        *(figure.state(**settings) for settings in led_to),
        *(any_state(figure, choose) for _ in range(count)),
    ]


def views_in(states, name, lang):
    """Return states with their views in a language, which stays set."""
    attn_lib.set_language(lang)
    return [(state, FIGURES[name].compute(state)) for state in states]


def report(name, wrong):
    """Fail with the smallest of the states in which something is wrong."""
    links = {FIGURES[name].fragment(state): what for state, what in wrong}
    smallest = min(links, key=len, default="")
    assert not links, f"{len(links)} states, such as {smallest}: {links[smallest]}"


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
