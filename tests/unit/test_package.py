import ast
import re
import subprocess
import sys
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


def test_a_notebook_shows_a_figure_as_a_widget():
    """With the oldest ipywidgets as with the newest; Colab has the oldest."""
    shown = run("""
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
import attn_lib
InteractiveShell.instance()
with capture_output() as captured:
    display(attn_lib.explore("mask"))
print([*captured.outputs[0].data])
""")
    assert "'application/vnd.jupyter.widget-view+json'" in shown


HEAVY = ("matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "torch._dynamo")


def test_neither_the_import_nor_the_exercises_bring_widgets_along():
    heavy = (*HEAVY, "attn_lib.live.figures", "attn_lib.live.host")
    assert (
        run(f"""
import sys, attn_lib
print([m for m in {HEAVY} if m in sys.modules])
import attn_lib.check
print([m for m in {heavy} if m in sys.modules])
""")
        == "[]\n[]"
    )


NEEDS = [
    ("attn_lib.show_heatmaps", "matplotlib"),
    ("attn_lib.explore", "anywidget"),
    ("attn_lib.explore", "ipywidgets"),
    ("attn_lib.explore", "jinja2"),
    ("d2l.show_heatmaps", "matplotlib"),
    ("d2l.show_heatmaps", "IPython"),
]


def test_without_the_figures_the_mathematics_works_and_says_what_they_need():
    """Each in a library imported anew, in one process, which imports torch once."""
    output = run(f"""
import inspect, sys
import torch
for name, missing in {NEEDS}:
    for module in list(sys.modules):
        if module.partition(".")[0] in ("attn_lib", missing):
            del sys.modules[module]
    sys.modules[missing] = None
    import attn_lib
    from attn_lib import *
    from attn_lib import d2l
    attention = AdditiveAttention(2, 2, 3, dropout=0.0)
    assert attention(*(torch.ones(1, 1, 2) for _ in range(3))).shape == (1, 1, 2)
    try:
        if name == "d2l.show_heatmaps":
            d2l.show_heatmaps(torch.eye(2).reshape(1, 1, 2, 2), "Keys", "Queries")
        else:
            inspect.getmembers(attn_lib)
            name = name.partition(".")[2]
            assert name not in attn_lib.__all__ and name not in dir(attn_lib)
            getattr(attn_lib, name)
    except (AttributeError, ImportError) as error:
        print(type(error).__name__, error)
    del sys.modules[missing]
""")
    expected = [
        f"{'ImportError' if name.startswith('d2l') else 'AttributeError'} {name} needs {missing}. "
        "Try: pip install 'attn-lib[figures]'"
        for name, missing in NEEDS
    ]
    assert output.splitlines() == expected


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
