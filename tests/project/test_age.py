"""A site that is older than a source is not looked at in silence."""

import os
import subprocess
from pathlib import Path

import pytest

from book._tools.age import newer


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built page, and three sources of the same age."""
    for name in ("_build/index.html", "book/page.md", "attn_lib/a.py", "book/_tools/t.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (1000, 1000))
    (tmp_path / ".gitignore").write_text("_build\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path / "_build/index.html"


def test_a_site_as_old_as_its_sources_is_fresh(site: Path) -> None:
    assert newer(site, site.parents[1]) == []


@pytest.mark.parametrize("name", ["book/page.md", "attn_lib/a.py", "book/new.md"])
def test_a_source_that_has_changed_is_named(site: Path, name: str) -> None:
    (site.parents[1] / name).write_text("new")
    assert newer(site, site.parents[1]) == [name]


def test_tools_and_deleted_files_make_no_site_old(site: Path) -> None:
    root = site.parents[1]
    subprocess.run(["git", "-C", root, "add", "."], check=True)
    (root / "attn_lib/a.py").unlink()
    (root / "book/_tools/t.py").write_text("new")
    assert newer(site, root) == []
