import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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
    heads = [line.split()[1:] for line in changelog.splitlines() if line.startswith("## ")]
    released = [version for version, day in heads if day != "(unreleased)"]
    assert released[0] == attn_lib.__version__
    assert len(heads) - len(released) <= 1  # what comes next stands above it


def run(code):
    """Run Python in a process of its own, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


HEAVY = ("matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "torch._dynamo")


def test_the_import_brings_no_widgets_along():
    loaded = run(f"import sys, attn_lib; print([m for m in {HEAVY} if m in sys.modules])")
    assert loaded == "[]"


def test_exercises_need_no_figures():
    heavy = (*HEAVY, "attn_lib.live.figures", "attn_lib.live.host")
    loaded = run(f"import sys, attn_lib.check; print([m for m in {heavy} if m in sys.modules])")
    assert loaded == "[]"


@pytest.mark.parametrize("missing", ["matplotlib", "anywidget", "ipywidgets", "jinja2"])
def test_without_the_figures_the_mathematics_works(missing):
    output = run(f"""
import inspect, sys
sys.modules[{missing!r}] = None
import torch, attn_lib
from attn_lib import *
attention = AdditiveAttention(2, 2, 3, dropout=0.0)
assert attention(*(torch.ones(1, 1, 2) for _ in range(3))).shape == (1, 1, 2)
inspect.getmembers(attn_lib)
for name in ("show_heatmaps", "explore"):
    if not hasattr(attn_lib, name):
        assert name not in attn_lib.__all__ and name not in dir(attn_lib)
        try:
            getattr(attn_lib, name)
        except AttributeError as error:
            print(error)
""")
    name = "show_heatmaps" if missing == "matplotlib" else "explore"
    extra = "Try: pip install 'attn-lib[figures]'"
    assert output == f"attn_lib.{name} needs {missing}. {extra}"


@pytest.mark.parametrize("missing", ["matplotlib", "IPython"])
def test_d2l_says_how_to_install_what_its_heatmaps_need(missing):
    output = run(f"""
import sys
sys.modules[{missing!r}] = None
import torch
from attn_lib import d2l
try:
    d2l.show_heatmaps(torch.eye(2).reshape(1, 1, 2, 2), "Keys", "Queries")
except ImportError as error:
    print(error)
""")
    assert output == (f"d2l.show_heatmaps needs {missing}. Try: pip install 'attn-lib[figures]'")


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(attn_lib, "attention_map")


def test_everything_imported_is_declared():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["figures"]]
    names = {re.split("[<>=]", entry)[0].lower() for entry in declared}
    assert all(">=" in entry for entry in declared)
    used = set()
    for path in (PROJECT / "attn_lib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used |= {alias.name.split(".")[0].lower() for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                used.add(node.module.split(".")[0].lower())
    assert used - sys.stdlib_module_names - {"attn_lib"} <= names
    assert names <= used
