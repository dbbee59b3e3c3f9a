"""Points are a number that is 0 unless the verdict is right, whatever else an answer does."""

import sys

import pytest
import torch

import attn_lib
from attn_lib.check import Verdict
from book._tools.grading import points as grading
from book._tools.grading.points import points


def called(answer):
    return Verdict(bool(answer()), "")


def seeded(answer, *more, seed=0):
    return Verdict((answer, *more) == (seed, "more"), "")


def loops():
    while True:
        pass


def warns():
    sys.stderr.write("UserWarning: slow")  # as a warning does in a notebook
    return True


def test_a_right_verdict_gives_all_and_a_wrong_one_nothing():
    assert points(called, lambda: True, of=4) == 4.0
    assert points(called, lambda: False, of=4) == 0.0
    assert isinstance(points(called, lambda: True, of=4), float)


@pytest.mark.parametrize("answer", [None, lambda: 1 / 0, sys.exit])
def test_what_raises_gives_nothing(answer):
    assert points(called, answer, of=4) == 0.0


def test_what_does_not_end_gives_nothing(monkeypatch):
    monkeypatch.setattr(grading, "LIMIT", 0.1)
    assert points(called, loops, of=4) == 0.0
    assert points(called, lambda: True, of=4) == 4.0


def test_a_warning_takes_nothing_away_and_is_not_seen(capsys):
    assert points(called, warns, of=4) == 4.0
    assert capsys.readouterr().err == ""


def test_a_judge_that_draws_its_cases_gets_the_seed_of_the_class(monkeypatch):
    monkeypatch.setenv("ATTN_SEED", "2027")
    assert points(seeded, 2027, "more", of=4) == 4.0
    assert points(seeded, 0, "more", of=4) == 0.0


def masked(X, valid_lens):
    keep = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    fill = torch.where(valid_lens.reshape(len(X), -1, 1) == 0, 0.0, -torch.inf)
    return torch.where(keep, torch.where(keep, X, fill).softmax(-1), 0.0)


def calls_ours(X, valid_lens):
    return attn_lib.masked_softmax(X, valid_lens)


def test_the_library_s_own_function_is_no_answer(monkeypatch):
    monkeypatch.setenv("ATTN_SEED", "2027")
    judge = attn_lib.check.masked_softmax
    assert judge(attn_lib.masked_softmax).right  # on the page it is
    got = [points(judge, f, of=4) for f in (masked, attn_lib.masked_softmax, calls_ours)]
    assert got == [4.0, 0.0, 0.0]
