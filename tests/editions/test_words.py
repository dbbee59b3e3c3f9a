"""Words of figures, exercises and examples follow the English; what has changed there is shown."""

import json
import subprocess
from pathlib import Path

import pytest

from book._tools.editions.changes import earlier, word_diff
from book._tools.editions.read import State, source_hash
from book._tools.editions.words import read, stamp_words, stamps, states, texts

FILE = "attn_lib/live/figures/mask/en.json"
FRESH, STALE, UNTRANSLATED = State.FRESH, State.STALE, State.UNTRANSLATED


@pytest.fixture
def english(tmp_path: Path) -> Path:
    """English words, and Korean ones that were made from them."""
    folder = tmp_path / "attn_lib/live/figures/mask"
    folder.mkdir(parents=True)
    write(folder / "en.json", {"question": "Which word?", "tries": ["Long", "RoPE"], "sign": "␣"})
    write(folder / "ko.json", {"question": "어느 낱말?", "tries": ["긴 것", "RoPE"], "sign": "␣"})
    stamp_words(folder / "ko.json", root=tmp_path)
    return folder / "en.json"


def write(path: Path, words: object) -> None:
    path.write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")


def found(english: Path) -> dict[str, State]:
    stamped = stamps("ko", english.parents[4])[FILE]
    return states(read(english), read(english.with_name("ko.json")), stamped)


def test_stamped_words_are_fresh_names_that_stay_english_included(english: Path) -> None:
    assert found(english) == dict.fromkeys(["question", "tries.0", "tries.1", "sign"], FRESH)


def test_a_changed_english_text_makes_its_translation_stale(english: Path) -> None:
    write(english, {"question": "Whose word?", "tries": ["Long", "RoPE"], "sign": "␣"})
    assert {name for name, its in found(english).items() if its is STALE} == {"question"}
    own = english.with_name("ko.json")
    assert stamp_words(own, {"question"}, english.parents[4]) == ["question"]
    assert set(found(english).values()) == {FRESH}


def test_a_text_that_came_in_english_is_untranslated(english: Path) -> None:
    write(english.with_name("ko.json"), {"question": "Which word?", "tries": ["긴 것", "RoPE"]})
    assert found(english)["question"] is UNTRANSLATED
    assert found(english)["sign"] is FRESH  # nothing to translate


def test_what_is_no_translation_cannot_be_stamped(english: Path) -> None:
    with pytest.raises(ValueError, match=r"must be a translation of an en\.json"):
        stamp_words(english, root=english.parents[4])
    with pytest.raises(ValueError, match="It has no other"):
        stamp_words(english.with_name("ko.json"), {"other"}, english.parents[4])


def git(folder: Path, *command: str) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *names, *command], cwd=folder, check=True, capture_output=True)


def test_the_text_of_a_stamp_is_found_in_the_history_under_an_older_name(english: Path) -> None:
    root = english.parents[4]
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    moved = english.with_name("english.json")
    git(root, "mv", str(english), str(moved))
    git(root, "commit", "-qm", "two")
    write(moved, {"question": "Whose word?"})
    old = source_hash("Which word?")
    assert earlier(moved, old, lambda source: list(texts(source).values())) == "Which word?"
    assert earlier(moved, source_hash("never"), lambda source: [source]) is None


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("a small net", "a large net", "a [-small-] {+large+} net"),
        ("a net", "a net too", "a net {+too+}"),
        ("1 2 3 4 5 6 7 x", "1 2 3 4 5 6 7 y", "… 6 7 [-x-] {+y+}"),
        ("x 1 2 3 4 5 6 7", "1 2 3 4 5 6 7", "[-x-] 1 2 …"),
        ("x 1 2 3 4 5 6 7 x", "y 1 2 3 4 5 6 7 y", "[-x-] {+y+} 1 2 … 6 7 [-x-] {+y+}"),
    ],
)
def test_a_change_is_shown_word_by_word(old: str, new: str, shown: str) -> None:
    assert word_diff(old, new, around=2) == shown


def test_texts_have_the_paths_that_a_stamp_names(english: Path) -> None:
    assert read(english)["tries.1"] == "RoPE"
    assert read(english.with_name("fr.json")) == {}
