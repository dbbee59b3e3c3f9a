"""The questions that open an edition, and the sign that each chapter has there and in its title.

On `index.md` a chapter is one line of a list in the container `attn-questions`:

    - {doc}`How do you look something up when nothing matches? <queries-keys-values>`

The build puts the chapter's sign before it and, behind it, its number and its term: what its title
says before the colon. The same question stands at the end of the chapter before.
"""

from pathlib import PurePosixPath
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform

from attn_lib.typography import joined
from book._ext.content import promise
from book.pictures import signs

LIST = "attn-questions"


class Link(NamedTuple):
    """What a link to a page shows of it."""

    sign: str
    number: str
    term: str
    question: str  # "" for a page that is not on the list


class Questions(SphinxPostTransform):
    """Complete the lines of the list, and part the title above it as that of a chapter."""

    default_priority = 200  # after links have their addresses

    def run(self) -> None:
        """Complete the lists of a page."""
        for block in self.document.findall(nodes.container):
            if LIST not in block["classes"]:
                continue
            for item in block.findall(nodes.list_item):
                for link in list(item.findall(nodes.reference)):
                    page = PurePosixPath(link["refuri"]).stem
                    its, term = number(self.env, page), _term(self.env, page)
                    link.parent.insert(0, _raw(signs.svg(page)))
                    link.parent += nodes.inline("", f"{its}\u2002{term}", classes=["attn-term"])
            promise.part(block.parent.next_node(nodes.title))


class Signs(SphinxPostTransform):
    """Put the chapter's sign into its title."""

    default_priority = 200

    def run(self) -> None:
        """Draw the sign of a page, if it has one."""
        sign = signs.svg(self.env.docname)
        title = self.document.next_node(nodes.title)
        if sign and title is not None:
            title.insert(0, _raw(sign))


def link(env: BuildEnvironment, page: str) -> Link:
    """What a link to a page shows."""
    term, question = _term(env, page), questions(env).get(page, "")
    if env.config.attn_edition == "ko":  # as typography.py joins what stands on the page
        term, question = joined(term), joined(question)
    return Link(signs.svg(page), number(env, page), term, question)


def questions(env: BuildEnvironment) -> dict[str, str]:
    """The question of each chapter on the list."""
    first = env.get_doctree(env.config.root_doc)
    return {
        link["reftarget"]: link.astext()
        for block in first.findall(nodes.container)
        if LIST in block["classes"]
        for link in block.findall(addnodes.pending_xref)
    }


def number(env: BuildEnvironment, page: str) -> str:
    """The number of a page, "" for one that is no chapter."""
    return ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))


def _term(env: BuildEnvironment, page: str) -> str:
    """What the page's title says before its colon."""
    return promise.COLON.split(env.titles[page].astext(), maxsplit=1)[0]


def _raw(svg: str) -> nodes.raw:
    return nodes.raw("", svg, format="html")


def setup(app: Sphinx) -> None:
    """Run when numbers and addresses are known."""
    app.add_post_transform(Questions)
    app.add_post_transform(Signs)
