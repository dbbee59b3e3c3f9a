"""The Chromium that looks at the built pages, and its fonts: find or install them; a server.

`make site` calls this before its tests; who needs a browser starts it by `launch`.
"""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from book._tools import fonts

# The shell comes first, as with Playwright: a whole browser draws its own window around every page,
# which takes as long again.
DEBIAN_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
INSTALL_TIMEOUT = 900


def find(playwright: Playwright) -> Path | None:
    """Playwright's own Chromium if it is installed, else the system's, else None."""
    own = Path(playwright.chromium.executable_path)
    if own.exists():
        return own
    system = (shutil.which(name) for name in DEBIAN_NAMES)
    return next((Path(path) for path in system if path), None)


def launch(playwright: Playwright, *, all_fonts: bool = False) -> Browser:
    """Start a headless Chromium.

    Args:
        playwright: A started Playwright.
        all_fonts: Write with all fonts of this machine, as a reader does, and not only with those
            in which pages measure the same everywhere.

    Returns:
        The browser. It finds no host but this machine.

    Raises:
        RuntimeError: There is none; the message names the command that installs one.
    """
    path = find(playwright)
    if path is None:
        raise RuntimeError(how_to_install())
    own = path == Path(playwright.chromium.executable_path)
    variables: dict[str, str | float | bool] = {**os.environ}
    if not all_fonts:
        variables["FONTCONFIG_FILE"] = str(fonts.CONFIGURATION)
    return playwright.chromium.launch(
        executable_path=None if own else path,  # None: Playwright takes its own headless shell
        # Chromium refuses its sandbox to root, whom containers and CI machines run as.
        chromium_sandbox=os.geteuid() != 0,
        env=variables,
        args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    )


def await_fonts(page: Page) -> None:
    """Wait for the page's fonts."""
    page.evaluate("document.fonts.ready.then(() => true)")


class QuietHandler(SimpleHTTPRequestHandler):
    """A static file server that does not write each request to the terminal."""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, handler: type[QuietHandler] = QuietHandler) -> Iterator[str]:
    """Serve a folder on a free port of this machine; gives its address without a final slash."""
    serve = functools.partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def how_to_install() -> str:
    """What to type where no Chromium can be installed from here."""
    return (
        "The pages are looked at in Chromium, and none was found. Install it by one of\n"
        f"  sudo {sys.executable} -m playwright install --with-deps chromium\n"
        "  sudo apt-get install -y chromium-headless-shell\n"
        "Where an installation was cut off before, this comes first: sudo dpkg --configure -a"
    )


def installations() -> Iterator[list[str]]:
    """The commands that may bring a Chromium here, the likeliest to work last."""
    root = _as_root()
    playwright = [sys.executable, "-m", "playwright", "install"]
    if root is None:
        yield [*playwright, "chromium"]
        return
    yield [*root, *playwright, "--with-deps", "chromium"]
    yield from _packages("chromium-headless-shell")
    yield from _packages("chromium")


def _packages(*names: str) -> Iterator[list[str]]:
    """The commands that install packages, where Debian's tool is there and may be used."""
    root = _as_root()
    if root is not None and shutil.which("apt-get"):
        yield [*root, "apt-get", "update"]
        yield [*root, "apt-get", "install", "-y", "--no-install-recommends", *names]


def _as_root() -> list[str] | None:
    """The prefix that makes a command root's: nothing, sudo without a question, or None."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], check=False).returncode == 0:
        return ["sudo", "-n", "-E"]
    return None


def version() -> str | None:
    """The version of a Chromium that really starts, or None."""
    with sync_playwright() as playwright:
        try:
            with launch(playwright) as browser:
                return browser.version
        except RuntimeError:
            return None
        except Error as error:
            print(error)  # it is there and does not start: say why
            return None


def unwritten() -> list[fonts.Script]:
    """The scripts of the book that Chromium has no font for."""
    scripts = (fonts.LATIN, *fonts.KOREAN_AND_CHINESE)
    with sync_playwright() as playwright, launch(playwright) as browser:
        return fonts.missing(browser, "a 한 注", scripts)


def run_until(done: Callable[[], object], commands: Iterator[list[str]]) -> None:
    """Run commands, and say which, until one has done it or all have been tried."""
    for command in commands:
        print("+", " ".join(command), flush=True)
        try:
            subprocess.run(command, check=False, stdin=subprocess.DEVNULL, timeout=INSTALL_TIMEOUT)
        except subprocess.TimeoutExpired as error:
            print(error)
        if done():
            return


def main() -> int:
    """Make sure that Chromium starts and has the fonts; the exit status says whether it does."""
    if not version():
        run_until(version, installations())
    found = version()
    print(f"Chromium {found}" if found else how_to_install())
    if not found:
        return 1
    lacking = unwritten()
    if lacking:
        packages = dict.fromkeys(script.package for script in lacking)
        run_until(lambda: not unwritten(), _packages(*packages))
        lacking = unwritten()
    print(fonts.how_to_install(lacking) if lacking else "Fonts for all four languages")
    return int(bool(lacking))


if __name__ == "__main__":
    sys.exit(main())
