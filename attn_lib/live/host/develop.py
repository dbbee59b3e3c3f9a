"""A saved script or style reaches the figures of an open notebook: `ANYWIDGET_HMR=1 make lab`.

That is anywidget's own switch, for widgets that are one file each; ours are put together from many.
"""

import os
import time
from collections.abc import Callable
from threading import Thread

from attn_lib.live.host import bundle

EVERY = 0.5  # seconds between two looks at the files


def is_on() -> bool:
    """Whether this process serves somebody who works on scripts."""
    return bool(os.environ.get("ANYWIDGET_HMR"))


def follow(send: Callable[[], bool]) -> None:
    """Call `send` after every change of a script or a style, for as long as it answers True."""
    # Seen before the thread runs: a change in between is one.
    Thread(target=_follow, args=(send, bundle.times()), daemon=True).start()


def _follow(send: Callable[[], bool], seen: object) -> None:
    while True:
        time.sleep(EVERY)
        if (now := bundle.times()) != seen:
            seen = now
            bundle.forget()
            if not send():
                return
