"""A notice at every passage of a translation that is stale, or still in English.

While Sphinx reads a page, marks are put into its cells; the files themselves, which readers
download, stay as they are. A stale passage is shown as it was translated, unless the English one
has other labels, references or headings by now: then the English text takes its place, so that
nothing on another page points into the void. What stands in English is marked as English.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from book._ext.editions import translation
from book._ext.editions.catalogues import words
from book._ext.editions.languages import EDITIONS, edition_of
from book._tools.editions.read import Cell, State, read_cells, split_front_matter, states
from book._tools.markup import parse

# A heading, with targets above it, with which a passage begins: the notice stands below it.
HEADING_FIRST = re.compile(r"\s*(?:\([\w:-]+\)=\s*\n\s*)*#{1,6} [^\n]*\n?")


class Notice(nodes.General, nodes.Element):
    """One quiet line above a passage; `href` leads to the English passage, where it says more."""


class Mark(nodes.Invisible, nodes.Element):
    """Where a passage in English begins or ends, or, with `anchor`, where a notice leads to."""


class PassageDirective(SphinxDirective):
    """`{attn-passage} stale why-padding`: written by this module, not by authors."""

    required_arguments = 2
    option_spec = {"headed": directives.flag}  # the heading above belongs to the passage

    def run(self) -> list[nodes.Node]:
        """Return the notice, the mark, or both."""
        kind, name = self.arguments
        edition = edition_of(self.config.attn_edition)
        say = words(edition)
        if kind == "stale":
            text = say("The English original of this passage has changed since it was translated.")
            up = "../" * (self.env.docname.count("/") + 1)
            href = f"{up}en/{self.env.docname}.html#{anchor(name)}"
            return [Notice(text=text, link=say("Read the English passage"), href=href)]
        if kind == "anchor":
            return [Mark(anchor=anchor(name))]
        mark = Mark(english=kind != "english-end", headed="headed" in self.options)
        if kind == "english-first":
            return [Notice(text=say("What follows has not been translated yet.")), mark]
        return [mark]


def anchor(name: str) -> str:
    """The id of an English passage on its page."""
    return f"passage-{name}"


def mark(app: Sphinx, page: str, content: list[str]) -> None:
    """Put marks and notices into the source of a page that is about to be read."""
    edition = edition_of(app.config.attn_edition)
    english = translation.source(EDITIONS[0], page)
    if english is None:
        return
    if edition == EDITIONS[0]:
        marks = _anchors(app.env, page, english)
    else:
        own = translation.source(edition, page)
        if own is None:
            return
        app.env.note_dependency(str(english))
        marks = marked(read_cells(english), read_cells(own), whole=own.suffix == ".md")
    content[0] = rewritten(content[0], marks, notebook=english.suffix == ".ipynb")


def _anchors(env: BuildEnvironment, page: str, english: Path) -> dict[str, str]:
    """The English passages that are stale in some edition, each with an anchor."""
    marks = {}
    cells = {cell.id: cell for cell in read_cells(english)}
    for edition in EDITIONS[1:]:
        own = translation.source(edition, page)
        if own is None:
            continue
        env.note_dependency(str(own))
        for name, state in states(list(cells.values()), read_cells(own)).items():
            if state is State.STALE and cells[name].kind == "markdown":
                marks[name] = insert(cells[name].source, "anchor", name)
    return marks


def marked(english: list[Cell], own: list[Cell], whole: bool) -> dict[str, str]:
    """The new texts of the passages that are not fresh, by cell id."""
    originals = {cell.id: cell for cell in english if cell.kind == "markdown"}
    state_of = states(english, own)
    marks = {}
    in_english = False  # one notice for all passages in a row
    for cell in own:
        original = originals.get(cell.id)
        if original is None or cell.kind != "markdown":
            continue
        state = state_of[cell.id]
        if state is State.UNTRANSLATED or (
            state is State.STALE and not fits(original, cell, whole)
        ):
            kind = "english" if in_english else "english-first"
            end = f"```{{attn-passage}} english-end {cell.id}\n```"
            marks[cell.id] = f"{insert(original.source, kind, cell.id)}\n\n{end}"
            in_english = True
        else:
            in_english = False
            if state is State.STALE:
                marks[cell.id] = insert(cell.source, "stale", cell.id)
    return marks


def fits(english: Cell, own: Cell, whole: bool) -> bool:
    """Whether a stale passage still has all that others point at, and points at nothing gone."""
    wanted, given = parse(english.source), parse(own.source)
    return (
        wanted.labels == given.labels
        and set(given.references) <= set(wanted.references)
        and set(given.links) <= set(wanted.links)
        and set(given.claims) <= set(wanted.claims)
        and (whole or wanted.structure == given.structure)
    )


def insert(source: str, kind: str, name: str) -> str:
    """A passage with a mark: below its heading where it begins with one, else above it."""
    heading = HEADING_FIRST.match(source)
    end = heading.end() if heading else 0
    headed = ":headed:\n" if heading else ""
    return f"{source[:end]}\n\n```{{attn-passage}} {kind} {name}\n{headed}```\n\n{source[end:]}"


def rewritten(content: str, marks: Mapping[str, str], notebook: bool) -> str:
    """The source of a page, the named passages replaced."""
    if not marks:
        return content
    if not notebook:
        _, body = split_front_matter(content)
        return content.removesuffix(body) + marks["page"]
    page: dict[str, Any] = json.loads(content)
    for cell in page["cells"]:
        if cell["id"] in marks:
            cell["source"] = marks[cell["id"]]
    return json.dumps(page)


class PlaceMarks(SphinxTransform):
    """Turn marks into attributes of what they stand at, before sphinx-exercise moves anything."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        """Give anchors to the next element, and say of each English element that it is English."""
        english = False
        for node in list(self.document.findall(nodes.Element)):
            if isinstance(node, Mark):
                if "anchor" in node:
                    _anchored(node)["ids"].append(node["anchor"])
                else:
                    english = node["english"]
                    if node["headed"]:
                        _in_english(node.parent[0])
            elif english and not isinstance(node, nodes.section | nodes.Invisible | Notice):
                _in_english(node)
        for node in list(self.document.findall(Mark)):
            node.parent.remove(node)


def _anchored(mark: Mark) -> nodes.Element:
    """What a reader should see who follows the link to a mark: what comes next, or its section."""
    following = mark.parent[mark.parent.index(mark) + 1 :]
    seen = [node for node in following if not isinstance(node, nodes.Invisible)]
    return seen[0] if seen else mark.parent


def _in_english(node: nodes.Element) -> None:
    """Give an element lang="en", unless it stands inside one that has it."""
    around = node.parent
    while around is not None:
        if "language-en" in around.get("classes", []):
            return
        around = around.parent
    node["classes"].append("language-en")  # docutils writes this class as the attribute


def _visit_notice(writer: HTML5Translator, node: Notice) -> None:
    writer.body.append('<p class="attn-notice attn-passage" role="note">')
    writer.body.append(writer.encode(node["text"]))
    if "href" in node:
        href, link = writer.attval(node["href"]), writer.encode(node["link"])
        writer.body.append(f' <a href="{href}" hreflang="en">{link}</a>')
    writer.body.append("</p>\n")


def setup(app: Sphinx) -> None:
    """Work in the editions only."""
    if not app.config.attn_edition:
        return
    app.add_node(Notice, html=(_visit_notice, lambda writer, node: None))
    app.add_node(Mark)
    app.add_directive("attn-passage", PassageDirective)
    app.add_transform(PlaceMarks)
    app.connect("source-read", mark)
