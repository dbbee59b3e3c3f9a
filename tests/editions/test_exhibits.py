"""The pages of the exhibits: nothing is missing in any language, and what they say is so."""

import json
import math
import re
from pathlib import Path

import pytest
import torch
from babel.messages.pofile import read_po

from attn_lib import museum
from attn_lib.examine import TRIALS
from attn_lib.live.figures import FIGURES
from attn_lib.museum import listing, today
from book._ext.content import exhibits
from book._ext.editions.catalogues import compile_all
from book._ext.editions.languages import BOOK, EDITIONS
from book._tools.editions.numerals import written_out
from book._tools.markup import parse

# A language that has just begun has not translated the museum yet.
TRANSLATED = [e for e in EDITIONS[1:] if (BOOK / e.code / "bug-museum.ipynb").exists()]
TEXTS = exhibits._texts()
VERDICTS = json.loads((BOOK.parent / "tests/unit/museum.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True, scope="module")
def catalogues():
    compile_all()


def english_texts(part=TEXTS):
    for value in part.values():
        if isinstance(value, dict):
            yield from english_texts(value)
        else:
            yield value


def translations(edition):
    path = BOOK / "_locale" / edition.code / "LC_MESSAGES/exhibits.po"
    with path.open("rb") as file:
        return {message.id: message.string for message in read_po(file) if message.id}


def test_every_exhibit_has_a_text_and_every_trial_a_name():
    assert list(TEXTS["exhibits"]) == list(exhibits.PAGES.values())
    titled = {name for name, text in TEXTS["exhibits"].items() if "title" in text}
    assert titled == set(today.EXHIBITS)  # the nine have theirs from the figure
    of_the_figure = {f"T{number}" for number in range(1, len(museum.TESTS) + 2)}
    assert set(TEXTS["trials"]) == TRIALS.keys() - of_the_figure


@pytest.mark.parametrize("edition", TRANSLATED, ids=lambda edition: edition.code)
def test_every_text_is_translated_and_none_is_left_over(edition):
    source = Path(exhibits.__file__).read_text(encoding="utf-8")
    phrases = re.findall(r"say\(([\"'])(.+?)\1\)", source)
    assert len(phrases) > 6
    wanted = {*english_texts(), *(phrase for _, phrase in phrases)}
    found = translations(edition)
    assert found.keys() == wanted
    assert [english for english, text in found.items() if not text] == []


@pytest.mark.parametrize("edition", TRANSLATED, ids=lambda edition: edition.code)
def test_a_translation_has_the_numbers_of_the_english_text(edition):
    """In digits or in words; 1 and 0 are often neither."""
    wrong = []
    for english, own in translations(edition).items():
        here, there = parse(own), parse(english)
        lost = there.numbers - here.numbers - written_out(here.prose, edition.code)
        new = here.numbers - there.numbers - written_out(there.prose, "en")
        if (lost | new) - {"0", "1"}:
            wrong.append((english, lost | new))
    assert wrong == []


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)
def test_the_chapter_tells_of_every_exhibit(edition):
    told = exhibits.told(edition)
    assert told.keys() == set(exhibits.PAGES.values())
    titles = [exhibits.title(name, edition) for name in told]
    assert len(set(titles)) == len(titles)
    for name, (what, where) in told.items():
        assert what, name
        # What stands alone refers to no row above it.
        assert not re.search(r"the same|cũng hàm|cùng cuốn|같은 (?:함수|책)|同一", where), where


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)
@pytest.mark.parametrize("name", exhibits.PAGES.values())
def test_a_page_has_the_lines_and_what_the_tests_find(name, edition):
    page = "\n".join(exhibits.lines(name, edition))
    wrong, right = exhibits.changed(name)
    assert wrong
    assert right
    for sign, lines in (("-", wrong), ("+", right)):
        assert re.findall(rf"(?m)^\{sign} +(.+)$", page) == lines
    found = re.findall(r"(?m)^\| \*\*(\w+)\*\* \S", page)
    assert found
    if name in VERDICTS:
        failed = [f"T{n}" for n, verdict in enumerate(VERDICTS[name], 1) if verdict == "FAIL"]
        assert [test for test in found if test != "R"] == failed
    links = re.findall(r'href="bug-museum\.html#museum\?([^"]*)"', page)
    assert len(links) == (name in museum.EXHIBITS)
    for settings in links:
        state = FIGURES["museum"].read(settings.replace("&amp;", "&"))
        view = FIGURES["museum"].compute(FIGURES["museum"].state(**state))
        assert FIGURES["museum"].state(**state)["bug"] == name
        assert view.parts["findings"]["rows"][view.parts["findings"]["at"]] == [1]


@pytest.mark.parametrize("name", today.EXHIBITS)
def test_the_lines_beside_the_right_ones_are_both_forms(name):
    """Less the right lines it is the exhibit, less the wrong ones its right form."""
    lines, right = exhibits.code(name), today.RIGHT_FORMS.get(name, today.right)
    less = {
        kind: [line for line, other in lines if other != kind]
        for kind in (listing.RIGHT, listing.FAULTY)
    }
    assert less[listing.RIGHT] == museum.code(today.EXHIBITS[name]).splitlines()
    assert less[listing.FAULTY][1:] == museum.code(right).splitlines()[1:]


@pytest.mark.parametrize(
    ("name", "trials"),
    [
        ("tanh", {"T3"}),
        ("fill", {"T5"}),
        ("nan", {"T9"}),
        ("layouts", {"P5"}),
        ("bfloat16", {"P5"}),
        ("cap", {"T1", "T2", "P3", "P5"}),  # T4 and T10 fail for its right form, too
    ],
)
def test_the_trials_that_are_named_are_those_that_find_the_fault(name, trials):
    assert set(exhibits.trials(name)) == trials


def test_what_the_texts_say_of_numbers():
    lens = torch.tensor([1, 3])
    assert lens.repeat(3).tolist() == [1, 3, 1, 3, 1, 3]
    assert lens.repeat_interleave(3).tolist() == [1, 1, 1, 3, 3, 3]
    places = torch.arange(1025).bfloat16().long()
    assert places[:257].tolist() == list(range(257))
    assert len(set(places[257:].tolist())) <= (len(places) - 257) / 2 + 1
    assert math.isnan(0 * math.nan)
    equal = torch.full((1, 4), -1e6).softmax(1)
    assert equal.tolist() == [[0.25] * 4]


def test_a_card_says_in_words_what_it_shows():
    from book._ext.site import cards

    card = cards.of_lines(*exhibits.changed("dim"))
    assert card.size == cards.SIZE
    assert cards.words("exhibit-dim") == (
        "✗ weights = torch.softmax(scores, dim=1) ✓ weights = torch.softmax(scores, dim=2)"
    )
    assert cards.words("bug-museum") == ""
