"""The figure `heads`: published numbers, masks, what lights up, and refused settings."""

import pytest
import torch

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.figures.heads import FIGURE
from attn_lib.language import words

HEADS = ["one1", "two1", "two2", "four1", "four2", "four3", "four4"]
NAMES = [f"weights_{head}" for head in HEADS]
UNIFORM = [0.25] * 4


def parts(**settings):
    return FIGURE.compute(FIGURE.state(**settings)).parts


def heads(**settings):
    """The heatmaps that the figure shows, in order."""
    shown = parts(**settings)
    return [shown[name]["rows"] for name in NAMES if shown[name] is not None]


def scores(**settings):
    """The scores of the pressed word in each head that is shown."""
    shown = parts(**settings)
    found = [shown[f"scores_{head}"] for head in HEADS]
    return [part["rows"][0] for part in found if part is not None]


def assert_rows(got, expected):
    got, expected = torch.tensor(got).double(), torch.tensor(expected).double()
    torch.testing.assert_close(got, expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("settings", "first_rows"),
    [
        ({}, [[0.7758, 0.1050, 0.1050, 0.0142]]),
        ({"h": 2}, [[0.4721, 0.0279, 0.4721, 0.0279], [0.4721, 0.4721, 0.0279, 0.0279]]),
        (
            {"h": 4},
            [[0.4910, 0.0090, 0.4910, 0.0090], UNIFORM, [0.4910, 0.4910, 0.0090, 0.0090], UNIFORM],
        ),
        ({"h": 2, "m": 1}, [[1, 0, 0, 0], [1, 0, 0, 0]]),
        ({"h": 2, "len": 3}, [[0.4856, 0.0287, 0.4856, 0], [0.4856, 0.4856, 0.0287, 0]]),
        ({"c": 0}, [UNIFORM]),
        ({"h": 2, "len": 0}, [[0] * 4, [0] * 4]),
    ],
)
def test_row_of_the_first_word(settings, first_rows):
    assert_rows([rows[0] for rows in heads(**settings)], first_rows)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [[4, 2, 2, 0]]),
        ({"h": 2}, [[2.8284, 0, 2.8284, 0], [2.8284, 2.8284, 0, 0]]),
        ({"h": 4, "q": 2}, [[0] * 4, [0, 4, 0, 4], [4, 4, 0, 0], [0] * 4]),
        ({"q": 4, "c": 1}, [[0, 0.5, 0.5, 1]]),
    ],
)
def test_scores_of_the_pressed_word(settings, expected):
    assert_rows(scores(**settings), expected)


def test_prediction_a_head_without_the_feature_has_a_uniform_row():
    after = FIGURE.prediction.after
    assert_rows(heads(**after)[0][1], UNIFORM)
    part, row = FIGURE.prediction.row
    assert_rows(parts(**after)[part]["rows"][row], UNIFORM)
    before = parts(**FIGURE.prediction.before)
    assert_rows(before[part]["rows"][row], [0.1050, 0.7758, 0.0142, 0.1050])


def test_eight_of_sixteen_rows_are_uniform_with_four_heads():
    rows = [row for head in heads(h=4) for row in head]
    assert sum(row == pytest.approx(UNIFORM) for row in rows) == 8


@pytest.mark.parametrize(
    ("query", "with_word", "lit"),
    [
        (1, 1, [True, False, True, False]),  # cats: noun and cat
        (1, 2, [False, False, True, False]),  # purr: cat
        (1, 3, [True, False, False, False]),  # dogs: noun
        (1, 4, [False] * 4),
        (2, 4, [False, True, False, False]),  # purr and bark are verbs
    ],
)
def test_shared_features_light_up(query, with_word, lit):
    assert parts(q=query)["features"]["shared"][with_word - 1] == lit


def test_features_of_size_0_share_nothing():
    assert not any(any(row) for row in parts(c=0)["features"]["shared"])


def test_causal_rows_of_the_second_word():
    first, second = heads(h=2, m=1)
    assert first[1] == pytest.approx([0.0558, 0.9442, 0, 0], abs=1e-4)
    assert second[1] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-4)


@pytest.mark.parametrize("h", [1, 2, 4])
@pytest.mark.parametrize("m", [0, 1])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_weights_stay_on_visible_words(h, m, length):
    all_parts = parts(h=h, m=m, len=length)
    shown = [all_parts[name] for name in NAMES if all_parts[name] is not None]
    assert len(shown) == h
    for part in shown:
        weights, masked = torch.tensor(part["rows"]), torch.tensor(part["masked"])
        assert not weights[masked].any()
        sums = torch.full((4,), 1.0 if length else 0.0)
        torch.testing.assert_close(weights.sum(-1), sums)


def test_causal_and_valid_length_together():
    rows = parts(m=1, len=2)["weights_one1"]["masked"]
    assert [row.count(False) for row in rows] == [1, 2, 2, 2]
    assert parts(m=1, len=2, q=1)["scores_one1"]["masked"] == [[False, True, True, True]]


@pytest.mark.parametrize(
    ("settings", "summary"),
    [
        ({}, ("one",)),
        ({"h": 4}, ("four", "uniform")),
        ({"h": 4, "m": 1}, ("four", "equal", "causal")),
        ({"h": 4, "len": 3}, ("four", "equal", "seen")),
        (
            {"h": 2, "m": 1, "q": 3, "len": 2},
            ("two", "seen"),
        ),  # both masks, the length alone counts
        ({"m": 1, "q": 2, "len": 2}, ("one", "seen")),  # either mask does it
        ({"m": 1, "q": 1, "len": 2}, ("one", "causal")),
        ({"c": 0, "h": 2}, ("flat",)),
        ({"len": 0, "c": 0}, ("empty",)),
    ],
)
def test_summary_names_what_matters(settings, summary):
    assert FIGURE.compute(FIGURE.state(**settings)).summary == summary


def test_masked_rows_of_heads_without_a_feature_are_equal_over_what_is_seen():
    for settings, sees in (
        ({"q": 1, "m": 1}, "Causal: cats sees 1 of the 4 words."),
        ({"q": 3, "m": 1, "len": 2}, "Of the 4 words, dogs sees 2."),
    ):
        view = FIGURE.compute(FIGURE.state(h=4, **settings))
        said = FIGURE.sentences(view)
        assert said.endswith(f"its weights are equal over the words it sees. {sees}")
        assert "uniform" not in said


def test_slots_name_the_pressed_word_and_its_features():
    slots = FIGURE.compute(FIGURE.state(h=2, q=4, m=1)).slots
    assert (slots["q"], slots["f1"], slots["f2"], slots["seen"]) == ("bark", "verb", "dog", "4")
    assert (slots["self"], slots["b3"]) == ("0.47", "0.47")


@pytest.mark.parametrize(
    ("settings", "pair", "worked"),
    [
        ({}, "cats with dogs", ["(2·2 + 0·0 + 2·0 + 0·2) ÷ √4 = 2.0"]),
        ({"h": 2}, "cats with dogs", ["(2·2 + 0·0) ÷ √2 = 2.8", "(2·0 + 0·2) ÷ √2 = 0.0"]),
        (
            {"h": 4, "c": 1.5, "q": 4},
            "bark with purr",
            [
                f"{one} ÷ √1 = {score}"
                for one, score in (
                    ("0·0", "0.0"),
                    ("1.5·1.5", "2.3"),
                    ("0·1.5", "0.0"),
                    ("1.5·0", "0.0"),
                )
            ],
        ),
    ],
)
def test_one_score_is_worked_out_in_every_head(settings, pair, worked):
    view = FIGURE.compute(FIGURE.state(**settings))
    written = words("heads")["sentences"]["pair"].format(**view.slots)
    assert written == f"Score worked out above: {pair}."
    shown = [view.slots[f"worked{head}"] for head in range(1, len(worked) + 1)]
    assert [line.replace("\u00a0", " ") for line in shown] == worked
    assert f"worked{len(worked) + 1}" not in view.slots


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"h": 2, "m": 1}, "cats"),  # itself, there is no other
        ({"h": 4, "q": 2, "m": 1}, "cats"),
        ({"h": 2, "len": 2}, "purr"),  # dogs is beyond the length
        ({"h": 4, "q": 4, "len": 1}, "cats"),  # nothing in common
        ({"k": 4}, "bark"),  # pressed
        ({"k": 4, "len": 3}, "dogs"),  # pressed, but masked
        ({"h": 2, "q": 2, "len": 0}, ""),
    ],
)
def test_worked_score_is_of_a_word_that_the_query_sees(settings, key):
    view = FIGURE.compute(FIGURE.state(**settings))
    assert view.slots["key"] == key
    assert (view.parts["pair"] is None) == (key == "")
    for part in (view.parts[f"scores_{head}"] for head in HEADS):
        if part is not None and key:
            assert not part["masked"][0][part["chosen"]]


def test_answer_works_out_the_score_that_the_question_is_about():
    view = FIGURE.compute(FIGURE.state(**FIGURE.prediction.after))
    assert view.slots["worked1"].replace("\u00a0", " ") == "0·2 ÷ √1 = 0.0"


def test_features_of_masked_words_are_masked_and_do_not_light_up():
    features = parts(h=2, m=1, q=2)["features"]
    assert features["masked"] == [[False] * 4, [False] * 4, [True] * 4, [True] * 4]
    assert features["shared"][0] == [False, False, True, False]
    assert features["shared"][2:] == [[False] * 4] * 2
    # The query keeps its own, seen or not.
    features = parts(q=3, len=2)["features"]
    assert features["masked"] == [[False] * 4, [False] * 4, [False] * 4, [True] * 4]
    assert features["shared"][2] == [True, False, False, True]


def test_four_heads_are_summed_up_by_those_that_have_a_feature_of_the_word():
    view = FIGURE.compute(FIGURE.state(h=4, q=4, m=1))
    assert FIGURE.sentences(view).startswith(
        "Four heads: bark gives 0.49 to itself in the head verb and 0.49 in the head dog."
    )
    view = FIGURE.compute(FIGURE.state(h=4, q=2, m=1))
    assert (view.slots["self"], view.slots["self2"], view.slots["head"]) == ("0.98", "0.50", "2")


def test_readers_functions_take_the_place():
    state = FIGURE.state()
    ones = FIGURE.compute(state, dot_product_scores=lambda q, k: torch.zeros(1, 4, 4).double())
    assert ones.parts["weights_one1"]["rows"][0] == UNIFORM
    halves = FIGURE.compute(state, masked_softmax=lambda X, lens: masking.masked_softmax(X) / 2)
    assert sum(halves.parts["weights_one1"]["rows"][0]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "settings", [{"h": 3}, {"c": 4.5}, {"c": 0.3}, {"len": 5}, {"m": 2}, {"q": 5}, {"q": 0}]
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)


@pytest.mark.parametrize("query", [1, 2, 3, 4])
def test_two_heads_tell_apart_what_one_head_mixes(query):
    """The answer to the figure's question: each head looks at a word of its own."""
    seen = FIGURE.compute(FIGURE.state(h="2", q=str(query)))
    assert seen.summary == ("apart",)
    one = parts(h="1", q=str(query))["weights_one1"]["rows"][query - 1]
    known = four_words.words()
    for head in ("1", "2"):
        row = seen.parts[f"weights_two{head}"]["rows"][query - 1]
        others = {word: w for word, w in zip(known, row, strict=True) if word != known[query - 1]}
        kin = max(others, key=others.get)
        assert seen.slots[f"t{head}"] == kin
        assert seen.slots[f"x{head}"] == f"{others[kin]:.2f}"
        assert seen.slots[f"whole{head}"] == f"{one[known.index(kin)]:.2f}"
        assert others[kin] > one[known.index(kin)]


def test_what_a_single_head_gives_may_differ_under_a_readers_own_scores():
    def leaning(queries, keys):
        return scoring.dot_product_scores(queries, keys) + torch.arange(4.0)

    seen = FIGURE.compute(FIGURE.state(h="2", q="4"), dot_product_scores=leaning)
    one = FIGURE.compute(FIGURE.state(h="1", q="4"), dot_product_scores=leaning)
    row = dict(zip(four_words.words(), one.parts["weights_one1"]["rows"][3], strict=True))
    for head in ("1", "2"):
        assert seen.slots[f"whole{head}"] == f"{row[seen.slots[f't{head}']]:.2f}"
    assert seen.slots["whole1"] != seen.slots["whole2"]
