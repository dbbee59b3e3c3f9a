"""The live figures, one folder each: declaration, body, computation in the browser and words.

A figure is declared once (`host.figure.Figure`); `explore` shows one.
"""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any, get_args

import torch

from attn_lib.live.host.figure import Figure
from attn_lib.live.host.widget import Explorer

# Every folder here is a figure. Its numbers are read, so no default device may hold them.
with torch.device("cpu"):
    FIGURES: dict[str, Figure] = {
        folder.name: import_module(f"{__name__}.{folder.name}").FIGURE
        for folder in iter_modules(__path__)
    }


def explore(figure: str, **settings: Any) -> Explorer:
    """Show a live figure.

    Args:
        figure: its name, e.g. ``"mask"``; the error at a wrong name lists them all.
        **settings: settings to start from, named as in the figure's links, e.g.
            ``len=[0, 3]``. A function takes the place of attn_lib's function of that name, or of
            what an exercise of that name asks for, so that the figure shows what yours does.

    Returns:
        the figure; as the last line of a cell it is displayed.

    Raises:
        ValueError: no such figure, no such setting or function, or a value out of range; the text
            says which.
        TypeError: a function returns no tensor.

    Example:
        >>> explorer = explore("mask", len=[0, 3], fill="1e6")
        >>> explorer.view.parts["weights"]["rows"][0]
        [0.25, 0.25, 0.25, 0.25]
    """
    if not isinstance(figure, str) or figure not in FIGURES:
        raise ValueError(f"figure must be one of {', '.join(FIGURES)}. Got {figure!r}.")
    functions: dict[str, Callable[..., Any]] = {n: s for n, s in settings.items() if callable(s)}
    values = {name: value for name, value in settings.items() if name not in functions}
    parameters = signature(FIGURES[figure].compute).parameters
    known = FIGURES[figure].takes
    if unknown := sorted(set(functions) - set(known)):
        takes = f"takes the functions {', '.join(known)}" if known else "takes no functions"
        raise ValueError(f"{figure} {takes}. Got {', '.join(unknown)}.")
    for name, function in functions.items():
        if _gives_a_tensor(parameters[name].annotation):
            functions[name] = _returning_tensors(name, function)
    return Explorer(FIGURES[figure], values, functions)


def _gives_a_tensor(kind: Any) -> bool:
    """Whether a function of this kind, or none, returns a tensor; a class makes a module."""
    return any(get_args(one)[-1:] == (torch.Tensor,) for one in (kind, *get_args(kind)))


def _returning_tensors(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def checked(*arguments: Any, **more: Any) -> Any:
        result = function(*arguments, **more)
        if not isinstance(result, torch.Tensor):
            raise TypeError(f"{name} must return a torch.Tensor. Got {type(result).__name__}.")
        return result

    return checked
