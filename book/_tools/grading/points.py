"""The points of one answer, in the kernel that grades: what the last line of a test cell shows.

nbgrader counts a number. Any other result it takes for full marks, a verdict as well, and anything
on stderr for none, a warning as well.
"""

import contextlib
import inspect
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import attn_lib
from attn_lib.check import Verdict

LIMIT = 20  # seconds of computing, so that a busy machine takes no points away
LIBRARY = os.path.dirname(attn_lib.__file__) + os.sep  # noqa: PTH120 - compared with file names


def points(
    judge: Callable[..., Verdict], answer: Any, *more: Any, of: int, **numbers: Any
) -> float:
    """Return `of` for a right answer and 0 for any other.

    The numbers are those of the question. A judge that draws its cases draws them from the seed of
    the class. The library's own function, where the exercise is to write it, is no answer.
    """
    draws = "seed" in inspect.signature(judge).parameters
    seed = {"seed": int(os.environ["ATTN_SEED"])} if draws else {}
    code = getattr(answer, "__code__", None)
    if code is not None and code.co_filename.startswith(LIBRARY):
        return 0.0
    with contextlib.redirect_stderr(io.StringIO()), _limited(), _calls(judge.__name__) as called:
        try:
            verdict = judge(answer, *more, **seed, **numbers)
        except (Exception, SystemExit):
            return 0.0
    return float(of * (verdict.right and not called))


@contextlib.contextmanager
def _calls(name: str) -> Iterator[list[str]]:
    """Collect calls of the library's function of a name, from outside the library."""
    called: list[str] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        is_ours = code.co_name == name and code.co_filename.startswith(LIBRARY)
        if event == "call" and is_ours and caller is not None and caller.f_code is not HERE:
            called.extend([name] * (not caller.f_code.co_filename.startswith(LIBRARY)))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield called
    finally:
        sys.setprofile(before)


HERE = points.__code__


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Stop an answer that does not end."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
