import json
import re
from pathlib import Path

import pytest

import attn_lib
from attn_lib import language
from attn_lib.language import LANGUAGES, get_language, words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_language_is_what_was_set(lang):
    attn_lib.set_language(lang)
    assert get_language() == lang


@pytest.mark.parametrize("lang", ["xx", "", "EN", None, 1])
def test_unknown_language_is_refused_and_changes_nothing(lang):
    with pytest.raises(ValueError, match=rf"lang must be one of {', '.join(LANGUAGES)}\. Got"):
        attn_lib.set_language(lang)
    assert get_language() == "en"


def test_words_that_a_language_lacks_come_in_english(monkeypatch):
    labels = {
        "en": {"check": {"old": "right", "new": "also right"}, "figure": {"question": "why?"}},
        "ko": {"check": {"old": "정답"}},
    }
    monkeypatch.setattr(language, "_labels", labels.get)
    attn_lib.set_language("ko")
    assert words("check") == {"old": "정답", "new": "also right"}
    assert words("figure") == {"question": "why?"}


def test_every_language_words_the_frame_completely():
    attn_lib.set_language("en")
    english = words("frame")
    for lang in LANGUAGES[1:]:
        own = language._labels(lang)["frame"]
        assert own.keys() == english.keys()
        assert all(own[key] for key in own if key != "between_sentences")


LIBRARY = Path(attn_lib.__file__).parent
WORDS = sorted(LIBRARY.glob("**/en.json"))


def leaves(words, path=()):
    """(path, its places to fill) of every text."""
    items = words.items() if isinstance(words, dict) else enumerate(words)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), frozenset(re.findall(r"\{(\w*)", str(value)))


@pytest.mark.parametrize("english", WORDS, ids=lambda path: path.relative_to(LIBRARY).as_posix())
@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_each_language_has_a_text_for_each_english_one(english, lang):
    own = english.with_name(f"{lang}.json")
    assert dict(leaves(json.loads(own.read_text(encoding="utf-8")))) == dict(
        leaves(json.loads(english.read_text(encoding="utf-8")))
    )
