"""The directives `lesson` and `step`: the plan of a lesson, which runs as slides as well.

On a page `lesson-b.md` the steps are a numbered list: what is shown, for how long, what to say.

    ::::{lesson}
    :::{step} vote scale
    :minutes: 6
    Wait until everybody has an answer.
    :::
    ::::

A step is a `figure` in a state (`figure scale?d=512`), the `vote` that a figure asks for, the
`answer` to the vote before it, an `exercise` by its label, or the `board`, which shows what stands
in the step as a quotation. `?lesson=b` goes through them by `_static/deck.js`, which loads the
script that is written here beside the page: where each step is, and a QR code for each vote.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import segno
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from book._ext.editions.catalogues import words
from book._ext.editions.languages import edition_of

PAGE = re.compile(r"lesson-([a-z0-9-]+)")
KINDS = ("figure", "vote", "answer", "exercise", "board")
Say = Callable[[str], str]


def _names(say: Say) -> dict[str, str]:
    """What each kind of step is called."""
    names = [say("Figure"), say("Vote"), say("Answer"), say("Exercise"), say("Board")]
    return dict(zip(KINDS, names, strict=True))


def _said(say: Say) -> list[str]:
    """What the script says."""
    return [
        say("Previous step"),
        say("Next step"),
        say("Speaker’s window"),
        say("Leave the lesson"),
        say("This figure on your phone"),
        say("Next: {step}"),
    ]


class Step(nodes.list_item):
    """One step; `kind`, `target` and `minutes` are what the author wrote."""


class StepDirective(SphinxDirective):
    """`{step} vote scale`: its content is what to say."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True
    option_spec = {"minutes": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Parse what to say; the lesson does the rest."""
        kind, target = [*self.arguments, ""][:2]
        if kind not in KINDS:
            raise self.error(f"A step is one of {', '.join(KINDS)}. Got {kind!r}.")
        if "minutes" not in self.options:
            raise self.error("A step says how many :minutes: it takes.")
        if bool(target) == (kind in {"answer", "board"}):
            raise self.error("figure, vote and exercise name one; answer and board do not.")
        step = Step("", kind=kind, target=target, minutes=self.options["minutes"])
        self.set_source_info(step)
        self.state.nested_parse(self.content, self.content_offset, step)
        if kind == "board" and not any(step.findall(nodes.block_quote)):
            raise self.error("A board shows a quotation: lines that begin with >.")
        return [step]


class LessonDirective(SphinxDirective):
    """The steps that stand in it, in their order."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Number the steps and put above each what it shows."""
        page = PAGE.fullmatch(self.env.docname)
        if not page:
            raise self.error("A lesson stands on a page lesson-<name>, in small letters.")
        steps = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        self.state.nested_parse(self.content, self.content_offset, steps)
        if not steps.children or not all(isinstance(step, Step) for step in steps):
            raise self.error("A lesson holds steps, and nothing else.")
        say = words(edition_of(self.config.attn_edition))
        names = _names(say)
        voted = ""
        for number, step in enumerate(steps, start=1):
            kind = step["kind"]
            if kind == "answer":
                if not voted:
                    raise self.error(f"Step {number} answers no vote.")
                step["target"] = voted
            voted = step["target"] if kind == "vote" else ""
            step["ids"] = [f"step-{number}"]
            head = nodes.paragraph("", "", nodes.strong("", names[kind]))
            head += nodes.Text(f" ({say('{minutes} min').format(minutes=step['minutes'])}) ")
            head += self._link(step)
            step.insert(0, head)
        minutes = sum(step["minutes"] for step in steps)
        run = nodes.reference("", say("Run as slides"), internal=True)
        run["refuri"] = f"{self.env.docname}.html?lesson={page[1]}"
        said = say("{steps} steps, {minutes} min").format(steps=len(steps), minutes=minutes)
        return [nodes.paragraph("", "", run, nodes.Text(f" ({said})")), steps]

    def _link(self, step: Step) -> list[nodes.Node]:
        """Where the step is; nowhere else, for the board."""
        kind, target = step["kind"], step["target"]
        if kind == "board":
            return []
        if kind == "exercise":
            where = {"refdomain": "std", "reftype": "ref", "reftarget": target}
            more = {"refexplicit": False, "refwarn": True, "refdoc": self.env.docname}
            return [addnodes.pending_xref("", nodes.inline(), **where, **more)]
        name, _, settings = target.partition("?")
        if name not in FIGURES:
            raise self.error(f"There is no figure {name!r}.")
        if kind != "figure" and settings:
            raise self.error("A vote begins where the figure's question does: name it alone.")
        figure = FIGURES[name]
        try:
            state = figure.read(settings) | {"ask": "0"}
        except ValueError as error:
            raise self.error(f"{target}: {error}") from error
        with speaking(self.config.attn_edition):
            own = words_of(name)
        right = figure.prediction.right
        title = f"{'ABC'[right]} {own['options'][right]}" if kind == "answer" else own["question"]
        fragment = figure.fragment(state if kind == "figure" else figure.prediction.before)
        link = nodes.reference("", title, internal=True)
        link["refuri"] = f"{figure.chapter}.html{fragment}"
        return [link]


def modules(address: str) -> list[str]:
    """The squares of an address's QR code, each row a hexadecimal number."""
    rows = segno.make(address, error="m", micro=False).matrix
    return [f"{int(''.join(map(str, row)), 2):x}" for row in rows]


def steps_of(app: Sphinx, page: str, doctree: nodes.document) -> list[dict[str, Any]]:
    """What the script needs of each step; a vote has the code of its address."""
    steps = []
    for step in doctree.findall(Step):
        link = None if step["kind"] == "board" else step[0].next_node(nodes.reference)
        at = link["refuri"] if link else f"{page}.html#{step['ids'][0]}"
        said = {"kind": step["kind"], "at": at}
        if step["kind"] == "vote":
            address = f"{app.config.attn_site}{app.config.attn_edition}/{at}"
            said["qr"] = modules(address)
        steps.append(said)
    return steps


def _write(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Write the script of a lesson beside its page."""
    if doctree is None or not any(doctree.findall(Step)):
        return
    say = words(edition_of(app.config.attn_edition))
    lesson = {
        "title": app.env.titles[page].astext(),
        "words": _said(say),
        "steps": steps_of(app, page, doctree),
    }
    script = f"window.attnLesson = {json.dumps(lesson, ensure_ascii=False)};\n"
    Path(app.outdir, f"{page}.js").write_text(script, encoding="utf-8")


def _visit(writer: HTML5Translator, node: Step) -> None:
    writer.visit_list_item(node)


def _depart(writer: HTML5Translator, node: Step) -> None:
    writer.depart_list_item(node)


def setup(app: Sphinx) -> None:
    """Name the directives; write a script when its page is written."""
    app.add_node(Step, html=(_visit, _depart))
    app.add_directive("step", StepDirective)
    app.add_directive("lesson", LessonDirective)
    if app.config.attn_edition:
        app.connect("html-page-context", _write)
