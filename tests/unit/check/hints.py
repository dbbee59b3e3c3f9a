"""What the tests of exercises ask: is an answer right, and which hint does a wrong one get?"""

import re

import pytest

from attn_lib.language import words


def hint_of(verdict, exercise):
    """Return the name of the hint that the verdict gives, "right" for a right answer."""
    texts = words("check")["course"] | words("check")[exercise]
    filled = {name: re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for name, text in texts.items()}
    names = [name for name, pattern in filled.items() if re.fullmatch(pattern, verdict.text)]
    assert len(names) == 1, verdict
    assert bool(verdict) == (names == ["right"])
    return names[0]


def accepted(exercise, *answers):
    """Make a test that each of the answers is right."""

    @pytest.mark.parametrize("answer", answers)
    def test(answer):
        verdict = exercise(answer)
        assert verdict, verdict

    return test


def refused(exercise, *cases):
    """Make a test of pairs: a wrong answer, and what its hint says among other things."""

    @pytest.mark.parametrize(("answer", "says"), cases)
    def test(answer, says):
        verdict = exercise(answer)
        assert not verdict
        assert says in verdict.text

    return test


def answered(exercise, *cases):
    """Make a test of pairs: an answer, and the name of the hint that it gets."""

    @pytest.mark.parametrize(("answer", "name"), cases)
    def test(answer, name):
        assert hint_of(exercise(answer), exercise.__name__) == name

    return test
