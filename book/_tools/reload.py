"""What `make workbench` and `make watch` share: see what is saved, take it in, tell the browsers.

Words, scripts, styles, templates and a figure's program are read again by the process that runs;
after any other change it starts itself anew, with the same command.
"""

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, invalidate_caches
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

from attn_lib import language
from attn_lib.live.figures import FIGURES
from attn_lib.live.host import bundle

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "attn_lib"
LIVE = LIBRARY / "live"
EVERY = 0.2  # seconds between two looks at the files
# What a path of the site leads to: its type and its content; None where there is nothing.
Answer = Callable[[str], tuple[str, bytes] | None]

# A page that loads again keeps its figure's state, which is its address, and its place.
SCRIPT = b"""let first;
new EventSource("/reload").onmessage = ({ data }) => {
  first ??= data;
  if (data !== first) location.reload();
};
"""


class Saved:
    """The files below some folders: which were saved, made or removed since the last look."""

    def __init__(self, *folders: Path):
        self._folders = folders
        self._times = dict(self._look())

    def __call__(self) -> set[Path]:
        """Look once more."""
        before, self._times = self._times, dict(self._look())
        return {path for path, _ in before.items() ^ self._times.items()}

    def wait(self) -> set[Path]:
        """Look until something was saved."""
        while not (saved := self()):
            time.sleep(EVERY)
        return saved

    def _look(self) -> Iterator[tuple[Path, int]]:
        for folder in self._folders:
            for path in folder.rglob("*.*"):
                if "__pycache__" not in path.parts and path.is_file():
                    yield path, path.stat().st_mtime_ns


def take_in(saved: set[Path]) -> None:
    """Let this process work with what was saved; what it cannot read again starts it anew."""
    figures: set[str] = set()
    for path in saved:
        place = path.relative_to(LIVE).parts if path.is_relative_to(LIVE) else ()
        if place[:1] == ("figures",) and len(place) > 2:
            figures |= {place[1]} if path.suffix == ".py" else set()
        elif path.suffix == ".py" or (path.suffix == ".json" and place[:1] == ("front",)):
            _start_anew(path)
    language._labels.cache_clear()
    bundle.forget()
    for name in figures:
        _import_again(name)


def _start_anew(changed: Path) -> None:
    """Run this command again in the place of this process, unless it could not be read."""
    try:
        if changed.suffix == ".py" and changed.exists():
            compile(changed.read_text(encoding="utf-8"), str(changed), "exec")
    except SyntaxError:
        traceback.print_exc(limit=0)
        return
    os.execv(sys.executable, sys.orig_argv)


def _import_again(name: str) -> None:
    """Declare a figure anew. One with a mistake keeps its last form, and the mistake is printed."""
    package = f"attn_lib.live.figures.{name}"
    modules = [m for m in sys.modules if m == package or m.startswith(f"{package}.")]
    known = {module: sys.modules.pop(module) for module in modules}
    invalidate_caches()
    try:
        FIGURES[name] = import_module(package).FIGURE
    except Exception:
        traceback.print_exc()
        sys.modules.update(known)


class Server(ThreadingHTTPServer):
    """Serves what `answer` gives, on this machine alone; `tell` lets its pages load again."""

    daemon_threads = True
    token = 0.0  # a page that was opened at another one is out of date

    def __init__(self, answer: Answer, port: int = 0):
        super().__init__(("127.0.0.1", port), _Handler)
        self.answer = answer
        self.address = f"http://127.0.0.1:{self.server_port}"

    def tell(self) -> None:
        """Say that the pages have changed; until the first time, no page asks."""
        self.token = time.time()


@contextmanager
def serving(answer: Answer, port: int = 0) -> Iterator[Server]:
    """Serve on a port, 0 for any that is free."""
    with Server(answer, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == "/reload":
            self._tell_changes()
        elif path == "/reload.js":
            self._send("text/javascript", SCRIPT)
        elif (answer := self.server.answer(path)) is None:
            self.send_error(404)
        else:
            kind, content = answer
            if kind == "text/html" and self.server.token:
                script = b'<script src="/reload.js"></script></head>'
                content = content.replace(b"</head>", script, 1)
            self._send(kind, content)

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def _tell_changes(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        told = 0.0
        try:
            while True:
                if told != self.server.token:
                    told = self.server.token
                    self.wfile.write(f"data: {told}\n\n".encode())
                time.sleep(EVERY)
        except OSError:
            return  # the page was closed

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""
