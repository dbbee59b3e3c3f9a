"""The book as text: the Markdown of each page beside it, a list of all, and flash cards.

`<language>/<page>.md` holds a page as its author wrote it, its programs and what they print.
`llms.txt` lists these files, as https://llmstxt.org proposes. The flash cards are a text that Anki
and others import: https://docs.ankiweb.net/importing/text-files.html
"""

import csv
import html
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from nbformat import NotebookNode

from book._ext.content import downloads, glossary
from book._ext.editions import translation
from book._ext.editions.languages import EDITIONS, Edition

TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
ROLE = re.compile(r"\{[\w-]+\}`(?:([^`<]+?) ?<[^`>]+>|([^`]+))`")  # {doc}`words <page>`
FORMULA = re.compile(r"\$([^$]+)\$")
STRESS = re.compile(r"\*{1,2}([^*]+)\*{1,2}")
EXPORTER = MarkdownExporter()
HEADER = ("#separator:tab", "#html:true", "#columns:front\tback\ttags", "#tags column:3")
ABOUT = (
    "An interactive textbook on attention scoring functions in four languages."
    " Each page as Markdown, with its programs and what they print."
)


def write(site: Path, base: str, sources: dict[str, Path]) -> None:
    """Write all of it into a finished site.

    Args:
        site: the folder of the site.
        base: its address, with a slash at its end.
        sources: the folder with the laid-out pages of each language.
    """
    listed = ["# Attention at Your Fingertips", "", f"> {ABOUT}"]
    (site / downloads.FOLDER).mkdir(exist_ok=True)
    for edition in EDITIONS:
        listed += ["", f"## {edition.name}", ""]
        summaries = []
        for page in translation.chapters():
            text = markdown(sources[edition.code] / page)
            (site / edition.code / f"{page}.md").write_text(text, encoding="utf-8")
            listed.append(f"- [{title(text)}]({base}{edition.code}/{page}.md)")
            summaries += summary(sources[edition.code] / f"{page}.ipynb")
        with (site / downloads.FOLDER / downloads.cards(edition.code)).open(
            "w", encoding="utf-8", newline=""
        ) as file:
            file.writelines(f"{line}\n" for line in HEADER)
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([*terms(edition), *summaries])
    (site / downloads.LISTED).write_text("\n".join(listed) + "\n", encoding="utf-8")


def markdown(page: Path) -> str:
    """Return a page as Markdown: `page` is its path without an ending."""
    notebook = page.with_suffix(".ipynb")
    if not notebook.exists():
        return page.with_suffix(".md").read_text(encoding="utf-8")
    read = nbformat.read(notebook, as_version=4)
    for cell in read.cells:
        for output in cell.get("outputs", []):
            if "data" in output:  # what is drawn is no text
                output.data = NotebookNode({"text/plain": output.data.get("text/plain", "")})
    return EXPORTER.from_notebook_node(read)[0].lstrip()


def title(text: str) -> str:
    """Return the title of a page in Markdown.

    Raises:
        ValueError: It has none.
    """
    found = TITLE.search(text)
    if not found:
        raise ValueError(f"a page must have a title. Got {text[:60]!r}.")
    return found[1]


def terms(edition: Edition) -> Iterator[tuple[str, str, str]]:
    """A card for each term of the glossary: the term, what it means, and where it is told."""
    own = edition.code
    for row in glossary.rows():
        front = row[own] if row[own] == row["en"] else f"{row[own]} ({row['en']})"
        yield html.escape(front), html.escape(glossary.meaning(row, own)), row["chapter"]


def summary(notebook: Path) -> Iterator[tuple[str, str, str]]:
    """The card of a chapter: its title, and the five lines at its end."""
    if not notebook.exists():
        return
    cells = {cell.id: cell.source for cell in nbformat.read(notebook, as_version=4).cells}
    if "summary" in cells:
        lines = [line[2:] for line in cells["summary"].splitlines() if line.startswith("- ")]
        yield on_card(title(cells["title"])), "<br>".join(map(on_card, lines)), notebook.stem


def on_card(text: str) -> str:
    """Return a line of Markdown as Anki shows it: formulas for MathJax, links as their words."""
    plain = html.escape(ROLE.sub(lambda role: role[1] or role[2], text).replace("`", ""))
    return STRESS.sub(r"<b>\1</b>", FORMULA.sub(r"\\(\1\\)", plain))
