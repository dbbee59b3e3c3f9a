"""Formulas: set while the book is built, in a font that holds their signs; copied as TeX."""

import html
import re
import unicodedata
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from math_core import LatexError
from playwright.sync_api import expect
from reader import LANGUAGES, Visit

from book._ext.content import maths
from book._ext.site import fonts

CHAPTER = "additive-attention"


@pytest.mark.parametrize(
    ("tex", "completed"),
    [
        ("a = b", "a = b"),
        (r"a &= b \\ c &= d", "\\begin{aligned}\na &= b \\\\ c &= d\n\\end{aligned}"),
        (r"\begin{cases} 0 \\ 1 \end{cases}", r"\begin{cases} 0 \\ 1 \end{cases}"),
        ("a\n\nb", "\\begin{aligned}\na\\\\\nb\n\\end{aligned}"),
    ],
)
def test_a_formula_gets_the_environment_that_it_needs(tex: str, completed: str) -> None:
    assert maths.complete(tex) == completed
    assert "<math" in maths.mathml(completed, display=True)


def test_a_formula_that_cannot_be_set_is_an_error() -> None:
    with pytest.raises(LatexError, match="nosuchcommand"):
        maths.mathml(r"\nosuchcommand", display=False)


def test_the_font_is_asked_for_every_sign_of_a_formula() -> None:
    page = maths.mathml(r"\sqrt{x} < \text{từ} + \varepsilon + h", display=False)
    assert fonts.signs([page]) == set("√x𝑥<+ε𝜀hℎ")


def test_a_root_leaves_no_gap_behind_it(site_folder: Path) -> None:
    """Browsers keep the room of the widest form; one line under it needs the smallest."""
    with TTFont(site_folder / "_static/maths.woff2") as font:
        variants = font["MATH"].table.MathVariants
        at = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
        assert len(variants.VertGlyphConstruction[at].MathGlyphVariantRecord) == 1
        assert variants.VertGlyphConstruction[at].GlyphAssembly is None
    pages = [path.read_text(encoding="utf-8") for path in site_folder.glob("??/*.html")]
    roots = [root for page in pages for root in re.findall(r"<msqrt>.*?</msqrt>", page, re.DOTALL)]
    assert len(roots) > 100
    assert [root for root in roots if re.search("<m(frac|table|underover)", root)] == []


def test_no_script_sets_formulas(site_folder: Path) -> None:
    everything = "".join(path.read_text(encoding="utf-8") for path in site_folder.rglob("*.html"))
    assert "mathjax/" not in everything
    assert not list(site_folder.rglob("*athjax*"))


def test_the_font_holds_every_sign(site_folder: Path) -> None:
    font = TTFont(site_folder / "_static/maths.woff2")
    assert "MATH" in font, "without it nothing stretches"
    pages = [path.read_text(encoding="utf-8") for path in site_folder.glob("??/*.html")]
    shown: set[str] = set()
    for formula in re.findall(r"<math\b.*?</math>", "".join(pages), re.DOTALL):
        formula = re.sub(r"<(annotation|mtext)\b.*?</\1>", "", formula, flags=re.DOTALL)
        shown |= set(html.unescape(re.sub("<[^>]*>", "", formula)))
    drawn = {sign for sign in shown if unicodedata.category(sign) not in {"Cf", "Mn", "Zs", "Cc"}}
    assert len(drawn) > 80
    assert {sign for sign in drawn if ord(sign) not in font.getBestCmap()} == set()


def test_the_fonts_come_with_their_licence(site_folder: Path) -> None:
    notice = (site_folder / "_static/fonts.txt").read_text(encoding="utf-8")
    assert "The STIX Fonts Project Authors" in notice
    assert "SIL OPEN FONT LICENSE Version 1.1" in notice
    names = TTFont(site_folder / "_static/maths.woff2")["name"]
    assert "Open Font License" in names.getDebugName(fonts.LICENCE_LINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_formulas_are_drawn_in_their_font(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html")
    expect(page.locator("math").first).to_be_visible()
    loaded = "[...document.fonts].filter((f) => f.family == 'Maths').map((f) => f.status)"
    assert page.evaluate(loaded) == ["loaded"]
    # Sums stand above and below, fractions are higher than a line: the browser lays MathML out.
    heights = page.locator("div.math math").evaluate_all(
        "(all) => all.map((math) => math.getBoundingClientRect().height)"
    )
    assert max(heights) > 2 * min(heights) > 0


def test_an_equation_is_reached_by_its_number(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    link = page.locator("article a[href^='#equation-']:not(.headerlink)").first
    number = link.inner_text()
    equation = page.locator(f"[id='{link.get_attribute('href')[1:]}']")
    assert number.strip("()") in equation.locator(".eqno").inner_text()


def test_a_copied_formula_is_tex(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    copied = page.evaluate(
        """() => {
          const formula = document.querySelector("article p span.math");
          getSelection().selectAllChildren(formula.closest("p, li"));
          const event = new ClipboardEvent("copy",
            { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
          formula.dispatchEvent(event);
          return [formula.querySelector("annotation").textContent, event.defaultPrevented,
            event.clipboardData.getData("text/plain"), event.clipboardData.getData("text/html")];
        }"""
    )
    tex, handled, text, rich = copied
    assert handled
    assert f"${tex}$" in text
    assert text.count(tex) == 1
    assert "<math" in rich
    assert page.locator(".attn-unseen").count() == 0
