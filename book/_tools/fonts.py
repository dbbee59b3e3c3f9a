"""The fonts that Chromium writes with: which letters need one, and whether it is there."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

# Tests measure in these fonts alone, whatever else is installed. A macOS Chromium reads no such
# file and takes the system's fonts.
CONFIGURATION = Path(__file__).with_name("fonts.conf")


@dataclass(frozen=True)
class Script:
    """What Chromium needs to write some letters."""

    letters: str  # a class of a regular expression
    families: tuple[str, ...]  # any of them will do
    package: str  # where Debian has the first of them


LATIN = Script("[A-Za-z]", ("DejaVu Sans", "Helvetica Neue", "Segoe UI"), "fonts-dejavu-core")
KOREAN_AND_CHINESE = (
    Script(
        "[가-힣]",
        ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic"),
        "fonts-noto-cjk",
    ),
    Script(
        "[一-鿿]",
        ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei"),
        "fonts-noto-cjk",
    ),
)


def missing(
    browser: Browser, text: str, scripts: Iterable[Script] = KOREAN_AND_CHINESE
) -> list[Script]:
    """The scripts of a text that Chromium finds no font for."""
    lacking = []
    for script in scripts:
        letter = re.search(script.letters, text)
        if letter and not _used(browser, letter[0], script.families) & set(script.families):
            lacking.append(script)
    return lacking


def need(browser: Browser, text: str, scripts: Iterable[Script] = KOREAN_AND_CHINESE) -> None:
    """Make sure that there are fonts for the letters of a text.

    Raises:
        RuntimeError: There is none; the message names the package that has one.
    """
    if lacking := missing(browser, text, scripts):
        raise RuntimeError(how_to_install(lacking))


def how_to_install(lacking: Iterable[Script]) -> str:
    """What to type where fonts cannot be installed from here."""
    lacking = list(lacking)
    said = [
        f"No font for {script.letters}: one of {', '.join(script.families)} is needed."
        for script in lacking
    ]
    packages = dict.fromkeys(script.package for script in lacking)
    return "\n".join([*said, f"On Debian: sudo apt-get install -y {' '.join(packages)}"])


def _used(browser: Browser, letter: str, families: Iterable[str]) -> set[str]:
    """What Chromium writes a letter with where some fonts are asked for."""
    page = browser.new_page()
    try:
        asked = ", ".join(f"'{family}'" for family in families)
        page.set_content(f'<p style="font-family: {asked}">{letter}</p>')
        devtools = page.context.new_cdp_session(page)
        devtools.send("DOM.enable")
        devtools.send("CSS.enable")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "p"})["nodeId"]
        used = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        return {font["familyName"] for font in used}
    finally:
        page.close()
