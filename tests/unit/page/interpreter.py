"""The page's Python without a browser: the text of its worker, run by Node."""

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from node import NODE

from book._ext.site import judges


def judged(exercise: str, codes: list[str], wanted: str, seed: int = 0) -> list[dict[str, Any]]:
    """What the page posts of each code, for one exercise: the finding, with what was printed."""
    return posted(exercise, wanted, [{"code": code, "seed": seed} for code in codes])


def weighed(exercise: str, code: str, wanted: str, questions: list[str]) -> list[dict[str, Any]]:
    """What the page posts of each question that a figure asks a code."""
    return posted(exercise, wanted, [{"code": code, "given": given} for given in questions])


def posted(exercise: str, wanted: str, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page posts of each call."""
    own = judges.exercise(exercise)
    programs = [
        {"module": own["module"], "judge": exercise, "wanted": wanted} | call for call in calls
    ]
    found, printed = [], ""
    for message in run(programs, own["files"]):
        assert "failed" not in message, message
        printed += message.get("printed", "")
        if "found" in message:
            found.append(json.loads(message["found"]) | {"printed": printed})
            printed = ""
    return found


def run(programs: list[dict[str, Any]], files: Any) -> list[dict[str, Any]]:
    """What the worker posts."""
    shared = judges.texts(judges.SHARED)
    given = {
        "worker": judges.worker(),
        "wasm": base64.b64encode(judges.micropython()[1]).decode("ascii"),
        "files": shared | files,
        "programs": programs,
    }
    done = subprocess.run(
        [NODE, Path(__file__).with_name("interpreter.mjs")],
        # No script of the library runs there, so Node counts no lines.
        env={name: value for name, value in os.environ.items() if name != "NODE_V8_COVERAGE"},
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
