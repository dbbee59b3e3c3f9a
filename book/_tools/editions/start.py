"""Begin an edition in another language: everything it needs, with English in every place.

The new edition builds at once. Its pages appear in English under a notice, as do its words; then
each word and page that is translated takes the place of an English one.
"""

import csv
import io
import re
import shutil
from pathlib import Path

from babel import Locale, UnknownLocaleError

from book._tools.editions.read import (
    ENGLISH,
    join_front_matter,
    source_hash,
    split_front_matter,
)


def start(language: str, root: Path) -> list[str]:
    """Scaffold the edition `language` in the tree below `root`.

    Args:
        language: Its two-letter code (ISO 639-1), which names its folders.
        root: The repository.

    Returns:
        What was made or changed, relative to `root`.

    Raises:
        ValueError: The code is no language's, or the book has the language already.
    """
    name = _native_name(language)
    if (root / "book" / language).exists():
        raise ValueError(
            f"LANGUAGE must be a language that the book has not yet. Got {language!r}."
        )
    done = [
        _enter(
            root / "book/_ext/editions/languages.py",
            r"(EDITIONS = \(\n(?:    .*\n)*)(\))",
            rf'\1    Edition("{language}", "{language}", "{language}", "{name}"),\n\2',
        ),
        _enter(root / "attn_lib/language.py", r"(LANGUAGES = \([^)]*)(\))", rf'\1, "{language}"\2'),
        _enter(
            root / "attn_lib/language.py",
            r"(lang: one of [^\n]*)(\.\n)",
            rf'\1, ``"{language}"``\2',
        ),
        _landing(root / "book/index.md", language),
        _terms(root / "book/terminology.csv", language),
        _first_page(root / "book", language),
    ]
    for words in sorted((root / "attn_lib").rglob(f"{ENGLISH}.json")):
        done.append(Path(shutil.copy(words, words.with_name(f"{language}.json"))))
    for catalogue in sorted((root / "book/_locale/vi/LC_MESSAGES").glob("*.po")):
        done.append(_catalogue(catalogue, root / "book/_locale" / language / "LC_MESSAGES"))
    return list(dict.fromkeys(str(path.relative_to(root)) for path in done))


def _native_name(language: str) -> str:
    """What the readers of a language call it."""
    try:
        if not re.fullmatch("[a-z]{2}", language):
            raise UnknownLocaleError(language)
        name = Locale.parse(language).get_display_name(language)
    except UnknownLocaleError:
        raise ValueError(
            "LANGUAGE must be the two-letter code of a language, as in LANGUAGE=fr. "
            f"Got {language!r}."
        ) from None
    return str(name)[:1].upper() + str(name)[1:]


def _enter(path: Path, pattern: str, replacement: str) -> Path:
    """Add the language to a list in the code."""
    text, changes = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1)
    if not changes:
        raise ValueError(f"{path} must hold a list of languages. There is no {pattern!r}.")
    path.write_text(text, encoding="utf-8")
    return path


def _landing(path: Path, language: str) -> Path:
    """Give the landing page a block for the language, in English so far."""
    text = path.read_text(encoding="utf-8")
    block = text[text.index(f":::{{edition}} {ENGLISH}\n") :].split("\n:::", 1)[0]
    block = block.replace(f"{{edition}} {ENGLISH}", f"{{edition}} {language}", 1)
    path.write_text(f"{text.rstrip()}\n\n{block}\n:::\n", encoding="utf-8")
    return path


def _terms(path: Path, language: str) -> Path:
    """Add the language's two columns: the English terms, until others are agreed."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = list(rows[0])
    columns.insert(columns.index("definition"), language)
    columns.insert(columns.index("unless"), f"avoid_{language}")
    target = io.StringIO()
    writer = csv.DictWriter(target, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row | {language: row[ENGLISH], f"avoid_{language}": ""} for row in rows)
    path.write_text(target.getvalue(), encoding="utf-8", newline="")
    return path


def _first_page(book: Path, language: str) -> Path:
    """Begin the language's folder with the English start page, stamped as not translated."""
    _, body = split_front_matter((book / ENGLISH / "index.md").read_text(encoding="utf-8"))
    path = book / language / "index.md"
    path.parent.mkdir()
    stamp = {"i18n": {"source": source_hash(body)}}
    path.write_text(join_front_matter(stamp, body), encoding="utf-8")
    return path


def _catalogue(model: Path, folder: Path) -> Path:
    """A catalogue of the site's words with the model's English ones and nothing translated."""
    text = re.sub(r'(?m)^(msgstr ").*"$', r'\1"', model.read_text(encoding="utf-8"))
    head, rest = text.split('msgstr ""\n', 1)  # the header, which follows an empty msgid
    rest = re.sub(r'"Language: \w+\\n"', rf'"Language: {folder.parent.name}\\n"', rest)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / model.name
    path.write_text(f'{head}msgstr ""\n{rest}', encoding="utf-8")
    return path
