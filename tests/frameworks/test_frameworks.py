"""The programs of the page on other frameworks give the numbers that attn_lib gives.

This file needs NumPy and the framework that is tried, nothing else: `make frameworks` runs it in an
environment without PyTorch.
"""

import importlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "book/frameworks"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))

# How each framework makes a tensor from a NumPy array.
TENSOR: dict[str, str] = {
    "numpy": "numpy.asarray",
    "torch": "torch.as_tensor",
    "jax": "jax.numpy.asarray",
    "tensorflow": "tensorflow.constant",
}


def program(framework: str) -> ModuleType:
    """Import the file that the page shows."""
    path = FOLDER / f"{framework}_attention.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def maker(framework: str) -> Callable[[Any], Any]:
    package, _, name = TENSOR[framework].rpartition(".")
    return getattr(importlib.import_module(package), name)


def array(tensor: Any) -> Any:
    """Return a copy as a NumPy array, whatever the framework."""
    return np.asarray(tensor).copy()


def arguments(framework: str, case: dict[str, Any]) -> list[Any]:
    tensor = maker(framework)
    given = [tensor(np.array(numbers, dtype=case["dtype"])) for numbers in case["given"]]
    lens = case["valid_lens"]
    return [*given, None if lens is None else tensor(np.array(lens, dtype="int32"))]


@pytest.mark.parametrize("name", CASES)
def test_every_case(framework: str, name: str) -> None:
    case = CASES[name]
    given = arguments(framework, case)
    before = [array(tensor) for tensor in given if tensor is not None]
    answer = getattr(program(framework), case["function"])(*given)
    answers = dict(
        zip(case["expected"], answer if isinstance(answer, tuple) else (answer,), strict=True)
    )
    tolerance = 1e-3 if case["dtype"] == "float16" else 1e-6
    for part, expected in case["expected"].items():
        found = array(answers[part])
        assert str(found.dtype) == case["dtype"]
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        if part == "weights":
            assert np.all(found[np.array(expected) == 0] == 0), "padding has no weight at all"
    for tensor, then in zip((t for t in given if t is not None), before, strict=True):
        np.testing.assert_array_equal(array(tensor), then)


def test_an_empty_row_has_a_finite_gradient(framework: str) -> None:
    """NumPy has no gradients; there the row itself is what must be finite."""
    softmax = program(framework).masked_softmax
    scores, lens = arguments(framework, CASES["an empty row"])
    assert np.isfinite(GRADIENT[framework](softmax, scores, lens)).all()


def numpy_rows(softmax: Any, scores: Any, lens: Any) -> Any:
    with np.errstate(all="raise", under="ignore"):
        return softmax(scores, lens)


def torch_gradient(softmax: Any, scores: Any, lens: Any) -> Any:
    scores = scores.requires_grad_()
    softmax(scores, lens).square().sum().backward()
    return scores.grad.numpy()


def jax_gradient(softmax: Any, scores: Any, lens: Any) -> Any:
    import jax

    return np.array(jax.jit(jax.grad(lambda X: (softmax(X, lens) ** 2).sum()))(scores))


def tensorflow_gradient(softmax: Any, scores: Any, lens: Any) -> Any:
    import tensorflow as tf

    with tf.GradientTape() as tape:
        tape.watch(scores)
        loss = tf.reduce_sum(softmax(scores, lens) ** 2)
    return tape.gradient(loss, scores).numpy()


GRADIENT = {
    "numpy": numpy_rows,
    "torch": torch_gradient,
    "jax": jax_gradient,
    "tensorflow": tensorflow_gradient,
}


# What the page's table says of built-in functions: two of four keys are visible, then none.
VISIBLE = np.array([True, True, False, False])
KEYS = np.ones((1, 4, 1, 2), "float32")
VALUES = np.arange(4, dtype="float32").reshape(1, 4, 1, 1) * np.ones((1, 1, 1, 2), "float32")


def test_what_true_means_in_built_in_functions(framework: str) -> None:
    for attend, empty in BUILT_IN[framework]:
        for visible, mean in ((VISIBLE, 0.5), (~(VISIBLE | ~VISIBLE), empty)):
            np.testing.assert_allclose(attend(visible), mean, rtol=1e-6, equal_nan=True)


def torch_function(visible: Any) -> Any:
    import torch

    q, k, v = (torch.tensor(X).transpose(1, 2) for X in (KEYS[:, :1], KEYS, VALUES))
    mask = torch.tensor(visible)[None, None, None]
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def jax_function(visible: Any) -> Any:
    import jax

    return jax.nn.dot_product_attention(KEYS[:, :1], KEYS, VALUES, mask=visible[None, None, None])


def keras_layer(visible: Any) -> Any:
    import keras

    layer = keras.layers.AdditiveAttention(use_scale=False)
    given = [KEYS[:, :1, 0], VALUES[:, :, 0], KEYS[:, :, 0]]
    return layer(given, mask=[None, visible[None]])


def torch_layer(visible: Any) -> Any:
    """True in this layer's mask leaves a key out; its weights are applied to the plain values."""
    import torch

    layer = torch.nn.MultiheadAttention(2, 1, batch_first=True)
    keys = torch.tensor(KEYS[:, :, 0])
    left_out = torch.tensor(~visible[None])
    _, weights = layer(keys[:, :1], keys, keys, key_padding_mask=left_out)
    return weights.detach().numpy() @ VALUES[:, :, 0]


# With what each gives where no key is visible; 1.5 is the mean of all values, padding included.
BUILT_IN: dict[str, list[tuple[Callable[[Any], Any], float]]] = {
    "numpy": [],
    "torch": [(torch_function, 0.0), (torch_layer, np.nan)],
    "jax": [(jax_function, 1.5)],
    "tensorflow": [(keras_layer, 1.5)],
}
