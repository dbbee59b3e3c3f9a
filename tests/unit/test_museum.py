"""The museum: each test catches the faults that it should, and no right attention."""

import json
from pathlib import Path

import pytest
import torch

from attn_lib import museum

# Which test catches which fault, found out once by another program: exhibits and two right forms.
VERDICTS = json.loads((Path(__file__).parent / "museum.json").read_text())
RIGHT = {"ok": museum.DotProduct, "ok-add": museum.Additive}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name):
    attention = (museum.EXHIBITS | RIGHT)[name]
    verdicts = ["pass" if museum.run(t, attention) else "FAIL" for t in museum.TESTS.values()]
    assert verdicts == VERDICTS[name]


def test_all_exhibits_have_verdicts():
    assert set(VERDICTS) == {*museum.EXHIBITS, *RIGHT}


def test_findings_are_those_of_a_fresh_run():
    for name, found in museum.findings().items():
        for number, finding in found.items():
            assert finding == museum.run(museum.TESTS[number], museum.EXHIBITS[name])


def test_dropout_repeats_the_published_draw():
    finding = museum.run(museum.published_toy, museum.DropoutLeftOn)
    assert finding.got == "4 5 6 7 / 20 21.6667 23.3333 25"


def test_in_place_mask_spoils_the_second_call():
    attention = museum.MaskInPlace()
    scores = attention.scores(*[torch.ones(1, n, 2) for n in (1, 4)])
    attention.weights(scores, torch.tensor([2]))
    again = attention.weights(scores, torch.tensor([4]))
    assert again[0, 0].tolist() == [0.5, 0.5, 0, 0]


def test_running_leaves_the_random_numbers_of_the_caller_alone():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    museum.run(museum.published_toy, museum.DropoutLeftOn)
    assert torch.equal(torch.rand(3), expected)


def test_error_in_an_attention_is_a_failed_test():
    class Broken(museum.DotProduct):
        def scores(self, queries, keys):
            raise KeyError("no such key")

    finding = museum.run(museum.published_toy, Broken)
    assert not finding
    assert finding.got == "KeyError: 'no such key'"


def test_caught_by():
    assert museum.caught_by([1]) == ["dropout", "dim"]
    assert museum.caught_by([]) == []
    assert museum.caught_by([4, 5, 7, 8]) == list(museum.EXHIBITS)


def test_short_keys_hide_the_missing_root_of_d():
    """The chapter's example of a fault within a tolerance of 0.01: keys ten times shorter."""
    keys = torch.ones(1, 6, 2)
    keys[:, 0] = torch.tensor([3.0, 1.0])
    found = {}
    for attention in (museum.DotProduct(), museum.NotScaled()):
        for size in (1, 0.1):
            attention(torch.ones(1, 1, 2), size * keys, keys, torch.tensor([6]))
            found[type(attention).__name__, size] = attention.attention_weights[0, 0, 0].item()
    assert [round(w, 4) for w in found.values()] == [0.4513, 0.1872, 0.5964, 0.1963]
