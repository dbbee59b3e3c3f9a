"""A progress bar for training in a notebook."""

from __future__ import annotations


class ProgressBar:
    """Shows how far a training is, and keeps its losses.

    Args:
        steps: how many there will be.

    Example:
        >>> bar = ProgressBar(1)  # in a notebook a bar, elsewhere a line of text
        0 of 1 steps
        >>> bar(1, 0.5)
        >>> bar.losses
        [0.5]
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0
        self.losses: list[float] = []
        # Imported here: who reads dates outside a notebook does not wait for it.
        from IPython.display import display

        self._shown = display(self, display_id=True)

    def __call__(self, step: int, loss: float) -> None:
        """Note that a step is done."""
        self.done = step
        self.losses.append(loss)
        if self._shown is not None:
            self._shown.update(self)

    def __repr__(self) -> str:
        return f"{self.done} of {self.steps} steps"

    def _repr_html_(self) -> str:
        return f'<progress value="{self.done}" max="{self.steps}"></progress> {self!r}'
