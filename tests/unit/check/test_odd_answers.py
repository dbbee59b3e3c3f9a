"""Answers that nobody expects: each exercise gives a verdict all the same, in every language."""

import math
from itertools import repeat

import pytest
import torch

import attn_lib
from attn_lib import check

EXERCISES = [name for name in check.__all__ if name != "Verdict"]


class Hostile:
    def __getitem__(self, index):
        raise KeyError(index)

    def __repr__(self):
        raise ValueError("no text")


def raises(*inputs):
    raise KeyError("{slot}")


def clears(*inputs):
    for tensor in inputs:
        if isinstance(tensor, torch.Tensor):
            tensor.resize_(0)
    return inputs[0]


ODD = {
    "None": None,
    "text": "{slot}",
    "NaN": [math.nan, math.inf, math.nan],
    "large": 10**400,
    "complex": torch.tensor([1j, 2]),
    "empty": torch.tensor([]),
    "sparse": torch.eye(3).to_sparse(),
    "ragged": [[1], [1, 2]],
    "endless": repeat(1.5),
    "mixed": {4, "a"},
    "hostile": Hostile(),
    "a module": torch.nn.Linear(2, 2),
    "raises": raises,
    "clears": clears,
    "returns what it got": lambda *inputs: inputs,
    "returns NaN": lambda *inputs: [math.nan] * 6,
    "returns complex numbers": lambda *inputs: torch.tensor([1j]),
    "returns a large number": lambda *inputs: 10**400,
    "takes nothing": lambda: 1,
    "takes names only": lambda *, queries: queries,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_odd_answer_gets_a_hint_and_changes_no_random_state(exercise, odd):
    before = torch.get_rng_state()
    for language in attn_lib.language.LANGUAGES:
        attn_lib.set_language(language)
        try:
            verdict = getattr(check, exercise)(ODD[odd])
        finally:
            attn_lib.set_language("en")
        assert not verdict
        assert verdict.text
    assert torch.equal(before, torch.get_rng_state())
