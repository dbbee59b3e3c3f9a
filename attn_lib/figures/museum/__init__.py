"""Figure `museum`: which test would have caught it?"""

from typing import Any

from attn_lib import museum
from attn_lib.explorer.controls import Checklist, Choice, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import MINUS

BUGS = tuple(museum.EXHIBITS)
TESTS = tuple(museum.TESTS)


def compute(state: State) -> View:
    """Compute the figure from what the tests found, run on the exhibits with torch."""
    bug, ran, everywhere = state["bug"], state["t"], state["on"] == "all"
    exhibit = exhibits()[bug]
    caught = {name: _caught(found["verdicts"], ran) for name, found in exhibits().items()}
    summary: tuple[str, ...] = ("none",)
    if ran:
        summary = (bug, "by" if caught[bug] else "unnoticed")
        summary += ("suite",) if everywhere else ()
    return View(
        parts={
            "code": {"text": exhibit["code"]},
            "findings": {
                # 1: the test fails, so the fault is caught; None: the test was not run.
                "rows": [[exhibit["verdicts"][n - 1] if n in ran else None] for n in TESTS],
                "expected": exhibit["expected"],
                "got": exhibit["got"],
            },
            "matrix": {
                "rows": [
                    [
                        found["verdicts"][n - 1]
                        if n in ran and (everywhere or name == bug)
                        else None
                        for n in TESTS
                    ]
                    for name, found in exhibits().items()
                ],
                "at": BUGS.index(bug),
                "ran": [n in ran for n in TESTS],
            },
        },
        slots={
            "passed": str(len(ran) - len(caught[bug])),
            "run": str(len(ran)),
            "list": ", ".join(f"T{n}" for n in caught[bug]),
            "caught": str(sum(bool(tests) for tests in caught.values())),
        },
        summary=summary,
        main="caught" if everywhere else "passed",
    )


def exhibits() -> dict[str, Any]:
    """Return the exhibits and what the tests found on them, as the page gets them."""
    return {
        name: {
            "code": museum.code(museum.EXHIBITS[name]),
            "verdicts": [int(not finding) for finding in found.values()],
            "expected": [_printed(finding.expected) for finding in found.values()],
            "got": [_printed(finding.got) for finding in found.values()],
        }
        for name, found in museum.findings().items()
    }


def _caught(verdicts: list[int], ran: tuple[int, ...]) -> list[int]:
    return [n for n in ran if verdicts[n - 1]]


def _printed(numbers: str) -> str:
    return numbers.replace("-", MINUS)


FIGURE = Figure(
    id="museum",
    controls=(
        Choice(key="bug", options=BUGS, default="tanh", look="select"),
        Choice(key="on", options=("one", "all"), default="one"),
        Checklist(key="t", options=TESTS, default=(1,)),
    ),
    compute=compute,
    prediction=Prediction(right=1, before={"on": "all", "t": "none"}, after={"on": "all"}),
    tries=({"on": "all"}, {"t": [3]}, {"bug": "repeat", "t": [1, 8]}),
    surprise={"t": [1, 2, 5, 6, 7, 8]},
    data=exhibits,
)
