"""Exercises whose answer follows from numbers: each class has its own, and slips are told apart."""

import math
from itertools import combinations, pairwise

import pytest

from attn_lib import check
from attn_lib.check.quantity import QUANTITIES
from attn_lib.language import LANGUAGES, speaking, words
from tests.unit.check.hints import hint_of

SEEDS = range(2027, 2037)
# What sentences say of an answer, and not of the numbers.
SAID = {
    **dict.fromkeys(("got", "error", "sum", "total", "missed", "count", "spare", "example"), "3"),
    **dict.fromkeys(("length", "wanted", "begins", "printed", "width", "weight"), "3"),
    **dict.fromkeys(("sentence", "query"), "3"),
}

each = pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES.keys())


def named(quantity, answer, **numbers):
    return hint_of(getattr(check, quantity.exercise)(answer, **numbers), quantity.exercise)


def test_sixteen_values_are_asked_for_with_numbers_of_the_class():
    assert len(QUANTITIES) == 17  # and three that took a function before
    assert all(hasattr(check, exercise) for exercise in QUANTITIES)


@each
def test_each_rule_is_told_for_all_numbers(quantity):
    for case in quantity.cases:
        for name, known in quantity.known(**case).items():
            assert named(quantity, known, **case) == name


@each
def test_a_function_is_judged_by_each_rule(quantity):
    for name in quantity.known(**quantity.cases[0]):
        rule = lambda name=name, **numbers: quantity.known(**numbers)[name]  # noqa: E731
        assert named(quantity, rule) == name


@each
def test_what_is_right_for_the_book_or_the_last_class_is_wrong_in_this_one(quantity):
    published = quantity.known(**quantity.cases[0])["right"]
    assert quantity.drawn(0) == quantity.cases[0]
    assert named(quantity, published) == "right"
    assert named(quantity, lambda **_: published) == "book"
    for last, seed in pairwise(SEEDS):
        numbers = quantity.drawn(seed)
        assert named(quantity, quantity.known(**numbers)["right"], **numbers) == "right"
        assert named(quantity, published, **numbers) == "book"
        assert (
            named(quantity, quantity.known(**quantity.drawn(last))["right"], **numbers) != "right"
        )


@each
def test_what_stops_or_is_no_answer_is_said(quantity):
    assert named(quantity, lambda: 1) == "raises"
    nothing = named(quantity, "many")
    assert nothing in {"number", "numbers", "rows", "entries"}
    assert named(quantity, lambda **_: "many") == nothing
    assert named(quantity, math.nan) != "right"


@each
def test_numbers_that_no_class_has_are_refused(quantity):
    with pytest.raises(ValueError, match=r"the numbers must be one of .*Got \{'other': 1\}"):
        getattr(check, quantity.exercise)(1, other=1)


@each
def test_no_two_rules_give_the_same_answer(quantity):
    for case in quantity.cases:
        for one, other in combinations(quantity.known(**case).values(), 2):
            if isinstance(one, int | float):
                assert not math.isclose(one, other, rel_tol=2 * quantity.within), case


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_finds_its_numbers(quantity, language):
    with speaking(language):
        sentences = words("check")[quantity.exercise]
        for case in quantity.cases:
            slots = SAID | quantity.slots(case)
            for sentence in sentences.values():
                assert "{" not in sentence.format(**slots)
        asks = {quantity.ask(case) for case in quantity.cases}
    assert len(asks) == len(quantity.cases)
