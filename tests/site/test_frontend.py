"""The modules of the live figures, called in a browser and compared with attn_lib."""

import random
from typing import Any

import pytest
import torch
from reader import Visit

import attn_lib
from attn_lib.explorer import numbers


@pytest.fixture
def module(visit: Visit, site: str) -> Any:
    """Call a function of a frontend module: `module("scoring", "softmax", [[1, 2]])`."""
    page = visit(f"{site}/en/index.html")

    def call(name: str, function: str, *calls: list[Any]) -> list[Any]:
        results: list[Any] = page.evaluate(
            f"(calls) => calls.map((args) => module_frontend_{name}.{function}(...args))",
            list(calls),
        )
        return results

    return call


def test_scoring_agrees_with_attn_lib_on_random_cases(module: Any) -> None:
    torch.manual_seed(7)
    dot_calls, additive_calls, softmax_calls = [], [], []
    expected: list[tuple[torch.Tensor, ...]] = []
    for case in range(300):
        Q, K, D_q, D_k, H = (random.Random(case * 5 + i).randint(1, 7) for i in range(5))
        scale = 10.0 ** random.Random(case).uniform(-2, 2)
        queries, keys, same = (
            scale * torch.randn(1, *size, dtype=torch.float64)
            for size in ((Q, D_q), (K, D_k), (K, D_q))
        )
        W_q, W_k, w_v = (
            torch.randn(size, dtype=torch.float64) for size in ((H, D_q), (H, D_k), (H,))
        )
        lens = torch.randint(0, K + 1, (1, Q))
        scaled = case % 2 == 0
        dot_calls.append([queries[0].tolist(), same[0].tolist(), scaled])
        additive_calls.append([t.tolist() for t in (queries[0], keys[0], W_q, W_k, w_v)])
        dots = attn_lib.dot_product_scores(queries, same, scaled=scaled)
        adds = attn_lib.additive_scores(queries, keys, W_q, W_k, w_v)
        scores = adds if case % 3 else dots
        softmax_calls.append([scores[0].tolist(), lens[0].tolist()])
        expected.append((dots[0], adds[0], attn_lib.masked_softmax(scores, lens)[0]))
    for position, (name, calls) in enumerate(
        [
            ("dotProductScores", dot_calls),
            ("additiveScores", additive_calls),
            ("maskedSoftmax", softmax_calls),
        ]
    ):
        for got, want in zip(module("scoring", name, *calls), expected, strict=True):
            torch.testing.assert_close(
                torch.tensor(got, dtype=torch.float64), want[position], rtol=1e-12, atol=1e-12
            )


def test_a_curve_of_kernel_attention_agrees_with_attn_lib(module: Any) -> None:
    torch.manual_seed(11)
    calls, expected = [], []
    for kernel in ("gaussian", "boxcar", "triangular", "epanechnikov"):
        for width in (0.05, 1.0, 7.0):
            keys, values = (10 * torch.rand(1, 6, 1, dtype=torch.float64) for _ in range(2))
            places = torch.linspace(-3, 13, 60, dtype=torch.float64)
            attention = attn_lib.KernelAttention(kernel, width=width)
            outputs = attention(places.reshape(1, -1, 1), keys, values).flatten().tolist()
            assert attention.attention_weights is not None
            found = attention.attention_weights[0].any(-1).tolist()
            expected.append(
                [y if any_key else None for y, any_key in zip(outputs, found, strict=True)]
            )
            calls.append([*(t.flatten().tolist() for t in (places, keys, values)), kernel, width])
    assert any(None in curve for curve in expected)
    for got, want in zip(module("scoring", "kernelOutputs", *calls), expected, strict=True):
        assert [y is None for y in got] == [y is None for y in want]
        numbers = [(y, z) for y, z in zip(got, want, strict=True) if z is not None]
        assert all(abs(y - z) < 1e-12 for y, z in numbers)


def test_texts_stand_where_nothing_lies(module: Any) -> None:
    def box(x: float, y: float) -> dict[str, float]:
        return {"x": x, "y": y, "width": 10, "height": 10}

    first, second, third = box(0, 0), box(20, 0), box(40, 0)
    falling = [[-5, -5], [15, 15]]  # through the first one
    level = [[-5, 10], [99, 10]]  # along the feet of all
    upright = [[25, -9], [25, 99]]  # through the second one
    places = [first, second, third]
    assert module(
        "labels",
        "placeLabels",
        [[places], []],
        [[places], [level]],
        [[places], [falling]],
        [[places], [falling, upright]],
        [[places], [falling], [box(15, 5)]],
        # All are crossed: the first of those that are crossed least.
        [[[first, second]], [falling, falling, upright]],
        [[[first]], [falling]],
        # The second text has but one place, so the first one gives way.
        [[[first, second], [first]], []],
        [[], [falling]],
    ) == [[first], [first], [second], [third], [third], [second], [first], [second, first], []]


def test_numbers_are_written_as_in_python(module: Any) -> None:
    generator = random.Random(3)
    values = [generator.uniform(-1, 1) * 10 ** generator.randint(-3, 7) for _ in range(400)]
    values += [0.0, 1.0, -0.0, 0.125, -0.125, 0.375, 2.5, 0.005, 1e5, 99999.96, -3e6, 0.999999]
    calls = [[value, digits] for value in values for digits in (0, 1, 2, 4)]
    expected = [numbers.format_number(value, digits) for value, digits in calls]
    assert module("format", "formatNumber", *calls) == expected
    weights = [abs(value) for value in values if abs(value) <= 1]
    assert module("format", "formatWeight", *([w] for w in weights)) == [
        numbers.format_weight(w) for w in weights
    ]
    positive = [10.0**-digits * part for digits in range(7) for part in (0.3, 0.5, 0.9999)]
    assert module("format", "formatSmall", *([x] for x in positive)) == [
        numbers.format_small(x) for x in positive
    ]
    written = ["\u22122", "2", "0", "\u2212\u221e"]
    assert module("format", "enclosed", *([x] for x in written)) == [
        numbers.enclosed(x) for x in written
    ]
    assert module("format", "tone", *([w] for w in weights)) == [numbers.tone(w) for w in weights]
