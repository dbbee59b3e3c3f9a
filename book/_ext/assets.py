"""Files that pages load, all from the site itself: MathJax, icons, the live figures.

MathJax comes whole in the wheel sphinx-mathjax-offline (15 MB). We publish the components that
typeset TeX to HTML and leave its menu out: 160 KB compressed instead of the 262 KB of its usual
bundle. The theme draws its icons by a script of 542 KB (compressed); our pages leave it out
(`book/_templates/static/webpack-macros.html`) and use its icon fonts, cut down to what they show.
"""

import logging
import re
from importlib.util import find_spec
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.fileutil import copy_asset

from book._ext.languages import BOOK, ROOT

LIBRARY = ROOT / "attn_lib"
THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
ICON_FONTS = ("fa-solid-900", "fa-brands-400")
MATHJAX = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions",
    "output/chtml.js",
    "output/chtml/fonts",
    "a11y/assistive-mml.js",
)


def setup(app: Sphinx) -> None:
    """Name the folders of our own files, and put the others' files in place."""
    app.connect("config-inited", _add_folders)
    if app.config.attn_edition:
        app.config.mathjax_path = "mathjax/startup.js"
        app.config.mathjax3_config = {
            "loader": {"load": ["input/tex", "output/chtml", "a11y/assistive-mml"]},
            # Words in a formula in the page's own font: TeX's lacks Vietnamese, Hangul and Han.
            "chtml": {"mtextInheritFont": True},
        }
        app.connect("builder-inited", _copy_files)
        app.connect("build-finished", _cut_icon_fonts)


def _add_folders(app: Sphinx, config: Config) -> None:
    config.templates_path.insert(0, str(BOOK / "_templates"))
    config.html_static_path.append(str(BOOK / "_static"))


def _copy_files(app: Sphinx) -> None:
    static = Path(app.outdir) / "_static"
    mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
    for component in MATHJAX:
        source, target = mathjax / component, static / "mathjax" / component
        folder = target if source.is_dir() else target.parent
        folder.mkdir(parents=True, exist_ok=True)
        copy_asset(source, folder)
    # As in the library, so that a figure's twin finds what figures share.
    copy_asset(LIBRARY / "frontend", static / "attn" / "frontend")
    for script in LIBRARY.glob("figures/*/*.js"):
        copy_asset(script, static / "attn" / "figures" / script.parent.name)
    # One style sheet: what figures share, then what each has of its own.
    sheets = [LIBRARY / "frontend/explorer.css", *sorted(LIBRARY.glob("figures/*/style.css"))]
    styles = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    (static / "attn/frontend/explorer.css").write_text(styles, encoding="utf-8")


def _cut_icon_fonts(app: Sphinx, exception: Exception | None) -> None:
    """Write the theme's icon fonts with only those glyphs that pages and styles name."""
    if exception:
        return
    static = Path(app.outdir) / "_static"
    stylesheet = static / "styles/pydata-sphinx-theme.css"
    styles = stylesheet.read_text(encoding="utf-8")
    # Its rules for the whole fonts, which are not there; those for ours stand in site.css.
    styles = re.sub(r"@font-face\{[^}]*/fontawesome/[^}]*\}", "", styles)
    stylesheet.write_text(styles, encoding="utf-8")
    pages = "".join(page.read_text(encoding="utf-8") for page in Path(app.outdir).rglob("*.html"))
    named = set(re.findall(r"\bfa-[a-z-]+", pages))
    glyphs = {ord(icon) for icon in re.findall(r'--pst-icon-[a-z-]+:"(.)"', styles)}
    for selector, code in re.findall(r'([^{}]*):before\{content:"\\([0-9a-f]{4})"\}', styles):
        if named & set(re.findall(r"fa-[a-z-]+", selector)):
            glyphs.add(int(code, 16))
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    for name in ICON_FONTS:
        options = subset.Options(flavor="woff", notdef_outline=True)
        font = subset.load_font(THEME / f"vendor/fontawesome/webfonts/{name}.ttf", options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=glyphs)
        subsetter.subset(font)
        subset.save_font(font, static / f"{name}.woff", options)
