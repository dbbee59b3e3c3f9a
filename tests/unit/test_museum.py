"""The museum: each test catches the faults that it should, and no right attention."""

import json
import re
from pathlib import Path

import pytest
import torch

from attn_lib import museum
from attn_lib.examples import four_words

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
    assert museum.caught_by([4, 5, 7, 8, 9]) == list(museum.EXHIBITS)


def test_short_keys_hide_the_missing_root_of_d():
    """The chapter's example of a fault within a tolerance: keys ten times shorter."""
    keys = four_words.keys().unsqueeze(0)
    found = []
    for attention in (museum.DotProduct(), museum.NotScaled()):
        for size in (1, 0.1):
            attention(keys[:, :1], size * keys, keys, torch.tensor([4]))
            found.append(round(attention.attention_weights[0, 0, 0].item(), 4))
    assert found == [0.6471, 0.2865, 0.7758, 0.3023]


def test_torch_disagrees_with_four_of_the_seven_old_exhibits_of_the_dot_product():
    old = [name for name in museum.EXHIBITS if name not in ("tanh", "nan")]
    found = {name: museum.run(museum.agrees_with_torch, museum.EXHIBITS[name]) for name in old}
    assert len(found) == 7
    caught = [name for name, finding in found.items() if not finding]
    assert caught == ["dropout", "nosqrt", "dim", "repeat"]
    assert museum.run(museum.agrees_with_torch, museum.DotProduct)


@pytest.mark.parametrize("name", museum.EXHIBITS)
def test_the_faulty_lines_exchanged_for_the_right_ones_repair_the_exhibit(name):
    exhibit = museum.EXHIBITS[name]
    faulty, right = museum.REPAIRS[name]
    lines = f"{museum.code(exhibit)}\n\nattention = {exhibit.__name__}()"
    faulty, right = (re.sub("(?m)^", _indent(lines, faulty), part) for part in (faulty, right))
    assert lines.count(faulty) == 1
    made = {}
    exec(lines.replace(faulty, right), vars(museum.faults) | made, made)
    for number, test in museum.TESTS.items():
        assert museum.run(test, lambda: made["attention"]), number


def _indent(lines, faulty):
    first = faulty.splitlines()[0]
    return re.search(f"(?m)^( *){re.escape(first)}$", lines)[1]


def test_by_hand_are_the_weights_of_the_formula():
    assert museum.run(museum.query_matters, museum.Additive).got == "0.5847 ≠ 0.2816"
    assert museum.run(museum.query_matters, museum.TanhBeforeSum).got == "0.4365 = 0.4365"
    scores = four_words.keys() @ torch.tensor([1.0, 1.0]) / 2**0.5
    assert scores.softmax(0).tolist() == pytest.approx(museum.DotProduct.by_hand, abs=1e-4)
