"""Tests of a cache, sharp and blunt ones, as answers to the exercise."""

import pytest
import torch

from attn_lib import check
from attn_lib.check.a_model_that_writes import MISTAKES
from tests.unit.check.hints import answered, hint_of


def together(model, text, *sizes):
    """The logits of a text handed over in parts of these sizes, and then letter by letter."""
    cache, parts = None, []
    sizes = [*sizes, *[1] * (text.shape[1] - sum(sizes))]
    for part in text.split(sizes, dim=1):
        logits, cache = model(part, cache)
        parts.append(logits)
    return torch.cat(parts, 1)


def same(*sizes, within=1e-4, start=0):
    """A test that hands over such parts and compares the logits from `start` on."""

    def test(model, text):
        differ = together(model, text, *sizes) - model(text)[0]
        return differ[:, start:].abs().max() < within

    return test


def letters(model, text):
    return torch.equal(together(model, text, 5).argmax(2), model(text)[0].argmax(2))


def first_part(model, text):
    return torch.allclose(model(text[:, :5])[0], model(text)[0][:, :5])


test_tests_of_a_cache = answered(
    check.cached,
    (same(5, 1, 1, 4), "right"),
    (lambda model, text: bool(same(5, 1, 1, 4)(model, text)), "right"),
    (same(), "twice"),
    (same(5), "ahead"),
    (same(5, 9), "twice"),
    (same(5, 1, 1, 4, within=0), "strict"),
    (same(5, 1, 1, 4, within=100), "letters"),
    (letters, "letters"),
    (first_part, "letters"),
    (lambda model, text: model(text), "truth"),
    (lambda model, text: None, "truth"),
    (lambda model: True, "raises"),
    (True, "function"),
)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_named(mistake):
    """A test that sees every mistake but one is told of this one."""
    verdict = check.cached(lambda model, text: model.mistake in ("", mistake))
    assert hint_of(verdict, "cached") == mistake
