"""The museum's tests for attention that somebody else wrote.

``pytest --attn-museum mypackage.mymodule:MyAttention`` runs the trials of `trials` on a class, an
object or a function. `adapters` calls it in the order of arguments that it has, and `exhibits` are
faults of today's attention, by which the trials themselves are tested.
"""

from attn_lib.examine.adapters import CALLS, Subject, subject
from attn_lib.examine.trials import TRIALS, NotAskedError, examine

__all__ = ["CALLS", "TRIALS", "NotAskedError", "Subject", "examine", "subject"]
