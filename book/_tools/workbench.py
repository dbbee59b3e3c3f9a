"""Every live figure on a bare page of its own, without the book: `make workbench`.

A page is made when it is asked for, and loads again when a file of the figure is saved. The tests
of the figures open the same pages (`Pages`).
"""

import argparse
import html
import sys
import traceback
from threading import Lock

from attn_lib.language import LANGUAGES, speaking
from attn_lib.live.figures import FIGURES
from attn_lib.live.host import bundle
from attn_lib.live.host.files import files
from attn_lib.live.host.page import render
from book._tools import reload

THEME = reload.ROOT / "book" / "_static" / "theme.js"

# The room that a chapter gives a figure: its type, its width, a header of that height that stays.
PLAIN = """
html { --plain: system-ui, sans-serif; scroll-padding-top: 64px; }
html:lang(ko) { --plain: system-ui, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; }
html:lang(zh) { --plain: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif; }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: var(--t3)/1.5 var(--plain); }
main { max-width: 720px; margin: 0 auto; padding: 0 4px 100vh; }
header { position: sticky; top: 0; z-index: 2; display: flex; gap: var(--s4); align-items: center; height: 56px; padding: 0 var(--s3);
  overflow-x: auto; background: var(--page); color: var(--muted); font-size: var(--t2); white-space: nowrap; }
@media (min-width: 992px) { header { height: 48px; } }
header a, header button { border: 0; padding: 0; background: none; color: inherit; font: inherit; text-decoration: underline; }
"""  # noqa: E501 - a style sheet
SWITCH = """
document.addEventListener("click", ({ target }) => {
  if (!target.closest("header button")) return;
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("mode", root.dataset.theme);
});
"""


class Pages:
    """The bare pages and what they load, by path, each made once until `forget`."""

    def __init__(self) -> None:
        self._lock = Lock()  # a language is spoken by one page at a time
        self._made: dict[str, tuple[str, bytes]] = {}

    def forget(self) -> None:
        """Make everything anew."""
        with self._lock:
            self._made.clear()

    def __call__(self, path: str) -> tuple[str, bytes] | None:
        """Return type and content of what lies at a path; None if there is nothing."""
        with self._lock:
            if path not in self._made and (made := self._make(path)):
                self._made[path] = made
            return self._made.get(path)

    def _make(self, path: str) -> tuple[str, bytes] | None:
        match path.strip("/").split("/"):
            case [""]:
                return "text/html", contents().encode()
            case [language, page] if language in LANGUAGES and page.endswith(".html"):
                name = page.removesuffix(".html")
                return ("text/html", bare(name, language).encode()) if name in FIGURES else None
            case ["_static", *_]:
                found = {
                    "theme.js": THEME.read_text(encoding="utf-8"),
                    "bench.css": bundle.tokens() + PLAIN,
                    "bench.js": SWITCH,
                } | {f"attn/{name}": text for name, text in files().items()}
                for name, text in found.items():
                    kind = "text/css" if name.endswith(".css") else "text/javascript"
                    self._made[f"/_static/{name}"] = kind, text.encode()
                return self._made.get(path)
        return None


def address(name: str, language: str, fragment: str = "") -> str:
    """Where a figure's page lies below the server's address."""
    return f"/{language}/{name}.html{fragment}"


def bare(name: str, language: str) -> str:
    """Return the page of a figure: links to all its states, and the figure itself.

    A mistake in the figure is what the page shows then.
    """
    try:
        with speaking(language):
            figure = FIGURES[name]
            states = [{}, figure.prediction.before, *figure.prediction.by, figure.prediction.after]
            links = {figure.fragment(s) for s in (*states, figure.surprise, *figure.tries)}
            state = figure.state(**figure.opening)
            shown = render(figure, state, figure.compute(state))
    except Exception:
        return _page(name, language, f"<pre>{html.escape(traceback.format_exc())}</pre>")
    others = [(language, address(name, language)) for language in LANGUAGES]
    bench = _links([("all figures", "/"), *others, *((link, link) for link in sorted(links))])
    head = (
        f'<link rel="stylesheet" href="/_static/attn/figures/{name}.css">'
        '<script defer src="/_static/attn/figures.js"></script>'
    )
    header = f'<header>{bench} <button type="button">light or dark</button></header>'
    return _page(name, language, f"{header}<main>{shown}</main>", head)


def contents() -> str:
    """Return the first page: every figure in every language."""
    rows = [
        f"<li>{name} {_links([(lang, address(name, lang)) for lang in LANGUAGES])}</li>"
        for name in FIGURES
    ]
    return _page("Figures", "en", f"<main><ul>{''.join(rows)}</ul></main>")


def _links(links: list[tuple[str, str]]) -> str:
    return " ".join(f'<a href="{html.escape(to)}">{html.escape(text)}</a>' for text, to in links)


def _page(title: str, language: str, body: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="data:,">'
        '<script src="/_static/theme.js"></script><script src="/_static/bench.js"></script>'
        '<link rel="stylesheet" href="/_static/bench.css">'
        f'<link rel="stylesheet" href="/_static/attn/figures.css">{head}</head>'
        f"<body>{body}</body></html>\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Serve the pages until the reader has enough."""
    parser = argparse.ArgumentParser(prog="make workbench", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args(arguments).port
    saved = reload.Saved(reload.LIBRARY, reload.ROOT / "book" / "_tools", THEME.parent)
    pages = Pages()
    with reload.serving(pages, port) as server:
        server.tell()
        print(f"Figures: {server.address}. Stop with Ctrl+C.", flush=True)
        try:
            while True:
                reload.take_in(saved.wait())
                pages.forget()
                server.tell()
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
