"""Figure `position`: the score of a word with itself, by its two places."""

import cmath
import math
import random

import pytest

import attn_lib
from attn_lib.live.figures import FIGURES, explore

POSITION = FIGURES["position"]

FAR = {"p": 32, "span": "1024", "i": 512}
# Settings, score, and what is left of the weight. Computed by another program, which turns complex
# numbers.
SPECIFIED = [
    ({"i": 46, "j": 46}, 2, 1),
    ({"i": 46, "j": 45}, 1.080605, 0.398760),
    ({"i": 46, "j": 44}, -0.832294, 0.058878),
    ({"i": 46, "j": 40}, 1.920341, 0.923431),
    ({"i": 46, "j": 2}, 1.999687, 0.999687),
    ({}, -1.979985, 0.018686),
    ({"start": 100}, -1.979985, 0.018686),
    ({"start": 1000}, -1.979985, 0.018686),
    ({"p": 32, "loud": "8", "j": 26}, 7.729208, 0.762775),
    ({"p": 32, "loud": "8", "j": 24}, 6.396757, 0.201243),
    ({"p": 32, "loud": "8", "j": 11}, 4.843205, 0.042562),
    ({**FAR, "j": 448}, 0.869131, 0.322753),
    ({**FAR, "j": 448, "base": 500_000}, 1.321863, 0.507562),
    ({**FAR, "j": 0, "base": 1_000_000}, 0.845567, 0.315236),
    ({"p": 2}, 0.009558, 0.136635),
    ({"p": 16}, 1.534050, 0.627539),
    ({"kind": "added"}, 1.843921, 0.342900),
    ({"kind": "added", "start": 100}, 1.810765, 0.193162),
    ({"kind": "alibi"}, 0.5, 0.223130),
    ({"kind": "alibi", "j": 19}, -2, 0.018316),
    ({"kind": "alibi", "m": 8, "j": 3}, 1.90625, 0.910510),
    ({"kind": "t5", "m": 3}, 1.625, 0.687289),
    ({"kind": "t5", "m": 3, "j": 7}, 0, 0.135335),
    ({"kind": "t5", "m": 3, "j": 7, "future": "masked"}, -0.375, 0.093014),
    ({"kind": "t5", "m": 3, "i": 24, "j": 44}, 0, 0.135335),
    ({"kind": "none"}, 2, 1),
]


def view(**settings):
    return POSITION.compute(POSITION.state(**settings))


@pytest.mark.parametrize(("settings", "score", "weight"), SPECIFIED)
def test_specified_numbers(settings, score, weight):
    assert view(**settings).parts["pair"]["shown"] == pytest.approx(score, abs=1e-6)
    if settings.get("kind") != "added":
        left = view(**settings, y="weight").parts["pair"]["shown"]
        assert left == pytest.approx(weight, abs=1e-6)
    assert float(view(**settings).slots["w"]) == pytest.approx(weight, abs=0.005)


def test_pushing_the_text_changes_only_the_score_of_added_codes():
    asked = POSITION.prediction
    assert view(**asked.before).slots["s"] == view(**asked.after).slots["s"] == "−1.980"
    assert asked.right == 2
    at_0, moved = (view(kind="added", j=26, start=start).slots for start in (0, 3))
    assert (at_0["s"], moved["s"], moved["s0"]) == ("3.172", "1.012", "3.172")


def test_the_curve_goes_through_the_score_of_the_key():
    for settings, score, _ in SPECIFIED:
        curve = view(**settings).parts["curve"]
        j = settings.get("j", 24)
        assert curve["line"][j * curve["fine"]] == pytest.approx(score, abs=1e-6)


def test_a_masked_key_gets_nothing_and_its_side_of_every_bell_is_0():
    shown = view(kind="alibi", i=10, j=11, future="masked")
    assert (shown.slots["s"], shown.slots["w"]) == ("−∞", "0")
    assert shown.summary == ("hidden",)
    for bell in shown.parts["bells"]:
        assert bell[16] == 1
        assert bell[15] > 0
        assert set(bell[17:]) == {0}


def test_the_tips_turn_and_the_codes_walk():
    turned = view().parts["dials"]
    (q,), (k,) = turned["query"], turned["key"]
    assert q[0] * k[0] + q[1] * k[1] == pytest.approx(2 * math.cos(3))
    walked = view(kind="added").parts["dials"]["query"][0]
    assert math.hypot(walked[0] - 1, walked[1] - 1) == pytest.approx(0.5)


def test_t5_reads_the_buckets_of_the_library():
    assert [view(kind="t5", i=48, j=48 - r).slots["bucket"] for r in (7, 8, 11, 12, 16)] == [
        "7", "8", "8", "9", "10"
    ]  # fmt: skip
    assert view(kind="t5", i=0, j=3).slots["bucket"] == "19"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "Distance 3: the arrows stand 172° apart, so the score is 2 cos 3 ≈ −1.980."),
        ({"start": 100}, "Both have turned by the same angle more, and that changes nothing."),
        ({"i": 46, "j": 2}, "One dial can’t tell whole turns apart."),
        ({"i": 24}, "The same place: all arrows agree, so the score is 2.000."),
        ({"p": 32}, "Distance 3: the fast dials disagree"),
        ({"p": 2, "j": 21}, "Distance 6: the arrows of the fastest dial stand 16° apart, those of"),
        ({"p": 2, "i": 44, "j": 0}, "fastest dial stand 1° apart, those of the slowest 25°."),
        ({"p": 4, "span": "1024", "i": 1000, "j": 0}, "those of the slowest 57°."),
        ({"span": "1024", "i": 710, "j": 0}, "Distance 710: the arrows stand 0.00° apart"),
        ({"kind": "alibi", "m": 8, "i": 45, "j": 0}, "Distance 45: 2 − 1/256 · 45 ≈ 1.824."),
        ({"kind": "alibi", "m": 2}, "Distance 3: 2 − 1/4 · 3 = 1.250. On the weight that’s a"),
        ({"kind": "t5", "m": 3}, "Distance 3 reads bucket 3 of 32: −0.375, so the score is 1.625."),
        ({"kind": "none"}, "Shuffle the text, and no weight changes."),
    ],
)
def test_summary(settings, says):
    assert says in POSITION.sentences(view(**settings)).replace("\u00a0", " ")


def test_what_is_said_of_fast_and_slow_dials_is_so():
    """Angles of complex numbers, in states all over the range."""
    choose, said = random.Random(1), set()
    for _ in range(100):
        p, base = choose.choice([2, 4, 8, 16, 32]), choose.choice([10_000, 500_000, 1_000_000])
        i, j = choose.sample(range(choose.choice([12, 49, 1025])), 2)
        shown = view(p=p, base=base, span="1024", i=i, j=j)
        apart = abs(i - j)
        fastest = abs(math.degrees(cmath.phase(cmath.exp(1j * apart))))
        slowest = abs(math.degrees(cmath.phase(cmath.exp(1j * apart * base ** ((1 - p) / p)))))
        assert float(shown.slots["angle"]) == pytest.approx(fastest, abs=0.51)
        assert float(shown.slots["slow"]) == pytest.approx(slowest, abs=0.51)
        first = shown.summary[0]
        said.add(first)
        if first == "rope_many":
            assert p > 2
            assert fastest > 44
            assert math.degrees(apart * base**-0.5) < 16  # the slower half, in turns and all
    assert said == {"rope_many", "rope_dials"}


def test_a_bias_is_no_longer_than_its_score():
    assert view(kind="alibi", m=8, i=45, j=0).slots["about"] == "−0.176"
    assert view(kind="alibi", m=2, i=45, j=0).slots["about"] == "−11.25"


def test_a_score_of_the_readers_own():
    def deaf(queries, keys, **places):
        return attn_lib.dot_product_scores(queries, keys, scaled=False)

    assert explore("position", rotary_scores=deaf).view.slots["s"] == "2.000"
    flat = explore(
        "position", kind="alibi", alibi_bias=lambda q, k, m: 0 * attn_lib.alibi_bias(q, k, m)
    )
    assert flat.view.slots["s"] == "2.000"
