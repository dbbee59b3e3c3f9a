"""An exercise that the page itself can judge gets a field, a button and room for the verdict.

It is one whose text hands a function to a judge that runs on the page too: the exercise that says
"`attn_lib.check.masked_softmax(my_masked_softmax)` judges it" and names the function with what it
takes, `my_masked_softmax(X, valid_lens)`, with which the field opens. The script `judge.js` shows
it; without it there is nothing to press.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import exercise_enumerable_node

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from book._ext.site import judges

CALL = re.compile(r"attn_lib\.check\.(\w+)\((\w+)\)")
FIELD = """
<div class="attn-judge" data-judge="{label}" data-exercise="{exercise}" data-function="{name}"
 {draws} data-running="{running}" data-failed="{failed}" hidden>
<label for="{label}-field">{field}</label>
<div class="attn-field"><span aria-hidden="true"></span><textarea id="{label}-field" rows="2"
 aria-describedby="{label}-help" spellcheck="false" autocapitalize="off" autocomplete="off"
 wrap="off" translate="no">{signature}
    </textarea></div>
<p id="{label}-help">{help}</p>
<button type="button">{run}</button>
<div data-verdict="" aria-live="polite" aria-atomic="true"></div>
</div>
"""


class Judged(SphinxPostTransform):
    """Add the field to each exercise that has a judge on the page."""

    default_priority = 41  # after the titles
    formats = ("html",)

    def run(self) -> None:
        """Add it below the exercise's text."""
        if not self.config.attn_edition:
            return
        for exercise in self.document.findall(exercise_enumerable_node):
            found = asked(exercise)
            if found:
                with speaking(self.config.attn_edition):
                    html = field(self.env.docname, exercise["label"], *found)
                exercise += nodes.raw("", html, format="html")


def asked(exercise: nodes.Element) -> tuple[str, str, str] | None:
    """The judge that an exercise names, the function to write and its first line, if any."""
    literals = [literal.astext() for literal in exercise.findall(nodes.literal)]
    calls = [match for literal in literals if (match := CALL.fullmatch(literal))]
    for judge, name in (call.groups() for call in calls):
        heads = [head for head in literals if re.fullmatch(rf"{name}\([\w, =]*\)", head)]
        if judge in judges.MODULES and heads:
            return judge, name, f"def {heads[0]}:"
    return None


def draws(page: str, exercise: str) -> str | None:
    """The figure of a page that takes what an exercise asks for, as `explore` does in Jupyter."""
    figures = (f for f in FIGURES.values() if f.chapter == page and exercise in f.takes)
    return next((figure.id for figure in figures), None)


def field(page: str, label: str, exercise: str, name: str, signature: str) -> str:
    """The field, in the current language."""
    words = words_of("check")["page"]
    figure = draws(page, exercise)
    return FIELD.format(
        label=label,
        exercise=exercise,
        name=name,
        signature=signature,
        draws=f'data-draws="{figure}"' if figure else "",
        field=words["label"],
        **{key: words[key] for key in ("running", "failed", "help", "run")},
    )


def setup(app: Sphinx) -> None:
    """Run on every page."""
    app.add_post_transform(Judged)
