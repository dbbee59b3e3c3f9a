"""One style sheet for all pages: what they use of the packages' styles, and ours whole.

The packages bring 100 KB (compressed) of rules, of which our pages use a third. A rule stays if
every class and id that it asks for occurs in a page or in one of our scripts.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import tinycss2
from tinycss2.ast import AtRule, Node, QualifiedRule

from attn_lib.live.host import bundle

NAME = "book.css"
# In the order in which the packages' rules override each other; ours come last, their tokens first.
THEME = "styles/pydata-sphinx-theme.css"
PACKAGES = (
    "basic.css",
    THEME,
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "mystnb.*.css",
    "exercise.css",
)
OURS = ("site.css", "questions.css", "frame.css", "maths.css", "handout.css", "scores.css")
PROPERTY = re.compile(r"(--[\w-]+)\s*:((?:[^;{}\"']|\"[^\"]*\"|'[^']*')*)(;|(?=\}))")
GROUPS = {"media", "supports", "layer", "container"}


def write(static: Path, brought: Path, pages: list[str]) -> None:
    """Make the style sheet in the folder `static` of our files.

    Args:
        static: The site's `_static`, with our own styles and all scripts.
        brought: An edition's `_static`, with the styles of the packages.
        pages: All pages.

    Raises:
        FileNotFoundError: A package no longer has the style sheet that it had.
    """
    scripts = [path.read_text(encoding="utf-8") for path in sorted(static.rglob("*.js"))]
    known = names(pages, scripts)
    packages = [purged(_read(brought, name), known) for name in PACKAGES]
    ours = [without_comments(text) for text in _ours(static)]
    for name in OURS:
        (static / name).unlink()
    styles = without_unused_properties(packages, ours)
    # Sphinx's own list of search hits, which no page shows, names a picture that is not published.
    styles = styles.replace("background-image: url(file.png);", "")
    (static / NAME).write_text(_with_icons(styles, static), encoding="utf-8")


def write_all(static: Path) -> None:
    """Make the style sheet of all rules, used or not, in a folder with the packages' and ours."""
    sheets = [*(_read(static, name) for name in PACKAGES), *_ours(static)]
    (static / NAME).write_text("\n".join(sheets), encoding="utf-8")


def _with_icons(styles: str, static: Path) -> str:
    """The styles with the icons' small fonts in them.

    As files they would come when the first screen is laid out, with other fonts in their place, and
    a phone would look for these first.
    """

    def embedded(match: re.Match[str]) -> str:
        font = static / match[1]
        data = b64encode(font.read_bytes()).decode("ascii")
        font.unlink()
        return f'url("data:font/woff2;base64,{data}")'

    return re.sub(r'url\("(fa-[\w-]+\.woff2)"\)', embedded, styles)


def without_comments(styles: str) -> str:
    """The styles without their comments, which are a fifth of the bytes, compressed."""
    return tinycss2.serialize(tinycss2.parse_component_value_list(styles, skip_comments=True))


def _ours(static: Path) -> list[str]:
    return [bundle.tokens(), *(_read(static, name) for name in OURS)]


def of_theme(brought: Path) -> str:
    """The theme's styles as they came."""
    return _read(brought, THEME)


def _read(folder: Path, pattern: str) -> str:
    path = next(folder.glob(pattern), None)
    if path is None:
        raise FileNotFoundError(f"no {pattern} in {folder}: is it still part of its package?")
    return path.read_text(encoding="utf-8")


def names(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """The classes and ids of pages, and all words of scripts, which may become some."""
    listed = [match for page in pages for match in re.findall(r'\b(?:class|id)="([^"]*)"', page)]
    return {word for text in [*listed, *scripts] for word in re.findall(r"[\w-]+", text)}


def purged(styles: str, known: set[str]) -> str:
    """The rules that can apply to something."""
    rules = tinycss2.parse_stylesheet(styles, skip_comments=True, skip_whitespace=True)
    return "\n".join(_rules(rules, known))


def _rules(rules: Iterable[Node], known: set[str]) -> Iterator[str]:
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            kept = [part for part in _selectors(rule.prelude) if asked(part) <= known]
            if kept:
                prelude = ",".join(_text(part) for part in kept)
                yield f"{prelude}{{{_text(rule.content)}}}"
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in GROUPS and rule.content:
            inside = tinycss2.parse_rule_list(
                rule.content, skip_comments=True, skip_whitespace=True
            )
            if kept := list(_rules(inside, known)):
                yield f"@{rule.at_keyword} {_text(rule.prelude)}{{{''.join(kept)}}}"
        elif isinstance(rule, AtRule) and rule.lower_at_keyword == "keyframes":
            yield rule.serialize()
        # Fonts of the packages are not published, and imports are in PACKAGES.


def _selectors(prelude: list[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def asked(selector: list[Node]) -> set[str]:
    """The classes and ids without which a selector finds nothing."""
    tokens = [token for token in selector if token.type != "comment"]
    ids = {token.value for token in tokens if token.type == "hash"}
    classes = {
        name.value
        for dot, name in pairwise(tokens)
        if dot.type == "literal" and dot.value == "." and name.type == "ident"
    }
    return ids | classes


def without_unused_properties(packages: list[str], ours: list[str]) -> str:
    """All styles, less the packages' custom properties (--pst-...) that nothing reads."""
    while True:
        read = set(re.findall(r"var\(\s*(--[\w-]+)", "".join(packages + ours)))
        read |= {word for text in ours for word in re.findall(r"--[\w-]+", text)}
        shorter = [_without_properties(text, read) for text in packages]
        if shorter == packages:
            return "\n".join(packages + ours)
        packages = shorter  # those that only these read are now unused as well


def _without_properties(styles: str, read: set[str]) -> str:
    return PROPERTY.sub(lambda match: match[0] if match[1] in read else "", styles)


def _text(tokens: list[Node]) -> str:
    return re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()
