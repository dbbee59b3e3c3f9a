"""The four editions and where things lie in the tree."""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"


class Edition(NamedTuple):
    """One language of the book."""

    code: str  # its folder in book/ and on the site
    locale: str  # what gettext and Sphinx call it
    tag: str  # what <html lang> and hreflang call it (BCP 47)
    name: str  # what its readers call it


EDITIONS = (
    Edition("en", "en", "en", "English"),
    Edition("vi", "vi", "vi", "Tiếng Việt"),
    Edition("ko", "ko", "ko", "한국어"),
    Edition("zh", "zh_CN", "zh-CN", "中文"),
)


def edition_of(code: str) -> Edition:
    """The edition with a code, such as the `attn_edition` of a build."""
    return next(edition for edition in EDITIONS if edition.code == code)
