"""What a notebook keeps of a figure: its numbers as text, and what a page draws the figure from.

Neither the figure's drawing nor its sentences are in it, so they may change and no notebook does.
"""

from typing import Any

from attn_lib.language import get_language, words
from attn_lib.live.host.controls import State
from attn_lib.live.host.figure import Figure, View
from attn_lib.live.host.numbers import UNDEFINED

# A page that knows this type draws the figure (`book/_ext/content/live.py`); others show the text.
MIME = "application/vnd.attn-lib.figure+json"


def stored(figure: Figure, state: State, view: View) -> dict[str, Any]:
    """Return the figure in `state` by MIME type, in the current language."""
    settings = {
        key: list(value) if isinstance(value, tuple) else value  # as JSON gives it back
        for key, value in figure.settings(state).items()
    }
    kept = {"figure": figure.id, "state": settings, "language": get_language()}
    return {"text/plain": plain_text(figure, view), MIME: kept}


def plain_text(figure: Figure, view: View) -> str:
    """Return a view's numbers as tables of text, each below the name of its part."""
    tables = [
        f"{name}\n{_table(part['rows'])}"
        for name, part in view.parts.items()
        if part is not None and "rows" in part
    ]
    return "\n\n".join([words("frame")["as_text"].format(figure=figure.id), *tables])


def _table(rows: list[list[float | None]]) -> str:
    cells = [[_plain(number) for number in row] for row in rows]
    width = max((len(cell) for row in cells for cell in row), default=0)
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in cells)


def _plain(number: float | None) -> str:
    if number is None:
        return UNDEFINED
    return str(number) if isinstance(number, int) else f"{number:.4f}"
