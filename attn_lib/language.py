"""The language of every word a figure shows, chosen once per notebook."""

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from attn_lib.typography import each, kept_whole, tied

LANGUAGES = ("en", "vi", "ko", "zh")

_current = "en"


def set_language(lang: str) -> None:
    """Choose the language of labels, figures and hints.

    Args:
        lang: one of ``"en"``, ``"vi"``, ``"ko"``, ``"zh"``.

    Raises:
        ValueError: ``lang`` is no language of the book.

    Example:
        >>> set_language("ko")
        >>> get_language()
        'ko'
        >>> set_language("en")
    """
    global _current
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}. Got {lang!r}.")
    _current = lang


def get_language() -> str:
    """Return the language chosen by `set_language`, at first ``"en"``."""
    return _current


def spoken_of(languages: Collection[str]) -> str:
    """Return the current language if it is one of `languages`, else ``"en"``.

    For what exists in some languages alone, such as the sentences that a model was shown.
    """
    return _current if _current in languages else "en"


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Speak a language for a while, then the one of before."""
    before = get_language()
    set_language(lang)
    try:
        yield
    finally:
        set_language(before)


def words(section: str) -> dict[str, Any]:
    """Return the current language's words of a figure, or of ``"frame"`` or ``"check"``.

    What a language does not have yet comes in English: a chapter that is not translated yet is
    shown in English too, and so are its figure and its exercises.
    """
    return _labels("en")[section] | _labels(_current).get(section, {})


@cache
def _labels(lang: str) -> dict[str, Any]:
    package = files("attn_lib")
    live = package.joinpath("live")
    labels = {figure.name: _read(figure, lang) for figure in live.joinpath("figures").iterdir()}
    labels = each(labels, tied if lang == "ko" else kept_whole)
    labels |= _read(package.joinpath("examples"), lang)
    labels["frame"] = _read(live.joinpath("words"), lang)
    chapters = package.joinpath("check").iterdir()
    labels["check"] = {name: own for c in chapters for name, own in _read(c, lang).items()}
    return labels


def _read(folder: Traversable, lang: str) -> dict[str, Any]:
    """Return the words that lie in a folder, none where it has no file of this language."""
    path = folder.joinpath(f"{lang}.json")
    words: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return words
