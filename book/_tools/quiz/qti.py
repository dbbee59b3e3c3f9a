"""Questions as a package in QTI 1.2, which Canvas reads, and most platforms beside it.

Each is a choice, a number as well: of a field for numbers, Canvas takes every condition for one
more right answer, so that slips could not be told apart there.

The importer of Canvas matches questions of a course by their `ident`, so each has that of its
package before its own; and it finds a picture by the address that the manifest gives its file.

Sources: https://www.imsglobal.org/question/qtiv1p2/imsqti_asi_bindv1p2.html;
`gems/plugins/qti_exporter/lib/qti/` of Canvas: `numeric_interaction.rb`, `html_helper.rb`.
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from book._tools.offline import LONG_AGO
from book._tools.quiz.questions import PICTURE, Question

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
MANIFEST, PICTURES = "imsmanifest.xml", "images/"
RESPONSE = "response1"  # as Canvas calls it


def write(
    path: Path, ident: str, title: str, questions: list[Question], pictures: Mapping[str, bytes]
) -> None:
    """Write a package: what is asked, its pictures, and the manifest that names them.

    Args:
        path: Of the package.
        ident: What tells its questions from those of other packages.
        title: Of the quiz.
        questions: What is asked.
        pictures: PNG, by the names of their questions.
    """
    shown = {f"{PICTURES}{q.name}.png": pictures[q.name] for q in questions if PICTURE in q.text}
    files = {
        MANIFEST: _written(_manifest(ident, list(shown))),
        f"{ident}.xml": _written(_assessment(ident, title, questions)),
    } | shown
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name, LONG_AGO), content)


def _written(root: Element) -> bytes:
    indent(root)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _manifest(ident: str, pictures: list[str]) -> Element:
    root = Element("manifest", xmlns=PACKAGE, identifier=f"{ident}-package")
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "IMS Content"
    SubElement(metadata, "schemaversion").text = "1.1.3"
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    kinds = {f"{ident}.xml": "imsqti_xmlv1p2"} | dict.fromkeys(pictures, "webcontent")
    for i, (href, kind) in enumerate(kinds.items()):
        about = {"identifier": f"{ident}-{i}", "type": kind, "href": href}
        SubElement(SubElement(resources, "resource", about), "file", href=href)
    return root


def _assessment(ident: str, title: str, questions: list[Question]) -> Element:
    root = Element("questestinterop", xmlns=QTI)
    section = SubElement(
        SubElement(root, "assessment", ident=ident, title=title), "section", ident="questions"
    )
    section.extend(_item(f"{ident}-{question.name}", question) for question in questions)
    return root


def _item(ident: str, question: Question) -> Element:
    item = Element("item", ident=ident, title=f"{question.chapter}: {question.name}")
    fields = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", "multiple_choice_question"), ("points_possible", "1")):
        field = SubElement(fields, "qtimetadatafield")
        SubElement(field, "fieldlabel").text = label
        SubElement(field, "fieldentry").text = entry
    presentation = SubElement(item, "presentation")
    _material(presentation, question.text.replace(PICTURE, f"{PICTURES}{question.name}.png"))
    response = SubElement(presentation, "response_lid", ident=RESPONSE, rcardinality="Single")
    choices = SubElement(response, "render_choice")
    processing = SubElement(item, "resprocessing")
    score = {"varname": "SCORE", "vartype": "Decimal", "minvalue": "0", "maxvalue": "100"}
    SubElement(SubElement(processing, "outcomes"), "decvar", score)
    condition = SubElement(processing, "respcondition", {"continue": "Yes"})
    SubElement(SubElement(condition, "conditionvar"), "other")
    _reply(item, condition, "general_fb", question.after)
    for i, answer in enumerate(question.answers):
        choice = f"{ident}-{'ABCDEFGHIJ'[i]}"
        _material(SubElement(choices, "response_label", ident=choice), answer.text)
        _reply(item, _chosen(processing, choice), f"{choice}_fb", answer.reply)
    for choice_label, answer in zip(choices, question.answers, strict=True):
        if answer.is_right:
            condition = _chosen(processing, choice_label.attrib["ident"])
            SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"
    return item


def _chosen(processing: Element, choice: str) -> Element:
    """Add a condition: that this is the choice."""
    condition = SubElement(processing, "respcondition", {"continue": "Yes"})
    is_chosen = SubElement(condition, "conditionvar")
    SubElement(is_chosen, "varequal", respident=RESPONSE).text = choice
    return condition


def _reply(item: Element, condition: Element, ident: str, text: str) -> None:
    """Show a text where a condition holds."""
    SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=ident)
    _material(SubElement(SubElement(item, "itemfeedback", ident=ident), "flow_mat"), text)


def _material(parent: Element, text: str) -> None:
    SubElement(SubElement(parent, "material"), "mattext", texttype="text/html").text = text
