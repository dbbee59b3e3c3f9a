"""Judges are one program: torch and the page's Python find the same, in words that we have."""

import importlib

import pytest
import torch

from attn_lib import check
from attn_lib.check.judging import Draws
from attn_lib.check.masked_softmax import judge
from attn_lib.language import LANGUAGES, speaking, words
from book._ext.site import judges
from tests.unit.page.answers import MASKED_SOFTMAX, ONLY_ON_THE_PAGE
from tests.unit.page.interpreter import judged, posted
from tests.unit.page.others import OTHERS

NAME = "my_masked_softmax"
ANSWERS = OTHERS | {"masked_softmax": (NAME, MASKED_SOFTMAX)}

pytestmark = pytest.mark.xdist_group("judges")  # one process: its fixtures take long


@pytest.fixture(scope="module")
def on_the_page():
    """The page's findings on all answers, by name."""
    codes = [code for _, code in MASKED_SOFTMAX.values()]
    codes += [code for *_, code in ONLY_ON_THE_PAGE.values()]
    found = judged("masked_softmax", codes, NAME)
    return dict(zip([*MASKED_SOFTMAX, *ONLY_ON_THE_PAGE], found, strict=True))


def in_jupyter(code, seed=0):
    space = {"torch": torch}
    exec(compile(code, "answer", "exec"), space)
    return judge.masked_softmax(space[NAME], seed)


@pytest.mark.parametrize("name", MASKED_SOFTMAX)
def test_both_find_the_same(on_the_page, name):
    wanted, code = MASKED_SOFTMAX[name]
    found, slots, shown = in_jupyter(code)
    there = on_the_page[name]
    assert (found, there["name"]) == (wanted, wanted)
    assert slots.keys() == there["slots"].keys()
    # Errors are worded by whoever raises them.
    assert {k: v for k, v in slots.items() if k != "error"} == {
        k: v for k, v in there["slots"].items() if k != "error"
    }
    assert (shown is None) == (there["shown"] is None)
    if shown:
        assert [list(c) for c in shown["columns"]] == there["shown"]["columns"]
        assert list(shown["caption"]) == there["shown"]["caption"]


@pytest.mark.parametrize("name", ONLY_ON_THE_PAGE)
def test_the_page_names_the_line(on_the_page, name):
    wanted, line, _ = ONLY_ON_THE_PAGE[name]
    assert (on_the_page[name]["name"], on_the_page[name]["line"]) == (wanted, line)


def test_an_exception_in_the_function_has_its_line(on_the_page):
    assert on_the_page["torch is None"]["line"] == 3
    assert on_the_page["shapes"]["line"] == 2


def test_torch_is_mended_after_it_was_replaced():
    codes = [ONLY_ON_THE_PAGE["replaced on the way"][2], MASKED_SOFTMAX["solution"][1]]
    assert [found["name"] for found in judged("masked_softmax", codes, NAME)][1] == "right"


def test_what_is_printed_comes_along():
    found = judged("masked_softmax", ["print('độ dài 길이 长度')\n"], NAME)
    assert found[0]["printed"] == "độ dài 길이 长度\n"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", MASKED_SOFTMAX)
def test_another_seed_finds_the_same_mistake(name, seed):
    wanted, code = MASKED_SOFTMAX[name]
    assert in_jupyter(code, seed)[0] == wanted


def test_seeds_draw_other_numbers():
    assert len({Draws(seed).uniform() for seed in range(1000)}) == 1000
    drawn = [Draws(seed).normal(100) for seed in range(20)]
    assert abs(torch.cat(drawn).mean()) < 0.1
    assert abs(torch.cat(drawn).std() - 1) < 0.1


# A right answer that first prints what it's given, in few digits: Jupyter has float32.
TELLS = """
def told(given):
    if isinstance(given, torch.Tensor):
        return "%.4g" % given.double().abs().sum().item()
    if isinstance(given, (str, int, float)):
        return str(given)
    return " ".join(map(told, given))
answer = {0}
def {0}(*given):
    known = (torch.Tensor, str, int, float)
    given = [one if isinstance(one, known) else list(one) for one in given]
    print(told(given))
    return answer(*given)
"""


@pytest.mark.parametrize("exercise", judges.MODULES)
def test_a_seed_draws_the_same_cases_on_the_page_and_in_jupyter(exercise, capsys):
    wanted, answers = ANSWERS[exercise]
    code = answers["solution"][1] + TELLS.format(wanted)
    there = posted(exercise, wanted, [{"code": code, "seed": seed} for seed in (0, 2027)])
    for seed, found in zip((0, 2027), there, strict=True):
        space = {"torch": torch}
        exec(compile(code, "answer", "exec"), space)
        assert found["name"] == "right"
        capsys.readouterr()
        getattr(check, exercise)(space[wanted], seed=seed)
        # Jupyter may call it once more, to watch its memory.
        assert capsys.readouterr().out.startswith(found["printed"])
    first, second = (set(found["printed"].splitlines()) for found in there)
    assert first != second


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_a_sentence_with_its_slots(on_the_page, language):
    with speaking(language):
        own, page = words("check")["masked_softmax"], words("check")["page"]
    for found in on_the_page.values():
        text = own.get(found["name"]) or page[found["name"]]
        assert "{" not in text.format(**found["slots"], line=found["line"])
        if found["shown"]:
            caption, columns = found["shown"]["caption"], found["shown"]["columns"]
            assert all(label in page for label in [caption[0], *(c[0] for c in columns)])


def test_every_judge_of_the_page_is_held_to_answers():
    assert ANSWERS.keys() == judges.MODULES.keys()


@pytest.mark.parametrize("exercise", OTHERS)
def test_the_other_judges_find_the_same_twice_and_say_it(exercise):
    wanted, answers = OTHERS[exercise]
    module = importlib.import_module(judges.MODULES[exercise])
    judge = getattr(module, exercise)
    there = judged(exercise, [code for _, code in answers.values()], wanted)
    said = {}
    for (name, (finding, code)), found in zip(answers.items(), there, strict=True):
        space = {"torch": torch}
        exec(compile(code, "answer", "exec"), space)
        here, slots, _ = judge(space[wanted])
        assert (here, found["name"]) == (finding, finding), (name, slots, found)
        assert slots.keys() == found["slots"].keys(), name
        # Errors are worded by whoever raises them.
        filled = {slot: str(value) for slot, value in slots.items() if slot != "error"}
        assert filled.items() <= found["slots"].items(), name
        for seed in range(1, 4):
            assert judge(space[wanted], seed)[0] == finding, (name, seed)
        verdict = getattr(check, exercise)(space[wanted])
        assert verdict.right == (finding == "right"), name
        said[verdict.text] = finding
        for language in LANGUAGES:
            with speaking(language):
                assert "{" not in words("check")[exercise][finding].format(**found["slots"])
    assert len(set(said.values())) >= 5  # right, and four mistakes
