"""The BibTeX entry of the book, from `CITATION.cff`: version and year stand there alone."""

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book._ext.languages import ROOT
from book._ext.page import base_address

SOURCE = ROOT / "CITATION.cff"


class CitationDirective(SphinxDirective):
    """`{citation}`: the entry, with the address at which the book is published."""

    def run(self) -> list[nodes.Node]:
        """Write the entry as a block of code."""
        self.env.note_dependency(str(SOURCE))
        edition = self.config.attn_edition
        base = base_address(self.config).removesuffix(f"{edition}/")
        text = entry(SOURCE.read_text(encoding="utf-8"), base)
        return [nodes.literal_block(text, text, language="bibtex")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("citation", CitationDirective)


def entry(citation: str, address: str) -> str:
    """The BibTeX entry for a CITATION.cff and an address."""
    source = yaml.safe_load(citation)
    authors = " and ".join(f"{{{author['name']}}}" for author in source["authors"])
    fields = {
        "title": source["title"],
        "author": authors,
        "year": f"{source['date-released']:%Y}",
        "version": source["version"],
        "url": address,
    }
    lines = [f"  {name:<7} = {{{value}}}," for name, value in fields.items()]
    return "\n".join(["@misc{attention_at_your_fingertips,", *lines, "}"])
