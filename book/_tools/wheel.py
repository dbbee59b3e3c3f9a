"""Build the wheel of attn_lib and try it in an environment of its own: `make wheel TAG=v1.2.3`.

The tag, the version of the library and the newest entry of CHANGELOG.md must agree. Where a part
is missing from the wheel, an import or a figure fails here and not at a reader's.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import attn_lib

ROOT = Path(__file__).parents[2]
NOT_INSTALLED = {"attn_lib/README.md", "attn_lib/live/front/types.d.ts"}
TRIAL = """
import torch, attn_lib
assert attn_lib.__file__.startswith({folder!r}), attn_lib.__file__
attention = attn_lib.DotProductAttention(dropout=0.0)
assert attention(*(torch.ones(1, 2, 3) for _ in range(3)), torch.tensor([0])).eq(0).all()
from attn_lib import check
for language in attn_lib.language.LANGUAGES:
    attn_lib.set_language(language)
    attn_lib.explore("mask")
print("The wheel works by itself:", attn_lib.__version__)
"""


def faults(tag: str, version: str, changelog: str) -> list[str]:
    """Say what keeps a version from being released under a tag."""
    head = next((line for line in changelog.splitlines() if line.startswith("## ")), "")
    entry = re.fullmatch(r"## (\S+) \((\d{4}-\d{2}-\d{2})\)", head)
    found = []
    if tag != f"v{version}":
        found.append(f"TAG must be v{version}, as attn_lib.__version__ has it. Got {tag!r}.")
    if entry is None or entry[1] != version:
        found.append(f"CHANGELOG.md must begin with '## {version} (<date>)'. Got {head!r}.")
    return found


def build(folder: Path) -> Path:
    """Build the wheel from what git has, so that nothing left lying about comes along."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    source.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    # The same commit gives the same bytes; no zip can be older.
    env = os.environ | {"SOURCE_DATE_EPOCH": "315532800"}
    subprocess.run([*pip, "--wheel-dir", folder, source], env=env, check=True)
    (wheel,) = folder.glob("attn_lib-*.whl")
    return wheel


def missing(wheel: Path) -> list[str]:
    """Return the files of the library that git has and the wheel has not."""
    asked = ["git", "ls-tree", "-r", "--name-only", "HEAD", "attn_lib"]
    listed = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with ZipFile(wheel) as archive:
        held = set(archive.namelist())
    return [name for name in listed.splitlines() if name not in held | NOT_INSTALLED]


def try_out(wheel: Path, folder: Path) -> None:
    """Install the wheel beside the pinned packages, and use it from another folder."""
    venv.EnvBuilder(system_site_packages=False, with_pip=False, clear=True).create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    # The packages that it needs come from the present environment, but not its attn_lib.
    needed = next(path for path in sys.path if path.endswith("site-packages"))
    program = f"import sys; sys.path.append({needed!r})" + TRIAL.format(folder=str(folder))
    subprocess.run([folder / "bin/python", "-I", "-c", program], cwd=folder, check=True)


def tried() -> Path:
    """Build the wheel, see that it is whole, and try it.

    Raises:
        ValueError: A file is missing from it.
    """
    folder = ROOT / "_build" / "wheel"
    wheel = build(folder)
    if lost := missing(wheel):
        raise ValueError(f"the wheel lacks {', '.join(lost)}; see package-data in pyproject.toml")
    try_out(wheel, folder / "trial")
    return wheel


def main(arguments: list[str] | None = None) -> int:
    """Build, compare and try on the command line."""
    parser = argparse.ArgumentParser(prog="make wheel", description=__doc__.splitlines()[0])
    parser.add_argument("tag", nargs="?", default="", help="v1.2.3, to hold against the version")
    tag = parser.parse_args(arguments).tag
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if tag and (found := faults(tag, attn_lib.__version__, changelog)):
        parser.error("\n".join(found))
    print(tried())
    return 0


if __name__ == "__main__":
    sys.exit(main())
