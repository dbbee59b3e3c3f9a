"""The check of links to other hosts, against a host of our own."""

import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from book._tools.links import Fate, check, collect, own_addresses, report

ANSWERS = {
    "/here": 200,
    "/moved": 301,
    "/for-now": 302,
    "/gone": 404,
    "/refused": 403,
    "/no-head": 200,
    "/broken": 500,
}
TARGETS = {"/moved": "/here", "/for-now": "/here"}


class Host(BaseHTTPRequestHandler):
    """Answers as told above; /no-head knows GET alone, /tired answers the second time."""

    asked = Counter()

    def do_HEAD(self):
        self.asked[self.command, self.path] += 1
        status = ANSWERS.get(self.path, 200)
        if self.path == "/no-head" and self.command == "HEAD":
            status = 405
        if self.path == "/tired" and self.asked["HEAD", "/tired"] == 1:
            status = 503
        self.send_response(status)
        if self.path in TARGETS:
            self.send_header("Location", TARGETS[self.path])
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def host():
    Host.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "fate", "status"),
    [
        ("/here", Fate.ALIVE, "200"),
        ("/moved", Fate.MOVED, "301 to {host}/here"),
        ("/for-now", Fate.ALIVE, "200"),
        ("/gone", Fate.DEAD, "404"),
        ("/refused", Fate.UNKNOWN, "403"),
        ("/no-head", Fate.ALIVE, "200"),
        ("/tired", Fate.ALIVE, "200"),
        ("/broken", Fate.UNKNOWN, "500"),
    ],
)
def test_what_becomes_of_a_link(host, path, fate, status):
    (answer,) = check([host + path], pause=0, retries=2)
    assert (answer.fate, answer.status) == (fate, status.format(host=host))


def test_a_host_that_is_not_there_is_dead(host):
    (answer,) = check(["http://127.0.0.1:9/"], pause=0, retries=0)
    assert answer.fate is Fate.DEAD


def test_links_are_collected_once_and_reported_with_their_pages(host, tmp_path):
    (tmp_path / "en").mkdir()
    page = '<a href="{0}/gone#part">x</a><a href="{0}/gone">x</a><a href="{0}/here">x</a>'
    own = (
        '<a href="https://own.example/x">x</a><a href="other.html">x</a><a href="mailto:a@b">x</a>'
    )
    (tmp_path / "index.html").write_text(page.format(host) + own)
    (tmp_path / "en" / "a.html").write_text(page.format(host))
    pages = collect(tmp_path, ["https://own.example/"])
    assert pages == {f"{host}/{name}": ["en/a.html", "index.html"] for name in ("gone", "here")}
    table = report(pages, check(pages, pause=0))
    assert table.splitlines()[2:] == [f"| dead | <{host}/gone> | 404 | en/a.html and 1 more |"]
    assert Host.asked == {("HEAD", "/gone"): 1, ("GET", "/gone"): 1, ("HEAD", "/here"): 1}


def test_neither_the_repository_nor_what_runs_notebooks_is_asked():
    repository, published, binder, google = own_addresses()
    assert repository.startswith("https://github.com/")
    assert ".github.io/" in published
    assert binder == "https://mybinder.org"
    assert google == "https://colab.research.google.com"
