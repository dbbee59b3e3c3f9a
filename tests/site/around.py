"""The words around a chapter, and which of them are English."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, NavigableString, Tag

# English words of the theme, its extensions and our own templates. "Binder", "Ctrl", file
# suffixes and the licences' names are the same in every language.
ENGLISH = re.compile(
    r"\b(about|announcement|back|by|chapters?|click|code|collapse|colou?r|contents?|copied|copy|"
    r"dark|download|edit|error|exercise|expand|figure|fig|fullscreen|hide|home|index|issue|"
    r"language|launch|licen[cs]e|light|link|main|menu|mode|navigation|next|note|notebook|open|"
    r"page|permalink|previous|print|read|references|repository|search|section|settings|show|"
    r"sidebar|site|skip|solution|source|suggest|system|table|text|theme|tip|title|to|toggle|top|"
    r"translated|version|warning|your)\b",
    re.IGNORECASE,
)
ALLOWED = {"en": set(), "vi": {"notebook"}, "ko": set(), "zh": set()}

# The chapter itself, and what repeats chapter titles. The live figures have tests of their own.
SKIPPED = """article, script, style, noscript, .bd-toc, #jb-print-docs-body h1,
    #jb-print-docs-body nav, .attn-neighbour, .attn-next__question, .bd-docs-nav ul,
    .attn-languages li, .navbar-brand"""
SHOWN_OR_SPOKEN = [
    *("title", "aria-label", "placeholder", "alt", "data-bs-title", "data-tooltip"),
    *("data-bs-original-title", "data-none", "data-found", "data-failed", "data-disk"),
]


def phrases(html: BeautifulSoup) -> list[str]:
    """Every text and every attribute that is shown or spoken outside the chapter."""

    def walk(element: Tag) -> Iterator[str]:
        if element.css.match(SKIPPED):
            return
        yield from (element[name] for name in SHOWN_OR_SPOKEN if element.has_attr(name))
        for node in element.children:
            if isinstance(node, Tag):
                yield from walk(node)
            elif type(node) is NavigableString and node.strip():
                yield node.strip()

    return list(walk(html.body))


def english_words(said: list[str], language: str) -> set[str]:
    """The English words among phrases, but for those that the language has too."""
    text = "\n".join(said).replace("CC BY", "")
    return {word.lower() for word in ENGLISH.findall(text)} - ALLOWED[language]
