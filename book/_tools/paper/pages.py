"""From the built pages of an edition to one page: ids made unique, links turned inwards."""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin

from bs4 import BeautifulSoup, Tag

from book._tools.paper.stills import Stills

# Of no use on paper: what opens, copies and moves, and what a page without script falls back on.
LEFT_OUT = (
    "a.headerlink, script, link, .toctree-wrapper, .attn-start, .attn-prediction > .attn-stack,"
    ".attn-failed, .attn-body > .attn-controls, .attn-bar, .attn-announcement,"
    ".attn-tabs > input, .attn-wall[hidden], .attn-claim"
)
REFERRING = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers")
SAY = "data-say"  # a text with a slot for the page of what the element links to


@dataclass
class Chapter:
    """One page of the site on its way to paper."""

    name: str
    title: str
    body: Tag
    address: str  # where it is published
    styles: list[str]
    figures: list[str]


def read(path: Path) -> Chapter:
    """Read a built page."""
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    body = _one(page, "article.bd-article")
    heading = copy(_one(body, "h1"))
    for mark in heading.select(".headerlink"):
        mark.decompose()
    return Chapter(
        path.stem,
        heading.get_text(),
        body,
        str(_one(page, "link[rel=canonical]")["href"]),
        [str(link["href"]) for link in page.select("link[rel=stylesheet]")],
        [str(figure["data-figure"]) for figure in body.select("attn-explorer")],
    )


def prepare(chapter: Chapter, stills: Mapping[str, Stills], move: str) -> None:
    """Make a chapter readable without a script.

    Args:
        chapter: It is changed.
        stills: Its figures as they look.
        move: The sentence that says where a figure can be moved, with a slot `{address}`.
    """
    for figure in chapter.body.select("attn-explorer"):
        _still(figure, stills[str(figure["data-figure"])])
        line = f'<p class="attn-move">{where_it_moves(chapter, figure, move)}</p>'
        _one(figure, "figcaption").insert_after(BeautifulSoup(line, "html.parser"))
    settle(chapter)


def where_it_moves(chapter: Chapter, figure: Tag, sentence: str) -> str:
    """The sentence with a slot `{address}` that leads to a figure on its page, as HTML."""
    address = f"{chapter.address}#{figure['data-figure']}"
    return sentence.format(address=f'<a href="{address}">{address}</a>')


def settle(chapter: Chapter, left_out: str = LEFT_OUT) -> None:
    """Leave out what only a page on a screen has, open its boxes and make its ids its own."""
    for element in chapter.body.select(left_out):
        element.decompose()
    for box in chapter.body.select("details"):
        _open(box)
    _rename(chapter.body, f"{chapter.name}--")


def _still(figure: Tag, stills: Stills) -> None:
    if figure.select_one(".attn-say"):
        _ask_above(figure)
    for selector, html, prefix in (
        (".attn-body > .attn-view", stills.first, ""),
        (".attn-surprise > .attn-view", stills.surprise, "surprise-"),
    ):
        view = BeautifulSoup(html, "html.parser")
        if prefix:
            _rename(view, prefix)
        _one(figure, selector).replace_with(view)
    # The question, with its answers as text.
    asked = _one(figure, ".attn-prediction:has(> .attn-asked)")
    del asked["hidden"]
    asked["class"] = "attn-prediction"


def _ask_above(figure: Tag) -> None:
    """Put what lies on the picture of a figure above it, as text."""
    say, bets = _one(figure, ".attn-say"), figure.select(".attn-body .attn-bet > span")
    for verdict in say.select(".attn-verdict"):
        verdict.decompose()
    caption = _one(say, ".attn-caption").extract()
    caption.name = "figcaption"
    _one(figure, "figure").append(caption)
    say["class"] = "attn-prediction"
    say.append(_list(bet.get_text() for bet in bets))
    _one(figure, ".attn-foot").decompose()


def _list(texts: Iterable[str]) -> Tag:
    made = BeautifulSoup("<ul></ul>", "html.parser").ul
    assert made is not None
    for text in texts:
        item = BeautifulSoup("<li></li>", "html.parser").li
        assert item is not None
        item.string = text.strip()
        made.append(item)
    return made


def _open(box: Tag) -> None:
    """A closed box becomes an open one that cannot be closed."""
    summary = _one(box, "summary")
    if "attn-code" in box.get_attribute_list("class"):
        summary.decompose()
    else:
        summary.name = "div"
        summary["class"] = "attn-fold-title"
    box.name = "div"


def _rename(tree: Tag, prefix: str) -> None:
    """Put a prefix before all ids of a tree, and before what refers to them."""
    names = {str(element["id"]) for element in tree.select("[id]")}
    for element in tree.find_all(True):
        if "id" in element.attrs:
            element["id"] = prefix + str(element["id"])
        for attribute in REFERRING:
            if attribute in element.attrs:
                words = " ".join(element.get_attribute_list(attribute)).split()
                element[attribute] = " ".join(prefix + word for word in words)
        for attribute, value in element.attrs.items():
            if isinstance(value, str) and "url(#" in value:
                element[attribute] = re.sub(r"url\(#", f"url(#{prefix}", value)
        href = element.get("href")
        if isinstance(href, str) and unquote(href[1:]) in names and href.startswith("#"):
            element["href"] = f"#{prefix}{unquote(href[1:])}"


def solutions(chapter: Chapter, to_solution: str, to_exercise: str) -> list[Tag]:
    """Take the solutions out of a prepared chapter.

    Args:
        chapter: Links to the solutions take their place.
        to_solution: The words of such a link, with a slot `{number}` for the page.
        to_exercise: The words of the link back.

    Raises:
        ValueError: A solution belongs to no exercise.
    """
    found = []
    for solution in chapter.body.select(".solution.attn-fold"):
        exercise = solution.find_previous(class_="exercise")
        if exercise is None or "id" not in exercise.attrs:
            raise ValueError(f"{solution['id']}: there is no exercise before it")
        forth = _link(str(solution["id"]), to_solution)
        solution.replace_with(forth)
        title = copy(_one(exercise, ".admonition-title"))
        title.name, title["class"] = "h3", "attn-solution-title"
        for effort in title.select(".attn-effort"):  # the exercise itself says it
            effort.decompose()
        back = _link(str(exercise["id"]), to_exercise)
        _one(solution, ".attn-fold-title").decompose()
        solution.insert(0, back)
        solution.insert(0, title)
        solution["class"] = "attn-solution"
        found.append(solution)
    return found


def _link(target: str, words: str) -> Tag:
    line = f'<p class="attn-turn"><a href="#{target}" {SAY}="{words}"></a></p>'
    return _one(BeautifulSoup(line, "html.parser"), "p").extract()


def turn_links(book: Tag, chapters: Iterable[Chapter]) -> None:
    """Let links to other pages of the book lead to their place in it, and all others outside.

    Raises:
        ValueError: A link leads nowhere.
    """
    ids = {str(element["id"]) for element in book.select("[id]")}
    chapters = list(chapters)
    names = {chapter.name for chapter in chapters}
    for chapter in chapters:
        for place in book.select(f'[data-page="{chapter.name}"]'):
            for link in place.select("a[href]"):
                link["href"] = _turned(str(link["href"]), chapter, names, ids)
    nowhere = {str(a["href"]) for a in book.select('a[href^="#"]')} - {f"#{name}" for name in ids}
    if nowhere:
        raise ValueError(f"links lead nowhere: {sorted(nowhere)}")


def _turned(href: str, chapter: Chapter, names: set[str], ids: set[str]) -> str:
    if href.startswith("#") and href[1:] in ids:
        return href
    page, _, fragment = href.partition("#")
    name = page.removesuffix(".html")
    if page.endswith(".html") and name in names:
        place = f"{name}--{unquote(fragment)}"
        if not fragment:
            return f"#{name}"
        if place in ids:
            return f"#{place}"
    # Another edition, a file, or a state of a live figure: the published page has it.
    return urljoin(chapter.address, href)


def number(book: Tag, pages: Mapping[str, int]) -> None:
    """Write the page numbers of what links lead to; "000" where they are not known yet."""
    for link in book.select(f"a[{SAY}]"):
        page = pages.get(str(link["href"])[1:], "000")
        (link.select_one(".attn-page") or link).string = str(link[SAY]).format(number=page)


def _one(tree: Tag, selector: str) -> Tag:
    found = tree.select_one(selector)
    if found is None:
        raise ValueError(f"nothing is {selector!r} here")
    return found
