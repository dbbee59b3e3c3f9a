"""How much memory does a computation take? Counted, not timed: the same on every machine."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class LargestTensor(TorchDispatchMode):
    """A context that notes the largest piece of memory behind any tensor made inside it.

    `bytes` is its size. Views add nothing, since they share the memory of another tensor.

    Example:
        >>> import torch
        >>> from attn_lib.memory import LargestTensor
        >>> with LargestTensor() as largest:
        ...     total = (torch.ones(100, 1) + torch.ones(1, 50)).sum()
        >>> largest.bytes  # 100 x 50 sums of 4 bytes
        20000
    """

    bytes: int = 0

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run one operation of torch and look at what comes out."""
        result = func(*args, **(kwargs or {}))
        for made in tree_leaves(result):
            if isinstance(made, torch.Tensor):
                self.bytes = max(self.bytes, made.untyped_storage().nbytes())
        return result


def kept_bytes(compute: Callable[..., Tensor], *inputs: Tensor) -> int:
    """Count what autograd keeps of a computation until its backward pass.

    Args:
        compute: the computation.
        *inputs: its arguments. They are there anyway and do not count.

    Returns:
        The bytes of all tensors that are kept, each piece of memory once; 0 where no argument
        requires a gradient.

    Raises:
        Exception: whatever the computation raises.

    Example:
        >>> import torch
        >>> from attn_lib.memory import kept_bytes
        >>> x = torch.ones(1000, requires_grad=True)
        >>> kept_bytes(lambda x: x + 1, x), kept_bytes(lambda x: x.exp(), x)
        (0, 4000)
    """
    there = {x.untyped_storage().data_ptr() for x in inputs}
    kept: dict[int, int] = {}

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in there:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        output = compute(*inputs)
    del output
    return sum(kept.values())
