"""Parameters in eight bits: what a stored model holds, and what Python and a page both read.

Each tensor is stored as whole numbers from -127 to 127, in base64, and one factor by which they are
multiplied. Both readers compute with exactly these rounded parameters.
"""

from __future__ import annotations

import base64
from typing import Any

import torch
from torch import Tensor, nn


def rounded(model: nn.Module) -> dict[str, Any]:
    """Round the parameters of a model, by their names."""
    return {name: _round(value) for name, value in model.state_dict().items()}


def restored(stored: dict[str, Any]) -> dict[str, Tensor]:
    """Return what `rounded` has stored, as a state dict of float32 tensors."""
    return {name: _restore(value) for name, value in stored.items()}


def _round(tensor: Tensor) -> dict[str, Any]:
    factor = tensor.abs().max().item() / 127
    whole = (tensor / factor).round().to(torch.int8)
    data = base64.b64encode(whole.numpy().tobytes()).decode()
    return {"shape": list(tensor.shape), "factor": factor, "data": data}


def _restore(stored: dict[str, Any]) -> Tensor:
    whole = torch.frombuffer(bytearray(base64.b64decode(stored["data"])), dtype=torch.int8)
    return whole.reshape(stored["shape"]) * stored["factor"]  # int8 x float -> float32
