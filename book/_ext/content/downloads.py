"""What the published site offers to take along: the book as PDFs and an archive, its library.

`make pdf`, `make epub` and `make offline` write these files after the pages, so a page can only
lead to the published ones, also from a disk, and say how large they were when they were last
measured. EPUBs, and what `site/texts.py` writes, are small.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from attn_lib import __version__
from book._ext.editions.languages import ROOT

logger = logging.getLogger(__name__)

NAME = "attention-at-your-fingertips"
FOLDER = "download"  # in the site
LISTED = "llms.txt"  # of the pages as Markdown
ARCHIVE = f"{NAME}.zip"
CHECKSUM = f"{ARCHIVE}.sha256"


def pdf(code: str) -> str:
    """The name of an edition's PDF."""
    return f"{NAME}-{code}.pdf"


def epub(code: str) -> str:
    """The name of an edition's EPUB."""
    return f"{NAME}-{code}.epub"


def cards(code: str) -> str:
    """The name of an edition's flash cards."""
    return f"{NAME}-cards-{code}.txt"


def wheel() -> str:
    """The name of the library's wheel, as pip wants it."""
    return f"attn_lib-{__version__}-py3-none-any.whl"


MEGABYTES = {  # as the pages say it; 10⁶ bytes
    ARCHIVE: 14,
    pdf("en"): 11,
    pdf("vi"): 12,
    pdf("ko"): 13,
    pdf("zh"): 14,
}
OFF_BY = 0.2  # of what is said: more than that is no longer "about"


class TakeAlongRole(SphinxRole):
    """`` {take-along}`pdf` `` leads to this edition's PDF; the others are in `kinds` below."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Name the file by its kind and size, which every language writes alike."""
        own = self.config.attn_edition
        kinds = {
            "pdf": (f"PDF ({MEGABYTES[pdf(own)]}\N{NO-BREAK SPACE}MB)", f"{FOLDER}/{pdf(own)}"),
            "epub": ("EPUB", f"{FOLDER}/{epub(own)}"),
            "cards": ("TXT", f"{FOLDER}/{cards(own)}"),
            "wheel": (wheel(), f"{FOLDER}/{wheel()}"),
            "pages": (LISTED, LISTED),
            "archive": (f"ZIP ({MEGABYTES[ARCHIVE]}\N{NO-BREAK SPACE}MB)", f"{FOLDER}/{ARCHIVE}"),
            "checksum": ("SHA-256", f"{FOLDER}/{CHECKSUM}"),
        }
        if self.text not in kinds:
            message = "nothing to take along is called %r, there are: %s"
            logger.warning(message, self.text, ", ".join(kinds), location=self.get_location())
            return [], []
        words, path = kinds[self.text]
        where = f"{self.config.attn_site}{path}"
        return [nodes.reference(self.rawtext, words, refuri=where, internal=False)], []


def setup(app: Sphinx) -> None:
    """Name the role."""
    app.add_role("take-along", TakeAlongRole())


def hold(path: Path) -> None:
    """See that a file that was just written is about as large as the pages say.

    Raises:
        ValueError: It is not.
    """
    said, found = MEGABYTES[path.name], path.stat().st_size / 1e6
    if abs(found - said) > OFF_BY * said:
        here = Path(__file__).relative_to(ROOT)
        raise ValueError(f"{path.name} has {found:.1f} MB; say so in {here}, where {said} stands.")
