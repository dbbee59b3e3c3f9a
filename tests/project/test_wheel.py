"""A release is what its tag, the library and the changelog say, and lacks no file."""

import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from book._tools.wheel import NOT_INSTALLED, ROOT, faults, missing

DATED = "# Changelog\n\n## 1.2.3 (2026-11-28)\n\n## 1.2.2 (2026-01-01)\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v1.2.3", DATED, []),
        ("v1.2.4", DATED, ["TAG must be v1.2.3"]),
        ("1.2.3", DATED, ["TAG must be v1.2.3"]),
        ("v1.2.3", DATED.replace("2026-11-28", "unreleased"), ["CHANGELOG.md must begin"]),
        ("v1.2.3", DATED.replace("1.2.3", "1.3.0"), ["CHANGELOG.md must begin"]),
    ],
)
def test_a_tag_that_fits_nothing_is_no_release(tag: str, changelog: str, said: list[str]) -> None:
    found = faults(tag, "1.2.3", changelog)
    assert len(found) == len(said)
    assert all(text.startswith(start) for text, start in zip(found, said, strict=True))


def test_a_file_that_the_wheel_lacks_is_named(tmp_path: Path) -> None:
    asked = ["git", "ls-tree", "-r", "--name-only", "HEAD", "attn_lib"]
    listed = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = set(listed.splitlines()) - NOT_INSTALLED
    wheel = tmp_path / "attn_lib.whl"
    with ZipFile(wheel, "w") as archive:
        for name in names - {"attn_lib/masking.py"}:
            archive.writestr(name, "")
    assert missing(wheel) == ["attn_lib/masking.py"]


def test_a_release_waits_for_a_person() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    publish = workflow["jobs"]["publish"]
    assert publish["environment"] == "pypi"
    assert publish["needs"] == "build"
