"""What every page of an edition gets: switcher, alternates, notices, words and scripts."""

import json
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from book._ext import translation
from book._ext.catalogues import words
from book._ext.languages import EDITIONS, Edition


def setup(app: Sphinx) -> None:
    """Prepare the context of each page before the theme renders its components with it."""
    app.connect("config-inited", _base_address)
    app.connect("config-inited", _repository_links, priority=400)  # extlinks makes roles of them
    app.connect("builder-inited", _copy_button_words)
    app.connect("html-page-context", _complete, priority=400)


def _edition(app: Sphinx) -> Edition:
    return next(edition for edition in EDITIONS if edition.code == app.config.attn_edition)


def _base_address(app: Sphinx, config: Config) -> None:
    """Where the edition is published: by `html.baseurl`, else on the repository's Pages."""
    base = config.html_baseurl
    if not base:
        repository = urlsplit(config.html_theme_options["repository_url"])
        owner, name = repository.path.strip("/").split("/")[:2]
        base = f"https://{owner}.github.io/{name}/"
    config.html_baseurl = f"{base}{config.attn_edition}/"


def _repository_links(app: Sphinx, config: Config) -> None:
    """`` {repository}`CONTRIBUTING.md` `` links to a file of the repository that the book is in."""
    options = config.html_theme_options
    files = f"{options['repository_url']}/blob/{options['repository_branch']}/%s"
    config.extlinks = {"repository": (files, "%s")}


def _copy_button_words(app: Sphinx) -> None:
    """sphinx-copybutton has no Vietnamese and no Korean: put our words in place of its English."""
    say = words(_edition(app))
    messages = {
        "copy": say("Copy"),
        "copy_to_clipboard": say("Copy"),
        "copy_success": say("Copied"),
        "copy_failure": say("Could not copy"),
    }
    body = f"Object.assign(messages[locale], {json.dumps(messages, ensure_ascii=False)});"
    app.add_js_file(None, body=body, priority=600)


def _complete(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    edition = _edition(app)
    options = app.config.html_theme_options
    up = "../" * (page.count("/") + 1)
    base = app.config.html_baseurl.removesuffix(f"{edition.code}/")
    context |= {
        "say": words(edition),
        "edition": edition,
        "editions": [(other, f"{up}{other.code}/{page}.html") for other in EDITIONS],
        "code_licence": f"{options['repository_url']}/blob/{options['repository_branch']}/LICENSE",
        "pages_load_figures": "<attn-explorer" in context.get("body", ""),
    }
    if doctree is None:
        return
    context["in_english"] = translation.source(edition, page) is None
    # The theme's edit and launch links: to the file that this page was made from.
    folder = "book/en" if context["in_english"] else f"book/{edition.code}"
    context["doc_path"] = options["path_to_docs"] = folder
    context["metatags"] += "".join(
        f'<link rel="alternate" hreflang="{other.tag}" href="{base}{other.code}/{page}.html">\n'
        for other in EDITIONS
    )
