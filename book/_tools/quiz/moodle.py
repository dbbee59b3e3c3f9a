"""Questions as Moodle XML: a choice, or a number, to which known slips are wrong answers.

Source: https://docs.moodle.org/en/Moodle_XML_format
"""

import base64
from collections.abc import Mapping
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from book._tools.quiz.questions import PICTURE, Question

FILES = "@@PLUGINFILE@@/"  # in a text: where Moodle puts the files of that text


def quiz(title: str, questions: list[Question], pictures: Mapping[str, bytes]) -> ElementTree:
    """Return questions as a file whose category has a title; pictures are PNG, by their names."""
    root = Element("quiz")
    category = SubElement(root, "question", type="category")
    _text(category, "category", f"$course$/{title}")
    root.extend(_question(question, pictures) for question in questions)
    indent(root)
    return ElementTree(root)


def _question(question: Question, pictures: Mapping[str, bytes]) -> Element:
    kind = "multichoice" if question.within is None else "numerical"
    element = Element("question", type=kind)
    _text(element, "name", f"{question.chapter}: {question.name}")
    name = f"{question.name}.png"
    text = _text(
        element, "questiontext", question.text.replace(PICTURE, FILES + name), format="html"
    )
    if PICTURE in question.text:
        file = SubElement(text, "file", name=name, path="/", encoding="base64")
        file.text = base64.b64encode(pictures[question.name]).decode()
    _text(element, "generalfeedback", question.after, format="html")
    SubElement(element, "defaultgrade").text = "1"
    if question.within is None:
        for name, value in (("single", "true"), ("shuffleanswers", "false")):
            SubElement(element, name).text = value
        SubElement(element, "answernumbering").text = "ABCD"
    for given in question.answers:
        fraction = "100" if given.is_right else "0"
        kind = "html" if given.number is None else "moodle_auto_format"
        answer = SubElement(element, "answer", fraction=fraction, format=kind)
        SubElement(answer, "text").text = given.text if given.number is None else f"{given.number}"
        _text(answer, "feedback", given.reply, format="html")
        if question.within is not None and given.number is not None:
            SubElement(answer, "tolerance").text = f"{abs(given.number) * question.within:.3g}"
    return element


def _text(parent: Element, name: str, content: str, **attributes: str) -> Element:
    """Add and return an element that holds a text, as the format wraps every text."""
    element = SubElement(parent, name, attributes)
    SubElement(element, "text").text = content
    return element
