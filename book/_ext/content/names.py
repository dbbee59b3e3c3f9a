"""`{names} api-scoring`: what that page describes, a name a line, each leading to its description.

The pages that describe the library say once what is public. The overview is read off them, so it
lacks nothing, and each line there has the id of what it names: an address that pointed into the
overview when it still held the descriptions leads to the name. A page that was divided lists its
new part in the same way, for the same reason.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

PACKAGE = "attn_lib."


class Names(nodes.General, nodes.Element):
    """The place of a list, until all pages have been read; `page` is the one that describes."""


class NamesDirective(SphinxDirective):
    """Keeps a place for the names on a page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Keep the place."""
        page = self.arguments[0]
        if page not in self.env.found_docs:
            raise self.error(f"no such page: {page}")
        self.env.note_reread()  # the other page may have changed
        return [Names(page=page)]


class ListNames(SphinxPostTransform):
    """Write the lists."""

    default_priority = 5

    def run(self) -> None:
        """Replace each place by what its page describes."""
        for place in list(self.document.findall(Names)):
            page = place["page"]
            address = self.app.builder.get_relative_uri(self.env.docname, page)
            items = [entry(found, address) for found in described(self.env.get_doctree(page))]
            place.replace_self(nodes.bullet_list("", *items, classes=["attn-names"]))


class SayEnglish(SphinxPostTransform):
    """Mark what docstrings say as English, in whatever language the page around them is."""

    default_priority = 5

    def run(self) -> None:
        """Leave out the headings between their sections, which Sphinx translates."""
        if self.config.attn_edition == "en":
            return
        for content in self.document.findall(addnodes.desc_content):
            for part in content.children:
                if isinstance(part, nodes.field_list):
                    said = list(part.findall(nodes.field_body))
                else:
                    said = [] if isinstance(part, addnodes.desc | nodes.rubric) else [part]
                for node in said:
                    node["classes"].append("language-en")  # docutils writes it as the attribute


def described(page: nodes.document) -> Iterator[addnodes.desc]:
    """The functions, classes and data on a page, in its order; methods belong to their class."""
    for found in page.findall(addnodes.desc):
        if not isinstance(found.parent, addnodes.desc_content):
            yield found


def entry(found: addnodes.desc, address: str) -> nodes.list_item:
    """The line of a name: what it is called in attn_lib, and the first sentence about it."""
    ids = [name for line in found.findall(addnodes.desc_signature) for name in line["ids"]]
    name = nodes.literal("", ids[0].removeprefix(PACKAGE))
    link = nodes.reference("", "", name, internal=True, refuri=f"{address}#{ids[0]}")
    first = found[-1].next_node(nodes.paragraph)
    summary = nodes.inline("", "", *first.deepcopy().children, classes=["language-en"])
    return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" "), summary), ids=ids)


def setup(app: Sphinx) -> None:
    """Name the directive, and write the lists when all pages have been read."""
    app.add_node(Names)
    app.add_directive("names", NamesDirective)
    app.add_post_transform(ListNames)
    app.add_post_transform(SayEnglish)
