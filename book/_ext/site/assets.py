"""Puts the finished editions together to one site, whose pages share what they load.

All styles, scripts, fonts and pictures lie once, beside the editions' folders: a reader who changes
the language downloads only other words. What packages bring along is not published: their scripts
are replaced by `book/_static/frame.js` and `copy.js`, their styles by what `styles` keeps of them,
their fonts by what `fonts` cuts out.
"""

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from attn_lib.live.host import files
from book._ext.content import own_sentence
from book._ext.editions import translation
from book._ext.editions.languages import BOOK
from book._ext.site import cards, fonts, judges, scripts, styles

NOT_PUBLISHED = shutil.ignore_patterns("_static", ".buildinfo", "searchindex.js", "*.inv")


def setup(app: Sphinx) -> None:
    """Find our templates and files, and take the packages' files out of the pages."""
    app.connect("config-inited", _add_folders)
    if app.config.attn_edition:
        app.connect("html-page-context", _load_only_ours, priority=900)  # after all who add some


def _add_folders(app: Sphinx, config: Config) -> None:
    config.templates_path.insert(0, str(BOOK / "_templates"))
    config.html_static_path.append(str(BOOK / "_static"))


def _load_only_ours(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Leave the packages' scripts and styles out; `layout.html` names ours."""
    context["script_files"] = []
    context["css_files"] = []


def assemble(site: Path, built: dict[str, Path]) -> None:
    """Publish each built edition as `<site>/<code>/`, and beside them what they share."""
    for code, folder in built.items():
        shutil.rmtree(site / code, ignore_errors=True)
        shutil.copytree(folder, site / code, ignore=NOT_PUBLISHED)
        _share_pictures(site / code, site)
    pages = {
        path: path.read_text(encoding="utf-8")
        for code in built
        for path in sorted((site / code).rglob("*.html"))
    }
    brought = next(iter(built.values())) / "_static"
    _share_files(site / "_static", brought, list(pages.values()))
    cards.draw(site / "_static", translation.pages())
    fonts.cut(site / "_static", list(pages.values()), styles.of_theme(brought))
    styles.write(site / "_static", brought, list(pages.values()))
    for path, text in pages.items():
        path.write_text(_addressed(text, path, site), encoding="utf-8")


def _share_pictures(edition: Path, site: Path) -> None:
    """Move pictures to the site's root, but for one whose name stands for another picture there."""
    for path in sorted((edition / "_images").glob("*")):
        target = site / "_images" / path.name
        target.parent.mkdir(exist_ok=True)
        if not target.exists():
            path.rename(target)
        elif target.read_bytes() == path.read_bytes():
            path.unlink()


def _share_files(static: Path, brought: Path, pages: list[str]) -> None:
    """Fill the site's `_static` with our files and the few of the packages that pages name."""
    shutil.copytree(BOOK / "_static", static, dirs_exist_ok=True)
    write_figures(static)
    for path in sorted(static.rglob("*.js")):
        lean = scripts.without_comments(path.read_text(encoding="utf-8"))
        path.write_text(lean, encoding="utf-8")
    judges.write(static)
    shutil.copy2(own_sentence.FILE, static / "sentence")
    for path in (BOOK / "pictures").glob("*.svg"):  # on a page they are part of it
        (static / "pictures").mkdir(exist_ok=True)
        shutil.copy2(path, static / "pictures")
    for path in sorted((static / "attn").rglob("*.css")):
        lean = styles.without_comments(path.read_text(encoding="utf-8"))
        path.write_text(lean, encoding="utf-8")
    for name in {name for page in pages for name in re.findall(r'="[./]*_static/([^"?#]+)', page)}:
        if (brought / name).exists() and not (static / name).exists():
            (static / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(brought / name, static / name)


def write_figures(static: Path) -> None:
    """Write the scripts and styles of the live figures, and what they load."""
    for name, text in files.files().items():
        path = static / "attn" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _addressed(page: str, path: Path, site: Path) -> str:
    """The page with the addresses of what it shares."""

    def shared(match: re.Match[str]) -> str:
        up, name = match.groups()
        return match[0] if (path.parent / up / name).exists() else f'="{up}../{name}'

    page = re.sub(r'="((?:\.\./)*)(_images/[^"?#]+)', shared, page)
    return re.sub(r'="((?:\.\./)*)(_static/[^"?#]+)', shared, page)
