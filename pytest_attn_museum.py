"""Plugin of pytest: the museum's tests for attention of your own.

``pytest --attn-museum mypackage.mymodule:MyAttention``. It stands outside of the package attn_lib,
since pytest imports it at every start: torch is loaded only when it is asked for.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import TracebackType

    from attn_lib.examine import Subject
    from attn_lib.museum.trials import Trial


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("attn-museum", "tests for an attention of your own")
    group.addoption(
        "--attn-museum",
        metavar="MODULE:NAME",
        help="run attn_lib's tests, and no others, on this class, object or function; "
        "arguments may follow, as in torch.nn:MultiheadAttention(8, 2, batch_first=True)",
    )
    group.addoption(
        "--attn-museum-call",
        metavar="CALL",
        help="the order of its arguments: torch, fused, lengths, context, hidden_states, keras, "
        "mask or plain; else told from their names",
    )
    group.addoption(
        "--attn-museum-size",
        metavar="D",
        type=int,
        default=8,
        help="the number of features of its inputs (8)",
    )
    group.addoption(
        "--attn-museum-places",
        action="store_true",
        help="its scores depend on where queries and keys stand",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """Collect the trials in place of files, if an attention is named."""
    named = session.config.getoption("--attn-museum")
    if not named:
        return None
    from attn_lib.examine import subject

    # A file in the current folder is found, as by `python -m pytest`; `pytest` alone does not look.
    sys.path.insert(0, str(session.config.invocation_params.dir))
    call, size, places = (
        session.config.getoption(f"--attn-museum-{name}") for name in ("call", "size", "places")
    )
    try:
        examined = subject(named, call, size, places=places)
    except (ValueError, ImportError, AttributeError, TypeError) as error:
        raise pytest.UsageError(str(error)) from error
    trials = Trials.from_parent(session, name=named, nodeid="attn-museum", examined=examined)
    session.items = items = list(session.genitems(trials))
    hook = session.config.hook
    hook.pytest_collection_modifyitems(session=session, config=session.config, items=items)
    hook.pytest_collection_finish(session=session)
    session.testscollected = len(items)
    return True


class Trials(pytest.Collector):
    """All trials on one attention."""

    def __init__(self, *, examined: Subject, **options: Any) -> None:
        super().__init__(**options)
        self.examined = examined

    def collect(self) -> Iterable[TrialItem]:
        """Make an item of each trial."""
        from attn_lib.examine import TRIALS

        for trial in TRIALS.values():
            name = f"{trial.name} {trial.ask.__name__}"
            yield TrialItem.from_parent(self, name=name, trial=trial, examined=self.examined)


class TrialItem(pytest.Item):
    """One trial on the attention that is examined."""

    def __init__(self, *, trial: Trial, examined: Subject, **options: Any) -> None:
        super().__init__(**options)
        self.trial = trial
        self.examined = examined

    def runtest(self) -> None:
        """Ask; a trial that cannot be asked is skipped."""
        from attn_lib.examine import NotAskedError

        try:
            finding = self.trial.ask_alike(self.examined)
        except NotAskedError as reason:
            pytest.skip(str(reason))
        if not finding:
            raise TrialFailedError(finding.expected, finding.got)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Say what was expected, what came, and which known fault it looks like.

        Of an error show where it was raised: it looks like no fault that is known.
        """
        question = (self.trial.ask.__doc__ or "").splitlines()[0]
        if not isinstance(excinfo.value, TrialFailedError):
            where = _inside(excinfo.tb)
            return "".join(
                [f"{question}\n", *traceback.format_exception(excinfo.value.with_traceback(where))]
            )
        expected, got = excinfo.value.args
        return "\n".join(_lines(question, expected, got, self.trial.looks_like))

    def reportinfo(self) -> tuple[str, None, str]:
        """Name the trial alone: it stands in no file of the reader's."""
        return "attn-museum", None, self.name


class TrialFailedError(Exception):
    """A trial failed: what was expected, and what came."""


def _inside(tb: TracebackType) -> TracebackType:
    """Leave out what leads to the attention's own code: pytest, and how the trials call it."""
    from attn_lib.museum import adapters, trials

    ours = __file__, adapters.__file__, trials.__file__
    last, step = tb, tb.tb_next
    while step:
        if last.tb_frame.f_code.co_filename in ours:
            tb = step
        last, step = step, step.tb_next
    return tb


def _lines(question: str, expected: str, got: str, looks_like: str) -> Iterable[str]:
    from attn_lib.live.host.published import site

    yield question
    yield f"expected: {expected}"
    yield f"got:      {got}"
    yield f"This looks like {looks_like}."
    if address := site():
        yield f"See {address}en/bug-museum.html"
