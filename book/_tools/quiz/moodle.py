"""Questions as Moodle XML: a choice, or a number, to which known slips are wrong answers.

Source: https://docs.moodle.org/en/Moodle_XML_format
"""

from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from book._tools.quiz.questions import Question


def quiz(title: str, questions: list[Question]) -> ElementTree:
    """Return questions as a file whose category has a title."""
    root = Element("quiz")
    category = SubElement(root, "question", type="category")
    _text(category, "category", f"$course$/{title}")
    root.extend(_question(question) for question in questions)
    indent(root)
    return ElementTree(root)


def _question(question: Question) -> Element:
    kind = "multichoice" if question.within is None else "numerical"
    element = Element("question", type=kind)
    _text(element, "name", f"{question.chapter}: {question.name}")
    _text(element, "questiontext", question.text, format="html")
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


def _text(parent: Element, name: str, content: str, **attributes: str) -> None:
    """Add an element that holds a text, as the format wraps every text."""
    SubElement(SubElement(parent, name, attributes), "text").text = content
