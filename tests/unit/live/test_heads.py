"""The figure `heads`: published numbers, masks, what lights up, and refused settings."""

import re
from itertools import product

import pytest
import torch

from attn_lib import masking, scoring
from attn_lib.examples import four_words
from attn_lib.live.figures.heads import FIGURE
from attn_lib.live.host.numbers import format_weight

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
    asked = FIGURE.prediction
    assert_rows(heads(**asked.after)[0][1], UNIFORM)
    assert_rows(asked.places[asked.right], UNIFORM)
    # Every bet is on a row of its own, and told from the others by what the word gives itself.
    assert len({row[1] for row in asked.places}) == 3


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
        ({"h": 2}, ("both", "single")),
        ({"h": 4}, ("both", "single")),
        ({"h": 4, "m": 1}, ("neither", "causal")),
        ({"h": 4, "m": 1, "q": 4}, ("both", "causal_last")),
        ({"h": 4, "len": 3}, ("both", "seen")),
        ({"h": 2, "q": 4, "len": 3}, ("both", "seen")),  # both others, not itself
        ({"h": 2, "m": 1, "q": 3, "len": 2}, ("half", "seen")),  # the length alone counts
        ({"m": 1, "q": 2, "len": 2}, ("one", "seen")),  # either mask does it
        ({"m": 1, "q": 1, "len": 2}, ("one", "causal")),
        ({"c": 0, "h": 2}, ("flat",)),
        ({"len": 0, "c": 0}, ("empty",)),
    ],
)
def test_summary_names_what_matters(settings, summary):
    assert FIGURE.compute(FIGURE.state(**settings)).summary == summary


def every_state_of_several_heads():
    """The pressed word, its heads and what it sees, for each query under each mask."""
    for h, q, m, length in product((2, 4), (1, 2, 3, 4), (0, 1), (1, 2, 3, 4)):
        state = FIGURE.state(h=h, q=q, m=m, len=length)
        view = FIGURE.compute(state)
        rows = [view.parts[name]["rows"][q - 1] for name in NAMES if view.parts[name] is not None]
        yield view, rows, range(min(q, length) if m else length)


def test_every_head_is_said_to_find_what_its_row_shows():
    has = FIGURE.data()["features"]
    known, names = four_words.words(), four_words.feature_names()
    for view, rows, seen in every_state_of_several_heads():
        query = known.index(view.slots["q"])
        said = []
        for head, row in enumerate(rows):
            own = range(head * 4 // len(rows), (head + 1) * 4 // len(rows))
            kin = [
                word
                for word in range(4)
                if word != query and any(has[word][f] and has[query][f] for f in own)
            ]
            if not kin:
                assert len(rows) == 4
                assert len({round(row[word], 9) for word in seen}) == 1
                continue
            called = ", ".join(names[feature] for feature in own)
            said.append((known[kin[0]], called, f"{row[kin[0]]:.2f}", kin[0] in seen))
            if kin[0] in seen:
                others = [row[word] for word in seen if word not in (query, kin[0])]
                assert all(row[kin[0]] > weight for weight in others)
        said.sort(key=lambda found: not found[3])
        told = [(view.slots[f"t{i}"], view.slots[f"head{i}"], view.slots[f"x{i}"]) for i in (1, 2)]
        number = {"0": "0.00", "1": "1.00"}
        assert [(t, head, number.get(x, x)) for t, head, x in told] == [s[:3] for s in said]
        half = "half" if len(seen) > 1 else "alone"
        assert view.summary[0] == ("neither", half, "both")[sum(s[3] for s in said)]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"h": 2, "q": 4},
            "For bark, head “noun, verb” finds purr (0.47) and head “cat, dog” finds dogs (0.47). "
            "A single head gives them 0.10 and 0.10.",
        ),
        (
            {"h": 4, "q": 2, "m": 1},
            "For purr, head “cat” finds cats (0.50), but head “verb” does not see bark. "
            "Causal: purr sees 2 of the 4 words.",
        ),
        (
            {"h": 2, "q": 1, "len": 1},
            "For cats, head “noun, verb” does not see dogs, nor does head “cat, dog” see purr. "
            "Of the 4 words, cats sees 1.",
        ),
        (
            {"h": 4, "q": 2, "len": 1},
            "Each head gives cats the whole weight, 1, for purr sees no other word. "
            "Of the 4 words, purr sees 1.",
        ),
    ],
)
def test_sentence_says_what_each_head_finds(settings, said):
    assert FIGURE.sentences(FIGURE.compute(FIGURE.state(**settings))) == said


def test_single_head_is_the_row_that_one_head_shows():
    assert parts()["single"] is None
    for settings in ({"q": 3}, {"q": 2, "m": 1}, {"q": 4, "len": 2, "c": 1}):
        one = parts(**settings)["weights_one1"]
        for h in (2, 4):
            single = parts(h=h, **settings)["single"]
            assert_rows(single["rows"], [one["rows"][settings["q"] - 1]])
            assert single["masked"] == [one["masked"][settings["q"] - 1]]


@pytest.mark.parametrize(
    ("settings", "output"),
    [
        ({}, [1.7616, 0.2384, 1.7616, 0.2384]),
        ({"h": 2}, [1.8884, 0.1116, 1.8884, 0.1116]),  # as in the chapter
        ({"h": 4, "q": 2}, [1, 1.9640, 1.9640, 1]),
        ({"h": 2, "len": 0}, [0] * 4),
    ],
)
def test_output_joins_the_averages_of_all_heads(settings, output):
    assert_rows(parts(**settings)["output"]["rows"], [output])


def test_slots_name_the_pressed_word_and_what_it_sees():
    slots = FIGURE.compute(FIGURE.state(h=2, q=4, m=1)).slots
    assert (slots["q"], slots["seen"], slots["own"]) == ("bark", "4", "0.47")
    slots = FIGURE.compute(FIGURE.state(h=4, q=2, m=1)).slots
    assert (slots["own"], slots["head"]) == ("0.98", "2")


@pytest.mark.parametrize(
    ("settings", "pair", "worked"),
    [
        (
            {},
            "cats and dogs share “noun”: weight 0.10.",
            ["(2·2 + 0·0 + 2·0 + 0·2) ÷ √4 = 2.0"],
        ),
        (
            {"h": 2},
            "cats and dogs share “noun”: head 1 gives 0.47, head 2 gives 0.03.",
            ["(2·2 + 0·0) ÷ √2 ≈ 2.8", "(2·0 + 0·2) ÷ √2 = 0.0"],
        ),
        (
            {"h": 4, "c": 1.5, "q": 4},
            "bark and purr share “verb”: heads 1–4 give 0.25, 0.45, 0.25, 0.05.",
            [
                f"{one} ÷ √1 {score}"
                for one, score in (
                    ("0·0", "= 0.0"),
                    ("1.5·1.5", "≈ 2.3"),
                    ("0·1.5", "= 0.0"),
                    ("1.5·0", "= 0.0"),
                )
            ],
        ),
    ],
)
def test_one_score_is_worked_out_in_every_head(settings, pair, worked):
    view = FIGURE.compute(FIGURE.state(**settings))
    assert view.slots["pair"] == pair
    shown = [view.slots[f"worked{head}"] for head in range(1, len(worked) + 1)]
    assert [line.replace("\u00a0", " ") for line in shown] == worked
    assert f"worked{len(worked) + 1}" not in view.slots


@pytest.mark.parametrize(
    ("settings", "pair"),
    [
        ({"k": 1}, "cats has “noun” and “cat”: weight 0.78."),
        ({"k": 4}, "cats and bark share nothing: weight 0.01."),
        ({"k": 4, "c": 0}, "cats with bark, all features 0: weight 0.25."),
        ({"k": 4, "len": 3}, "cats does not see bark; the scores above are those with dogs."),
        ({"len": 0}, ""),
    ],
)
def test_line_on_a_pair_answers_every_press(settings, pair):
    assert FIGURE.compute(FIGURE.state(**settings)).slots["pair"] == pair


@pytest.mark.parametrize("h", [1, 2, 4])
def test_line_on_a_pair_quotes_the_heads(h):
    for q, k, m, c in product((1, 2, 3, 4), (1, 2, 3, 4), (0, 1), (0.0, 3.0)):
        view = FIGURE.compute(FIGURE.state(h=h, q=q, k=k, m=m, c=c))
        if m and k > q:
            assert f"not see {four_words.words()[k - 1]};" in view.slots["pair"]
            continue
        shown = [name for name in HEADS if view.parts[f"weights_{name}"] is not None]
        rows = [view.parts[f"weights_{name}"]["rows"][q - 1] for name in shown]
        weights = [format_weight(row[k - 1]) for row in rows]
        expected = {
            1: f"weight {weights[0]}.",
            2: ", ".join(f"head {i} gives {w}" for i, w in enumerate(weights, 1)) + ".",
            4: f"heads 1–4 give {', '.join(weights)}.",
        }
        lead, _, found = view.slots["pair"].partition(": ")
        assert found == expected[h]
        features = view.parts["features"]["rows"]
        named = zip(four_words.feature_names(), features[q - 1], features[k - 1], strict=True)
        assert [name for name, a, b in named if a * b] == re.findall(r"“(\w+)”", lead)


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


def test_features_of_masked_words_are_masked_and_do_not_light_up():
    features = parts(h=2, m=1, q=2)["features"]
    assert features["masked"] == [[False] * 4, [False] * 4, [True] * 4, [True] * 4]
    assert features["shared"][0] == [False, False, True, False]
    assert features["shared"][2:] == [[False] * 4] * 2
    # The query keeps its own, seen or not.
    features = parts(q=3, len=2)["features"]
    assert features["masked"] == [[False] * 4, [False] * 4, [False] * 4, [True] * 4]
    assert features["shared"][2] == [True, False, False, True]


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
    one = parts(h="1", q=str(query))["weights_one1"]["rows"][query - 1]
    known = four_words.words()
    for head in ("1", "2"):
        row = seen.parts[f"weights_two{head}"]["rows"][query - 1]
        others = {word: w for word, w in zip(known, row, strict=True) if word != known[query - 1]}
        kin = max(others, key=others.get)
        assert seen.slots[f"t{head}"] == kin
        assert seen.slots[f"x{head}"] == f"{others[kin]:.2f}"
        assert seen.slots[f"single{head}"] == f"{one[known.index(kin)]:.2f}"
        assert others[kin] > one[known.index(kin)]


def test_what_a_single_head_gives_may_differ_under_a_readers_own_scores():
    def leaning(queries, keys):
        return scoring.dot_product_scores(queries, keys) + torch.arange(4.0)

    seen = FIGURE.compute(FIGURE.state(h="2", q="4"), dot_product_scores=leaning)
    one = FIGURE.compute(FIGURE.state(h="1", q="4"), dot_product_scores=leaning)
    row = dict(zip(four_words.words(), one.parts["weights_one1"]["rows"][3], strict=True))
    for head in ("1", "2"):
        assert seen.slots[f"single{head}"] == f"{row[seen.slots[f't{head}']]:.2f}"
    assert seen.slots["single1"] != seen.slots["single2"]
