"""Words of the pages' frame in four languages, from `book/_locale/<language>/LC_MESSAGES/*.po`.

`site.po` holds our own words, `atlas.po` those of the page `scores` and its rows. The others are
named after the domain of the package whose words they complete or correct: `sphinx` (Sphinx and the
PyData theme), `booktheme`, `exercise`. They are compiled below `_build`; whichever catalogue
gettext meets first wins, so `book._ext` stands before the theme in `_config.yml`, and editions put
our folder first in `locale_dirs` for `sphinx`.
"""

import gettext
import os
from collections.abc import Callable

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from sphinx.application import Sphinx

from book._ext.editions.languages import BOOK, EDITIONS, ROOT, Edition

COMPILED = ROOT / "_build" / "locale"


def setup(app: Sphinx) -> None:
    """Compile what has changed and put our words before the packages' own."""
    compile_all()
    for domain in ("booktheme", "exercise"):
        app.add_message_catalog(domain, str(COMPILED))


def words(edition: Edition, domain: str = "site") -> Callable[[str], str]:
    """The function that turns an English phrase of our own into the edition's language."""
    if edition.code == "en":
        return str
    return gettext.translation(domain, COMPILED, [edition.locale]).gettext


def compile_all() -> None:
    """Compile the catalogues that have changed."""
    for edition in EDITIONS:
        for source in (BOOK / "_locale" / edition.code).glob("LC_MESSAGES/*.po"):
            target = COMPILED / edition.locale / "LC_MESSAGES" / f"{source.stem}.mo"
            if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            # Others may read or compile it at this moment.
            whole = target.with_suffix(f".{os.getpid()}")
            with source.open("rb") as po, whole.open("wb") as mo:
                write_mo(mo, read_po(po, abort_invalid=True))
            whole.replace(target)
