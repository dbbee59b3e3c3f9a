"""Where a line may break, and which brackets a title has: what the packages leave to chance."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

OPENING = re.compile(r"[(\[“‘（「『《]*$")
# Korean particles belong to the word before them, as closing marks do.
CLOSING = re.compile(r"[가-힣]{0,3}[)\]”’.,:;!?…）」』》，。、：；！？]*")


class UnbrokenMath(SphinxPostTransform):
    """Keep a formula on one line with the marks that touch it.

    For a browser a formula is a box, and before and after a box a line may always break.
    """

    default_priority = 50

    def run(self) -> None:
        """Wrap each formula of a text, with the marks around it, into a span."""
        for math in list(self.document.findall(nodes.math)):
            before, after = _text(math, -1), _text(math, +1)
            opening = OPENING.search(before).group()
            closing = CLOSING.match(after).group()
            if not opening + closing:
                continue
            around, place = math.parent, math.parent.index(math)
            if closing:
                around[place + 1] = nodes.Text(after.removeprefix(closing))
            unbroken = nodes.inline("", classes=["attn-unbroken"])
            around[place] = unbroken
            if opening:
                around[place - 1] = nodes.Text(before.removesuffix(opening))
            unbroken.extend([nodes.Text(opening), math, nodes.Text(closing)])


class ChineseBrackets(SphinxPostTransform):
    """Put the subtitle of an exercise into full-width brackets; sphinx-exercise knows only one."""

    default_priority = 50

    def run(self) -> None:
        """Replace the two texts that sphinx-exercise adds to a title."""
        if self.config.attn_edition != "zh":
            return
        for title in self.document.findall(nodes.title):
            for text in list(title.findall(nodes.Text)):
                if bracket := {" (": "（", ")": "）"}.get(text.astext()):
                    text.parent.replace(text, nodes.Text(bracket))


def _text(node: nodes.Node, step: int) -> str:
    """The text beside a node, or nothing where there is none."""
    place = node.parent.index(node) + step
    beside = node.parent[place] if 0 <= place < len(node.parent) else None
    return beside.astext() if isinstance(beside, nodes.Text) else ""


def setup(app: Sphinx) -> None:
    """Run after the titles of exercises are complete."""
    app.add_post_transform(UnbrokenMath)
    app.add_post_transform(ChineseBrackets)
