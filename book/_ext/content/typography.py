"""Where a line may break, and which brackets a title has: what the packages leave to chance."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from attn_lib.typography import JOINER, TUPLE, joined

OPENING = re.compile(r"[(\[“‘（「『《]*$")
# Korean particles belong to the word before them, as closing marks do.
CLOSING = re.compile(r"[가-힣]*[)\]”’.,:;!?…）」』》，。、：；！？]*")

# Each is one thing: numbers or letters in brackets, a date, a number with its unit, an equation.
_WHOLE = (
    TUPLE + r"|\d{4}-\d\d-\d\d"
    r"|\d[\d.,]* (?:[KMG]i?B|ms|s)(?![A-Za-z])"
    r"|(?<![A-Za-z\d])(?:[A-Za-z] = )+−?\d[\d.]*"
)
# Vietnamese separates syllables, so a line also breaks in a word or before what is counted; in
# Korean a number names a key or a query.
_OWN = {
    "ko": r"|(?<![가-힣])(?:약|키|쿼리|샘플|헤드|유닛|블록) \d[\d.]*",
    "vi": r"|[Nn]ơ-ron|\d+ phút|(?:mục|dòng|[Cc]hương) \d[\d.]*|[Pp]hụ lục [A-Z][\d.]*|\S+(?: ␣)+",
}


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


class UnbrokenThings(SphinxPostTransform):
    """Keep a shape such as (B, Q, K), a date or a number with its unit on one line."""

    default_priority = 60  # after UnbrokenMath, which looks at the texts beside a formula

    def run(self) -> None:
        """Wrap each of them into a span, but for code, where the reader's spaces are kept."""
        code = nodes.FixedTextElement | nodes.literal | nodes.math | nodes.math_block
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, code):
                text.parent.replace(text, unbroken(text.astext(), self.config.attn_edition))


class KoreanBreaks(SphinxPostTransform):
    """Keep particles with what they belong to, also after code, a formula or a link."""

    default_priority = 70  # after the others, which make pieces

    def run(self) -> None:
        """Join the texts of each paragraph, heading and cell."""
        if self.config.attn_edition == "ko":
            for block in self.document.findall(nodes.TextElement):
                if not isinstance(block, nodes.Inline | nodes.FixedTextElement):
                    _join(block)


def unbroken(text: str, edition: str) -> list[nodes.Node]:
    """The text in pieces, in spans those that a reader of the edition sees as one thing."""
    whole = re.compile(f"({_WHOLE}{_OWN.get(edition, '')})", re.ASCII)
    return [
        nodes.inline("", piece, classes=["attn-whole"]) if at % 2 else nodes.Text(piece)
        for at, piece in enumerate(whole.split(text))
        if piece
    ]


def _join(block: nodes.Element) -> None:
    """Join each text of a block to what stands before it."""
    before = ""
    for text in list(block.findall(nodes.Text)):
        if isinstance(text.parent, nodes.raw):
            continue
        if isinstance(text.parent, nodes.literal | nodes.math):
            before = ")"  # a box, which ends as a bracket does
            continue
        new = joined(text.astext(), before)
        particle = re.match(rf"{JOINER}[가-힣]+", new) if before == ")" else None
        pieces: list[nodes.Node] = [nodes.Text(new)]
        if particle:  # whole: a line too short for the code breaks in the code
            around = nodes.inline("", particle.group(), classes=["attn-whole"])
            pieces = [around, nodes.Text(new[particle.end() :])]
        text.parent.replace(text, pieces)
        before = new[-1:] or before


def _text(node: nodes.Node, step: int) -> str:
    """The text beside a node, or nothing where there is none."""
    place = node.parent.index(node) + step
    beside = node.parent[place] if 0 <= place < len(node.parent) else None
    return beside.astext() if isinstance(beside, nodes.Text) else ""


def setup(app: Sphinx) -> None:
    """Run on every page."""
    app.add_post_transform(UnbrokenMath)
    app.add_post_transform(UnbrokenThings)
    app.add_post_transform(KoreanBreaks)
