"""Builds the four editions when the root build, the landing page, is finished.

Each language is an ordinary Jupyter Book of its own, from the same `_config.yml` and the same
table of contents, so `<html lang>`, numbering and labels are right by construction. Sphinx keeps
global state, hence one fresh process for each, forked from one that has only imported all this.
"""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from jupyter_book.sphinx import build_sphinx
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util import logging

from book._ext.content import references
from book._ext.editions import translation
from book._ext.editions.catalogues import COMPILED, words
from book._ext.editions.languages import BOOK, EDITIONS, ROOT, Edition
from book._ext.site import address, anywhere, assets, findable, search, texts

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> None:
    """In the root build, build the editions last."""
    if not app.config.attn_edition:
        app.connect("build-finished", build_editions, priority=900)


def build_editions(app: Sphinx, exception: Exception | None) -> None:
    """Build every edition, publish it as `<outdir>/<code>/` and index the finished site.

    Raises:
        SphinxError: An edition failed, or gave a warning in a strict build.
    """
    if exception or app.builder.name != "html":
        return
    site = Path(app.outdir)
    work = site.parent / "editions"
    flags = {
        # With --keep-going Sphinx 7.4 clears warningiserror and counts the warnings itself.
        "warningiserror": app.warningiserror or app.keep_going,
        "keep_going": app.keep_going,
        "freshenv": app.fresh_env_used,
    }
    fresh = multiprocessing.get_context("forkserver")
    fresh.set_forkserver_preload([__name__])
    workers = min(len(EDITIONS), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=fresh, max_tasks_per_child=1) as pool:
        running = {
            edition: pool.submit(
                build_edition, edition, work / edition.code, flags, app.config.nitpicky
            )
            for edition in EDITIONS
        }
        failed = [edition.code for edition, build in running.items() if build.result()]
    if failed:
        raise SphinxError(f"editions failed: {', '.join(failed)} (see the messages above)")

    assets.assemble(site, {edition.code: work / edition.code / "html" for edition in EDITIONS})
    base = address.of_site(app.config)
    anywhere.write(site, base)
    findable.write_sitemap(site, base)
    texts.write(site, base, {edition.code: work / edition.code / "source" for edition in EDITIONS})
    for edition in EDITIONS:
        english = translation.untranslated(edition)
        note = f"; in English so far: {', '.join(english)}" if english else ""
        logger.info("edition %s: %s%s", edition.code, site / edition.code, note)
    search.index(site)


def build_edition(
    edition: Edition, work: Path, flags: dict[str, Any], nitpicky: bool, html: Path | None = None
) -> int:
    """Build one edition in this process, into `html` or the folder beside its sources.

    Returns:
        The exit status.
    """
    source = work / "source"
    translation.lay_out(edition, source)
    result = build_sphinx(
        source,
        html or work / "html",
        doctreedir=work / "doctrees",
        noconfig=True,
        path_config=ROOT / "_config.yml",
        confoverrides=settings(edition, _contents(edition, work)) | {"nitpicky": nitpicky},
        quiet=True,
        **flags,
    )
    return 2 if isinstance(result, Exception) else result


def _contents(edition: Edition, work: Path) -> Path:
    """Write the table of contents with the names of its parts in the edition's language."""
    contents = translation.contents()
    say = words(edition)
    for part in contents.get("parts", []):
        if "caption" in part:
            part["caption"] = say(part["caption"])
    path = work / "_toc.yml"
    path.write_text(yaml.safe_dump(contents, allow_unicode=True), encoding="utf-8")
    return path


def settings(edition: Edition, contents: Path) -> dict[str, Any]:
    """What the edition's Sphinx configuration has other than `_config.yml`."""
    say = words(edition)
    return {
        "attn_edition": edition.code,
        "language": edition.locale,
        "locale_dirs": [str(COMPILED)],
        "html_title": say("Attention at Your Fingertips"),
        "project": say("Attention at Your Fingertips"),
        "html_favicon": str(BOOK / "_static" / "favicon.svg"),
        "external_toc_path": str(contents),
        "bibtex_bibfiles": [str(BOOK / "references.bib")],
        "bibtex_reference_style": references.style(edition.code),
        "nb_code_prompt_show": say("Code"),
        # build_sphinx takes this key out of the overrides and fails without it.
        "latex_individualpages": False,
    }
