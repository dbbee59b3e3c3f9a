"""Somebody who works on a tree of the tests: starts a tool that stays, saves files, looks at it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 300  # seconds, for a machine that has other work


@contextmanager
def running(tool: str, tree: Path, *arguments: str) -> Iterator[str]:
    """Start `book._tools.<tool>` in a tree; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", f"book._tools.{tool}", "--port", str(port), *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stderr=subprocess.DEVNULL,
    )
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(PATIENCE)


def fetched(address: str, wanted: Callable[[str], bool]) -> str:
    """What lies at an address, once it is what is wanted."""
    deadline, text = time.monotonic() + PATIENCE, ""
    while time.monotonic() < deadline:
        try:
            text = urllib.request.urlopen(address).read().decode()
        except OSError:
            text = ""  # it has not started yet
        if wanted(text):
            return text
        time.sleep(0.1)
    raise AssertionError(f"never shown: {text[-2000:]}")


def change(path: Path, old: str, new: str) -> None:
    """Save a file in which one text takes the place of another."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
