"""Figure `museum`: which test would have caught it?"""

import itertools
import re
from functools import cache
from typing import Any

from attn_lib import museum
from attn_lib.live.host.controls import Checklist, Choice, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import MINUS
from attn_lib.museum import listing
from attn_lib.typography import NO_BREAK_SPACE

BUGS = tuple(museum.EXHIBITS)
# The comparison with torch stands outside the museum's numbers; links count it as the last.
REFERENCE = len(museum.TESTS) + 1
TESTS = (*museum.TESTS, REFERENCE)
# In a line of code, what a narrow box does not break: short brackets, a negative number; and the
# empty place between a call and a further call of what it returns, where it may.
_WHOLE = re.compile(r"(\([^()]{1,16}\)|\[[^][]{1,16}\]|[\w.]*-[\w.]+|(?<=[])])(?=\.))")


def compute(state: State) -> View:
    """Compute the figure from what the tests found, run on the exhibits with torch."""
    bug, ticked, everywhere = state["bug"], state["t"], state["on"] == "all"
    exhibit = exhibits()[bug]
    verdicts = {name: _run(found["verdicts"], ticked) for name, found in exhibits().items()}
    caught = {name: [n for n in ticked if found[n - 1]] for name, found in verdicts.items()}
    caught_all = sum(map(bool, caught.values()))
    missed = sum(0 in found and 1 not in found for found in verdicts.values())
    run = [n for n, verdict in zip(TESTS, verdicts[bug], strict=True) if verdict is not None]
    # The matrix gives nothing of the other exhibits away where the tests are not run on them.
    shown = caught if everywhere else {bug: caught[bug]}
    summary: tuple[str, ...] = ("none" if everywhere else "none_one",)
    if ticked:
        # Torch has nothing to compare additive attention with.
        summary = (bug, _outcome(len(run), len(caught[bug]))) if run else ("no_reference",)
        if run and len(run) < len(ticked):
            summary = (*summary, "without_reference")
        if everywhere:
            summary = (_suite(len(ticked), caught_all, missed), *summary)
    *first, last = [short(n) for n in caught[bug] or run] or [""]
    return View(
        parts={
            "code": {
                "lines": [
                    [code, kind if caught[bug] else listing.SAME]
                    for code, kind in exhibit["lines"]
                    if caught[bug] or kind != listing.RIGHT
                ]
            },
            "findings": {
                # 1: the test fails, so the fault is caught; None: the test was not run.
                "rows": [[verdict] for verdict in verdicts[bug]],
                "expected": exhibit["expected"],
                "got": exhibit["got"],
                # Of the tests that were run, the first that fails, else the last.
                "at": next(iter(caught[bug]), (run or ticked or (0,))[-1]) - 1,
            },
            "matrix": {
                "rows": [
                    found if everywhere or name == bug else [None for _ in TESTS]
                    for name, found in verdicts.items()
                ],
                "at": BUGS.index(bug),
                "ran": [n in ticked for n in TESTS],
                "fates": [
                    _fate(found) if ticked and (everywhere or name == bug) else None
                    for name, found in verdicts.items()
                ],
            },
        },
        slots={
            "failed": str(len(caught[bug])),
            "run": str(len(run)),
            "list": ", ".join(first),
            "last": last,
            "caught": str(caught_all),
            "missed": str(missed),
            "ticked": str(len(ticked)),
            "fewer": str(len(ticked) - 1),
            "counted": str(sum(map(bool, shown.values()))),
            # Those that some test was run on.
            "of": str(caught_all + missed if everywhere else int(bool(run))),
        },
        summary=summary,
    )


@cache  # whatever is ticked: reading the sources takes a quarter of a second
def exhibits() -> dict[str, Any]:
    """Return the exhibits and what the tests found on them, as the page gets them."""
    found = {}
    for name, exhibit in museum.EXHIBITS.items():
        findings = list(museum.findings()[name].values())
        verdicts: list[int | None] = [int(not finding) for finding in findings]
        if issubclass(exhibit, museum.Additive):
            findings.append(museum.Finding(False, "", ""))  # torch has nothing to compare with
            verdicts.append(None)
        else:
            findings.append(museum.run(museum.agrees_with_torch, exhibit))
            verdicts.append(int(not findings[-1]))
        found[name] = {
            "lines": [
                (pieces(line), kind)
                for line, kind in listing.repaired(museum.code(exhibit), *museum.REPAIRS[name])
            ],
            "verdicts": verdicts,
            "expected": [_printed(finding.expected) for finding in findings],
            "got": [_printed(finding.got) for finding in findings],
        }
    return found


@cache
def fewest() -> int:
    """Return how many tests it takes to catch all exhibits: fewer never do."""
    found = [exhibit["verdicts"] for exhibit in exhibits().values()]
    return next(
        size
        for size in range(1, len(TESTS) + 1)
        for tests in itertools.combinations(TESTS, size)
        if all(any(verdicts[n - 1] for n in tests) for verdicts in found)
    )


def pieces(line: str) -> list[str]:
    """Cut a line of code into what may be broken and, every other piece, what may not.

    Before a piece that begins with a point it may be broken as well.
    """
    return _WHOLE.split(line)


def short(test: int) -> str:
    """Return the short name of a test: T1, T2, … or R."""
    return "R" if test == REFERENCE else f"T{test}"


def _suite(ticked: int, caught: int, missed: int) -> str:
    """Return the sentence that says how many exhibits the ticked tests catch."""
    if caught + missed < len(BUGS):
        return "suite_reference"  # R alone, which is not run on all
    if missed:
        return "suite" if ticked > 1 else "suite_one"
    # Once all are caught, it asks for fewer tests, until no fewer catch them.
    return "suite_least" if ticked == fewest() else "suite_all"


def _outcome(run: int, caught: int) -> str:
    """Return the sentence that says which tests fail."""
    if caught == 1:
        return "by_one" if run > 1 else "by_only"
    if caught:
        return "by"
    return "unnoticed" if run > 1 else "unnoticed_one"


def _fate(found: list[int | None]) -> int:
    """Return 1 for a fault that one test caught, 0 for one that all let pass, 2 where none ran."""
    return 1 if 1 in found else 0 if 0 in found else 2


def _run(verdicts: list[int | None], ticked: tuple[int, ...]) -> list[int | None]:
    return [verdicts[n - 1] if n in ticked else None for n in TESTS]


def _printed(numbers: str) -> str:
    """Write numbers as the figure shows them; what is the same throughout is said once."""
    pieces = numbers.replace(" / ", " ").split()
    if len(pieces) > 1 and set(pieces) == {"nan"}:
        return f"{len(pieces)}{NO_BREAK_SPACE}×{NO_BREAK_SPACE}nan"
    # Beside others of four decimals, a number keeps its last zero.
    most = max((len(decimals) for decimals in re.findall(r"\.(\d+)\b", numbers)), default=0)
    padded = re.sub(r"\.(\d+)\b", lambda found: "." + found[1].ljust(most, "0"), numbers)
    return padded.replace("-", MINUS)


class _Museum(Figure):
    @property
    def sources(self) -> list[list[list[str]]]:
        """Return the lines of the tests, for the template alone: no choice changes them."""
        tests = (*museum.TESTS.values(), museum.agrees_with_torch)
        return [list(map(pieces, museum.code(test).splitlines())) for test in tests]


FIGURE = _Museum(
    id="museum",
    chapter="bug-museum",
    controls=(
        Choice(key="bug", options=BUGS, default="tanh", look="select"),
        Choice(key="on", options=("one", "all"), default="all"),
        Checklist(key="t", options=TESTS, default=(1,)),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        # A fault that R catches and T1 does not, so that its line is marked.
        before={"bug": "nosqrt", "t": [1]},
        after={"bug": "nosqrt", "t": [REFERENCE]},
        # The beam goes from test to test.
        by=tuple({"t": [test]} for test in TESTS[1:-1]),
        # How many exhibits are caught.
        places=((8,), (4,), (1,)),
        ms=260,
    ),
    tries=({"t": [4, 5, 7, 8]}, {"t": [1, 2, 5, 6, 7, 8, 9]}, {"bug": "nan", "t": [1, 9]}),
    surprise={"t": [1, 2, 5, 6, 7, 8, 9]},
    data=exhibits,
    hues={"caught": "ink"},
)
