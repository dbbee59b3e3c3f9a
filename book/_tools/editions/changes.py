"""What has changed in English since a text was translated, from the history of its file."""

import difflib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from book._tools.editions.read import source_hash


def earlier(path: Path, stamp: str, texts: Callable[[str], list[str]]) -> str | None:
    """Find the text that a stamp is the hash of among the versions of a file, the newest first.

    Args:
        path: The English file as it stands now.
        stamp: The hash that a translation carries.
        texts: All texts of a version of the file, from its source.

    Returns:
        The text, or None where no version has it, or there is no history.
    """
    folder = path.parent
    log = ["git", "log", "--follow", "--format=%H", "--name-only", "-z", "--", path.name]
    told = subprocess.run(log, cwd=folder, check=False, capture_output=True, text=True)
    if told.returncode:
        return None
    parts = [part.strip() for part in told.stdout.split("\0") if part.strip()]
    for commit, name in zip(parts[::2], parts[1::2], strict=True):
        show = ["git", "show", f"{commit}:{name}"]
        version = subprocess.run(show, cwd=folder, check=True, capture_output=True, text=True)
        for text in texts(version.stdout):
            if source_hash(text) == stamp:
                return text
    return None


def word_diff(old: str, new: str, around: int = 6) -> str:
    """What changed, word by word: `a [-small-] {+large+} network ...`.

    Args:
        old: The text before.
        new: The text now.
        around: How many equal words stand beside a change.
    """
    before, after = re.findall(r"\S+", old), re.findall(r"\S+", new)
    parts = []
    for operation, i, j, k, n in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        gone, come = before[i:j], after[k:n]
        if operation != "equal":
            parts += [f"[-{' '.join(gone)}-]"] * bool(gone) + [f"{{+{' '.join(come)}+}}"] * bool(
                come
            )
        elif len(gone) > 2 * around:
            parts += [*gone[:around] * bool(i), "…", *gone[-around:] * (j < len(before))]
        else:
            parts += gone
    return " ".join(parts)
