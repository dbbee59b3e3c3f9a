import tomllib
from pathlib import Path

import attn_lib

PROJECT = Path(__file__).parents[2]


def test_every_name_is_there_and_explained():
    for name in attn_lib.__all__:
        assert getattr(attn_lib, name).__doc__


def test_the_version_stands_in_one_place_and_heads_the_changelog():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    attribute = project["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    assert attribute == "attn_lib.__version__"
    changelog = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = next(line for line in changelog.splitlines() if line.startswith("## "))
    assert first.split()[1] == attn_lib.__version__
