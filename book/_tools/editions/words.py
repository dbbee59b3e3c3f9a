"""The words of figures, exercises and examples, in files beside the code: which follow the English.

A word file, such as `ko.json` beside `en.json`, is read by the library and carries no stamps. They
stand in `book/_locale/<language>/words.json`: for each text of each file the hash of the English
text that it was made from.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from book._tools.editions.read import ENGLISH, State, has_words, source_hash
from book._tools.notebooks import BOOK

ROOT = BOOK.parent


def word_files(root: Path = ROOT) -> list[Path]:
    """Every file of English words in the library."""
    return sorted((root / "attn_lib").rglob(f"{ENGLISH}.json"))


def texts(source: str) -> dict[str, str]:
    """The texts of a word file, each under its path: `{"question": ..., "replies.0": ...}`."""
    return {".".join(path): text for path, text in _leaves(json.loads(source), ())}


def _leaves(words: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(words, str):
        yield path, words
    elif isinstance(words, dict | list):
        for key, value in words.items() if isinstance(words, dict) else enumerate(words):
            yield from _leaves(value, (*path, str(key)))


def read(path: Path) -> dict[str, str]:
    """The texts of a word file; none where there is no such file."""
    return texts(path.read_text(encoding="utf-8")) if path.is_file() else {}


def stamps(language: str, root: Path = ROOT) -> dict[str, dict[str, str]]:
    """The stamps of a language's texts, by English file and path of the text."""
    path = _stamps(language, root)
    found: dict[str, dict[str, str]] = {}
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
    return found


def states(
    english: Mapping[str, str], own: Mapping[str, str], stamped: Mapping[str, str]
) -> dict[str, State]:
    """How each text of a word file stands to the English one, by its stamp."""
    return {
        name: _state(text, own.get(name, text), stamped.get(name)) for name, text in english.items()
    }


def _state(english: str, own: str, stamp: str | None) -> State:
    if not has_words(english) or (own != english and stamp == source_hash(english)):
        return State.FRESH
    # A text that is the English one counts as translated where somebody has said so: names are.
    if own == english and stamp != "same":
        return State.UNTRANSLATED
    return State.FRESH if own == english else State.STALE


def stamp_words(path: Path, names: set[str] | None = None, root: Path = ROOT) -> list[str]:
    """Record that texts of a word file follow the present English ones.

    Args:
        path: The translated file, such as `attn_lib/live/figures/mask/ko.json`.
        names: The paths of the texts to stamp; all of them if None.
        root: The repository.

    Returns:
        The texts whose stamp has changed.

    Raises:
        ValueError: The file is the English one, or has no text of a name in `names`.
    """
    english, language = path.resolve().with_name(f"{ENGLISH}.json"), path.stem
    if language == ENGLISH or not english.is_file():
        raise ValueError(f"path must be a translation of an {ENGLISH}.json. Got {path}.")
    source, own = read(english), read(path)
    if unknown := (names or set()) - source.keys():
        raise ValueError(f"cells must be texts of {path}. It has no {', '.join(sorted(unknown))}.")
    all_stamps = stamps(language, root)
    old = all_stamps.get(english.relative_to(root).as_posix(), {})
    new = {
        name: _stamp(text, own.get(name)) if names is None or name in names else old.get(name)
        for name, text in source.items()
        if has_words(text)
    }
    all_stamps[english.relative_to(root).as_posix()] = {k: v for k, v in new.items() if v}
    target = _stamps(language, root)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(dict(sorted(all_stamps.items())), indent=1) + "\n", "utf-8")
    return [name for name, value in new.items() if value != old.get(name)]


def _stamp(english: str, own: str | None) -> str:
    return "same" if own == english else source_hash(english)


def _stamps(language: str, root: Path) -> Path:
    return root / "book/_locale" / language / "words.json"
