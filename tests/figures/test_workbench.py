"""`make workbench`: what is saved is shown at once, mostly without a new start."""

import json
import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from reader import ROOT
from saving import PATIENCE, change, fetched, running

from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES
from book._tools import reload
from book._tools.workbench import Pages, address


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The tree of a workbench that runs, and its address."""
    for folder in ("attn_lib", "book/_tools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "book/_static").mkdir()
    shutil.copy2(ROOT / "book/_static/theme.js", tmp_path / "book/_static")
    with running("workbench", tmp_path) as address:
        yield tmp_path, address


@pytest.mark.slow
def test_what_is_saved_is_shown(tree: tuple[Path, str], chromium: Browser) -> None:
    folder, site = tree
    page_of_mask = site + address("mask", "en")
    mask = folder / "attn_lib/live/figures/mask"
    fetched(page_of_mask, lambda text: "What passes the wall?" in text)
    page = chromium.new_page()
    page.goto(page_of_mask + "#mask?fill=zero")
    question = page.locator(".attn-question")
    expect(question).to_have_text("What passes the wall?")

    change(mask / "en.json", "What passes the wall?", "What stops at the wall?")
    expect(question).to_have_text("What stops at the wall?", timeout=1000 * PATIENCE)
    page.wait_for_function("document.querySelector('attn-explorer').state?.fill === 'zero'")

    with (mask / "drawing.js").open("a", encoding="utf-8") as file:
        file.write('\nglobalThis.drawnBy = "a saved script";\n')
    page.wait_for_function("globalThis.drawnBy === 'a saved script'", timeout=1000 * PATIENCE)
    page.close()

    change(mask / "__init__.py", 'chapter="', 'chapter=nowhere or "')
    change(mask / "en.json", "at the wall?", "there?")
    fetched(page_of_mask, lambda text: "What stops there?" in text)
    change(mask / "__init__.py", 'chapter=nowhere or "', 'chapter="')
    change(mask / "__init__.py", '"1e6": -1e6', '"1e6": nothing')
    fetched(page_of_mask, lambda text: "NameError" in text or "nothing" in text)
    change(mask / "__init__.py", '"1e6": nothing', '"1e6": -1e6')

    # What all figures share is read by a new start.
    change(folder / "book/_tools/workbench.py", "light or dark", "day or night")
    fetched(page_of_mask, lambda text: "day or night" in text and "What stops there?" in text)


def test_pages_are_those_of_all_figures_in_all_languages() -> None:
    pages = Pages()
    kind, first = pages("/")
    assert kind == "text/html"
    for name in FIGURES:
        for language in LANGUAGES:
            assert f'href="{address(name, language)}"'.encode() in first
    assert b'<html lang="ko">' in pages(address("mask", "ko"))[1]
    assert pages("/_static/attn/figures/mask.js")[0] == "text/javascript"
    for nowhere in ("/en/none.html", "/fr/mask.html", "/_static/none.js", "/x"):
        assert pages(nowhere) is None


def test_a_mistake_of_a_figure_is_what_its_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIGURES, "mask", None)
    assert b"AttributeError" in Pages()(address("mask", "en"))[1]


def test_saved_files_are_seen(tmp_path: Path) -> None:
    kept, gone = tmp_path / "a.json", tmp_path / "deep/b.json"
    gone.parent.mkdir()
    for path in (kept, gone):
        path.write_text(json.dumps({}))
    saved = reload.Saved(tmp_path)
    assert saved() == set()
    os.utime(kept, ns=(1, 1))
    gone.unlink()
    (tmp_path / "new.js").touch()
    assert saved() == {kept, gone, tmp_path / "new.js"}
    assert saved() == set()


@pytest.mark.parametrize(
    ("path", "starts"),
    [
        ("attn_lib/masking.py", True),
        ("attn_lib/live/figures/__init__.py", True),
        ("attn_lib/live/front/shades.json", True),
        ("attn_lib/live/front/grab.js", False),
        ("attn_lib/live/figures/mask/en.json", False),
        ("attn_lib/live/words/ko.json", False),
        ("book/en/scaling.ipynb", False),
    ],
)
def test_only_what_cannot_be_read_again_starts_anew(
    monkeypatch: pytest.MonkeyPatch, path: str, starts: bool
) -> None:
    started: list[str] = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: started.append(program))
    reload.take_in({ROOT / path})
    assert started == [sys.executable] * starts


def test_no_new_start_from_what_is_no_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "execv", lambda program, arguments: pytest.fail("started"))
    broken = tmp_path / "broken.py"
    broken.write_text("def half(:")
    reload.take_in({broken})
    assert "SyntaxError" in capsys.readouterr().err


def test_only_pages_of_a_bench_ask_for_changes() -> None:
    pages = Pages()
    with reload.serving(pages) as server:
        there = server.address + address("mask", "en")
        assert "reload.js" not in urllib.request.urlopen(there).read().decode()
        server.tell()
        assert "reload.js" in urllib.request.urlopen(there).read().decode()
        with urllib.request.urlopen(f"{server.address}/reload") as stream:
            assert stream.readline() == f"data: {server.token}\n".encode()
            stream.readline()
            server.tell()
            assert stream.readline() == f"data: {server.token}\n".encode()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.address}/none")
