"""Draws the live figures of a page while it is built.

In a chapter a figure is the output of a cell: the notebook names the figure and its state. A page
without code has the directive `` ```{live-figure} arrows?x=1.5 ``, its caption within, which shows
the figure alone, with its weights but without sentences and controls (`.attn-opening` in the
figure's style).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from myst_nb.core.render import MimeData, NbElementRenderer, load_mime_renders
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

import attn_lib
from attn_lib.language import speaking
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.page import render
from attn_lib.live.host.stored import MIME

LIVE = Path(attn_lib.live.__file__).parent


class FigureOutput:
    """A figure that a notebook stores."""

    mime_priority_overrides: ClassVar = [("html", MIME, 1)]

    @staticmethod
    def handle_mime(
        renderer: NbElementRenderer, data: MimeData, inline: bool
    ) -> list[nodes.Element] | None:
        """Draw it; None leaves an output of another type to MyST-NB."""
        if data.mime_type != MIME:
            return None
        kept: Any = data.content
        html = draw(kept["figure"], kept["state"], kept["language"], renderer.renderer.sphinx_env)
        return [nodes.raw("", html, format="html", classes=["output", "text_html"])]


class LiveFigureDirective(SphinxDirective):
    """Puts the figure of this name into the page, in the edition's language."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Draw the figure in the state named behind its name, else in the one it opens with."""
        name, _, settings = self.arguments[0].partition("?")
        if name not in FIGURES:
            raise self.error(f"no such figure: {name}")
        try:
            html = draw(name, FIGURES[name].read(settings), self.config.attn_edition, self.env)
        except ValueError as error:
            raise self.error(f"no state of the figure {name}: {settings}: {error}") from error
        caption = nodes.container(classes=["attn-opening-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        opening = f'<div class="attn-opening"><div data-pagefind-ignore="all">{html}</div>'
        return [_html(opening), *([caption] if caption.children else []), _html("</div>")]


def draw(name: str, settings: Mapping[str, Any], language: str, env: BuildEnvironment) -> str:
    """Return a figure as HTML; its page is to be read again when what it is made of changes.

    Raises:
        KeyError: There is no such figure.
        ValueError: The figure has no such setting.
    """
    for folder in ("host", "words", f"figures/{name}"):
        for path in (LIVE / folder).rglob("*.*"):
            if path.suffix in {".py", ".html", ".json"}:
                env.note_dependency(str(path))
    figure = FIGURES[name]
    with speaking(language):
        state = figure.state(**settings)
        return render(figure, state, figure.compute(state))


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> None:
    """Name the directive and the type of output."""
    app.add_directive("live-figure", LiveFigureDirective)
    # MyST-NB takes such classes from installed packages, which this extension is not.
    if FigureOutput not in load_mime_renders():
        load_mime_renders().append(FigureOutput)
