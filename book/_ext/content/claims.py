"""`` {claim}`some-id` ``: a small mark behind a sentence, which leads to what proves it.

The entries stand in `book/claims.yml`. A release leads to its file, a thread to its address, a
paper to its line on the page of references, our own measurement to the code cell that prints it.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator
from sphinxcontrib.bibtex.citation_target import CitationTarget
from sphinxcontrib.bibtex.roles import CitationRef

from book._ext.content import exhibits
from book._ext.editions.catalogues import words
from book._ext.editions.languages import edition_of
from book.ledger import LEDGER, Claim, claims

logger = logging.getLogger(__name__)

SIGN = "†"
# No line begins with the sign: in Chinese one could break behind the full stop.
JOINED = f"\N{WORD JOINER}{SIGN}"


class Evidence(nodes.Inline, nodes.Element):
    """The mark of a claim; it has no text, so it is part of no title, description or index."""


class ClaimRole(SphinxRole):
    """Puts the mark, and has the page of references list a paper."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Look the entry up."""
        self.env.note_dependency(str(LEDGER))
        claim = claims().get(self.text)
        if claim is None:
            message = "the claim %r has no entry in %s"
            logger.warning(message, self.text, LEDGER.name, location=self.get_location())
            return [], []
        page = exhibits.CHAPTER if self.env.docname in exhibits.PAGES else self.env.docname
        if page not in claim.pages:
            message = "the entry %r does not name the page %s"
            logger.warning(message, claim.id, page, location=self.get_location())
        if claim.paper:
            target = CitationTarget(claim.paper, "", "")
            cited = CitationRef(f"claim-{claim.id}", self.env.docname, self.lineno, [target])
            self.env.get_domain("cite").citation_refs.append(cited)
        return [Evidence(claim=claim.id)], []


class NameCells(SphinxTransform):
    """Give each code cell an id, `cell-` and its own, to which a measurement leads."""

    default_priority = 210

    def apply(self, **kwargs: object) -> None:
        """Name the cells of a notebook."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for node in self.document.findall(nodes.container):
            if node.get("nb_element") == "cell_code":
                node["ids"].append(f"cell-{cells[node['cell_index']]['id']}")


class FindEvidence(SphinxPostTransform):
    """Say where each mark leads, and in words what is there."""

    default_priority = 200  # when the list of references is complete

    def run(self) -> None:
        """Complete the marks of a page."""
        for mark in self.document.findall(Evidence):
            say = words(edition_of(self.config.attn_edition))
            href, source = self.evidence(claims()[mark["claim"]])
            mark["href"] = href
            mark["said"] = say("evidence: {source}").format(source=source)

    def evidence(self, claim: Claim) -> tuple[str, str]:
        """The address of the evidence, and its name."""
        if claim.release:
            return claim.source, f"{claim.release}, {claim.file}"
        if claim.thread:
            return claim.thread, claim.thread.removeprefix("https://")
        if claim.paper:
            return self.reference(claim.paper), f"{self.authors(claim.paper)}, {claim.where}"
        page, _, cell = claim.measured.partition("#")
        if not cell:
            options = self.config.html_theme_options
            files = f"{options['repository_url']}/blob/{options['repository_branch']}"
            return f"{files}/{claim.measured}", claim.measured
        return f"{self.uri(page)}#cell-{cell}", self.env.titles[page].astext()

    def reference(self, key: str) -> str:
        """The address of a paper in the list of references."""
        for citation in self.env.get_domain("cite").citations:
            if citation.key == key:
                page = self.uri(citation.bibliography_key.docname)
                return f"{page}#{citation.citation_id}"
        logger.warning("no list of references has %r", key, location=self.env.docname)
        return ""

    def authors(self, key: str) -> str:
        """A paper's first author and year."""
        entry = self.env.get_domain("cite").bibdata.data.entries[key]
        return f"{' '.join(entry.persons['author'][0].last_names)} {entry.fields['year']}"

    def uri(self, page: str) -> str:
        """The address of a page of this edition."""
        return self.app.builder.get_relative_uri(self.env.docname, page)


def _visit(writer: HTML5Translator, node: Evidence) -> None:
    href, said = writer.attval(node["href"]), writer.attval(node["said"])
    writer.body.append(
        f'<sup class="attn-claim"><a href="{href}" title="{said}" aria-label="{said}">'
        f"{JOINED}</a></sup>"
    )


def setup(app: Sphinx) -> None:
    """Name the role."""
    app.add_node(Evidence, html=(_visit, lambda writer, node: None))
    app.add_role("claim", ClaimRole())
    app.add_transform(NameCells)
    app.add_post_transform(FindEvidence)
