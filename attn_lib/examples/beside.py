"""A reader's own ten lines beside the library: how far apart are they, gradients included?"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

Layer = Callable[..., Tensor]


def differences(mine: Layer, theirs: Layer, *inputs: object) -> tuple[float, float]:
    """Run two functions or layers on the same inputs; compare outputs and gradients.

    Args:
        mine: a function or a module, called with all inputs; it returns one tensor.
        theirs: the same. Of two modules the parameters of the same name are compared too.
        inputs: gradients are taken to those that are floating-point tensors. They stay unchanged.

    Returns:
        The largest difference of an output, and of a gradient. What is pulled back is random, so
        that no gradient cancels, as that of a sum of weights would.

    Raises:
        ValueError: the two outputs have different shapes.

    Example:
        >>> import torch
        >>> from attn_lib.examples import beside
        >>> beside.differences(torch.exp, lambda x: x.sinh() + x.cosh(), torch.zeros(3))
        (0.0, 0.0)
    """
    own, its = _gradients(mine, inputs), _gradients(theirs, inputs)
    if own[0].shape != its[0].shape:
        shapes = f"{tuple(own[0].shape)} and {tuple(its[0].shape)}"
        raise ValueError(f"mine and theirs must return the same shape. Got {shapes}.")
    output, *gradients = ((a - b).abs().max().item() for a, b in zip(own, its, strict=True))
    return output, max(gradients)


def _gradients(layer: Layer, inputs: tuple[object, ...]) -> list[Tensor]:
    """The output, and the gradient to each floating-point input and each parameter by its name."""
    own = [
        x.detach().clone().requires_grad_()
        if isinstance(x, Tensor) and x.is_floating_point()
        else x
        for x in inputs
    ]
    output = layer(*own)
    learned = dict(layer.named_parameters()) if isinstance(layer, nn.Module) else {}
    sources = [x for x in own if isinstance(x, Tensor) and x.requires_grad]
    sources += [learned[name] for name in sorted(learned)]
    generator = torch.Generator().manual_seed(0)
    pull = torch.randn(output.shape, generator=generator, dtype=output.dtype)
    return [output.detach(), *torch.autograd.grad(output, sources, pull)]
