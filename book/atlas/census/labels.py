"""How often the census is right: its answers beside those of a reader, in `labels.yml`.

A third of the labels, drawn by chance, was kept aside while the rules were written; some files were
read when the rules were finished.
"""

import random
from collections.abc import Iterable, Mapping, Set
from functools import cache
from typing import Any

import yaml

from book.atlas import FOLDER

STORED = FOLDER / "labels.yml"
COUNTED = "counted"  # the question whether a file counts at all, beside those of the ideas
PARTS = ("known", "aside", "after")


@cache
def after() -> frozenset[str]:
    """The files that were read when the rules were finished."""
    return frozenset(_stored()["after"])


@cache
def labels() -> dict[str, set[str] | None]:
    """The ideas of each file that was read; None where nothing in it counts."""
    read = _stored()
    ideas = {name: set(said) for name, said in read[COUNTED].items()}
    return ideas | dict.fromkeys(read["left_out"])


def parts(names: Iterable[str], later: Set[str] = frozenset()) -> dict[str, set[str]]:
    """The labels that rules were written by, a third drawn by chance, and those read later."""
    before = sorted(set(names) - later)
    third = set(random.Random(47).sample(before, len(before) // 3))
    return dict(zip(PARTS, ({*before} - third, third, {*names} & later), strict=True))


def compared(
    answers: Mapping[str, Iterable[str]],
    read: Mapping[str, set[str] | None],
    ideas: Iterable[str],
) -> dict[str, dict[str, list[int]]]:
    """For each part of the labels and each question: right, wrong, missed.

    Args:
        answers: The ideas that the program found in each file that counts.
        read: Those that a reader found, or None where the file does not count.
        ideas: All ideas.
    """
    questions = (COUNTED, *ideas)
    return {
        part: {
            question: _counts(
                {name for name in files if question in _said(answers.get(name))},
                {name for name in files if question in _said(read[name])},
            )
            for question in questions
        }
        for part, files in parts(read, after()).items()
    }


def errors(
    answers: Mapping[str, Iterable[str]], read: Mapping[str, set[str] | None]
) -> dict[str, set[str]]:
    """The files about which program and reader differ, and about what."""
    differ = {name: _said(answers.get(name)) ^ _said(read[name]) for name in sorted(read)}
    return {name: questions for name, questions in differ.items() if questions}


def _stored() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(STORED.read_text(encoding="utf-8"))
    return read


def _said(ideas: Iterable[str] | None) -> set[str]:
    return set() if ideas is None else {COUNTED, *ideas}


def _counts(found: set[str], true: set[str]) -> list[int]:
    return [len(found & true), len(found - true), len(true - found)]
