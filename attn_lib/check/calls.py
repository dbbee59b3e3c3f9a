"""Which functions of PyTorch an answer calls: some exercises forbid a few."""

from collections.abc import Callable
from typing import Any

from torch.overrides import TorchFunctionMode


class Calls(TorchFunctionMode):
    """Collects, while it is entered, the names of the functions of PyTorch that are called.

    >>> import torch
    >>> with Calls() as calls:
    ...     _ = torch.ones(2).softmax(0)
    >>> "softmax" in calls.names
    True
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Note the function's name and call it."""
        self.names.add(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))
