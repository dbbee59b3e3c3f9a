"""What a custom gradient must carry to be called quickly."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


def keep_signature(function: Function) -> Function:
    """Store a function's signature with it.

    torch.autograd.Function.apply asks for that of forward in every call, and finding it out anew
    takes longer than a small softmax.
    """
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return function
