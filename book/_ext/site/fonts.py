"""The site's fonts, each cut down to the characters that its pages show.

The letters of formulas come from STIX Two Math, which knows how large a bracket or a root grows;
no system has such a font on all its machines. It is taken from the wheel ziamath. The icons are
the theme's Font Awesome: as fonts they need no script. Text is set in the reader's own fonts.
"""

import html
import logging
import re
import unicodedata
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import matplotlib as mpl
import pydata_sphinx_theme
from fontTools import subset
from fontTools.ttLib import TTFont

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
ICON_FONTS = ("fa-solid-900", "fa-brands-400")
MATHS_FONT = Path(find_spec("ziamath").origin).parent / "fonts/STIXTwoMath-Regular.ttf"
LICENCE = Path(mpl.get_data_path()) / "fonts/ttf/LICENSE_STIX"  # holds the whole Open Font License
COPYRIGHT, LICENCE_LINE, LICENCE_ADDRESS = 0, 13, 14  # of a font's table of names

PRIME, ROOT = ord("′"), "√"

# MathML sets a single letter in the italics that Unicode has for it: 𝑥 for <mi>x</mi>.
ITALICS = {"h": "ℎ"} | {
    chr(int(plain[1], 16)): chr(code)
    for block in (range(0x1D434, 0x1D468), range(0x1D6E2, 0x1D71C))
    for code in block
    if (plain := unicodedata.decomposition(chr(code)).split())
}


def cut(static: Path, pages: list[str], styles: str) -> None:
    """Write all fonts, and the notice that their licence asks for, into a `_static` folder.

    `styles` are the theme's, which say what code each icon has.
    """
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    sources = {name: THEME / f"vendor/fontawesome/webfonts/{name}.ttf" for name in ICON_FONTS}
    shown = icons(pages, styles)
    for name, source in sources.items():
        _subset(source, static / f"{name}.woff2", shown)
    _subset(MATHS_FONT, static / "maths.woff2", {ord(sign) for sign in signs(pages)})
    notice = "\n".join([*map(_notice, (MATHS_FONT, *sources.values())), _open_font_licence()])
    (static / "fonts.txt").write_text(notice, encoding="utf-8")


def signs(pages: Iterable[str]) -> set[str]:
    """The characters of all formulas but for words, which stand in the font of the text."""
    found: set[str] = set()
    for page in pages:
        for formula in re.findall(r"<math\b.*?</math>", page, re.DOTALL):
            shown = re.sub(r"<(mtext|annotation)\b.*?</\1>", "", formula, flags=re.DOTALL)
            found |= set(html.unescape(re.sub(r"<[^>]*>", "", shown)))
            found |= {ROOT} if "<msqrt" in shown or "<mroot" in shown else set()
            letters = re.findall(r"<mi>(.|&\w+;)</mi>", shown)
            found |= {ITALICS.get(html.unescape(letter), "") for letter in letters}
    return found - {"", "\n", " "}


def icons(pages: Iterable[str], styles: str) -> set[int]:
    """The codes of the icons that pages and styles name."""
    named = {name for page in pages for name in re.findall(r"\bfa-[a-z-]+", page)}
    codes = {ord(icon) for icon in re.findall(r'--pst-icon-[a-z-]+:\s*"(.)"', styles)}
    for selector, code in re.findall(r'([^{}]*):before\{content:"\\([0-9a-f]{4})"\}', styles):
        if named & set(re.findall(r"fa-[a-z-]+", selector)):
            codes.add(int(code, 16))
    return codes


def _subset(source: Path, target: Path, codes: set[int]) -> None:
    options = subset.Options(
        flavor="woff2",
        notdef_outline=True,
        hinting=False,  # a quarter of the bytes, of use to screens of the last century
        layout_features=[],
        name_IDs=[COPYRIGHT, 1, 2, LICENCE_LINE, LICENCE_ADDRESS],
        recalc_timestamp=False,  # the same pages give the same bytes
    )
    font = subset.load_font(source, options)
    _use_raised_prime(font)
    _keep_the_smallest_root(font)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    subset.save_font(font, target, options)


def _use_raised_prime(font: TTFont) -> None:
    """Draw a prime as the font does in superscripts, where it always stands.

    Browsers do not ask for these forms (OpenType's ssty) by themselves. Those of letters double the
    bytes and are left out: letters scale well.
    """
    for table in font["cmap"].tables:
        if table.cmap.get(PRIME) == "minute":
            table.cmap[PRIME] = "minute.ssty"


def _keep_the_smallest_root(font: TTFont) -> None:
    """Leave out the larger forms of the root.

    A browser reserves the width of the widest one for every root, which leaves a gap behind it, and
    what stands under ours is one line high.
    """
    if "MATH" not in font:
        return
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord(ROOT)]
    construction = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    construction.MathGlyphVariantRecord = construction.MathGlyphVariantRecord[:1]
    construction.VariantCount = 1
    construction.GlyphAssembly = None


def _notice(source: Path) -> str:
    names = TTFont(source)["name"]
    lines = [names.getDebugName(name) for name in (4, COPYRIGHT, LICENCE_LINE, LICENCE_ADDRESS)]
    return "\n".join(line for line in dict.fromkeys(lines) if line) + "\n"


def _open_font_licence() -> str:
    text = LICENCE.read_text(encoding="utf-8")
    return text[text.index("SIL OPEN FONT LICENSE Version 1.1") :]
