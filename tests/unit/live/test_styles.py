"""The style of a figure is of that figure only, though a page may have several figures.

And it is quick: where `:has()` stands alone, a browser asks it of all elements above each change.
"""

import re
from pathlib import Path

import pytest

import attn_lib
from attn_lib.live.figures import FIGURES
from attn_lib.live.host import bundle

ROOT = Path(attn_lib.__file__).parent / "live"
SHARED = [*(ROOT / "host" / "templates").glob("*.html"), *(ROOT / "front").glob("*.js")]


def classes(text: str) -> set[str]:
    return set(re.findall(r"attn-[a-z0-9-]+", text))


def classes_used(paths: list[Path]) -> set[str]:
    return set().union(*(classes(path.read_text(encoding="utf-8")) for path in paths))


def used_by(name: str) -> set[str]:
    folder = ROOT / "figures" / name
    return classes_used([*folder.glob("*.html"), *folder.glob("*.js")])


def selectors(style: str) -> list[str]:
    """Return every selector of a style sheet, one by one."""
    bare = re.sub(r"/\*.*?\*/|@[a-z-]+ [^{]*\{", "", style, flags=re.DOTALL)
    outside = r",(?![^()]*(?:\([^()]*\)[^()]*)*\))"  # not within :is(…)
    rules = re.findall(r"([^{}]+)\{[^{}]*\}", bare)
    each = [one.strip() for rule in rules for one in re.split(outside, rule)]
    return [one for one in each if one not in {"from", "to"}]


def astray(style: str, name: str) -> list[str]:
    """Return the selectors that may reach another figure or what all figures share."""
    others = classes_used(SHARED).union(*(used_by(other) for other in FIGURES if other != name))
    return [
        selector
        for selector in selectors(style)
        if f'[data-figure="{name}"]' not in selector and not classes(selector) - others
    ]


@pytest.mark.parametrize("name", FIGURES)
def test_style_reaches_no_other_figure(name):
    style = bundle.stylesheet(name)
    assert astray(style, name) == []


def test_a_class_of_another_figure_is_found():
    printed = "@media print { .attn-tries, .attn-memory:is(.a, .b) { fill: red; } }"
    style = f".attn-cost-rule {{ top: 0; }}\n{printed}"
    assert astray(style, "cost") == [".attn-tries"]
    assert astray(style, "shapes") == [".attn-cost-rule", ".attn-tries", ".attn-memory:is(.a, .b)"]


def lonely(style: str) -> list[str]:
    """Return the selectors in which `:has()` is asked of elements of any kind."""
    return [one for one in selectors(style) if re.search(r"(^|[\s>+~,]|:is\(|:where\():has\(", one)]


@pytest.mark.parametrize("path", sorted(ROOT.glob("**/*.css")), ids=lambda path: path.parent.name)
def test_what_an_element_contains_is_asked_of_few(path):
    assert lonely(path.read_text(encoding="utf-8")) == []


def test_a_has_of_any_element_is_found():
    style = (
        ".a > :has(> .b) { top: 0; } .a:has(.b) .c, .a:not(:has(b)), :is(.d, :has(i)) { top: 0; }"
    )
    assert lonely(style) == [".a > :has(> .b)", ":is(.d, :has(i))"]
