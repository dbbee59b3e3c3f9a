"""Begin a live figure: a folder that works, to be changed into what it shall show."""

import re
import shutil
from pathlib import Path

from attn_lib.language import LANGUAGES

SKELETON = Path(__file__).parent / "skeleton"


def start(name: str, chapter: str, root: Path) -> list[str]:
    """Write the folder of a new figure.

    Args:
        name: Its name in links and in ``attn_lib.explore``.
        chapter: The page that shows it.
        root: The repository.

    Returns:
        The files that were written, relative to `root`.

    Raises:
        ValueError: The name is no Python name in lower case, a figure has it already, or there
            is no such chapter.
    """
    folder = root / "attn_lib/live/figures" / name
    if not re.fullmatch("[a-z][a-z0-9]*", name):
        raise ValueError(
            f"NAME must be a word of small letters and digits, as in NAME=sharp. Got {name!r}."
        )
    if folder.exists():
        raise ValueError(f"NAME must be a figure that the book has not yet. Got {name!r}.")
    if not (root / f"book/en/{chapter}.ipynb").exists():
        raise ValueError(
            f"CHAPTER must be a chapter of book/en, as in CHAPTER=scaling. Got {chapter!r}."
        )
    folder.mkdir()
    for source in sorted(SKELETON.glob("*.*")):
        text = source.read_text(encoding="utf-8")
        text = text.replace("NAME", name).replace("CHAPTER", chapter)
        (folder / source.name).write_text(text, encoding="utf-8")
    # A language shows the English words until it has its own.
    for language in LANGUAGES[1:]:
        shutil.copy(folder / "en.json", folder / f"{language}.json")
    return [str(path.relative_to(root)) for path in sorted(folder.iterdir())]
