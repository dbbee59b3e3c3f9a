"""`{tab-set}` and `{tab-item}`: one program in several programming languages, one shown at a time.

Written as with sphinx-design, whose styles and scripts would be loaded for one page. Here a tab is
a radio button with its label, so that it works by keyboard and without a script;
`book/_static/frame.js` turns all sets of a page together and remembers the choice.
"""

from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class Tabs(nodes.General, nodes.Element):
    """Tabs of which one is shown."""


class Tab(nodes.General, nodes.Element):
    """What one tab shows; `title`, `sync`, `group`, `name` and `number` say what it belongs to."""


class TabSet(SphinxDirective):
    """The tabs that stand in it; sets of one `sync-group` are turned together."""

    has_content = True
    option_spec = {"sync-group": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Number the tabs, for their buttons to belong together."""
        tabs = Tabs("")
        self.set_source_info(tabs)
        self.state.nested_parse(self.content, self.content_offset, tabs)
        strangers = [node for node in tabs.children if not isinstance(node, Tab)]
        if strangers or not tabs.children:
            raise self.error("A tab-set must hold tab-items, and nothing else.")
        name = f"tabs-{self.env.new_serialno('tabs') + 1}"
        for number, tab in enumerate(tabs.children, start=1):
            tab.attributes |= {"name": name, "number": number}
            tab["group"] = self.options.get("sync-group", name)
        return [tabs]


class TabItem(SphinxDirective):
    """One tab; its argument is its title."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"sync": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Parse what the tab shows."""
        title = self.arguments[0]
        tab = Tab("", title=title, sync=self.options.get("sync", title))
        self.set_source_info(tab)
        self.state.nested_parse(self.content, self.content_offset, tab)
        return [tab]


def _visit_tabs(writer: HTML5Translator, node: Tabs) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="attn-tabs"))


def _visit_tab(writer: HTML5Translator, node: Tab) -> None:
    own: dict[str, Any] = {
        "id": f"{node['name']}-{node['number']}",
        "name": node["name"],
        "data-group": node["group"],
        "data-sync": node["sync"],
    }
    said = "".join(f' {key}="{writer.attval(value)}"' for key, value in own.items())
    checked = " checked" if node["number"] == 1 else ""
    title = writer.encode(node["title"])
    writer.body.append(
        f'<input type="radio"{said}{checked}><label for="{own["id"]}">{title}</label>'
    )
    writer.body.append('<div class="attn-tab">')


def _depart(writer: HTML5Translator, node: nodes.Element) -> None:
    writer.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    """Give both directives their names."""
    app.add_node(Tabs, html=(_visit_tabs, _depart))
    app.add_node(Tab, html=(_visit_tab, _depart))
    app.add_directive("tab-set", TabSet)
    app.add_directive("tab-item", TabItem)
