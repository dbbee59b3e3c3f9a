"""The race of three divisors, against numbers from autograd and torch's own optimizers."""

import pytest
import torch

from attn_lib.examples import race

# d, optimizer, rate and draw; then for each divisor the loss at the start, after 100 and after 200
# steps, and the share of words found. Computed by an independent program.
REFERENCE = [
    (
        (512, "sgd", 0.03, 1),
        [
            (1.826537, 0.491159, 0.028061, 0.984375),
            (1.010675, 0.976871, 0.913786, 0.187500),
            (0.968705, 0.968663, 0.968620, 0.046875),
        ],
    ),
    (
        (16, "sgd", 1.0, 1),
        [
            (1.403985, 0.004325, 0.000330, 1.0),
            (1.018318, 0.021741, 0.013567, 0.984375),
            (0.971084, 0.824741, 0.088139, 0.968750),
        ],
    ),
    (
        (64, "adam", 0.001, 1),
        [
            (1.620203, 0.917168, 0.022415, 0.984375),
            (1.003433, 0.250261, 0.039050, 1.0),
            (0.968804, 0.921057, 0.793505, 1.0),
        ],
    ),
    (
        (512, "sgd", 0.03, 2),
        [
            (1.839890, 1.716570, 0.051443, 0.968750),
            (1.018882, 0.998836, 0.967768, 0.078125),
            (0.969100, 0.969057, 0.969014, 0.031250),
        ],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "expected"), REFERENCE)
def test_a_race_ends_as_it_does_with_autograd(settings, expected):
    d, optimizer, rate, draw = settings
    for divisor, numbers in zip(race.DIVISORS, expected, strict=True):
        run = race.train(d, divisor, [rate], optimizer=optimizer, draws=[draw], every=100)
        assert run.losses.shape == (1, 1, 3)
        told = [*run.losses[0, 0].tolist(), run.found.item()]
        assert told == pytest.approx(numbers, abs=1e-6)


def test_draws_and_rates_do_not_touch_one_another():
    together = race.train(16, "sqrt", [0.3, 3.0], draws=(2, 5))
    alone = race.train(16, "sqrt", [3.0], draws=(5,))
    assert torch.allclose(together.losses[1, 1], alone.losses[0, 0], atol=1e-6)
    assert torch.allclose(together.largest[1:], alone.largest)


def test_equal_weights_pay_what_a_guess_does():
    whisper = race.train(512, "d", [0.0])
    assert whisper.losses[0, 0].tolist() == pytest.approx([race.GUESS] * 21, abs=2e-4)
    assert whisper.largest.item() == pytest.approx(0.034171, abs=1e-6)


def test_without_teachers_nothing_is_learned():
    run = race.train(16, "sqrt", [10.0], teachers=(2.0, 3.0))
    assert run.losses[0, 0].unique().numel() == 1
