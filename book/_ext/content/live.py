"""A live figure on a page without code: `` ```{live-figure} arrows?x=1.5 ``, its caption within.

It shows the figure alone, with its weights but without sentences and controls (`.attn-opening` in
the figure's style). In a chapter a figure stands in a cell, with all of these.
"""

from urllib.parse import parse_qsl

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import attn_lib
from attn_lib.explorer.page import render
from attn_lib.figures import FIGURES


class LiveFigureDirective(SphinxDirective):
    """Puts the figure of this name into the page, in the edition's language."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Render the figure in the state named behind its name, else in the one it opens with."""
        name, _, settings = self.arguments[0].partition("?")
        if name not in FIGURES:
            raise self.error(f"no such figure: {name}")
        attn_lib.set_language(self.config.attn_edition)
        figure = FIGURES[name]
        try:
            numbers = {key: float(value) for key, value in parse_qsl(settings)}
            state = figure.state(**numbers)
        except ValueError as error:
            raise self.error(f"no state of the figure {name}: {settings}: {error}") from error
        html = render(figure, state, figure.compute(state))
        caption = nodes.container(classes=["attn-opening-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        opening = f'<div class="attn-opening"><div data-pagefind-ignore="all">{html}</div>'
        return [_html(opening), *([caption] if caption.children else []), _html("</div>")]


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> None:
    """Name the directive."""
    app.add_directive("live-figure", LiveFigureDirective)
