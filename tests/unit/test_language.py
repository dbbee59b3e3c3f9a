import pytest

import attn_lib
from attn_lib import language
from attn_lib.language import LANGUAGES, get_language, words


@pytest.fixture(autouse=True)
def english():
    yield
    attn_lib.set_language("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_language_is_what_was_set(lang):
    attn_lib.set_language(lang)
    assert get_language() == lang


@pytest.mark.parametrize("lang", ["fr", "", "EN", None, 1])
def test_unknown_language_is_refused_and_changes_nothing(lang):
    with pytest.raises(ValueError, match=r"lang must be one of en, vi, ko, zh\. Got"):
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
