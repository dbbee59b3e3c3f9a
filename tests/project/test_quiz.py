"""The bets as questions for a learning platform: all of them, with the right one and its reply."""

import re
from urllib.parse import urlsplit
from xml.etree.ElementTree import fromstring, parse

import pytest

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from book._ext.editions.languages import EDITIONS
from book._tools import quiz

SITE = "https://example.org/book/"
LINK = re.compile(r'<a href="([^"]+)">')


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)
def test_each_bet_is_a_question_of_which_one_answer_is_right(edition, tmp_path):
    path = tmp_path / "quiz.xml"
    quiz.quiz(edition, SITE).write(path, encoding="utf-8", xml_declaration=True)
    category, *questions = parse(path).getroot()
    assert edition.name in category.findtext("category/text", "")
    names = [question.findtext("name/text", "").split(": ")[1] for question in questions]
    assert sorted(names) == sorted(FIGURES)
    for name, question in zip(names, questions, strict=True):
        assert "{" not in "".join(question.itertext())
        figure = FIGURES[name]
        with speaking(edition.code):
            words = words_of(name)
        answers = question.findall("answer")
        assert [one.get("fraction") for one in answers].index("100") == figure.prediction.right
        assert sum(one.get("fraction") == "0" for one in answers) == 2
        replies = [one.findtext("feedback/text", "") for one in answers]
        for said, reply in zip(replies, words["replies"], strict=True):
            # As the words are, numbers in the places of their slots.
            assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(reply)), xml_text(said))
        for part in ("questiontext", "generalfeedback"):
            (link,) = LINK.findall(question.findtext(f"{part}/text", ""))
            assert link.startswith(f"{SITE}{edition.code}/{figure.chapter}.html#{name}")
            assert urlsplit(link).fragment


def xml_text(html: str) -> str:
    """What a reader sees of an escaped text."""
    return "".join(fromstring(f"<p>{html.replace('&nbsp;', ' ')}</p>").itertext())


def test_a_reply_quotes_what_its_figure_computes():
    question = quiz.question(FIGURES["model"], SITE)
    assert "0.94" in question.findall("answer")[2].findtext("feedback/text", "")


def test_there_is_a_file_for_each_edition(tmp_path):
    assert [path.name for path in quiz.write(tmp_path, SITE)] == [
        f"attention-{edition.code}.xml" for edition in EDITIONS
    ]
