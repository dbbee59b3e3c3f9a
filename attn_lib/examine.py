"""The museum's tests for attention that somebody else wrote.

``pytest --attn-museum mypackage.mymodule:MyAttention`` runs the trials of `trials` on a class, an
object or a function. `adapters` calls it in the order of arguments that it has, and `exhibits` are
faults of today's attention, by which the trials themselves are tested. All three lie in
`attn_lib.museum`; this is their door.
"""

import sys

from attn_lib.museum import adapters, trials
from attn_lib.museum import today as exhibits
from attn_lib.museum.adapters import CALLS, Subject, subject
from attn_lib.museum.trials import TRIALS, NotAskedError, examine

__all__ = [
    "CALLS",
    "TRIALS",
    "NotAskedError",
    "Subject",
    "adapters",
    "examine",
    "exhibits",
    "subject",
    "trials",
]

# Under these paths they are documented: `from attn_lib.examine.trials import TRIALS`.
for _name, _module in (("adapters", adapters), ("exhibits", exhibits), ("trials", trials)):
    sys.modules[f"{__name__}.{_name}"] = _module
