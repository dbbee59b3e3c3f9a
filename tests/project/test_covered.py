"""Node's own count of what has run of a script, as `make unit` prints it."""

import subprocess

import pytest
from node import NODE

from book._tools import covered

COMPUTE = """/* A comment,
   which is no code. */
export function sign(x) {
  // Neither is this one: a sign ±.
  if (x < 0) {
    return "−";
  }
  return x > 0 ? "+" : "0";
}

export const never = () => {
  return 1;
};
"""


@pytest.fixture
def library(tmp_path):
    """Two figures' computations, and a script that draws."""
    for name in ("one/compute.js", "two/compute.js", "one/drawing.js"):
        (tmp_path / "library" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "library" / name).write_text(COMPUTE, encoding="utf-8")
    return tmp_path / "library"


def run(library, call):
    program = f'import {{ sign }} from "./one/compute.js"; {call};'
    subprocess.run(
        [NODE, "--input-type=module", "-"],
        cwd=library,
        env={"NODE_V8_COVERAGE": str(library / "ran")},
        input=program,
        text=True,
        check=True,
    )


def test_lines_that_have_not_run_wholly_are_told(library):
    run(library, "sign(1)")
    found = covered.covered(library / "ran", library)
    assert found["one/compute.js"] == ([5, 6, 7, 8, 11, 12, 13], 9)
    # What one process leaves out another may run.
    run(library, "sign(0)")
    run(library, "sign(-1)")
    assert covered.covered(library / "ran", library) == {
        "one/compute.js": ([11, 12, 13], 9),
        "two/compute.js": ([3, 5, 6, 7, 8, 9, 11, 12, 13], 9),  # nobody has loaded it
    }


def test_too_little_fails(library, monkeypatch, capsys):
    monkeypatch.setattr(covered, "covered", lambda folder: {"one/compute.js": ([12, 13, 20], 20)})
    assert covered.main(str(library)) == 1
    assert "85%  12-13, 20" in capsys.readouterr().out
    monkeypatch.setattr(covered, "FLOOR", 85)
    assert covered.main(str(library)) == 0


def test_no_report_fails(library, monkeypatch):
    monkeypatch.setattr(covered, "LIBRARY", library)
    monkeypatch.setattr(covered, "covered", lambda folder: {})
    assert covered.main(str(library)) == 1
