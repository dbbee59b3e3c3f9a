"""What every page of an edition gets: switcher, alternates, notices, words and scripts."""

import html
import re
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from attn_lib import __version__
from book._ext.content import pictures, questions
from book._ext.editions import translation
from book._ext.editions.catalogues import words
from book._ext.editions.languages import EDITIONS, Edition
from book._ext.site import address, cards, findable

# Figures set widths by style attributes, drawings bring their colours, styles the icons' fonts;
# Pagefind and the exercises' Python are WebAssembly; the latter's worker is made of text, as none
# loads from a disk.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'"
)
EMPTY_HEAD = re.compile(r"<th( [^>]*)?>(?:<p></p>)?</th>")


def setup(app: Sphinx) -> None:
    """Prepare the context of each page before the theme renders its components with it."""
    app.add_config_value("attn_site", "", "env", str)
    app.connect("config-inited", _addresses)
    app.connect("config-inited", _repository_links, priority=400)  # extlinks makes roles of them
    app.connect("html-page-context", _complete, priority=400)


def _edition(app: Sphinx) -> Edition:
    return next(edition for edition in EDITIONS if edition.code == app.config.attn_edition)


def _addresses(app: Sphinx, config: Config) -> None:
    config.attn_site = address.of_site(config)
    config.html_baseurl = f"{config.attn_site}{config.attn_edition}/"


def _repository_links(app: Sphinx, config: Config) -> None:
    """Roles for links to the repository that the book is in.

    `` {repository}`CONTRIBUTING.md` `` leads to a file, `` {report}`say so <glossary>` `` to the
    issue form in the edition's language, with the page filled in.
    """
    options = config.html_theme_options
    files = f"{options['repository_url']}/blob/{options['repository_branch']}/%s"
    config.extlinks = {"repository": (files, "%s"), "report": (_report(config) + "%s", "%s")}


def _report(config: Config) -> str:
    """The address of the edition's issue form, which ends before the page to fill in."""
    repository = config.html_theme_options["repository_url"]
    return f"{repository}/issues/new?template=page-{config.attn_edition}.yml&page="


def _complete(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    edition = _edition(app)
    options = app.config.html_theme_options
    up = "../" * (page.count("/") + 1)
    base = app.config.attn_site
    body = context.get("body", "")
    context |= {
        "say": words(edition),
        "edition": edition,
        "editions": [(other, f"{up}{other.code}/{page}.html") for other in EDITIONS],
        "code_licence": f"{options['repository_url']}/blob/{options['repository_branch']}/LICENSE",
        # The script adds what the address says of a figure; nothing is sent before the form is.
        "report": _report(app.config) + quote(f"{base}{edition.code}/{page}.html ({__version__})"),
        "content_security_policy": CONTENT_SECURITY_POLICY,
        # The empty corner of a table is no header of any row or column.
        "body": EMPTY_HEAD.sub(r"<td\1></td>", body),
        "is_chapter": bool(questions.number(app.env, page)),
        "pages_load_figures": sorted(set(re.findall(r'<attn-explorer data-figure="(\w+)"', body))),
        "pages_load_maths": "<math" in body,
        "pages_load_judge": "data-judge=" in body,
        "pages_load_sentence": "data-own-sentence" in body,
        "pages_load_scores": 'class="attn-choose-scores"' in body,
        # docutils names the viewport, and Sphinx has done so already.
        "metatags": re.sub(r'<meta name="viewport"[^>]*>', "", context.get("metatags", "")),
    }
    if doctree is None:
        return
    _, previous, following = app.builder.relations[page]
    context |= {
        "previous": questions.link(app.env, previous) if previous else None,
        "following": questions.link(app.env, following) if following else None,
    }
    context["in_english"] = not translation.has(edition, page)
    # The theme's edit and launch links: to the file that this page was made from.
    folder = "book/en" if context["in_english"] else f"book/{edition.code}"
    context["doc_path"] = options["path_to_docs"] = folder
    written_in = EDITIONS[0] if context["in_english"] else edition
    context["pageurl"] = f"{base}{written_in.code}/{page}.html"
    summary = findable.description(doctree)
    context |= {
        "description": summary,
        "card": f"{base}_static/{cards.of_page(page)}",
        "card_size": cards.SIZE,
        "card_words": cards.words(page) or pictures.words(doctree, page),
        "learning_resource": findable.learning_resource(
            written_in, _plain(context["title"]), summary, context["pageurl"], base
        ),
    }
    context["metatags"] += "".join(
        f'<link rel="alternate" hreflang="{tag}" href="{where}">\n'
        for tag, where in findable.alternates(base, page)
    )


def _plain(title: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", title))
