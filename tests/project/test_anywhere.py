"""Notebooks that run where nobody has the repository, and where they come from."""

import ast
import json
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell

from book._ext.content.downloads import FOLDER, wheel
from book._ext.editions.catalogues import compile_all
from book._ext.editions.languages import BOOK, EDITIONS, ROOT, edition_of
from book._ext.site import anywhere
from book._tools import colab, offline

SITE = "https://book.example/"
NOTEBOOKS = sorted(BOOK.glob("??/*.ipynb"))
REAL_MODEL = "masked-softmax"  # opens it


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def derived(path: Path, site: str = SITE) -> dict:
    compile_all()
    return anywhere.derive(read(path), edition_of(path.parent.name), path.stem, site)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_copy_needs_the_site_and_the_library_alone(path):
    first, *cells = derived(path)["cells"]
    assert f'"attn-lib[figures] @ {SITE}{FOLDER}/{wheel()}"' in first["source"]
    assert f"{SITE}{path.parent.name}/{path.stem}.html\n" in first["source"]
    texts = [cell["source"] for cell in cells]
    assert [text for text in texts if "../" in text] == []
    programs = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    trees = [ast.walk(ast.parse(TransformerManager().transform_cell(text))) for text in programs]
    nodes = [node for tree in trees for node in tree]
    named = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    packages = {name.partition(".")[0] for name in named} - sys.stdlib_module_names
    assert packages <= {"attn_lib", "torch"}
    # A file that it opens is one that the first cell fetches.
    assert any(".safetensors" in text for text in programs) == ("urlretrieve" in first["source"])


def test_a_copy_is_its_chapter_but_for_addresses():
    path = BOOK / "ko" / f"{REAL_MODEL}.ipynb"
    before, after = read(path), derived(path)
    assert [cell["id"] for cell in after["cells"][1:]] == [cell["id"] for cell in before["cells"]]
    changed = {
        cell["id"]
        for cell, copy in zip(before["cells"], after["cells"][1:], strict=True)
        if copy != cell | {"source": "".join(cell["source"])}
    }
    assert changed == {"picture", "real-set"}
    (picture,) = (cell["source"] for cell in after["cells"] if cell["id"] == "picture")
    assert f"]({SITE}_static/pictures/{REAL_MODEL}.svg)" in picture


@pytest.mark.parametrize("language", ["vi", "ko", "zh"])
def test_the_first_cell_speaks_the_language_of_its_edition(language):
    english, own = (
        [line for line in derived(path)["cells"][0]["source"].splitlines() if line[:1] == "#"]
        for path in (BOOK / code / f"{REAL_MODEL}.ipynb" for code in ("en", language))
    )
    assert len(english) == len(own) == 3
    assert {*english}.isdisjoint(own)


def test_the_first_cell_fetches_the_model_once(tmp_path, monkeypatch):
    site, folder = tmp_path / "site", tmp_path / "reader"
    for name in (site, folder):
        name.mkdir()
    (site / "_static" / "sentence").mkdir(parents=True)
    (weights,) = (BOOK / "models").glob("*.safetensors")
    (site / "_static" / "sentence" / weights.name).write_text("first")
    source = derived(BOOK / "en" / f"{REAL_MODEL}.ipynb", f"{site.as_uri()}/")["cells"][0]["source"]
    monkeypatch.chdir(folder)
    shell = InteractiveShell()
    shell.run_cell(source).raise_error()
    assert (folder / weights.name).read_text() == "first"
    (site / "_static" / "sentence" / weights.name).write_text("second")
    shell.run_cell(source).raise_error()
    assert (folder / weights.name).read_text() == "first"


@pytest.mark.parametrize("is_there", [True, False])
def test_the_first_cell_installs_what_is_missing(is_there, monkeypatch):
    source = derived(BOOK / "en" / "dropout.ipynb")["cells"][0]["source"]
    asked = []
    shell = InteractiveShell()
    shell.register_magic_function(asked.append, magic_name="pip")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: is_there or None)
    shell.run_cell(source).raise_error()
    command = f'install --quiet "attn-lib[figures] @ {SITE}{FOLDER}/{wheel()}"'
    assert asked == ([] if is_there else [command])


def test_the_archive_has_the_wheel_and_no_other_download(tmp_path):
    site = tmp_path / "html"
    for name in ("index.html", "download/book.pdf", f"download/{wheel()}", ".nojekyll"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(name)
    offline.pack(site, tmp_path / "book.zip")
    with ZipFile(tmp_path / "book.zip") as packed:
        names = [name.partition("/")[2] for name in packed.namelist()]
    assert names == [f"download/{wheel()}", "index.html"]


def test_the_branch_has_the_notebooks_of_the_site(tmp_path, monkeypatch, capsys):
    for edition in EDITIONS:
        folder = tmp_path / "_build" / "html" / edition.code / anywhere.SOURCES
        folder.mkdir(parents=True)
        (folder / "dropout.ipynb").write_text(edition.code)
        (folder / "teach.md").touch()
    monkeypatch.setattr(colab, "ROOT", tmp_path)
    assert colab.main() == 0
    branch = tmp_path / "_build" / anywhere.BRANCH
    found = {path.relative_to(branch).as_posix() for path in branch.rglob("*.*")}
    assert found == {"README.md", *(f"{edition.code}/dropout.ipynb" for edition in EDITIONS)}
    assert (branch / "ko" / "dropout.ipynb").read_text() == "ko"
    assert capsys.readouterr().out == f"{len(EDITIONS)} notebooks: _build/{anywhere.BRANCH}\n"


def test_the_branch_is_pushed_by_a_job_that_runs_nothing_else():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    jobs = workflow["jobs"]
    may_write = [name for name, job in jobs.items() if "contents" in job.get("permissions", {})]
    assert may_write == ["colab"]
    assert workflow["permissions"] == {"contents": "read"}
    steps = jobs["colab"]["steps"]
    assert [step.get("uses", "").partition("@")[0] for step in steps] == [
        "actions/download-artifact",
        "",
    ]
    programs = {line.split()[0] for line in steps[1]["run"].splitlines()}
    assert programs == {"git"}
    assert f"--initial-branch {anywhere.BRANCH}\n" in steps[1]["run"]
    assert jobs["colab"]["needs"] == "publish"  # the wheel is there before the notebooks
    made = [step for step in jobs["gate"]["steps"] if step.get("run") == "make colab"]
    assert len(made) == 1
    assert made[0]["if"] == jobs["gate"]["steps"][-1]["if"]
