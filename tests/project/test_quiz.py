"""The questions for learning platforms: the right answer and each reply, in both formats."""

import base64
import re
import zipfile
from functools import cache
from html import unescape
from itertools import pairwise
from xml.dom import minidom
from xml.etree.ElementTree import fromstring

import pytest

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from book._ext.editions.languages import EDITIONS
from book._tools.quiz import moodle, qti
from book._tools.quiz.__main__ import write
from book._tools.quiz.questions import ASKED, bet, number, questions

SITE = "https://example.org/book/"
PICTURES = {name: f"picture of {name}".encode() for name in FIGURES}
LINK = re.compile(r'<a href="([^"]+)">')
IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]+)">')
QUANTITY = {quantity.exercise: quantity for quantity in ASKED}

by_edition = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)


@cache
def asked(edition):
    with speaking(edition.code):
        return questions(f"{SITE}{edition.code}/", seed=2027)


def shown(html):
    """What a reader sees of an escaped text."""
    return "".join(fromstring(f"<p>{html.replace('&nbsp;', ' ')}</p>").itertext())


def fits(text, template):
    """Whether a text is a template with something in the places of its slots."""
    return re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(template)), text)


def answers(question):
    """Of a question in Moodle's XML: share of the points, text and reply of each answer."""
    return [
        (one.get("fraction"), one.findtext("text", ""), one.findtext("feedback/text", ""))
        for one in question.findall("answer")
    ]


class Package:
    """A package as a platform reads it: by the manifest, with a parser of its own."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as opened:
            manifest = minidom.parseString(opened.read("imsmanifest.xml"))
            resource, *files = manifest.getElementsByTagName("resource")
            assert resource.getAttribute("type") == "imsqti_xmlv1p2"
            self.document = minidom.parseString(opened.read(resource.getAttribute("href")))
            self.files = {
                href: opened.read(href)
                for file in files
                for href in [file.getElementsByTagName("file")[0].getAttribute("href")]
            }
        self.items = self.document.getElementsByTagName("item")

    def choices(self, item):
        labels = item.getElementsByTagName("response_label")
        return {label.getAttribute("ident"): text_of(label) for label in labels}

    def run(self, item, choice):
        """Return the score of a choice and what is said, as the processing prescribes."""
        score, said = 0.0, []
        for condition in item.getElementsByTagName("respcondition"):
            wanted = [text_of(one) for one in condition.getElementsByTagName("varequal")]
            if wanted not in ([], [choice]):
                continue
            score = sum(float(text_of(one)) for one in condition.getElementsByTagName("setvar"))
            for feedback in condition.getElementsByTagName("displayfeedback"):
                (shown_as,) = (
                    one
                    for one in item.getElementsByTagName("itemfeedback")
                    if one.getAttribute("ident") == feedback.getAttribute("linkrefid")
                )
                said.append(text_of(shown_as))
            if condition.getAttribute("continue") == "No":
                break
        return score, said


# What may stand in what, of what we write: the declarations of QTI 1.2.1's DTD, shortened to names
# that exist here or could be taken for those. #PCDATA is text.
DECLARED = """
questestinterop (qticomment?, (objectbank | assessment | (section | item)+))
assessment (qticomment?, duration?, qtimetadata*, objectives*, rubric*, (sectionref | section)+)
section (qticomment?, duration?, qtimetadata*, objectives*, rubric*, (itemref | item | section)*)
item (qticomment?, duration?, itemmetadata?, presentation?, resprocessing*, itemfeedback*)
itemmetadata (qtimetadata*)
qtimetadata (vocabulary?, qtimetadatafield+)
qtimetadatafield (fieldlabel, fieldentry)
presentation (qticomment?, (flow | (material | response_lid | response_str | response_num)+))
material (qticomment?, (mattext | matemtext | matimage)+, altmaterial*)
response_lid ((material | material_ref)?, (render_choice | render_fib), material?)
render_choice ((material | response_label | flow_label)*, response_na?)
response_label (qticomment | material | flow_mat)*
resprocessing (qticomment?, outcomes, (respcondition | itemproc_extension)+)
outcomes (qticomment?, (decvar, interpretvar*)+)
respcondition (qticomment?, conditionvar, setvar*, displayfeedback*)
conditionvar (not | and | or | unanswered | other | varequal | varlte | vargte)+
itemfeedback ((flow_mat | material) | solution | hint)+
flow_mat (qticomment?, (flow_mat | material)+)
"""
CONTENT = dict(line.split(" ", 1) for line in DECLARED.split("\n") if line)
REQUIRED = {
    "assessment": {"ident"},
    "section": {"ident"},
    "item": {"ident"},
    "response_lid": {"ident"},
    "response_label": {"ident"},
    "varequal": {"respident"},
    "itemfeedback": {"ident"},
    "displayfeedback": {"linkrefid"},
}


def broken(node):
    """Yield what the format's declarations do not allow, in an element and below it."""
    inside = [child for child in node.childNodes if child.nodeType == node.ELEMENT_NODE]
    name, found = node.tagName, "".join(f"<{child.tagName}>" for child in inside)
    rule = re.sub(r"\w+", r"(?:<\g<0>>)", CONTENT.get(name, "()")).translate({44: "", 32: ""})
    if not re.fullmatch(rule, found):
        yield f"{name}: {found}"
    yield from (
        f"{name} without {key}" for key in REQUIRED.get(name, ()) if not node.hasAttribute(key)
    )
    for child in inside:
        yield from broken(child)


def text_of(node):
    if node.nodeType == node.TEXT_NODE:
        return node.data
    return "".join(text_of(child) for child in node.childNodes).strip()


@by_edition
def test_each_bet_is_a_question_of_which_one_answer_is_right(edition):
    category, *found = moodle.quiz(edition.name, asked(edition), PICTURES).getroot()
    assert edition.name in category.findtext("category/text", "")
    found = {question.findtext("name/text", "").split(": ")[1]: question for question in found}
    assert found.keys() == {*FIGURES, *QUANTITY}
    for name, figure in FIGURES.items():
        question = found[name]
        assert "{" not in "".join(question.itertext())
        with speaking(edition.code):
            words = words_of(name)
        fractions, _, replies = zip(*answers(question), strict=True)
        assert fractions.index("100") == figure.prediction.right
        assert fractions.count("0") == 2
        for said, reply in zip(replies, words["replies"], strict=True):
            assert fits(shown(said), reply)
        for part, settings in (
            ("questiontext", figure.prediction.before),
            ("generalfeedback", figure.prediction.after),
        ):
            (link,) = LINK.findall(question.findtext(f"{part}/text", ""))
            address, _, fragment = unescape(link).partition("#")
            assert address == f"{SITE}{edition.code}/{figure.chapter}.html"
            state = figure.state(**figure.read(fragment.partition("?")[2]))
            assert state == figure.state(**settings)
            assert state["ask"] == ("1" if part == "questiontext" else "0")


@by_edition
def test_a_bet_is_complete_without_its_page(edition):
    _, *found = moodle.quiz(edition.name, asked(edition), PICTURES).getroot()
    for question in found:
        text, name = question.findtext("questiontext/text", ""), question.findtext("name/text", "")
        files = question.findall("questiontext/file")
        if name.split(": ")[1] in QUANTITY:
            assert (IMAGE.findall(text), files) == ([], [])
            continue
        figure = FIGURES[name.split(": ")[1]]
        ((source, alt),) = IMAGE.findall(text)
        (file,) = files
        assert source == f"@@PLUGINFILE@@/{file.get('name')}"
        assert base64.b64decode(file.text or "") == PICTURES[figure.id]
        with speaking(edition.code):
            words = words_of(figure.id)
            said = figure.sentences(figure.compute(figure.state(**figure.prediction.before)))
        assert fits(unescape(alt), words["before"])
        assert [words["question"], said, words["predict"]] == [
            shown(part) for part in re.findall(r"<p>(?!<img|<a)(.*?)</p>", text)
        ]


@by_edition
def test_numbers_are_drawn_and_each_slip_has_its_reply(edition):
    _, *found = moodle.quiz(edition.name, asked(edition), PICTURES).getroot()
    numerical = [question for question in found if question.get("type") == "numerical"]
    assert len(numerical) == len(QUANTITY)
    for question in numerical:
        quantity = QUANTITY[question.findtext("name/text", "").split(": ")[1]]
        numbers = quantity.drawn(2027)
        text = shown(question.findtext("questiontext/text", ""))
        assert all(quantity.slots(numbers)[name] in text for name in numbers)
        assert "{" not in "".join(question.itertext())
        (link,) = LINK.findall(question.findtext("generalfeedback/text", ""))
        assert link.startswith(f"{SITE}{edition.code}/")
        with speaking(edition.code):
            words = words_of("check")[quantity.exercise]
        known = quantity.known(**numbers)
        given = {float(value): (fraction, reply) for fraction, value, reply in answers(question)}
        assert given.keys() == set(known.values())
        for name, value in known.items():
            assert given[value][0] == ("100" if name == "right" else "0")
            assert fits(shown(given[value][1]), words[name])
        # No answer lies within the tolerance of another.
        reach = [
            (float(one.findtext("text")), float(one.findtext("tolerance")))
            for one in question.findall("answer")
        ]
        for (low, more), (high, less) in pairwise(reach):
            assert low + more < high - less


@by_edition
def test_the_package_scores_one_choice_and_replies_to_each(edition, tmp_path):
    wanted = asked(edition)
    qti.write(tmp_path / "quiz.zip", "some", "A & B", wanted, PICTURES)
    package = Package(tmp_path / "quiz.zip")
    assert list(broken(package.document.documentElement)) == []
    assert len(package.items) == len(wanted)
    idents = [item.getAttribute("ident") for item in package.items]
    assert len(set(idents)) == len(idents)
    for item, question in zip(package.items, wanted, strict=True):
        choices = package.choices(item)
        assert [*choices.values()] == [answer.text for answer in question.answers]
        assert len(set(choices.values())) == len(choices)
        text = text_of(item.getElementsByTagName("material")[0])
        images = [source for source, _ in IMAGE.findall(text)]
        assert [package.files.pop(source) for source in images] == [
            PICTURES[name] for name in FIGURES if item.getAttribute("ident") == f"some-{name}"
        ]
        assert IMAGE.sub("", text) == IMAGE.sub("", question.text)
        for choice, answer in zip(choices, question.answers, strict=True):
            score, said = package.run(item, choice)
            assert score == (100 if answer.is_right else 0)
            assert said == [question.after, answer.reply]
    assert package.files == {}


def test_what_the_format_forbids_is_seen():
    order = "<item ident='a'><itemfeedback ident='b'><hint/></itemfeedback><presentation/></item>"
    found = list(broken(minidom.parseString(order).documentElement))
    assert found == ["item: <itemfeedback><presentation>", "presentation: "]
    lost = "<conditionvar><varequal>a</varequal></conditionvar>"
    found = list(broken(minidom.parseString(lost).documentElement))
    assert found == ["varequal without respident"]


@pytest.mark.parametrize("quantity", ASKED, ids=lambda quantity: quantity.exercise)
def test_another_seed_asks_for_other_numbers(quantity):
    texts = [number(quantity, seed, SITE).text for seed in range(1, 20)]
    assert len({*texts}) == len(quantity.cases) - 1  # all but the book's
    assert all(one != next_one for one, next_one in pairwise(texts))


def test_a_reply_quotes_what_its_figure_computes():
    assert "0.94" in bet(FIGURES["model"], SITE).answers[2].reply


def test_both_files_of_each_edition_come_out_the_same_twice(tmp_path):
    paths = write(tmp_path, SITE, 1, lambda language: PICTURES.items())
    assert [path.name for path in paths] == [
        f"attention-{edition.code}.{end}" for edition in EDITIONS for end in ("xml", "zip")
    ]
    before = [path.read_bytes() for path in paths]
    again = write(tmp_path, SITE, 1, lambda language: PICTURES.items())
    assert [path.read_bytes() for path in again] == before
    # Canvas takes questions of one ident for one question, whatever package they come in.
    idents = [
        item.getAttribute("ident")
        for path in paths
        if path.suffix == ".zip"
        for item in Package(path).items
    ]
    assert len(set(idents)) == len(idents)
