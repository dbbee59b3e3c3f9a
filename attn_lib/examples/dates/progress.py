"""A progress bar for training in a notebook."""

from __future__ import annotations

from typing import Any

import ipywidgets


class ProgressBar(ipywidgets.IntProgress):
    """Shows how far a training is, and keeps its losses.

    Args:
        steps: how many there will be.

    Example:
        >>> bar = ProgressBar(2)  # in a notebook it moves
        A progress bar of 2 steps.
        >>> bar(1, 0.5)
        >>> bar.value, bar.losses
        (1, [0.5])
    """

    def __init__(self, steps: int) -> None:
        # Imported here: who reads dates outside a notebook does not wait for it.
        from IPython.display import display

        super().__init__(max=steps)
        self.losses: list[float] = []
        display(self)

    def __call__(self, step: int, loss: float) -> None:
        """Note that a step is done."""
        self.value = step
        self.losses.append(loss)

    def __repr__(self) -> str:
        return f"A progress bar of {self.max} steps."

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs) or {}
        bundle["text/plain"] = repr(self)
        bundle["text/html"] = f'<progress value="{self.max}" max="{self.max}"></progress>'
        return bundle
