"""The page at the site's root, where a reader chooses a language.

`book/index.md` holds its prose, one `edition` block of two paragraphs for each language: a promise,
and what there is, in which {chapters} and {figures} are counted. The page has a template of its
own, without the theme: a few kilobytes, readable without JavaScript.
"""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from attn_lib.live.figures import FIGURES
from book._ext.editions.catalogues import words
from book._ext.editions.languages import BOOK, EDITIONS, Edition
from book._ext.editions.translation import numbered_chapters
from book._ext.site import address, opening, page

SOURCE = "book/index"


class edition_text(nodes.Element):  # noqa: N801
    """The prose of one edition; the template places it."""


class EditionDirective(SphinxDirective):
    """`:::{edition} ko` ... `:::`: what the landing page says to Korean readers."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Parse the block and keep it under its language's code."""
        node = edition_text(code=self.arguments[0])
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def setup(app: Sphinx) -> None:
    """Write the landing page as `index.html`, and nothing else of the root build."""
    app.add_node(edition_text, html=(lambda visitor, node: None, lambda visitor, node: None))
    app.add_directive("edition", EditionDirective)
    app.connect("html-page-context", _theme_needs, priority=400)
    app.connect("html-collect-pages", _landing_page)
    app.connect("build-finished", _remove_the_rest, priority=800)  # after all who write


@dataclass(frozen=True)
class Greeting:
    """What the page says in one language."""

    edition: Edition
    say: Callable[[str], str]
    promise: str
    small: str
    figure: dict[str, Any]


def _landing_page(app: Sphinx) -> Iterable[tuple[str, dict[str, Any], str]]:
    doctree = app.env.get_and_resolve_doctree(SOURCE, app.builder)
    blocks = {node["code"]: node for node in doctree.findall(edition_text)}
    greetings = [_greeting(app, edition, blocks[edition.code]) for edition in EDITIONS]
    base = address.of_site(app.config)
    shared = {"greetings": greetings, "base": base, "path": urlsplit(base).path}
    shared["content_security_policy"] = page.CONTENT_SECURITY_POLICY
    yield "index", shared, "landing.html"
    yield "404", shared, "404.html"


def _greeting(app: Sphinx, edition: Edition, block: nodes.Element) -> Greeting:
    promise, small = (app.builder.render_partial(part)["body"] for part in block.children)
    counted = small.format(chapters=len(numbered_chapters()), figures=len(FIGURES))
    return Greeting(edition, words(edition), promise, counted, opening.figure(edition))


def _theme_needs(app: Sphinx, name: str, template: str, context: dict, doctree: object) -> None:
    """The pages that Sphinx writes beside ours, and we remove, use templates with our words."""
    context |= {"say": str, "edition": EDITIONS[0], "editions": []}


def _remove_the_rest(app: Sphinx, exception: Exception | None) -> None:
    """Leave the landing page and our own files; Sphinx and the theme bring more than it loads."""
    if exception:
        return
    out = Path(app.outdir)
    kept = {
        "index.html",
        "404.html",
        ".nojekyll",
        "_static",
        "pagefind",
        *(e.code for e in EDITIONS),
    }
    ours = {path.name for path in (BOOK / "_static").iterdir()}
    for folder, names in ((out, kept), (out / "_static", ours)):
        for path in folder.iterdir():
            if path.name in names:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
