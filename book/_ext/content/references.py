"""Citations in the words of an edition's language: Bahdanau 외(2015), Bahdanau等（2015）.

The list of references itself stays as its authors wrote it.
"""

from dataclasses import dataclass, field

from pybtex.richtext import Text
from sphinx.application import Sphinx
from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle


@dataclass
class Vietnamese(AuthorYearReferenceStyle):
    """Gal và Ghahramani [2016]."""

    person: PersonStyle = field(default_factory=lambda: PersonStyle(sep2=" và "))


@dataclass
class Korean(AuthorYearReferenceStyle):
    """Bahdanau 외(2015). A dot joins two names, since 와 and 과 would follow their sound."""

    bracket_textual: BracketStyle = field(default_factory=lambda: BracketStyle("(", ")"))
    bracket_parenthetical: BracketStyle = field(default_factory=lambda: BracketStyle(sep="; "))
    person: PersonStyle = field(
        default_factory=lambda: PersonStyle(sep2="·", other=Text("\u00a0외"))
    )
    text_reference_sep: str = ""


@dataclass
class Chinese(AuthorYearReferenceStyle):
    """Bahdanau等（2015）."""

    bracket_textual: BracketStyle = field(default_factory=lambda: BracketStyle("（", "）"))
    bracket_parenthetical: BracketStyle = field(default_factory=lambda: BracketStyle(sep="；"))
    person: PersonStyle = field(default_factory=lambda: PersonStyle(sep2="和", other=Text("等")))
    author_year_sep: str = "，"
    text_reference_sep: str = ""


STYLES = {"vi": Vietnamese, "ko": Korean, "zh": Chinese}


def style(code: str) -> str:
    """The name of an edition's style, for Sphinx's configuration."""
    return f"attn_{code}" if code in STYLES else "author_year"


def setup(app: Sphinx) -> None:
    """Make the styles known; `editions` chooses one."""
    for code, own in STYLES.items():
        register_plugin("sphinxcontrib.bibtex.style.referencing", style(code), own)
