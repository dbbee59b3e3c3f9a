"""A page for each exhibit of the bug museum, `exhibit-fill`, to be linked to from a bug report.

No such page is stored. `book/exhibits.yml` says what goes wrong; the code, its wrong lines and what
the tests found come from the museum, names from its figure, where the fault was from the tables of
its chapter. A file that only names the exhibit is laid out beside the pages of an edition, and gets
its text when Sphinx reads it.
"""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from sphinx.application import Sphinx

from attn_lib import examine, museum
from attn_lib.examine import CALLS, Subject
from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures import museum as figure
from attn_lib.museum import listing, today
from book._ext.editions.catalogues import words
from book._ext.editions.languages import BOOK, Edition, edition_of

CHAPTER = "bug-museum"
PAGES = {f"exhibit-{name}": name for name in (*museum.EXHIBITS, *today.EXHIBITS)}
TEXTS = BOOK / "exhibits.yml"
DOMAIN = "exhibits"
FUNCTIONS = ("tanh", "squeeze", "repeat")  # such names begin as they do in code
SIGNS = {listing.SAME: " ", listing.FAULTY: "-", listing.RIGHT: "+"}
# A row of the chapter's tables, which stand in these cells.
TABLES = ("newer-read", "sources")
ROW = re.compile(r"^\| \{doc\}`\w+ <exhibit-(\w+)>` \| (.*?) \| (.*) \|$", re.MULTILINE)


class Told(NamedTuple):
    """What the chapter says of an exhibit: what the fault does, and where it was."""

    what: str
    where: str


class Found(NamedTuple):
    """A test that fails, what it expected and what it got."""

    test: str
    expected: str
    got: str


def setup(app: Sphinx) -> None:
    """Write the pages when they are read; there is no file of theirs to edit or to download."""
    if app.config.attn_edition:
        app.connect("source-read", _write)
        app.connect("html-page-context", _without_source, priority=300)


def lay_out(folder: Path) -> None:
    """Put a file for each exhibit among the pages of an edition."""
    for page in PAGES:
        path = folder / f"{page}.md"
        path.write_text(f"({page})=\n", encoding="utf-8")
        os.utime(path, (0, 0))  # what its text is made from says when it is to be read again


def _write(app: Sphinx, page: str, content: list[str]) -> None:
    if page not in PAGES:
        return
    edition = edition_of(app.config.attn_edition)
    catalogue = BOOK / "_locale" / edition.code / "LC_MESSAGES" / f"{DOMAIN}.po"
    museums = [Path(one.__file__).parent.glob("*.*") for one in (museum, figure)]
    made_from = [TEXTS, _chapter(edition), *(path for found in museums for path in found)]
    for path in (*made_from, *[catalogue] * catalogue.exists()):
        app.env.note_dependency(str(path))
    content[0] += "\n".join(lines(PAGES[page], edition))


def _without_source(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if page in PAGES:
        context["page_source_suffix"] = ""


def lines(name: str, edition: Edition) -> Iterator[str]:
    """The lines of a page, as an author would write them."""
    say, texts = words(edition, DOMAIN), _texts()
    with speaking(edition.code):
        own = words_of("museum")
    of_the_nine = name in museum.EXHIBITS
    yield f"# {title(name, edition)}\n"
    yield say(texts["exhibits"][name]["wrong"])
    yield "\n" + say("**Where it was**: {where}").format(where=told(edition)[name].where)
    yield f"\n## {say('The wrong lines and the right ones')}\n"
    yield "```diff"
    yield from (f"{SIGNS[kind]} {line}".rstrip() for line, kind in code(name))
    yield "```\n"
    if of_the_nine:
        yield own["code"]
    else:
        called = "".join(line for line, _ in code(name))
        yield from (say(text) for helper, text in texts["helpers"].items() if helper in called)
    yield f"\n## {say('What the tests find')}\n"
    yield f"| {say('test that fails')} | {own['expected']} | {own['got']} |\n|:--|:--|:--|"
    for found in findings(name, edition):
        yield f"| {found.test} | `{found.expected}` | `{found.got}` |"
    yield f"\n## {say('Is it in your code?')}\n"
    yield say("The museum examines your own attention as well:")
    yield "\n```bash\npytest --attn-museum my_module:MyAttention\n```\n"
    failed = ", ".join(f"**{trial}**" for trial in trials(name))
    yield say("This fault is found there by {tests} (see {page}).").format(
        tests=failed, page="{doc}`api-examine`"
    )
    links = [f"{{doc}}`{CHAPTER}`"]
    if of_the_nine:
        first = figure.exhibits()[name]["verdicts"].index(1) + 1  # the first test that fails
        state = FIGURES["museum"].fragment({"bug": name, "t": [first]}).replace("&", "&amp;")
        links.insert(0, f'<a href="{CHAPTER}.html{state}">{say("Open it in the figure")}</a>')
    yield "\n" + " · ".join(links)


def title(name: str, edition: Edition) -> str:
    """The title of an exhibit's page."""
    say = words(edition, DOMAIN)
    if name in today.EXHIBITS:
        return _raised(say(_texts()["exhibits"][name]["title"]))
    with speaking(edition.code):
        called = words_of("museum")["exhibits"][list(museum.EXHIBITS).index(name)]
    called = called if called.startswith(FUNCTIONS) else _raised(called)
    return say("{name}: {what}").format(name=called, what=told(edition)[name].what)


def code(name: str) -> list[tuple[str, str]]:
    """The lines of an exhibit, each with its kind, and below the wrong ones the right ones."""
    if name in museum.EXHIBITS:
        return listing.repaired(museum.code(museum.EXHIBITS[name]), *museum.REPAIRS[name])
    return listing.beside(today.EXHIBITS[name], today.RIGHT_FORMS.get(name, today.right))


def changed(name: str) -> tuple[list[str], list[str]]:
    """The lines of an exhibit that are wrong, and those that should stand there."""
    wrong, right = (
        [line.strip() for line, kind in code(name) if kind == wanted]
        for wanted in (listing.FAULTY, listing.RIGHT)
    )
    return wrong, right


def findings(name: str, edition: Edition) -> Iterator[Found]:
    """What fails: of the nine the museum's own tests, whose numbers are seen at once."""
    say = words(edition, DOMAIN)
    with speaking(edition.code):
        called = words_of("museum")["tests"]
    if name in museum.EXHIBITS:
        numbers = (figure.exhibits()[name][key] for key in ("verdicts", "expected", "got"))
        rows = enumerate(zip(*numbers, strict=True), start=1)
        for test, (verdict, expected, got) in rows:
            if verdict:
                yield Found(f"**{figure.short(test)}** {called[test - 1]}", expected, got)
        return
    names = {f"T{number}": name for number, name in enumerate(called, start=1)}
    names |= {trial: say(text) for trial, text in _texts()["trials"].items()}
    for trial, finding in _examined(name).items():
        yield Found(f"**{trial}** {names[trial]}", finding.expected, finding.got)


def trials(name: str) -> list[str]:
    """The trials of anybody's attention that fail."""
    exhibit = museum.EXHIBITS.get(name)
    if exhibit and issubclass(exhibit, museum.Additive):
        # Its queries have another size than its keys: of what it fails, the one without numbers.
        return ["T3"]
    return list(_examined(name))


@cache
def _examined(name: str) -> dict[str, museum.Finding]:
    """What the trials find in an exhibit, and not in its right form."""
    if name in museum.EXHIBITS:
        forms: tuple[Any, ...] = (museum.EXHIBITS[name](), museum.DotProduct())
        call, places = CALLS["lengths"], False
    else:
        forms = (today.EXHIBITS[name], today.RIGHT_FORMS.get(name, today.right))
        call, places = CALLS["plain"], name in today.WITH_PLACES
    wrong, right = (examine.examine(Subject(form, call, 8, places)) for form in forms)
    return {
        trial: finding
        for trial, finding in wrong.items()
        if isinstance(finding, museum.Finding) and not finding and right[trial]
    }


def told(edition: Edition) -> dict[str, Told]:
    """What the chapter says of each exhibit, from its tables."""
    cells = json.loads(_chapter(edition).read_text(encoding="utf-8"))["cells"]
    tables = "\n".join("".join(cell["source"]) for cell in cells if cell["id"] in TABLES)
    return {name: Told(what, where) for name, what, where in ROW.findall(tables)}


def _chapter(edition: Edition) -> Path:
    """The chapter in this language, else in English."""
    own = BOOK / edition.code / f"{CHAPTER}.ipynb"
    return own if own.exists() else BOOK / "en" / f"{CHAPTER}.ipynb"


@cache
def _texts() -> dict[str, Any]:
    return dict(yaml.safe_load(TEXTS.read_text(encoding="utf-8")))


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]
