"""The trials catch the faults that they should, in any order of arguments, and no right form."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

import attn_lib
from attn_lib import museum
from attn_lib.examine import (
    CALLS,
    TRIALS,
    NotAskedError,
    Subject,
    examine,
    exhibits,
    subject,
)
from attn_lib.museum import Finding

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.xdist_group("examine")  # one process: its fixtures take long


def failed(examined):
    return {
        name
        for name, found in examine(examined).items()
        if isinstance(found, Finding) and not found
    }


def plain(attention, *, places=False):
    return Subject(attention, CALLS["plain"], 8, places)


# What each fault must fail, by its definition; T4 and T10 know the plain formula alone.
MUST_FAIL = {
    "dropout": {"T11", "T4"},
    "inplace": {"T5"},
    "fill": {"T5"},
    "nosqrt": {"T4", "T10"},
    "dim": {"T2", "P2"},
    "squeeze": {"T7"},
    "repeat": {"T8"},
    "nan": {"T9"},
}
MUST_FAIL_TODAY = {
    "layouts": {"P5"},
    "bfloat16": {"P5"},
    "cap": {"T2", "P3"},
    "added": {"P4"},
    "batch": {"P1"},
}
WITH_PLACES = {"layouts", "bfloat16"}


@pytest.mark.parametrize("name", MUST_FAIL)  # "tanh" has queries of another size than keys
def test_the_museum_s_exhibits_are_caught(name):
    found = failed(Subject(museum.EXHIBITS[name](), CALLS["lengths"], 8))
    assert MUST_FAIL[name] <= found
    if name in ("inplace", "fill", "nosqrt", "nan"):
        assert found == MUST_FAIL[name]  # and nothing else is said of them


@pytest.mark.parametrize("name", exhibits.EXHIBITS)
def test_exhibits_of_today_are_caught(name):
    found = failed(plain(exhibits.EXHIBITS[name], places=name in WITH_PLACES))
    assert MUST_FAIL_TODAY[name] <= found
    if name in WITH_PLACES:
        assert found == {"P5"}


def test_a_tanh_before_the_sum_is_caught():
    class Early(attn_lib.AdditiveAttention):
        def scores(self, queries, keys):
            q, k = torch.tanh(self.W_q(queries)), torch.tanh(self.W_k(keys))
            return self.w_v(q.unsqueeze(2) + k.unsqueeze(1)).squeeze(-1)

    torch.manual_seed(0)
    assert failed(Subject(Early(8, 8, 8, 0.0).eval(), CALLS["lengths"], 8)) == {"T3"}


RIGHT = {
    "plain": lambda: plain(exhibits.right),
    "turned": lambda: plain(exhibits.turned, places=True),
    "museum": lambda: Subject(museum.DotProduct(), CALLS["lengths"], 8),
    "dot": lambda: subject("attn_lib:DotProductAttention(0.1)"),
    "additive": lambda: subject("attn_lib:AdditiveAttention(8, 8, 4, 0.1)"),
    "heads": lambda: subject("attn_lib:MultiHeadAttention(8, 8, 8, 8, 2, 0.1)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_attention_fails_nothing(name):
    assert failed(RIGHT[name]()) == set()


def test_a_capped_score_differs_from_the_plain_formula_alone():
    assert failed(plain(exhibits.capped)) == {"T4", "T10"}


def test_torch_s_own_are_called_in_their_order():
    """What is known of them: NaN in padding reaches both, an empty row is NaN in the layer."""
    fused = subject("torch.nn.functional:scaled_dot_product_attention")
    assert failed(fused) == {"T9"}
    for first in (True, False):
        layer = subject(f"torch.nn:MultiheadAttention(8, 2, batch_first={first})")
        assert failed(layer) == {"T5", "T9", "P4"}


def masked(query, key, value, mask=None):
    """The order of a student's own function."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~mask, -1e9).softmax(-1) @ value


class Keras(nn.Module):
    def forward(self, query, value, key=None, attention_mask=None):
        return masked(query, key, value, attention_mask)


class Context(nn.Module):
    def forward(self, x, context=None, context_mask=None):
        return masked(x, context, context, context_mask[:, None]), None


class HiddenStates(nn.Module):
    def forward(self, hidden_states, attention_mask=None):
        q = hidden_states.unsqueeze(1)
        return (scaled_dot_product_attention(q, q, q, attn_mask=attention_mask).squeeze(1),)


@pytest.mark.parametrize(
    ("made", "call"),
    [
        ("masked", "mask"),
        ("Keras", "keras"),
        ("Context", "context"),
        ("HiddenStates", "hidden_states"),
    ],
)
def test_the_order_is_told_from_the_names(made, call, monkeypatch):
    module = type(sys)("somebody")
    vars(module).update(masked=masked, Keras=Keras, Context=Context, HiddenStates=HiddenStates)
    monkeypatch.setitem(sys.modules, "somebody", module)
    told = subject(f"somebody:{made}")
    assert told.call is CALLS[call]
    found = examine(told)
    # The fill of −1e9, or its like: an empty row shows what is hidden, and NaN comes through.
    bad = {name for name, f in found.items() if isinstance(f, Finding) and not f}
    assert {"T5", "T9"} <= bad <= {"T5", "T9", "P4"}
    assert isinstance(found["T1"], NotAskedError) == (call in ("context", "hidden_states"))


@pytest.mark.parametrize(
    ("named", "call", "error", "said"),
    [
        ("no_colon", None, ValueError, "--attn-museum must have the form module:name"),
        ("attn_lib:normals", None, ValueError, "cannot be told from its parameters"),
        ("attn_lib:DotProductAttention(0.0)", "mine", ValueError, "--attn-museum-call must be one"),
        ("attn_lib:DotProductAttention(0.0 +)", None, ValueError, "module:name(arguments)"),
        ("attn_lib:DotProductAttention(open('x'))", None, ValueError, "module:name(arguments)"),
        ("attn_lib:Nothing", None, AttributeError, "Nothing"),
        ("no_such_module:x", None, ImportError, "no_such_module"),
        (
            "torch.nn:MultiheadAttention(8)",
            None,
            TypeError,
            "cannot be made: missing a required argument: 'num_heads'. Arguments may follow",
        ),
        ("attn_lib:DotProductAttention", None, TypeError, "Arguments may follow its name, as in"),
    ],
)
def test_what_cannot_be_examined_is_said(named, call, error, said):
    with pytest.raises(error, match=r".*") as caught:
        subject(named, call)
    assert said in str(caught.value)


def test_an_error_is_a_failure_and_random_numbers_stay():
    def broken(queries, keys, values, visible):
        raise KeyError("no such key")

    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    found = examine(plain(broken))
    assert found["T7"].got == "KeyError: 'no such key'"
    assert torch.equal(torch.rand(3), expected)


# What the plugin is asked: arguments of pytest, by the name of the question.
ASKED = {
    "fails": ("--attn-museum", "torch.nn.functional:scaled_dot_product_attention"),
    "no call": ("--attn-museum", "attn_lib:normals"),
    "raises": ("--attn-museum", "my_own_attention:attend", "-k", "T1"),
    "lists": ("--collect-only", "-q", "--attn-museum", "attn_lib:DotProductAttention(0.0)"),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What pytest says to each question: in one process, since torch takes seconds to start.

    By its own name, since `python -m` would put the current folder among those of modules; other
    plugins, which take as long to import as torch, stay away.
    """
    folder = tmp_path_factory.mktemp("somebody")
    code = "def attend(queries, keys, values, visible):\n    raise RuntimeError('boom')\n"
    (folder / "my_own_attention.py").write_text(code)
    program = f"""
import sys, pytest
sys.path.remove("")
for name, asked in {ASKED!r}.items():
    print(end=f"\\0{{name}}\\n", flush=True)
    print("exit", int(pytest.main(["-p", "pytest_attn_museum", *asked])), flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    parts = (part.partition("\n") for part in done.stdout.split("\0")[1:])
    return {name: text for name, _, text in parts}


def test_the_plugin_names_what_fails_and_which_fault_it_looks_like(said):
    assert "1 failed, 15 passed" in said["fails"]
    assert "T9: NaN in padding changes nothing.\nexpected: " in said["fails"]
    assert "0 times NaN is NaN" in said["fails"]


def test_the_plugin_says_what_it_cannot_call(said):
    assert f"exit {int(pytest.ExitCode.USAGE_ERROR)}\n" in said["no call"]
    assert "--attn-museum-call, one of torch: nn.MultiheadAttention" in said["no call"]


def test_the_plugin_shows_where_a_file_in_the_current_folder_raises(said):
    said = said["raises"]
    assert "T1: equal keys give the mean of the visible values.\nTraceback" in said
    assert "my_own_attention.py\", line 2, in attend\n    raise RuntimeError('boom')" in said
    assert "looks like" not in said
    assert "adapters.py" not in said


def test_the_plugin_lists_what_it_would_ask(said):
    assert "attn-museum::T1 published_toy\n" in said["lists"]
    assert "16 tests collected" in said["lists"]


def test_the_door_leads_to_the_rooms_by_their_documented_paths():
    """Each in a library of which nothing else is imported, in one process, since torch is slow."""
    code = """
import importlib, sys, torch
for room in ("adapters", "exhibits", "trials"):
    for module in [name for name in sys.modules if name.partition(".")[0] == "attn_lib"]:
        del sys.modules[module]
    print(importlib.import_module(f"attn_lib.examine.{room}").__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    rooms = ("adapters", "today", "trials")
    assert done.stdout.split() == [f"attn_lib.museum.{room}" for room in rooms]


def test_trials_have_the_names_and_numbers_of_the_museum_s_tests():
    named = [f"T{n} {test.__name__}" for n, test in museum.TESTS.items()]
    assert [f"{name} {t.ask.__name__}" for name, t in TRIALS.items()][: len(named)] == named


def test_pytest_starts_without_torch():
    code = "import sys, pytest_attn_museum; print('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "False"
