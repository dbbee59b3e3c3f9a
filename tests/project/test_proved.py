"""What a green run has proved is left out until something that it depends on has changed."""

import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from attn_lib.live.figures import FIGURES
from book._tools import proved

ROOT = Path(__file__).resolve().parents[2]
MASK, NORM = "book/en/masked-softmax.ipynb", "book/en/dot-product-attention.ipynb"
IN_MASK = proved.FOLDERS / "mask"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what is looked at, with two notebooks."""
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__", "en", "vi", "ko", "zh", "pictures")
    for name in ("attn_lib", "book", "tests/figures"):
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    (tree / "book/en").mkdir()
    for name in (*proved.PINS, MASK, NORM):
        shutil.copy2(ROOT / name, tree / name)
    return tree


@pytest.mark.parametrize(
    ("name", "touched"),
    [
        ("attn_lib/masking.py", {*FIGURES, "several", MASK, NORM}),
        ("attn_lib/a_new_file.py", {*FIGURES, "several", MASK, NORM}),
        ("requirements.txt", {*FIGURES, "several", MASK, NORM}),
        (IN_MASK / "__init__.py", {"mask", "several", MASK}),
        (IN_MASK / "drawing.js", {"mask", "several"}),
        (IN_MASK / "style.css", {"mask", "several"}),
        ("tests/figures/test_norm.py", {"norm", "several"}),
        ("tests/figures/test_read.py", {*FIGURES, "several"}),
        ("book/_tools/workbench.py", {*FIGURES, "several"}),
        ("book/_tools/stored.py", {MASK, NORM}),
        ("book/_tools/measure.py", set()),
    ],
)
def test_what_has_changed_is_proved_again(tree, name, touched):
    def look():
        return proved.notebooks([MASK, NORM], tree) | proved.figures(tree, "150")

    path = tree / name
    before, text = look(), path.read_bytes() if path.exists() else None
    path.write_bytes((text or b"") + b"\n")
    after = look()
    path.unlink() if text is None else path.write_bytes(text)
    assert {one for one in after if after[one] != before[one]} == touched
    assert look() == before


@pytest.mark.parametrize(
    ("old", "is_touched"), [("torch", True), ("print(", True), ("The ", False)]
)
def test_a_notebook_is_its_code_and_outputs(tree, old, is_touched):
    path = tree / MASK
    before, text = proved.notebooks([MASK], tree), path.read_text(encoding="utf-8")
    assert old in text
    if old == "The ":  # prose alone: no cell of code has it in its first line
        cells = text.split('"cell_type": "')
        changed = [c.replace(old, "A ") if c.startswith("markdown") else c for c in cells]
        path.write_text('"cell_type": "'.join(changed), encoding="utf-8")
    else:
        path.write_text(text.replace(old, old.upper()), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    after = proved.notebooks([MASK], tree)
    path.write_text(text, encoding="utf-8")
    assert (after != before) is is_touched


def test_another_browser_proves_figures_again(tree):
    one, other = proved.figures(tree, "150"), proved.figures(tree, "151")
    assert all(one[name] != other[name] for name in one)


class Runs:
    """A command that notes what it is asked to prove, and fails if it is told to."""

    def __init__(self, folder, things):
        self.log, self.things, self.records = folder / "log", things, folder / "records"

    def __call__(self, program="", *, kind="notebooks", everything=False):
        self.log.write_text("")
        note = f"import os, sys; open({str(self.log)!r}, 'w').write(' '.join(sys.argv[1:]) + '|' + "
        command = [sys.executable, "-c", note + f"os.environ['PROVED']); {program}"]
        look = partial(dict, self.things)
        status = proved.prove(kind, look, command, everything=everything, records=self.records)
        return status, self.log.read_text()


@pytest.fixture
def runs(tmp_path):
    return Runs(tmp_path, {"a": "1", "b": "1"})


def test_green_is_kept_and_only_what_changes_is_run(runs):
    assert runs() == (0, "a b|")
    assert runs() == (0, "")
    runs.things["b"] = "2"
    assert runs() == (0, "b|a")
    assert runs(everything=True) == (0, "a b|")
    assert runs(kind="figures") == (0, "|")
    runs.things["a"] = "2"
    assert runs(kind="figures") == (0, "|b")


def test_red_is_not_kept(runs):
    assert runs("sys.exit(1)") == (1, "a b|")
    assert runs() == (0, "a b|")
    runs.things["a"] = "2"
    assert runs("sys.exit(2)")[0] == 2
    assert runs() == (0, "a|b")


def test_what_changes_while_it_is_proved_is_proved_again(runs):
    looks = iter([{"a": "1", "b": "1"}, {"a": "1", "b": "2"}])
    status = proved.prove("figures", lambda: next(looks), ["true"], records=runs.records)
    assert status == 0
    runs.things["b"] = "2"
    assert runs(kind="figures") == (0, "|a")
    assert runs(kind="figures") == (0, "")


def test_what_is_proved_meanwhile_is_kept(runs):
    def look():
        runs(kind="notebooks")  # as the other row of stages does
        return dict(runs.things)

    assert proved.prove("figures", look, ["true"], records=runs.records) == 0
    assert [runs(kind=kind) for kind in ("notebooks", "figures")] == [(0, "")] * 2
