"""Figure `race`: the states of its specification, what is stored, and what is said of it."""

import pytest

import attn_lib
from attn_lib.examples.race import DIVISORS, OPTIMIZERS, train
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.race import RECORD
from attn_lib.live.figures.race.record import RATES, SIZES, hundredths, numbers

RACE = FIGURES["race"]


def view(**settings):
    return RACE.compute(RACE.state(**settings))


@pytest.mark.parametrize(
    ("settings", "ends", "found"),
    [
        ({}, (1.781250, 0.000590, 0.920283), (11, 100, 100)),
        ({"lr": 0.03}, (0.028061, 0.913786, 0.968620), (98, 19, 5)),
        ({"lr": 0.1}, (0.000000, 0.102306, 0.968420), (100, 100, 5)),
        ({"lr": 1}, (0.000000, 0.004184, 0.965757), (100, 100, 17)),
        ({"d": 16, "lr": 1}, (0.000330, 0.013567, 0.088139), (100, 98, 97)),
        ({"d": 16}, (1.937500, 0.000331, 0.002798), (3, 100, 100)),
        ({"d": 64, "lr": 0.3}, (0.000006, 0.015192, 0.961338), (100, 100, 14)),
        ({"d": 64, "lr": 3}, (0.312480, 0.001021, 0.149673), (84, 100, 100)),
        ({"lr": 1000}, (1.937500, 1.906250, 0.000194), (3, 5, 100)),
        ({"opt": "adam", "lr": 0.003}, (0.000000, 0.001126, 0.036900), (100, 100, 100)),
        ({"opt": "adam", "lr": 0.1}, (1.906250, 0.062486, 0.000001), (5, 97, 100)),
        ({"opt": "adam", "d": 16, "lr": 0.1}, (0.062409, 0.016060, 0.000062), (97, 98, 100)),
        ({"opt": "adam", "d": 64, "lr": 0.001}, (0.022415, 0.039050, 0.793505), (98, 100, 100)),
        ({"d": 128, "lr": 100}, (1.937500, 1.953766, 0.000639), (3, 2, 100)),
    ],
)
def test_states_of_the_specification(settings, ends, found):
    rows = view(**settings).parts["race"]["rows"]
    assert [row[2] for row in rows] == pytest.approx(ends, abs=0.0051)
    assert [round(100 * row[3]) for row in rows] == list(found)


def test_the_start_of_the_specification():
    rows = view().parts["race"]["rows"]
    assert [row[0] for row in rows] == pytest.approx([0.995632, 0.145163, 0.034171], abs=1e-4)
    assert [row[1] for row in rows] == [1.83, 1.01, 0.97]


@pytest.mark.parametrize(
    ("optimizer", "divisor", "common"),
    [
        ("sgd", "none", [0.1, 0.3, 1]),
        ("sgd", "sqrt", [0.3, 1, 3, 10]),
        ("sgd", "d", [30]),
        ("adam", "none", [0.003, 0.01]),
        ("adam", "sqrt", [0.003, 0.01, 0.03]),
        ("adam", "d", [0.01, 0.03, 0.1, 0.3]),
    ],
)
def test_rates_that_learn_at_every_d_are_those_that_the_chapter_names(optimizer, divisor, common):
    maps = [numbers(RECORD["medians"][f"{optimizer} {divisor} {d}"]) for d in SIZES]
    learned = [rate for i, rate in enumerate(RATES) if all(losses[i] < 0.1 for losses in maps)]
    assert learned == common


@pytest.mark.slow
@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_what_is_stored_is_what_the_races_give(optimizer, divisor):
    rates = [0.01, 0.3]  # not so long that a last bit could grow
    run = train(32, divisor, rates, optimizer=optimizer)
    for i, rate in enumerate(rates):
        stored = RECORD["curves"][f"{optimizer} {divisor} 32"][RATES.index(rate)]
        if run.losses[0, i, -1] < 1.1:
            assert stored == hundredths(run.losses[0, i].tolist())


def test_every_race_is_stored():
    keys = {f"{o} {c} {d}" for o in OPTIMIZERS for c in DIVISORS for d in SIZES}
    for part in ("curves", "found", "medians"):
        assert set(RECORD[part]) == keys
    assert {len(curve) for curves in RECORD["curves"].values() for curve in curves} == {42}
    assert {len(medians) for medians in RECORD["medians"].values()} == {2 * len(RATES)}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, ("none", "lost", "sqrt", "learned", "d", "whisper")),
        ({"lr": 0.03}, ("none", "learned_sure", "sqrt", "slow", "d", "slow")),
        ({"d": 16, "lr": 1}, ("all_learned",)),
        ({"lr": 0.001}, ("all_slow",)),
        ({"d": 16, "lr": 1000}, ("all_lost",)),
        # 57 and 28 of 64 words found: begun, though the loss has hardly moved.
        (
            {"opt": "adam", "d": 16, "lr": 0.001},
            ("none", "learning", "sqrt", "learning", "d", "whisper"),
        ),
        ({"d": 128, "lr": 1}, ("none", "learned_sure", "sqrt", "learned", "d", "whisper")),
        ({"d": 16, "lr": 0.03}, ("none", "learning", "sqrt", "slow", "d", "slow")),
    ],
)
def test_summary_says_what_became_of_each(settings, said):
    assert view(**settings).summary[1:] == said


def test_nobody_who_finds_the_words_is_said_to_have_hardly_begun():
    for optimizer in OPTIMIZERS:
        for d in SIZES:
            for rate in RATES:
                shown = view(opt=optimizer, d=d, lr=rate)
                found = [row[3] for row in shown.parts["race"]["rows"]]
                kinds = shown.summary[2::2] if len(shown.summary) > 2 else shown.summary[1:] * 3
                for kind, share in zip(kinds, found, strict=True):
                    assert "slow" not in kind or share < 0.4


def test_only_the_undivided_network_answers_the_question():
    before, after = (RACE.prediction.before, RACE.prediction.after)
    ends = [[row[2] < 0.1 for row in view(**s).parts["race"]["rows"]] for s in (before, after)]
    assert ends == [[False, True, False], [True, False, False]]
    assert RACE.prediction.right == 0
    lines = view(**after).parts["curves"]["lines"]
    assert RACE.prediction.places == tuple((200, line[-1]) for line in lines)


def test_names_stand_in_every_language():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        own = words("race")
        names = [own["sentences"][f"name_{divisor}"] for divisor in DIVISORS]
        assert own["options"] == names
    attn_lib.set_language("en")
