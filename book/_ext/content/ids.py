"""Every id once on a page, so that a link leads to one place."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

# sphinx-exercise gives these to each exercise and each solution.
REPEATED = {"exercise-content", "solution-content"}


class UniqueIds(SphinxPostTransform):
    """Take ids away that a page has twice.

    A figure keeps its id, to which its states are attached; a chapter with the same name has
    another one, made of its title.
    """

    default_priority = 40
    formats = ("html",)

    def run(self) -> None:
        """Remove the ids of exercises' and solutions' contents, and those that figures need."""
        raw = "".join(node.astext() for node in self.document.findall(nodes.raw))
        taken = REPEATED | set(re.findall(r'<figure\b[^>]* id="([^"]+)"', raw))
        for node in self.document.findall(nodes.Element):
            if taken & set(node.get("ids", ())):
                node["ids"] = [name for name in node["ids"] if name not in taken]


def setup(app: Sphinx) -> None:
    """Run before anything is written."""
    app.add_post_transform(UniqueIds)
