"""An exercise's title in two lines: its number, how hard it is and how long it takes; its name.

In a notebook a title reads "Which weights were kept? (●● 15 minutes)", and sphinx-exercise puts
all of it into brackets behind the number. The page draws the marks as discs, and says them.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import exercise_enumerable_node

from book._ext.editions.catalogues import words
from book._ext.editions.languages import edition_of

HARDEST = 3
EFFORT = re.compile(r"\s*[(（](?P<marks>●+) *(?P<time>[^()（）]+)[)）]$")


class ExerciseTitles(SphinxPostTransform):
    """Lay out the title of each exercise."""

    default_priority = 40  # after sphinx-exercise has put it together, before typography.py
    formats = ("html",)

    def run(self) -> None:
        """Lay out each that has a name; the number comes when it is written."""
        if not self.config.attn_edition:
            return  # the page to choose a language has none
        say = words(edition_of(self.config.attn_edition))
        difficulty = say("difficulty {marks} of {hardest}")
        for exercise in self.document.findall(exercise_enumerable_node):
            title = exercise[0]
            if title.children:
                lay_out(title, difficulty)


def lay_out(title: nodes.title, difficulty: str) -> None:
    """Part a title into effort and name.

    Args:
        title: As sphinx-exercise leaves it: the name between two texts, " (" and ")".
        difficulty: What the discs say, with the slots `{marks}` and `{hardest}`.
    """
    name = title.children[1:-1]
    effort: list[nodes.Node] = []
    found = EFFORT.search(name[-1].astext())
    if found:
        name[-1] = nodes.Text(name[-1].astext()[: found.start()])
        marks = len(found["marks"])
        said = difficulty.format(marks=marks, hardest=HARDEST)
        discs = '<i class="attn-full"></i>' * marks + "<i></i>" * (HARDEST - marks)
        drawn = f'<span class="attn-discs" role="img" aria-label="{said}">{discs}</span> '
        effort = [nodes.raw("", drawn, format="html"), nodes.Text(found["time"] + " ")]
    title.children = []
    title += [
        nodes.inline("", "", *effort, classes=["attn-effort"]),
        nodes.inline("", "", *name, classes=["attn-exercise-name"]),
    ]


def setup(app: Sphinx) -> None:
    """Run on every page."""
    app.add_post_transform(ExerciseTitles)
