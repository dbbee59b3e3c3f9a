"""The JavaScript of the figures without a browser: Playwright brings the Node that runs it."""

import json
import subprocess
from importlib.resources import files
from typing import Any

from playwright._impl._driver import compute_driver_executable

NODE, _ = compute_driver_executable()

PROGRAM = """
const found = await ({function})(...{given});
const plain = (_, x) => (typeof x !== "number" || Number.isFinite(x) ? x : {{ float: String(x) }});
process.stdout.write(JSON.stringify(found, plain));
"""


def run(function: str, *given: Any) -> Any:
    """Return what a function of JavaScript returns; its imports start at `attn_lib`."""
    # Written into the program, as JSON has neither infinities nor NaN.
    program = PROGRAM.format(function=function, given=json.dumps(given))
    done = subprocess.run(
        [NODE, "--input-type=module", "-"],
        cwd=str(files("attn_lib.live")),
        input=program,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout, object_hook=_float)


def _float(found: dict[str, Any]) -> Any:
    return float(found["float"]) if found.keys() == {"float"} else found


def call(module: str, function: str, *calls: list[Any]) -> list[Any]:
    """Call an exported function once for each list of arguments."""
    each = f"""async (calls) => {{
      const {{ {function} }} = await import("./{module}.js");
      return calls.map((given) => {function}(...given));
    }}"""
    results: list[Any] = run(each, calls)
    return results
