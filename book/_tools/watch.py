"""Build pages whenever something of them is saved, and show them: `make watch FILES=...`.

As `make page` builds them, but in one process that stays: it has imported everything, and the
edition is in its memory. So a saved cell is on the page after a moment, which the browser shows by
itself. Lists that are made of other pages stay as they were, until `make page` or a new start.
"""

import argparse
import mimetypes
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import jupyter_book.sphinx
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector

from book._ext.site import assets, styles
from book._tools import preview, reload

BOOK = reload.ROOT / "book"
SOURCES = (reload.LIBRARY, *(BOOK / f"_{part}" for part in ("ext", "static", "templates", "tools")))


def main(arguments: list[str] | None = None) -> int:
    """Build and serve until the reader has enough."""
    parser = argparse.ArgumentParser(prog="make watch", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("files", nargs="*", type=Path, help="book/<language>/<page>.ipynb or .md")
    options = parser.parse_args(arguments)
    files = preview.pages(parser, options.files)
    if len({file.parent for file in files}) > 1:
        parser.error("FILES must be pages of one language.")
    site = preview.BUILD / "preview" / files[0].parent.name
    with reload.serving(Files(site), options.port) as server:
        server.tell()

        def show(seconds: float) -> None:
            server.tell()
            names = ", ".join(f"{server.address}/{file.stem}.html" for file in files)
            print(f"{names} after {seconds:.1f} s", flush=True)

        try:
            with staying(files, show):
                return preview.main([str(file) for file in files])
        except KeyboardInterrupt:
            return 0


class Files:
    """What lies in a folder, by path."""

    def __init__(self, folder: Path):
        self._folder = folder

    def __call__(self, path: str) -> tuple[str, bytes] | None:
        """Return type and content of a file; None if there is none."""
        file = (self._folder / path.strip("/")).resolve()
        if not (file.is_relative_to(self._folder) and file.is_file()):
            return None
        return mimetypes.guess_type(file.name)[0] or "text/plain", file.read_bytes()


@contextmanager
def staying(files: list[Path], show: Callable[[float], None]) -> Iterator[None]:
    """Let the edition's Sphinx build again after every change, in place of only once."""

    class Staying(Sphinx):
        def build(self, force_all: bool = False, filenames: list[str] | None = None) -> None:
            began = time.monotonic()
            saved = reload.Saved(*SOURCES, files[0].parent)
            super().build(force_all, filenames or [])
            write_static(Path(self.outdir))
            show(time.monotonic() - began)
            while True:
                changed = saved.wait()
                began = time.monotonic()
                reload.take_in({path for path in changed if path.parent != files[0].parent})
                for path in changed & set(files):
                    shutil.copy2(path, Path(self.srcdir) / path.name)
                static = {path for path in changed if path.suffix in {".js", ".css"}}
                if changed - static:
                    self.env.reread_always.clear()  # lists made of other pages
                    try:
                        super().build(False, filenames or [])
                    except Exception:  # a notebook that is half saved, say
                        traceback.print_exc()
                if static:
                    write_static(Path(self.outdir))
                show(time.monotonic() - began)

    numbering = TocTreeCollector.assign_figure_numbers
    known: dict[str, tuple[float, nodes.document]] = {}

    def number(collector: TocTreeCollector, env: BuildEnvironment) -> list[str]:
        """Number figures from doctrees in memory: reading all of them takes most of a build."""

        def doctree(name: str) -> nodes.document:
            read = env.all_docs[name]
            if name not in known or known[name][0] != read:
                known[name] = read, from_disk(name)
            return known[name][1]

        from_disk = env.get_doctree
        with patch.object(env, "get_doctree", doctree):
            return numbering(collector, env)

    with (
        patch.object(jupyter_book.sphinx, "Sphinx", Staying),
        patch.object(TocTreeCollector, "assign_figure_numbers", number),
    ):
        yield


def write_static(site: Path) -> None:
    """Write the scripts and styles of the pages."""
    shutil.copytree(BOOK / "_static", site / "_static", dirs_exist_ok=True)
    assets.write_figures(site / "_static")
    styles.write_all(site / "_static")


if __name__ == "__main__":
    sys.exit(main())
