"""A title in two voices: the term, and behind the colon what the chapter promises.

"Masked softmax: how to make a network look away" is one heading for search, contents and the ear;
the page shows its second half on a line of its own.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

COLON = re.compile(r": |：")


class Promise(SphinxPostTransform):
    """Part the page's title."""

    default_priority = 80  # after the transforms of typography.py, which make pieces
    formats = ("html",)

    def run(self) -> None:
        """Part it, if it is the title of a section."""
        section = self.document.next_node(nodes.section)
        title = section and section.next_node(nodes.title)
        if title and title.parent is section:
            part(title)


def part(title: nodes.title) -> None:
    """Wrap what stands behind the first colon of a title, formulas and code included.

    The colon and what follows move into a span; the colon is for the ear alone.
    """
    for place, child in enumerate(title.children):
        if isinstance(child, nodes.Text) and (colon := COLON.search(child)):
            term, rest = child[: colon.start()], child[colon.end() :]
            said = nodes.inline("", colon.group(), classes=["attn-colon"])
            promise = nodes.inline("", "", said, classes=["attn-promise"])
            following = title.children[place + 1 :]
            del title[place:]
            title += [nodes.Text(term), promise]
            promise += [nodes.Text(rest), *following]
            return


def setup(app: Sphinx) -> None:
    """Run on every page, after titles are complete."""
    app.add_post_transform(Promise)
