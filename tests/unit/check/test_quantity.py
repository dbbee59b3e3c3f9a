"""Exercises whose answer is a number also take a function, and tell its slips apart."""

import math
from itertools import combinations

import pytest

from attn_lib import check
from attn_lib.check.position_in_the_score import TURN
from attn_lib.check.real_model import LEAD
from attn_lib.check.scaling import DIVISOR
from attn_lib.language import LANGUAGES, speaking, words
from tests.unit.check.hints import hint_of

QUANTITIES = [DIVISOR, LEAD, TURN]
each = pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.exercise)


@each
def test_a_function_is_judged_by_each_rule(quantity):
    judge = getattr(check, quantity.exercise)
    for name in quantity.known(**quantity.cases[0]):
        verdict = judge(lambda name=name, **numbers: quantity.known(**numbers)[name])
        assert hint_of(verdict, quantity.exercise) == name


@each
def test_the_books_number_is_no_answer_to_other_numbers(quantity):
    judge = getattr(check, quantity.exercise)
    copied = quantity.known(**quantity.cases[0])["right"]
    assert judge(copied)
    assert not judge(lambda **_: copied)


@each
def test_what_stops_or_is_no_number_is_said(quantity):
    judge = getattr(check, quantity.exercise)
    assert hint_of(judge(lambda: 1), quantity.exercise) == "raises"
    assert hint_of(judge(lambda **_: "many"), quantity.exercise) == "number"
    assert hint_of(judge(lambda **_: math.nan), quantity.exercise) == "other"


@each
def test_no_two_rules_give_the_same_number(quantity):
    assert all(case != quantity.cases[0] for case in map(quantity.drawn, range(50)))
    for case in quantity.cases:
        known = quantity.known(**case)
        for one, other in combinations(known.values(), 2):
            assert not math.isclose(one, other, rel_tol=2 * quantity.within), case


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_finds_its_numbers(quantity, language):
    with speaking(language):
        sentences = words("check")[quantity.exercise]
    for case in quantity.cases:
        slots = quantity.slots(case) | {"got": "3", "error": "E"}
        for sentence in sentences.values():
            assert "{" not in sentence.format(**slots)
        asks = sentences["ask"].format(**slots)
        assert all(slots[name] in asks for name in case)
