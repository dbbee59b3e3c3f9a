"""Puts the drawn pictures into the page, so that they follow its theme.

A notebook shows `![words](../pictures/name.svg)` as an image, which follows the system's colours,
and in some browsers never the page's. On a published page the picture stands in the text itself:
its dark palette then holds where the reader has chosen the dark theme. It has an address,
`masked-softmax.html#picture`, to which its caption links; the page's card shows the same picture.
"""

import html
import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from book._ext.editions.languages import BOOK

logger = logging.getLogger(__name__)

FOLDER = PurePosixPath("../pictures")  # as seen from a page
IN_THE_DARK = "@media(prefers-color-scheme:dark){.attn-picture{"


class InlinePictures(SphinxTransform):
    """Replaces each image from `../pictures/` by the picture's own marks."""

    default_priority = 200  # before Sphinx collects the images that it is to copy

    def apply(self, **options: object) -> None:
        """Replace the images of one page."""
        for image in list(self.document.findall(nodes.image)):
            uri = PurePosixPath(image["uri"])
            if uri.parent != FOLDER or uri.suffix != ".svg":
                continue
            path = BOOK / "pictures" / uri.name
            self.env.note_dependency(str(path))
            if not path.exists():
                logger.warning("no such picture: %s", uri, location=image)
            elif not image.get("alt"):
                logger.warning("a picture needs words: %s", uri, location=image)
            else:
                own = uri.stem == self.env.docname
                name = "picture" if own else f"picture-{uri.stem}"
                svg = inline(path.read_text(encoding="utf-8"), image["alt"], name)
                drawn = nodes.raw("", svg, format="html", picture=uri.stem, words=image["alt"])
                _link_from_caption(image, name)
                image.replace_self(drawn)


def _link_from_caption(image: nodes.image, name: str) -> None:
    """Let what stands in italics below a picture end in a link to it, as headings do."""
    below = image.parent.next_node(descend=False, siblings=True)
    if isinstance(below, nodes.paragraph) and isinstance(below[0], nodes.emphasis):
        said = html.escape(_("Link to this image"))
        link = f'<a class="headerlink" href="#{name}" title="{said}" aria-label="{said}">#</a>'
        below += nodes.raw("", link, format="html")


def words(document: nodes.document, name: str) -> str:
    """What a page says of a picture to those who do not see it; "" if it does not show it."""
    shown = (node["words"] for node in document.findall(nodes.raw) if node.get("picture") == name)
    return next(shown, "")


def inline(svg: str, words: str, name: str) -> str:
    """The picture as a part of a page whose theme chooses the palette, under the id `name`."""
    if svg.count(IN_THE_DARK) != 1:
        raise ValueError(f"A picture must have one dark palette. Got {svg.count(IN_THE_DARK)}.")
    start, rest = svg.split(IN_THE_DARK)
    palette, rest = rest.split("}}", 1)
    svg = f'{start}html[data-theme="dark"] .attn-picture{{{palette}}}{rest}'
    said = f'id="{name}" role="img" aria-label="{html.escape(words)}" data-pagefind-ignore="all"'
    svg = re.sub(r'<svg xmlns="[^"]*"', f"<svg {said}", svg, count=1)
    return svg.replace("\n", "")


def setup(app: Sphinx) -> None:
    """Connect the transform."""
    app.add_transform(InlinePictures)
