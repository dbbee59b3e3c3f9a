"""How to cite the book, from `CITATION.cff`: version and year stand there alone."""

from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book._ext.editions.languages import ROOT

SOURCE = ROOT / "CITATION.cff"


class CitationDirective(SphinxDirective):
    """`{citation}`: the entry, with the address at which the book is published."""

    def run(self) -> list[nodes.Node]:
        """Write the entry as a block of code."""
        self.env.note_dependency(str(SOURCE))
        text = entry(self.config.attn_site)
        return [nodes.literal_block(text, text, language="bibtex")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("citation", CitationDirective)


def cited() -> dict[str, Any]:
    """The fields of `CITATION.cff`."""
    return dict(yaml.safe_load(SOURCE.read_text(encoding="utf-8")))


def entry(address: str) -> str:
    """The BibTeX entry for the book at an address."""
    source = cited()
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
