"""What figures say is right in the whole range of their states, not only where they open."""

import json
import re

import pytest
from figure_states import each_figure, report, states_of, views_in, views_of

import attn_lib
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES
from attn_lib.typography import JOINER

FEW = 40  # random states


def spoken(name, state, view):
    """Return all that a figure says in a state: its sentences, its labels, its sliders' values."""
    figure, own = FIGURES[name], words(name)
    yield figure.sentences(view)
    for control in figure.controls:
        if control.key not in state:
            continue
        said = own["controls"][control.name]
        values = control.items(state[control.key])
        labels = [said.get("labels") or said["label"], said.get("valuetext", "")]
        for texts in labels:
            several = texts if isinstance(texts, list) else [texts] * len(values)
            for text, value in zip(several, values, strict=False):
                number = control.written(value) if isinstance(value, int | float) else str(value)
                yield text.format(**{**view.slots, "value": number})


# A 1 that counts what follows: not the end of a decimal, nor the number of a key.
ONE_OF_SEVERAL = re.compile(r"(?:^|[,;:(] |\bof )1 (?!is\b|as\b|was\b|less\b)[a-z]+s\b")


@each_figure
def test_one_thing_is_not_called_by_its_plural(name):
    wrong = [
        (state, found[0])
        for state, view in views_of(name, "en")
        for text in spoken(name, state, view)
        if (found := ONE_OF_SEVERAL.search(text))
    ]
    report(name, wrong)


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("0 of 1 blocks done", True),
        ("1 dials; score 2", True),
        ("1 block is done", False),
        ("at 1 is", False),
        ("0.1 rows", False),
        ("d = 1 rows", False),
    ],
)
def test_which_plurals_are_wrong(text, is_wrong):
    assert bool(ONE_OF_SEVERAL.search(text)) is is_wrong


# A particle behind a number or a quoted word: its form depends on how that ends when it is read.
PARTICLE = re.compile(
    rf"\{{(\w+)\}}{JOINER}?[’”]?{JOINER}?(을|를|은|는|이(?= )|가(?= )|과|와|으로|로(?=\W)|이었|였)"
)
AFTER_CONSONANT = {"을", "은", "이", "과", "으로", "이었"}
ENDS_OPEN, ENDS_IN_L = "2459", "178"  # digits that end in a vowel, or in ㄹ, when they are read


def fits(text, particle):
    """Whether a particle may stand behind a text; None where nobody can say."""
    last = text[-1:]
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        closed, is_l = final != 0, final == 8
    elif last.isdigit():
        closed, is_l = last not in ENDS_OPEN, last in ENDS_IN_L
    else:
        return None
    if particle in ("으로", "로"):
        closed = closed and not is_l
    return (particle in AFTER_CONSONANT) is closed


def text_in(name, language):
    """Return all words of a figure as one text."""
    attn_lib.set_language(language)
    own = words(name)
    attn_lib.set_language("en")
    return json.dumps(own, ensure_ascii=False)


KOREAN = [name for name in FIGURES if PARTICLE.search(text_in(name, "ko"))]


@pytest.mark.parametrize("name", KOREAN)
def test_a_korean_particle_fits_whatever_stands_before_it(name):
    views, wrong = views_in(states_of(name, FEW), name, "ko"), []
    sentences = words(name)["sentences"]
    # What no summary says stands in a drawing or a box, whatever the state.
    elsewhere = sentences.keys() - {said for _, view in views for said in view.summary}
    for state, view in views:
        for sentence in (*view.summary, *elsewhere):
            for slot, particle in PARTICLE.findall(sentences[sentence]):
                if fits(view.slots.get(slot, ""), particle) is False:
                    wrong.append((state, f"{view.slots[slot]}{particle}"))
    report(name, wrong)


@pytest.mark.parametrize(
    ("text", "particle", "right"),
    [("0.32", "를", True), ("0.32", "을", False), ("고양이", "가", True), ("0.1", "로", True),
     ("10", "로", False), ("…-06", "으로", True), ("말", "로", True), ("d", "로", None)],
)  # fmt: skip
def test_which_particles_fit(text, particle, right):
    assert fits(text, particle) is right


# Slots behind "=" whose numbers are written with all decimals that they have.
ALL_DECIMALS = {
    *("additive t", "arrows t", "dropout p", "kernel x", "kernel y", "merge m1", "merge m2"),
    *("norm half", "position slope", "race d", "scale d", "sparse a", "sparse x", "sparse y"),
    *("tame c", "writer bytes"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rounded_number_does_not_stand_behind_an_equals_sign(language):
    """Where a number may be rounded, a slot says = or ≈; `value` is a control's own."""
    exact = {f"{name} {slot}" for name in FIGURES for slot in ["value"]} | ALL_DECIMALS
    found = {
        f"{name} {slot}"
        for name in FIGURES
        for slot in re.findall(r"[=＝]\s?\{(\w+)\}", text_in(name, language))
    }
    assert found - exact == set()
