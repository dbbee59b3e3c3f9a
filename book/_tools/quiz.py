"""The bets of all figures as questions for a learning platform: `make quiz`, one file a language.

Moodle XML holds a question of single choice for each figure: the three options, the reply to each
as its feedback, and links to the figure, before the bet and after its answer. A reply quotes
numbers; they are computed here as the page computes them.

Source of the format: https://docs.moodle.org/en/Moodle_XML_format
"""

import html
import sys
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.figure import Figure
from book._ext.editions.languages import EDITIONS, ROOT, Edition
from book._ext.editions.translation import chapters
from book._tools.links import published

FOLDER = ROOT / "_build" / "quiz"
TITLE = "Attention at Your Fingertips"


def quiz(edition: Edition, site: str) -> ElementTree:
    """Return the questions of an edition in the order of its chapters; `site` ends with a slash."""
    root = Element("quiz")
    category = SubElement(root, "question", type="category")
    _text(category, "category", f"$course$/{TITLE} ({edition.name})")
    order = list(chapters())
    with speaking(edition.code):
        for figure in sorted(FIGURES.values(), key=lambda figure: order.index(figure.chapter)):
            root.append(question(figure, f"{site}{edition.code}/{figure.chapter}.html"))
    indent(root)
    return ElementTree(root)


def question(figure: Figure, page: str) -> Element:
    """Return a figure's bet in the current language; `page` is the address of its chapter."""
    bet, words = figure.prediction, words_of(figure.id)
    states = {"before": bet.before, "after": bet.after}
    slots = {name: figure.compute(figure.state(**states[name])).slots for name in states}
    element = Element("question", type="multichoice")
    _text(element, "name", f"{figure.chapter}: {figure.id}")
    before, after = (
        f'<a href="{html.escape(page + figure.fragment(settings))}">'
        f"{html.escape(words[name].format(**slots[name]))}</a>"
        for name, settings in states.items()
    )
    asked = "".join(f"<p>{html.escape(words[name])}</p>" for name in ("question", "predict"))
    _text(element, "questiontext", f"{asked}<p>{before}</p>", format="html")
    _text(element, "generalfeedback", f"<p>{after}</p>", format="html")
    for name, value in (("single", "true"), ("shuffleanswers", "false"), ("defaultgrade", "1")):
        SubElement(element, name).text = value
    SubElement(element, "answernumbering").text = "ABCD"
    for i, (option, reply) in enumerate(zip(words["options"], words["replies"], strict=True)):
        fraction = "100" if i == bet.right else "0"
        answer = SubElement(element, "answer", fraction=fraction, format="html")
        SubElement(answer, "text").text = html.escape(option)
        _text(answer, "feedback", html.escape(reply.format(**slots["after"])), format="html")
    return element


def _text(parent: Element, name: str, content: str, **attributes: str) -> None:
    """Add an element that holds a text, as the format wraps every text."""
    SubElement(SubElement(parent, name, attributes), "text").text = content


def write(folder: Path, site: str) -> list[Path]:
    """Write the file of each edition."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for edition in EDITIONS:
        paths.append(folder / f"attention-{edition.code}.xml")
        quiz(edition, site).write(paths[-1], encoding="utf-8", xml_declaration=True)
    return paths


def main() -> int:
    """Write all files and say where they lie."""
    for path in write(FOLDER, published()):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
