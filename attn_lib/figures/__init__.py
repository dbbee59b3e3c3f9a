"""The live figures, one folder each: declaration, body, computation in the browser and words.

A figure is declared once (`explorer.figure.Figure`); `explore` shows one.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from attn_lib.explorer.figure import Figure
from attn_lib.explorer.widget import Explorer

# Every folder here is a figure.
FIGURES: dict[str, Figure] = {
    folder.name: import_module(f"{__name__}.{folder.name}").FIGURE
    for folder in iter_modules(__path__)
}


def explore(figure: str, **settings: Any) -> Explorer:
    """Show a live figure.

    Args:
        figure: its name, e.g. ``"mask"``; the error at a wrong name lists them all.
        **settings: settings to start from, named as in the figure's links, e.g.
            ``len=[0, 3]``. A function takes the place of attn_lib's function of that name, so that
            the figure shows what yours does.

    Returns:
        the figure; as the last line of a cell it is displayed.

    Raises:
        ValueError: no such figure, no such setting, or a value out of range; the text says which.

    Example:
        >>> explorer = explore("mask", len=[0, 3], fill="1e6")
        >>> explorer.view.parts["weights"]["rows"][0]
        [0.25, 0.25, 0.25, 0.25]
    """
    if figure not in FIGURES:
        raise ValueError(f"figure must be one of {', '.join(FIGURES)}. Got {figure!r}.")
    functions: dict[str, Callable[..., Any]] = {n: s for n, s in settings.items() if callable(s)}
    values = {name: value for name, value in settings.items() if name not in functions}
    return Explorer(FIGURES[figure], values, functions)
