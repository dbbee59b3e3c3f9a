"""Checks that run before any computation, and the one form all their messages take.

Every message names the argument, what was expected and what came; in a shape each axis has its
letter, and its size where only one fits: ``keys must have shape (B=2, K, D=20). Got (2, 10, 2).``

Types, shapes, dtypes and devices are checked in every call, numbers where there are numbers to
see: not while torch.compile, torch.export or torch.jit.trace follow a computation, nor on meta or
fake tensors, nor inside vmap.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping
from numbers import Integral, Real

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor

LENGTHS_OF_A_MASK = "Of a mask with 1 at each key that counts, the lengths are mask.sum(1)."


def has_values(tensor: Tensor) -> bool:
    """Tell whether a tensor holds numbers that Python can read now."""
    return not (
        torch.compiler.is_compiling()
        or torch.jit.is_tracing()  # type: ignore[attr-defined]
        or tensor.is_meta
        or isinstance(tensor, FakeTensor)
        or torch._C._functorch.is_functorch_wrapped_tensor(tensor)  # inside vmap, grad, jvp
    )


def check_dense(name: str, value: object) -> Tensor:
    """Require a tensor that is neither sparse nor nested, and return it."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor. Got {type(value).__name__}.")
    if value.is_nested or value.layout != torch.strided:
        kind = "a nested one" if value.is_nested else value.layout
        raise TypeError(f"{name} must be a dense tensor. Got {kind}.")
    return value


def check_tensor(name: str, value: object) -> None:
    """Require a floating-point tensor of a type that torch can compute in."""
    tensor = check_dense(name, value)
    if not tensor.is_floating_point():
        hint = " A mask goes to mask=." if name == "score_bias" else ""
        raise TypeError(f"{name} must have a floating-point dtype. Got {tensor.dtype}.{hint}")
    if tensor.dtype.itemsize == 1:
        raise TypeError(f"{name} must have at least 16 bits a number. Got {tensor.dtype}.")


def check_shape(name: str, tensor: Tensor, **axes: int | None) -> None:
    """Require one axis per keyword, in order; the keyword is its letter, None means any size."""
    if not _fits(tensor.shape, tuple(axes.values())):
        raise ValueError(f"{name} must have shape {axes_text(axes)}. Got {_shape_text(tensor)}.")


def _fits(shape: torch.Size, sizes: tuple[int | None, ...]) -> bool:
    # With != throughout: while torch.compile or a trace follow, sizes are symbols or tensors, which
    # `in` tells apart from equal numbers.
    if len(shape) != len(sizes):
        return False
    # A loop, since this runs five times a call: any() and a generator take half as long again.
    for got, wanted in zip(shape, sizes, strict=True):
        if wanted is not None and got != wanted:
            return False
    return True


def check_features(name: str, tensor: Tensor) -> None:
    """Require at least one feature: an empty sum has no scale."""
    if tensor.shape[-1] == 0:
        raise ValueError(f"{name} must have at least 1 feature. Got {_shape_text(tensor)}.")


def check_alike(name: str, tensor: Tensor, like_name: str, like: Tensor) -> None:
    """Require one device and one dtype for both tensors; autocast mixes dtypes by design."""
    if tensor.device != like.device:
        raise ValueError(f"{name} must be on {like.device} like {like_name}. Got {tensor.device}.")
    if tensor.dtype != like.dtype and not torch.is_autocast_enabled(tensor.device.type):
        raise TypeError(
            f"{name} must have dtype {like.dtype} like {like_name}. Got {tensor.dtype}."
        )


def check_int(name: str, value: object) -> int:
    """Require a whole number, Python's or NumPy's, and return it."""
    if not isinstance(value, (int, Integral)) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int. Got {type(value).__name__}.")
    return value if isinstance(value, int) else int(value)


def check_positive_int(name: str, value: object) -> int:
    """Require a whole number of at least 1, and return it."""
    number = check_int(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1. Got {value}.")
    return number


def check_size(name: str, value: object, *, least: int = 1) -> int:
    """Require a whole number that is large enough, and return it.

    A size that torch leaves open is one: torch.export writes it as a symbol, jit.trace as a tensor.
    """
    if isinstance(value, torch.SymInt) or is_traced_size(value):
        return value  # type: ignore[return-value]
    number = check_int(name, value)
    if number < least:
        raise ValueError(f"{name} must be at least {least}. Got {value}.")
    return number


def is_traced_size(value: object) -> bool:
    """Tell whether this is what torch.jit.trace makes of a size: a whole number as a tensor."""
    return (
        isinstance(value, Tensor)
        and value.ndim == 0
        and value.dtype == torch.int64
        and torch.jit.is_tracing()  # type: ignore[attr-defined]
    )


def check_number(name: str, value: object) -> float:
    """Require a real number, Python's or NumPy's, and return it."""
    if not isinstance(value, (int, float, Real)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number. Got {type(value).__name__}.")
    return value if isinstance(value, (int, float)) else float(value)


def check_finite(name: str, value: object) -> float:
    """Require a finite number, and return it."""
    number = check_number(name, value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite. Got {value}.")
    return number


def check_positive(name: str, value: object) -> None:
    """Require a finite number above 0, or a tensor that holds one."""
    if isinstance(value, Tensor):
        if value.numel() != 1:
            raise ValueError(
                f"{name} must be a number or a tensor with one element. "
                f"Got one of shape {_shape_text(value)}."
            )
        if not has_values(value):
            return
        value = value.item()
    if not 0 < check_number(name, value) < math.inf:
        raise ValueError(f"{name} must be finite and above 0. Got {value}.")


def check_probability(name: str, value: object) -> float:
    """Require a number from 0 to 1, and return it."""
    number = check_number(name, value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must lie between 0 and 1. Got {value}.")
    return number


def check_fill(name: str, value: object, dtype: torch.dtype) -> float:
    """Require a number that ``dtype`` can hold, and return it."""
    number = int(value) if isinstance(value, bool) else check_number(name, value)
    if dtype.is_floating_point or dtype.is_complex:  # these may round, but not to infinity
        fits = not math.isfinite(number) or abs(number) <= torch.finfo(dtype).max
    else:  # the others would wrap or truncate
        lowest, highest = (0, 1) if dtype == torch.bool else _range(dtype)
        fits = lowest <= number <= highest and number == int(number)
    if not fits:
        raise ValueError(f"{name} must be a number that {dtype} can hold. Got {value}.")
    return number


def _range(dtype: torch.dtype) -> tuple[int, int]:
    info = torch.iinfo(dtype)
    return info.min, info.max


def check_lens(
    name: str,
    value: object,
    *,
    limit: int,
    device: torch.device | None = None,
    beside_mask: bool = False,
    **axes: int,
) -> int:
    """Require whole numbers between 0 and ``limit``, shaped by the first axis or by all axes.

    beside_mask says that the caller has an argument ``mask``, which may have been meant.
    Returns the smallest of the lengths, or 0 where there are none to see.
    """
    lens = check_dense(name, value)
    if device not in (None, lens.device):
        raise ValueError(f"{name} must be on {device}. Got {lens.device}.")
    if lens.dtype == torch.bool or lens.is_floating_point() or lens.is_complex():
        hint = ""
        if lens.dtype == torch.bool:
            hint = " A mask goes to mask=." if beside_mask else f" {LENGTHS_OF_A_MASK}"
        raise ValueError(f"{name} must have an integer dtype. Got {lens.dtype}.{hint}")
    sizes = tuple(axes.values())
    if not _fits(lens.shape, sizes[:1]) and not _fits(lens.shape, sizes):
        first = dict(list(axes.items())[:1])
        wanted = " or ".join(axes_text(some) for some in (first, axes)[: len(axes)])
        hint = f" {LENGTHS_OF_A_MASK}" if _fits(lens.shape, (sizes[0], limit)) else ""
        raise ValueError(f"{name} must have shape {wanted}. Got {_shape_text(lens)}.{hint}")
    if not has_values(lens) or lens.numel() == 0:
        return 0
    smallest, largest = (int(bound.item()) for bound in lens.long().aminmax())
    if smallest < 0 or largest > limit:
        wrong = smallest if smallest < 0 else largest
        raise ValueError(f"{name} must lie between 0 and K={limit}. Got {wrong}.")
    # A row of both 0 and 1: lengths of causal queries that may see one key are all 1.
    square = lens.shape[1:] == (limit,) and limit > 1
    if largest == 1 and square and bool((lens != lens[:, :1]).any()):
        warn(
            f"{name} {axes_text(axes)} has only 0 and 1: they are taken for lengths. "
            f"{LENGTHS_OF_A_MASK}"
        )
    return smallest


def warn(message: str) -> None:
    """Warn at the line of the caller's, outside of this library and of torch, which calls it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(("attn_lib.", "torch.")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def check_queries_keys(
    queries: Tensor,
    keys: Tensor,
    query_size: int | None = None,
    key_size: int | None = None,
    *,
    heads: bool = False,
) -> None:
    """Require queries (B, Q, D) and keys (B, K, D) of one batch and kind.

    A size that a layer was made for is one of its constructor's arguments, and called so. Where
    heads is True, both may have one more axis: (B, H, Q, D) and (B, H, K, D).
    """
    check_tensor("queries", queries)
    check_tensor("keys", keys)
    head: dict[str, int | None] = {"H": None} if heads and queries.ndim == 4 else {}
    last = "D" if query_size is None else "query_size"
    check_shape("queries", queries, B=None, **head, Q=None, **{last: query_size})
    if head:
        head = {"H": queries.shape[1]}
    last = "D" if key_size is None else "key_size"
    check_shape("keys", keys, B=queries.shape[0], **head, K=None, **{last: key_size})
    check_features("queries", queries)
    check_features("keys", keys)
    check_alike("keys", keys, "queries", queries)


def check_equal_features(queries: Tensor, keys: Tensor, *, heads: bool = False) -> None:
    """Require queries and keys, as above, of one feature size."""
    check_queries_keys(queries, keys, heads=heads)
    if keys.shape[-1] != queries.shape[-1]:
        head = {"H": queries.shape[1]} if queries.ndim == 4 else {}
        check_shape("keys", keys, B=queries.shape[0], **head, K=None, D=queries.shape[-1])


def check_values(values: Tensor, keys: Tensor, value_size: int | None = None) -> None:
    """Require values (B, K, V), one for every key; a layer's size goes by its argument's name."""
    check_tensor("values", values)
    last = "V" if value_size is None else "value_size"
    head: dict[str, int | None] = {"H": keys.shape[1]} if keys.ndim == 4 else {}
    check_shape("values", values, B=keys.shape[0], **head, K=keys.shape[-2], **{last: value_size})
    check_alike("values", values, "keys", keys)


def axes_of_scores(X: Tensor) -> dict[str, int]:
    """Name the axes of scores (B, Q, K) or (B, H, Q, K), with their sizes."""
    return dict(zip("BQK" if X.ndim == 3 else "BHQK", X.shape, strict=True))


def check_mask(
    name: str, mask: object, device: torch.device, *, beside_bias: bool, **axes: int
) -> None:
    """Require truth values, True where a key may be seen, broadcastable to scores of these axes.

    beside_bias says that the caller has an argument ``score_bias``, which may have been meant.
    """
    tensor = check_dense(name, mask)
    if tensor.dtype != torch.bool:
        hint = f" If 1 is seen and 0 is not: {name}.bool()."
        if tensor.is_floating_point():
            hint = " What is added to scores goes to score_bias=." if beside_bias else ""
        raise TypeError(
            f"{name} must have dtype torch.bool, True where seen. Got {tensor.dtype}.{hint}"
        )
    check_broadcastable(name, tensor, device, **axes)


def check_bias(name: str, bias: object, device: torch.device, **axes: int) -> None:
    """Require floating-point numbers broadcastable to scores of these axes."""
    check_tensor(name, bias)
    check_broadcastable(name, check_dense(name, bias), device, **axes)


def check_sink(name: str, sink: object, device: torch.device, **axes: int) -> None:
    """Require a finite number, or numbers (H,) or broadcastable to scores without their keys."""
    if not isinstance(sink, Tensor):
        check_finite(name, sink)
        return
    check_tensor(name, sink)
    axes.pop("K", None)
    if "H" in axes and sink.ndim == 1:
        axes = {"H": axes["H"]}
    check_broadcastable(name, sink, device, **axes)


def check_broadcastable(name: str, tensor: Tensor, device: torch.device, **axes: int) -> None:
    """Require a device, and for each axis, counted from the last, its size or 1."""
    if tensor.device != device:
        raise ValueError(f"{name} must be on {device}. Got {tensor.device}.")
    sizes = tuple(axes.values())
    last = sizes[len(sizes) - tensor.ndim :] if tensor.ndim <= len(sizes) else ()
    # Where the tensor has 1, each size will do.
    pairs = zip(tensor.shape, last, strict=False)
    wanted = tuple(None if got == 1 else size for got, size in pairs)
    if not _fits(tensor.shape, wanted):
        raise ValueError(
            f"{name} must be broadcastable to {axes_text(axes)}. Got {_shape_text(tensor)}."
            + _missing_axes(name, tensor, axes)
        )


def _missing_axes(name: str, tensor: Tensor, axes: Mapping[str, int]) -> str:
    """Say how a mask (B, K) or (B, Q, K) gets the axes that it lacks."""
    for has in ("BQK", "BK"):
        sizes = tuple(axes.get(letter) for letter in has)
        if len(has) < len(axes) and None not in sizes and _fits(tensor.shape, sizes):
            index = ", ".join(":" if letter in has else "None" for letter in axes)
            return f" With all axes: {name}[{index.rstrip(', :')}]."
    return ""


def check_layer(name: str, tensor: Tensor, layer_name: str, layer: nn.Module) -> None:
    """Require the device and dtype of a layer's weight, where it has one: an adapter need not."""
    weight = getattr(layer, "weight", None)
    if isinstance(weight, Tensor) and weight.is_floating_point():
        check_alike(name, tensor, f"{layer_name}.weight", weight)


def axes_text(axes: Mapping[str, int | None]) -> str:
    """Write letters, and sizes where only one fits: (B=2, K, D=20)."""
    return _tuple_text([a if size is None else f"{a}={size}" for a, size in axes.items()])


def _tuple_text(parts: list[str]) -> str:
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _shape_text(tensor: Tensor) -> str:
    return _tuple_text([str(size) for size in tensor.shape]) if tensor.ndim else "()"


def check_above(name: str, value: object, bound: float) -> None:
    """Require a finite number above another."""
    if not bound < check_number(name, value) < math.inf:
        raise ValueError(f"{name} must be finite and above {bound}. Got {value}.")


def check_scores(name: str, value: Tensor) -> None:
    """Require scores (B, Q, K) or (B, H, Q, K)."""
    check_tensor(name, value)
    if value.ndim not in (3, 4):
        raise ValueError(
            f"{name} must have shape (B, Q, K) or (B, H, Q, K). Got {_shape_text(value)}."
        )


def check_whole(name: str, value: object, *, least: int, limit: int) -> None:
    """Require a tensor of whole numbers between two bounds."""
    tensor = check_dense(name, value)
    if tensor.dtype == torch.bool or tensor.is_floating_point() or tensor.is_complex():
        raise TypeError(f"{name} must have an integer dtype. Got {tensor.dtype}.")
    if not has_values(tensor) or tensor.numel() == 0:
        return
    smallest, largest = (int(bound.item()) for bound in tensor.long().aminmax())
    if smallest < least or largest > limit:
        wrong = smallest if smallest < least else largest
        raise ValueError(f"{name} must lie between {least} and {limit}. Got {wrong}.")


def check_places(name: str, value: object, *, device: torch.device, **axes: int) -> None:
    """Require numbers, whole or not, shaped by the last axis or by both axes."""
    places = check_dense(name, value)
    if places.device != device:
        raise ValueError(f"{name} must be on {device}. Got {places.device}.")
    if places.dtype == torch.bool or places.is_complex():
        raise TypeError(f"{name} must have an integer or floating-point dtype. Got {places.dtype}.")
    sizes = tuple(axes.values())
    if not _fits(places.shape, sizes[-1:]) and not _fits(places.shape, sizes):
        letters = [f"{letter}={size}" for letter, size in axes.items()]
        wanted = " or ".join(_tuple_text(letters[-n:]) for n in (1, len(letters)))
        raise ValueError(f"{name} must have shape {wanted}. Got {_shape_text(places)}.")
