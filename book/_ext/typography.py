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


# Vietnamese separates syllables, so a browser breaks where a reader sees one thing: `nơ-ron`, a
# date, a number and what it counts or numbers, the entries of a shape, the sides of an equation.
HYPHENED = re.compile(r"(nơ-ron|\b\d{4}-\d\d-\d\d\b)", re.IGNORECASE)
SHAPE = re.compile(r"\((?:[−\d.]+|[A-Z])(?:, (?:[−\d.]+|[A-Z])){1,3}\)")
TIED = re.compile(
    r"(?<=\d) (?=(?:phút|ms|[KMG]iB)\b)"
    r"|(?<=\bmục) (?=\d)|(?<=\bdòng) (?=\d)|(?<=\bchương) (?=\d)|(?<=\bphụ lục) (?=[A-Z])"
    r"|(?<=\w) (?== [\w−])|(?<=\w =) (?=[\w−])"
    r"|(?<=[\w␣]) (?=␣)"
)


def tied(text: str) -> str:
    """The text with spaces that do not break where Vietnamese reads one thing."""
    text = SHAPE.sub(lambda shape: shape.group().replace(" ", "\u00a0"), text)
    return TIED.sub("\u00a0", text)


class VietnameseBreaks(SphinxPostTransform):
    """Keep together what a Vietnamese reader reads in one; two authors are joined by `và`."""

    default_priority = 60  # after UnbrokenMath, which looks at the text beside a formula

    def run(self) -> None:
        """Go through all texts of the page that are not code."""
        if self.config.attn_edition != "vi":
            return
        for cited in self.document.findall(nodes.inline):
            if "bibtex-citation" in cited["classes"]:
                for text in list(cited.findall(nodes.Text)):
                    text.parent.replace(text, nodes.Text(text.replace(" and ", " và ")))
        code = nodes.FixedTextElement | nodes.literal | nodes.math
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, code):
                text.parent.replace(text, _parts(tied(text)))


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


def _parts(text: str) -> list[nodes.Node]:
    """The text with each hyphened word in a span that does not break."""
    return [
        nodes.inline("", part, classes=["attn-unbroken"]) if at % 2 else nodes.Text(part)
        for at, part in enumerate(HYPHENED.split(text))
        if part
    ]


def _text(node: nodes.Node, step: int) -> str:
    """The text beside a node, or nothing where there is none."""
    place = node.parent.index(node) + step
    beside = node.parent[place] if 0 <= place < len(node.parent) else None
    return beside.astext() if isinstance(beside, nodes.Text) else ""


def setup(app: Sphinx) -> None:
    """Run after the titles of exercises are complete."""
    app.add_post_transform(UnbrokenMath)
    app.add_post_transform(VietnameseBreaks)
    app.add_post_transform(ChineseBrackets)
