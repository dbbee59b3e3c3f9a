"""Right, wrong and odd answers to the exercises on the date reader."""

import json

import pytest
import torch

import attn_lib
from attn_lib import check
from attn_lib.examples import dates
from attn_lib.examples.dates import measure

ROWS = {"year": (0, 1, 2, 3), "month": (5, 6), "day": (8, 9)}


def rows(readings, written, zeros=False):
    """The rows of weights of all digits, with the span each should look at."""
    for reading, date in zip(readings, written, strict=True):
        for part, span in date.spans.items():
            for row in ROWS[part]:
                if zeros or row not in (5, 8) or date.iso[row] != "0":
                    yield reading.weights[row], span


def mean(hits):
    return sum(hits) / len(hits)


def share(readings, written):
    return mean([a <= int(w.argmax()) < b for w, (a, b) in rows(readings, written)])


def with_hyphens(readings, written):
    hits = [a <= int(w.argmax()) < b for w, (a, b) in rows(readings, written)]
    return sum(hits) / (len(hits) + 2 * len(written))


SPAN_MISTAKES = {
    "zeros": lambda r, d: mean([a <= int(w.argmax()) < b for w, (a, b) in rows(r, d, zeros=True)]),
    "hyphens": with_hyphens,
    "weight": lambda r, d: mean([float(w[a:b].sum()) for w, (a, b) in rows(r, d)]),
    "end": lambda r, d: mean([a <= int(w.argmax()) <= b for w, (a, b) in rows(r, d)]),
    "dates": lambda r, d: mean([share([x], [y]) for x, y in zip(r, d, strict=True)]),
    "percent": lambda r, d: 100 * share(r, d),
    "other": lambda r, d: 0.123,
    "number": lambda r, d: None,
    "raises": lambda r, d: 1 / 0,
}


def hidden(written, model, factors=measure.hide, part=slice(5, 7)):
    allow = [factors(date, "month") for date in written]
    readings = dates.read_all([date.text for date in written], model, allow)
    return mean([r.iso[part] == d.iso[part] for r, d in zip(readings, written, strict=True)])


def cut_out(written, model):
    texts = [d.text[: d.spans["month"][0]] + d.text[d.spans["month"][1] :] for d in written]
    pairs = zip(dates.read_all(texts, model), written, strict=True)
    return mean([r.iso[5:7] == d.iso[5:7] for r, d in pairs])


HIDING_MISTAKES = {
    "seen": lambda d, m: hidden(d, m, lambda date, _: [1.0] * len(date.text)),
    "whole": lambda d, m: hidden(d, m, part=slice(None)),
    "inverted": lambda d, m: hidden(
        d, m, lambda date, part: [1 - factor for factor in measure.hide(date, part)]
    ),
    "cut": cut_out,
    "changed": lambda d, m: 1 - hidden(d, m),
    "percent": lambda d, m: 100 * hidden(d, m),
    "other": lambda d, m: torch.tensor(0.4567),
    "number": lambda d, m: [0.1, 0.2],
    "raises": lambda d, m: m.no_such_thing,
}


def hint_named(exercise, name):
    """The hint up to its first slot."""
    path = f"{attn_lib.__path__[0]}/check/reading_dates/en.json"
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        return json.load(file)[exercise][name].split("{")[0]


def test_right_answers_are_right():
    assert check.span_share(share)
    assert check.span_share(measure.span_share)
    assert check.honest_map(hidden)
    assert check.honest_map(measure.hidden_month_share)


@pytest.mark.parametrize("name", SPAN_MISTAKES)
def test_a_wrong_span_share_gets_the_hint_for_its_mistake(name):
    verdict = check.span_share(SPAN_MISTAKES[name])
    assert not verdict
    assert verdict.text.startswith(hint_named("span_share", name))


@pytest.mark.parametrize("name", HIDING_MISTAKES)
def test_a_wrong_hiding_test_gets_the_hint_for_its_mistake(name):
    verdict = check.honest_map(HIDING_MISTAKES[name])
    assert not verdict
    assert verdict.text.startswith(hint_named("honest_map", name))


@pytest.mark.parametrize("exercise", ["span_share", "honest_map"])
def test_a_value_is_no_function(exercise):
    verdict = getattr(check, exercise)(0.98)
    assert not verdict
    assert "Got float" in verdict.text
