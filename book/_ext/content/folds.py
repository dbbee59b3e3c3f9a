"""Closed boxes: asides for the curious, answers, hints and the code of folded cells.

All of them become `<details class="attn-fold ...">`, which opens by keyboard and by touch without
a script. `book/_static/folds.js` opens the box that a link points into, and opens all on paper.

A section is for the curious if a target `(curious-...)=` stands above its heading. It stays an
ordinary section in Jupyter and while Sphinx resolves links and numbers; here it is only written
as a box, together with all that stands in it, and left out of the page's own contents.
"""

from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.locale import admonitionlabels
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

CURIOUS = "curious-"


class Fold(nodes.General, nodes.Element):
    """A box that is closed at first; its first child is its summary."""


class Summary(nodes.TextElement):
    """The line of a box that is always seen, a heading where `level` is not 0."""


class FoldCuriosities(SphinxPostTransform):
    """Write each section for the curious as a box."""

    default_priority = 60
    formats = ("html",)

    def run(self) -> None:
        """Put a box around the section; its ids move to the box, to which links then lead."""
        for section in _curiosities(self.document):
            title = section.next_node(nodes.title)
            section.remove(title)
            fold = _fold(section, title.children, ["curious"], level=_depth(section))
            label = next(name for name in section["ids"] if name.startswith(CURIOUS))
            fold["ids"] = [label]
            fold[0]["ids"] = [name for name in section["ids"] if name != label]
            section["ids"] = []
            # The section stays inside: headings further down keep their level.
            section.replace_self(fold)
            fold.append(section)


class FoldAdmonitions(SphinxPostTransform):
    """Write each admonition of the class `dropdown` as a box: solutions, hints, answers."""

    default_priority = 61  # after sphinx-exercise has completed the titles
    formats = ("html",)

    def run(self) -> None:
        """Make the admonition's title the summary, and keep its ids and other classes."""
        for admonition in list(self.document.findall(nodes.Admonition)):
            if "dropdown" not in admonition["classes"]:
                continue
            classes = [name for name in admonition["classes"] if name != "dropdown"]
            kind = admonition.tagname
            if kind in admonitionlabels:  # {hint} and its like, whose title and class are implied
                title, content = [nodes.Text(admonitionlabels[kind])], admonition.children
                classes.append(kind)
            else:
                title, content = admonition[0].children, admonition.children[1:]
            fold = _fold(admonition, title, classes)
            fold["ids"] = admonition["ids"]
            admonition.replace_self(fold)
            fold.extend(content)


class FoldCode(SphinxPostTransform):
    """Write the folded code of a cell as a box like the others, under one quiet word."""

    default_priority = 200  # after myst-nb has marked it
    formats = ("html",)

    def run(self) -> None:
        """Take the prompt that myst-nb was given as the summary."""
        for cell in list(self.document.findall(HideCodeCellNode)):
            fold = _fold(cell, [nodes.Text(cell["prompt_show"])], ["attn-code"])
            cell.replace_self(fold)
            fold.extend(cell.children)


def fold(title: list[nodes.Node], classes: list[str], level: int = 0) -> Fold:
    """A box with a title and nothing in it so far."""
    return Fold("", Summary("", "", *title, level=level), classes=classes)


def _fold(
    source: nodes.Element, title: list[nodes.Node], classes: list[str], level: int = 0
) -> Fold:
    box = fold(title, classes, level)
    box.source, box.line = source.source, source.line
    return box


def _curiosities(document: nodes.document) -> list[nodes.section]:
    sections = document.findall(nodes.section)
    return [s for s in sections if any(name.startswith(CURIOUS) for name in s["ids"])]


def _depth(node: nodes.Node | None) -> int:
    """How many sections a node lies in, itself counted."""
    return 0 if node is None else _depth(node.parent) + isinstance(node, nodes.section)


def _leave_out_of_contents(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Drop what is for the curious from the contents beside the page."""
    if doctree is None or "toc" not in context:
        return
    contents = BeautifulSoup(context["toc"], "html.parser")
    for fold in doctree.findall(Fold):
        for anchor in (*fold["ids"], *fold[0]["ids"]):
            for link in contents.select(f'a[href="#{anchor}"]'):
                entry = link.find_parent("li")
                siblings = entry.find_parent("ul").find_all("li", recursive=False)
                (entry if len(siblings) > 1 else entry.parent).decompose()
    context["toc"] = str(contents)


def _visit_fold(writer: HTML5Translator, node: Fold) -> None:
    writer.body.append(writer.starttag(node, "details", CLASS="attn-fold"))


def _depart_fold(writer: HTML5Translator, node: Fold) -> None:
    writer.body.append("</details>\n")


def _visit_summary(writer: HTML5Translator, node: Summary) -> None:
    heading = f"h{node['level']}" if node["level"] else "span"
    writer.body.append("<summary>")
    writer.body.append(writer.starttag(node, heading, ""))
    writer.context.append(f"</{heading}></summary>\n")


def _depart_summary(writer: HTML5Translator, node: Summary) -> None:
    writer.body.append(writer.context.pop())


def setup(app: Sphinx) -> None:
    """Boxes are written last, when links, numbers and titles are complete."""
    app.add_node(Fold, html=(_visit_fold, _depart_fold))
    app.add_node(Summary, html=(_visit_summary, _depart_summary))
    for transform in (FoldCuriosities, FoldAdmonitions, FoldCode):
        app.add_post_transform(transform)
    app.connect("html-page-context", _leave_out_of_contents)
