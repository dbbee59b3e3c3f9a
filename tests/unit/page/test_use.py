"""A reader's function computes a figure on the page as it does in Jupyter, wrong ones too."""

import dataclasses
import json

import pytest
import torch
from figure_states import differences, report, states_of
from node import run

from attn_lib.language import LANGUAGES, speaking, words
from attn_lib.live.figures import FIGURES, explore
from book._ext.content.judged import draws
from book._ext.site import judges
from tests.unit.page.answers import HEAD, MASKED_SOFTMAX
from tests.unit.page.interpreter import weighed
from tests.unit.page.others import OTHERS

STATES = 12
MORE = {"kernel_gap": 40}  # few show a sum that nobody divided
ALL = OTHERS | {"masked_softmax": ("my_masked_softmax", MASKED_SOFTMAX)}
# By exercise: the part of its figure that it makes, and answers that the figure can show.
SHOWABLE = {
    "masked_softmax": (
        "weights",
        ("solution", "score 0", "zeroed", "squared", "-1e6", "exponentials"),
    ),
    "sparsemax": ("weights", ("solution", "softmax", "all keys", "divided")),
    "with_sink": ("weights", ("solution", "softmax", "plus one")),
    "online_softmax": (
        "output",
        ("solution", "s forgotten", "both forgotten", "undivided"),
    ),
    "additive_scores": ("weights", ("solution", "linear", "scaled")),
    "kernel_gap": ("curve", ("solution", "mean", "undivided")),
}
PAGES = {name: module.split(".")[2].replace("_", "-") for name, module in judges.MODULES.items()}
FIGURE_OF = {name: draws(page, name) for name, page in PAGES.items()}

# What a figure asks in its states, and what it shows once it is answered.
ASKED = """async (name, exercise, data, states) => {
  const { compute } = await import(`./figures/${name}/compute.js`);
  const asked = new Set();
  const zeros = ([n, ...rest]) => Array.from({ length: n }, () => (rest.length ? zeros(rest) : 0));
  const own = (given, shape) => (asked.add(JSON.stringify([given, shape])), zeros(shape));
  for (const state of states) compute(state, data, { [exercise]: own });
  return [...asked];
}"""
SHOWN = """async (name, exercise, { data, words }, states, answers) => {
  const { compute } = await import(`./figures/${name}/compute.js`);
  const { sumUp } = await import("./front/numbers.js");
  const own = (given, shape) => answers[JSON.stringify([given, shape])];
  return states.map((state) => {
    const view = compute(state, data, { [exercise]: own });
    return structuredClone({ ...view, said: sumUp(view, words) });
  });
}"""
ASKS = """async (name, exercise, states) => {
  const { asks } = await import(`./figures/${name}/compute.js`);
  return states.map((state) => asks[exercise](state));
}"""


def test_which_figures_take_what_their_chapter_asks_for():
    assert {name: figure for name, figure in FIGURE_OF.items() if figure} == {
        "masked_softmax": "mask",
        "with_sink": "sink",
        "sparsemax": "sparse",
        "online_softmax": "merge",
        "kernel_gap": "kernel",
        "additive_scores": "additive",
    }


@pytest.mark.parametrize("exercise", SHOWABLE)
def test_the_page_shows_what_jupyter_does(exercise):
    wanted, answers_of = ALL[exercise]
    part, names = SHOWABLE[exercise]
    figure = FIGURES[FIGURE_OF[exercise]]
    states = states_of(figure.id, MORE.get(exercise, STATES))
    asked = zip(states, run(ASKS, figure.id, exercise, states), strict=True)
    states += [figure.state(**figure.settings(state) | settings) for state, settings in asked]
    declaration = figure.declaration()
    questions = run(ASKED, figure.id, exercise, declaration["data"], states)
    assert len(questions) > 5
    unlike = {}
    for name in names:
        space = {"torch": torch}
        code = answers_of[name][1]
        exec(compile(code, "answer", "exec"), space)
        found = weighed(exercise, code, wanted, questions)
        assert {one["name"] for one in found} == {"weights"}, name
        answers = dict(zip(questions, (one["shown"] for one in found), strict=True))
        wrong = []
        shown = run(SHOWN, figure.id, exercise, declaration, states, answers)
        explore(figure.id, **{exercise: space[wanted]})
        for state, seen in zip(states, shown, strict=True):
            view = figure.compute(state, **{exercise: space[wanted]})
            there = dataclasses.asdict(view) | {"said": figure.sentences(view)}
            if apart := differences(seen, there):
                wrong.append((state, apart[:5]))
            rows = view.parts[part]["rows"], figure.compute(state).parts[part]["rows"]
            unlike[name] = unlike.get(name, 0) + bool(differences(*rows))
        report(figure.id, wrong)
    for name, count in unlike.items():
        assert count == 0 if answers_of[name][0] == "right" else count > 5, (name, count)


FAULTS = {
    "raises": ("stopped", HEAD + "    return X @ valid_lens\n"),
    "one row": ("figure_shape", HEAD + "    return X[0].softmax(-1)\n"),
    "nothing": ("figure_shape", HEAD + "    pass\n"),
    "NaN": ("figure_nan", HEAD + "    return X * torch.nan\n"),
    "infinite": ("figure_nan", HEAD + "    return X + torch.inf\n"),
    "a number": ("function", "my_masked_softmax = 1\n"),
    "no Python": ("syntax", "def my_masked_softmax(X, valid_lens)\n    return X\n"),
    "gone": ("undefined", "x = 1\n"),
    "unknown": ("lacks", HEAD + "    return torch.sofmax(X, -1)\n"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_figure_cannot_show_is_found_and_has_a_sentence(fault):
    finding, code = FAULTS[fault]
    question = json.dumps([[[[[1, 2]], [[0, 1]]], {"whole": [1, 2]}], [2, 1, 2]])
    (found,) = weighed("masked_softmax", code, "my_masked_softmax", [question])
    assert found["name"] == finding
    for language in LANGUAGES:
        with speaking(language):
            own, page = words("check")["masked_softmax"], words("check")["page"]
        said = (own.get(finding) or page[finding]).format(**found["slots"], line=found["line"])
        assert "{" not in said


def test_numbers_come_as_float64_and_lengths_as_whole_numbers():
    code = HEAD + "    print(X.dtype, valid_lens.dtype)\n    return X\n"
    question = json.dumps([[[[1, 2]], {"whole": [1]}], [1, 2]])
    (found,) = weighed("masked_softmax", code, "my_masked_softmax", [question])
    assert found["shown"] == [[1, 2]]
    assert found["printed"] == "torch.float64 torch.int64\n"
