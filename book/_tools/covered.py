"""How much of the figures' JavaScript the tests without a browser run, by Node's own count.

Node writes what has run into the folder that NODE_V8_COVERAGE names. A line counts if all of it has
run. Scripts that need a page to draw on are run in a browser (`make figures`) and are not counted;
every `compute.js` is, and so is whatever else Node has loaded.
"""

import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import attn_lib

LIBRARY = Path(attn_lib.__file__).parent
FLOOR = 92  # percent
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


def has_run(text: str, functions: list[dict[str, object]]) -> bytearray:
    """Return a 1 for each character of a script that has run once in a process, else a 0."""
    run = bytearray(b"\1") * len(text)
    ranges = [part for function in functions for part in function["ranges"]]  # type: ignore[attr-defined]
    # An inner range says it more exactly than the one that it lies in.
    for part in sorted(ranges, key=lambda part: (part["startOffset"], -part["endOffset"])):
        start, end = part["startOffset"], min(part["endOffset"], len(text))
        run[start:end] = (b"\1" if part["count"] else b"\0") * (end - start)
    return run


def covered(folder: Path, library: Path = LIBRARY) -> dict[str, tuple[list[int], int]]:
    """Return for each script the lines of code that have not run wholly, and how many there are."""
    texts = {p: p.read_text(encoding="utf-8") for p in sorted(library.rglob("*.js"))}
    run = {path: bytearray(len(text)) for path, text in texts.items() if path.name == "compute.js"}
    for report in sorted(folder.glob("*.json")):
        for script in json.loads(report.read_text(encoding="utf-8"))["result"]:
            path = Path(unquote(urlsplit(script["url"]).path))
            if path in texts:
                once = has_run(texts[path], script["functions"])
                before = run.get(path, bytes(len(once)))
                run[path] = bytearray(a | b for a, b in zip(before, once, strict=True))
    return {str(path.relative_to(library)): _lines(texts[path], run[path]) for path in run}


def _lines(text: str, run: bytearray) -> tuple[list[int], int]:
    code = COMMENT.sub(lambda found: re.sub(r"\S", " ", found[0]), text)
    missed, count, start = [], 0, 0
    for number, line in enumerate(code.splitlines(keepends=True), 1):
        places = [start + at for at, letter in enumerate(line) if not letter.isspace()]
        count += bool(places)
        if not all(run[place] for place in places):
            missed.append(number)
        start += len(line)
    return missed, count


def main(folder: str) -> int:
    """Print the scripts with lines that have not run, and the share of all; hold the floor."""
    found = covered(Path(folder))
    for name, (missed, count) in sorted(found.items()):
        if missed:
            print(f"{name:40} {1 - len(missed) / count:4.0%}  {_spans(missed)}")
    lines = sum(count for _, count in found.values())
    share = 100 * (1 - sum(len(missed) for missed, _ in found.values()) / lines) if lines else 0
    print(f"JavaScript without a browser: {share:.1f}% of {lines} lines in {len(found)} scripts")
    if share < FLOOR:
        print(f"That is less than {FLOOR}%: a test in tests/unit is missing.", file=sys.stderr)
    return int(share < FLOOR)


def _spans(numbers: list[int]) -> str:
    """Write 1, 2, 3, 7 as 1-3, 7."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
