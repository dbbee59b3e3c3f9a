"""The modules of the live figures, called in Node and compared with attn_lib."""

import math
import random

import pytest
import torch
from node import call

import attn_lib
from attn_lib.live.figures import FIGURES
from attn_lib.live.host import numbers
from attn_lib.live.host.controls import Listed


@pytest.mark.filterwarnings("ignore:valid_lens .* has only 0 and 1:UserWarning")  # as chance has it
def test_scoring_agrees_with_attn_lib_on_random_cases():
    torch.manual_seed(7)
    dot_calls, additive_calls, softmax_calls = [], [], []
    expected = []
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
        for got, want in zip(call("front/scoring", name, *calls), expected, strict=True):
            torch.testing.assert_close(
                torch.tensor(got, dtype=torch.float64), want[position], rtol=1e-12, atol=1e-12
            )


def test_a_curve_of_kernel_attention_agrees_with_attn_lib():
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
    for got, want in zip(call("front/scoring", "kernelOutputs", *calls), expected, strict=True):
        assert [y is None for y in got] == [y is None for y in want]
        numbers = [(y, z) for y, z in zip(got, want, strict=True) if z is not None]
        assert all(abs(y - z) < 1e-12 for y, z in numbers)


def test_texts_stand_where_nothing_lies():
    def box(x, y):
        return {"x": x, "y": y, "width": 10, "height": 10}

    first, second, third = box(0, 0), box(20, 0), box(40, 0)
    falling = [[-5, -5], [15, 15]]  # through the first one
    level = [[-5, 10], [99, 10]]  # along the feet of all
    upright = [[25, -9], [25, 99]]  # through the second one
    places = [first, second, third]
    assert call(
        "front/labels",
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


def written_alike(function, writer, *calls):
    pairs = zip(calls, call("front/numbers", function, *map(list, calls)), strict=True)
    wanted = [(given, text, writer(*given)) for given, text in pairs]
    assert [each for each in wanted if each[1] != each[2]] == []


def test_numbers_are_written_as_in_python():
    choose = random.Random(3)
    values = [choose.uniform(-1, 1) * 10 ** choose.randint(-12, 24) for _ in range(1000)]
    # Halves of the last decimal, of whole numbers and of the powers of two that can hold one, as
    # they are and with their last bits lost.
    halves = [(choose.randint(-99999, 99999) + 0.5) / 10**digits for digits in range(8)] * 50
    halves += [choose.randint(-9999, 9999) / 2 ** choose.randint(0, 12) for _ in range(400)]
    halves += [choose.randint(1, 9) * 10 ** choose.randint(0, 9) + 0.5 for _ in range(50)]
    values += [half * (1 + ulps * 2**-52) for half in halves for ulps in (-1, 0, 1)]
    odd = [0.0, -0.0, 1.0, 5e-324, 1.8e308, 99999.95, 99999.99999999999, 1e5, 1234567.5, 1e21]
    values += [*odd, math.nan, math.inf, -math.inf, None]
    digits = (None, 0, 1, 2, 3, 4)
    written_alike("formatNumber", numbers.format_number, *((x, d) for x in values for d in digits))
    sizes = [abs(x) for x in values if x is not None and abs(x) <= 1]
    sizes += [10.0**-digits * part for digits in range(7) for part in (0.3, 0.5, 0.9999)]
    sizes += [1 - 2**-53, 1 - 1e-9, 2**-1022]
    for function, writer in (
        ("formatWeight", numbers.format_weight),
        ("formatFine", lambda weight: numbers.format_weight(weight, 3)),
        ("formatSmall", numbers.format_small),
        ("formatOutput", numbers.format_output),
        ("tone", numbers.tone),
    ):
        written_alike(function, writer, *((size,) for size in sizes))
    written_alike("enclosed", numbers.enclosed, *((x,) for x in ("\u22122", "2", "0", "\u2212∞")))


def test_halves_are_rounded_away_from_zero_also_without_their_last_bits():
    for value, digits, text in (
        (5.375, 2, "5.38"),
        (5.374999999999999, 2, "5.38"),
        (-5.374999999999999, 2, "−5.38"),
        (5.37499, 2, "5.37"),
        (1.005, 2, "1.01"),  # as written by hand; in binary it is less
        (0.49999999999999994, 0, "1"),
        (0.30000000000000004, None, "0.3"),
        (-0.04, 1, "0.0"),
        (1234566.5, 2, "1.234567e6"),
    ):
        assert numbers.format_number(value, digits) == text
        assert call("front/numbers", "formatNumber", [value, digits]) == [text]


LISTED = [
    (name, control.key, value)
    for name, figure in FIGURES.items()
    for control in figure.controls
    if isinstance(control, Listed)
    for value in control.values
]


def test_a_link_is_read_with_every_value_that_a_slider_lists():
    """A number of seven digits once was not, so a slider sprang back from its last place."""
    questions = [
        (FIGURES[name].fragment({key: value}), FIGURES[name].declaration())
        for name, key, value in LISTED
    ]
    answers = call("front/state", "parseFragment", *questions)
    for (name, key, value), answer in zip(LISTED, answers, strict=True):
        assert not answer["misunderstood"], (name, key, value)
        assert answer["state"][key] == value, (name, key, value)
