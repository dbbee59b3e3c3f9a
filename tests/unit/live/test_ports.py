"""What a figure shows and says in the browser is what it does in Python, whatever is set."""

import dataclasses
import json

from figure_states import differences, each_figure, report, views_of
from node import run

import attn_lib
from attn_lib.examples.dates.checkpoint import FOLDER
from attn_lib.examples.writer.checkpoint import FOLDER as WRITERS
from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.model.record import FOLDER as MAPS

# The stored models of `dates` and `writer`, and the maps of `model`, come from their files: a page
# loads them.
SHOW = """async (name, jobs, models) => {
  globalThis.document = { createElement: () => ({}), currentScript: { src: "https://here/" } };
  const { register } = await import("./front/loader.js");
  document.head = { append: (script) => {
    const part = new URL(script.src).pathname.slice(1, -".js".length);
    register(part, models[part]);
    script.onload();
  } };
  const { compute, prepare } = await import(`./figures/${name}/compute.js`);
  const { sumUp } = await import("./front/numbers.js");
  const shown = [];
  for (const [{ data, words }, states] of jobs) {
    for (const state of states) {
      await prepare?.(state, data);
      const view = compute(state, data);
      // A part may be worked out when it is looked at, and a table be filled anew.
      shown.push(structuredClone({ ...view, said: sumUp(view, words) }));
    }
  }
  return shown;
}"""


@each_figure
def test_the_browser_shows_and_says_what_python_does(name):
    figure = FIGURES[name]
    models = {}
    if name == "dates":
        options = figure.control("model").options
        models = {f"models/{o}": json.loads((FOLDER / f"{o}.json").read_text()) for o in options}
    if name == "model":
        models = {f"maps/{p.stem}": json.loads(p.read_text()) for p in MAPS.glob("*.json")}
    if name == "writer":
        models = {f"writers/{p.stem}": json.loads(p.read_text()) for p in WRITERS.glob("*.json")}
    jobs, wanted = [], []
    for lang in LANGUAGES:
        views = views_of(name, lang)
        attn_lib.set_language(lang)
        jobs.append((figure.declaration(), [state for state, _ in views]))
        for state, view in views:
            wanted.append((state, dataclasses.asdict(view) | {"said": figure.sentences(view)}))
    wrong = []
    for (state, view), shown in zip(wanted, run(SHOW, name, jobs, models), strict=True):
        if found := differences(shown, view):
            wrong.append((state, found[:5]))
    report(name, wrong)


# Where a weight may be exactly 0 or 1, besides masked ones: dropped, beyond a compact kernel's
# width, of an equal key, hidden, of a bin that there is not, below the ground.
EXACT = {
    "dropout": lambda state: True,
    "kernel": lambda state: state["k"] != "gaussian",
    "lookup": lambda state: state["how"] == "exact",
    "sparse": lambda state: state["a"] > 1,
    "dates": lambda state: state["m"] == 0 or "_" in state["see"],
    "sink": lambda state: state["bin"] == "off",
    "writer": lambda state: state["fault"] == "corner",
}


@each_figure
def test_a_rounded_weight_never_reads_as_a_bare_0_or_1(name):
    wrong = []
    for state, view in views_of(name, "en"):
        if name in EXACT and EXACT[name](state):
            continue
        for part, numbers in view.parts.items():
            if not numbers or not part.startswith(("weights", "typical", "single", "map", "row")):
                continue
            for i, row in enumerate(numbers["rows"]):
                masked = numbers["masked"][i] if "masked" in numbers else [False] * len(row)
                seen = [weight for weight, m in zip(row, masked, strict=True) if not m]
                if len(seen) > 1 and {0.0, 1.0} & set(seen):
                    wrong.append((state, (part, row)))
    report(name, wrong)
