"""Which hint a verdict gives: what the tests of several chapters ask."""

import re

from attn_lib.language import words


def hint_of(verdict, exercise):
    """Return the name of the hint that the verdict gives, "right" for a right answer."""
    texts = words("check")[exercise]
    filled = {name: re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for name, text in texts.items()}
    names = [name for name, pattern in filled.items() if re.fullmatch(pattern, verdict.text)]
    assert len(names) == 1, verdict
    assert bool(verdict) == (names == ["right"])
    return names[0]
