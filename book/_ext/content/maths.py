r"""Formulas as MathML, made while the book is built: a page needs no script to show them.

TeX stays in the page as each formula's annotation, from which `book/_static/copy.js` takes what a
reader copies. Screen readers speak MathML by themselves. JupyterLab sets the notebooks' TeX with
the MathJax it brings along.
"""

import re

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)
converter = LatexToMathML(annotation=True, fancy_error=False)

ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
# Sphinx numbers equations; the converter would count those of these environments anew on each.
NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|alignat|gather|multline|flalign)\}")


def setup(app: Sphinx) -> None:
    """Take the place of MathJax, which is Sphinx's own choice."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.config.html_math_renderer = "mathml"


def mathml(tex: str, display: bool) -> str:
    """Convert a formula.

    Raises:
        LatexError: The converter does not know what the formula asks for.
    """
    return converter.convert_with_local_state(tex.strip(), displaystyle=display)


def complete(tex: str) -> str:
    r"""The TeX of a displayed formula with the environment that Sphinx leaves out.

    Blank lines part equations below each other. Within one, `\\` and `&` need an environment
    around them, unless they stand in one of their own.
    """
    parts = [_aligned(part) for part in tex.split("\n\n") if part.strip()]
    return parts[0] if len(parts) == 1 else _wrapped("\\\\\n".join(parts))


def _aligned(part: str) -> str:
    outside = ENVIRONMENT.sub("", part)
    return _wrapped(part) if r"\\" in outside or "&" in outside else part


def _wrapped(rows: str) -> str:
    return f"\\begin{{aligned}}\n{rows.strip()}\n\\end{{aligned}}"


def _converted(writer: HTML5Translator, node: nodes.Element, tex: str, display: bool) -> str:
    try:
        return mathml(tex, display)
    except LatexError as error:
        logger.warning("formula %s: %s", tex, error, location=node)
        return f"<code>{writer.encode(tex)}</code>"


def _inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate"))
    writer.body.append(f"{_converted(writer, node, node.astext(), False)}</span>")
    raise nodes.SkipNode


def _display(writer: HTML5Translator, node: nodes.math_block) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="math notranslate"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, _("Link to this equation"))
        writer.body.append("</span>")
    # A formula that comes with its environment is MyST's amsmath: complete as it stands.
    own = NUMBERED.sub(r"\\\1{\2*}", node.astext())
    tex = own if node["nowrap"] else complete(own)
    writer.body.append(f"{_converted(writer, node, tex, True)}</div>\n")
    raise nodes.SkipNode
