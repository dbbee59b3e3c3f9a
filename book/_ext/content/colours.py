"""Code in colours: what has the colour of all of it, in both themes, gets no element of its own.

Names, brackets and blanks are most of a program, and most of a page's elements.
"""

from functools import cache

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import Generic, Text, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

# The theme's own (pydata_sphinx_theme, theme.conf).
STYLES = ("a11y-high-contrast-light", "a11y-high-contrast-dark")


@cache
def is_plain(token: _TokenType) -> bool:
    """Say whether a kind of token looks like the text around it; lines of a diff never do."""
    if token in (Generic.Deleted, Generic.Inserted):
        return False
    styles = [get_style_by_name(name) for name in STYLES]
    return all(style.style_for_token(token) == style.style_for_token(Text) for style in styles)


class Coloured(HtmlFormatter):
    """Writes an element for what has a colour of its own."""

    def _get_css_classes(self, ttype: _TokenType) -> str:
        return "" if is_plain(ttype) else super()._get_css_classes(ttype)


def setup(app: Sphinx) -> None:
    """Write code so from now on; Sphinx has no event for it."""
    PygmentsBridge.html_formatter = Coloured
