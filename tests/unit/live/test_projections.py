"""Figure `projections`: its weights, and that one matrix lets no two words prefer each other."""

import random

import pytest
import torch

import attn_lib
from attn_lib.language import LANGUAGES
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.projections import data

PROJECTIONS = FIGURES["projections"]
PLAIN = [
    [0.7758, 0.1050, 0.1050, 0.0142],
    [0.1050, 0.7758, 0.0142, 0.1050],
    [0.1050, 0.0142, 0.7758, 0.1050],
    [0.0142, 0.1050, 0.1050, 0.7758],
]
PARTNERS = [PLAIN[1], PLAIN[0], PLAIN[3], PLAIN[2]]
OPPOSITES = PLAIN[::-1]
QUARTERS = [0.25] * 4
LEANING = [
    [0.9219, 0.0757, 0.0023, 0.0002],
    [0.5929, 0.3596, 0.0295, 0.0179],
    [0.0179, 0.0295, 0.3596, 0.5929],
    [0.0002, 0.0023, 0.0757, 0.9219],
]


def view(**settings):
    return PROJECTIONS.compute(PROJECTIONS.state(**settings))


@pytest.mark.parametrize(
    ("settings", "weights"),
    [
        ({}, PARTNERS),
        ({"q": (1, 0, 0, 1)}, PLAIN),
        ({"m": "one"}, PLAIN),
        # Both turned by a quarter: no weight changes. One of the two: each weight does.
        ({"q": (0, 1, 1, 0), "k": (0, 1, -1, 0)}, PARTNERS),
        ({"q": (0, 1, -1, 0), "k": (0, 1, -1, 0)}, PLAIN),
        ({"q": (0, 1, -1, 0)}, [PARTNERS[3], PLAIN[0], PLAIN[3], PARTNERS[0]]),
        ({"q": (0.5, 0.5, -0.5, -0.5)}, [QUARTERS, PLAIN[0], PLAIN[3], QUARTERS]),
        ({"q": (0, 0, 0, 0)}, [QUARTERS] * 4),
        ({"q": (-1, 0, 0, -1)}, OPPOSITES),
        ({"q": (1, 0, 0, 1), "k": (1, 0, 0, -1)}, PARTNERS),
        ({"m": "one", "q": (1.5, 0, 0.5, 0.5)}, LEANING),
    ],
)
def test_states_of_the_specification(settings, weights):
    for shown, expected in zip(view(**settings).parts["weights"]["rows"], weights, strict=True):
        assert shown == pytest.approx(expected, abs=6e-5)


def test_any_cat_word_is_two_words():
    rows = view(q=(1, 0, 0, 0)).parts["weights"]["rows"]
    assert rows[1] == pytest.approx([0.4404, 0.4404, 0.0596, 0.0596], abs=1e-4)
    assert rows[0] == rows[1]


def test_a_matrix_is_set_by_its_columns():
    part = view(q=(0.5, 1, -0.25, 0.75)).parts["vectors"]["rows"]
    W_q = torch.tensor([[0.5, -0.25], [1, 0.75]])
    assert torch.tensor(part)[:, :2].equal(torch.tensor(data()["vectors"]) @ W_q.T)


def test_with_one_matrix_no_two_words_prefer_each_other():
    choose = random.Random(2)
    for _ in range(200):
        q = tuple(choose.randrange(-6, 7) / 4 for _ in range(4))
        rows = view(m="one", q=q, k=(0, 1, 1, 0)).parts["weights"]["rows"]
        assert not any(
            rows[i][j] > rows[i][i] + 1e-9 and rows[j][i] > rows[j][j] + 1e-9
            for i in range(4)
            for j in range(i)
        )


def test_a_bead_is_how_a_word_splits_what_it_gives_to_both():
    choose = random.Random(4)
    for i, word in enumerate(("cats", "purr", "dogs", "bark")):
        noun, verb = (0, 1) if i < 2 else (2, 3)
        q, k = (tuple(choose.randrange(-6, 7) / 4 for _ in range(4)) for _ in "qk")
        parts = view(w=word, q=q, k=k).parts
        pair, rows = parts["pair"], parts["weights"]["rows"]
        assert (pair["noun"], pair["verb"]) == (noun, verb)
        for share, (one, other) in zip(pair["shares"], ((noun, verb), (verb, noun)), strict=True):
            assert share == pytest.approx(rows[one][other] / (rows[one][other] + rows[one][one]))


def test_with_one_matrix_the_beads_never_pass_each_other():
    choose, least = random.Random(5), 1.0
    for _ in range(300):
        q = tuple(choose.randrange(-6, 7) / 4 for _ in range(4))
        noun, verb = view(m="one", q=q).parts["pair"]["shares"]
        assert noun + verb <= 1 + 1e-12
        least = min(least, 1 - noun - verb)
    # But they meet where both words get the same vector.
    assert least == pytest.approx(0)
    assert sum(view().parts["pair"]["shares"]) == pytest.approx(2 * 0.880797)


def test_prediction_of_the_specification():
    asked = PROJECTIONS.prediction
    assert view(**asked.before).parts["pair"]["shares"] == pytest.approx([0.8808] * 2, abs=1e-4)
    # The ghosts are places of the verb's bead: two beyond the middle, and where it comes home.
    after = view(**asked.after).parts["pair"]["shares"][1]
    (flipped,), (stretched,), (home,) = asked.places
    assert min(flipped, stretched) > 0.5
    assert home == pytest.approx(after, abs=1e-4)
    assert asked.right == 2
    # On the way one of the two is past the middle, and the other farther from it.
    noun, verb = view(**asked.by[1]).parts["pair"]["shares"]
    assert verb > 0.5 > 1 - verb > noun


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {},
            "purr looks for a cat noun and shows a cat verb. "
            "It finds cats, 0.78; cats finds purr, 0.78.",
        ),
        ({"w": "dogs"}, "dogs looks for a dog verb and shows a dog noun. It finds bark, 0.78; "),
        # What a query asks for is said of the words, wherever the matrices have turned them.
        (
            {"q": (0, 1, 1, 0), "k": (0, 1, -1, 0)},
            "purr looks for a cat noun and shows a cat verb.",
        ),
        ({"q": (0.5, 0.5, -0.5, -0.5)}, "It finds cats, 0.78, but cats gives purr only 0.25."),
        ({"q": (1, 0, 0, 1)}, "It finds itself, 0.78. W_q alone"),
        ({"q": (1, 0, 0, 0)}, "purr looks for a cat word and shows a cat verb. cats / purr fit"),
        ({"k": (1, 0, 0, 0)}, "purr looks for a cat word and shows a cat word."),
        ({"q": (0, 0, 0, 0)}, "No score tells the words apart, so purr gives each of them 0.25."),
        (
            {"m": "one"},
            "the query of purr is also its key: (1,\u00a01). It finds itself, 0.78.",
        ),
        (
            {"m": "one", "q": (1.5, 0, 0.5, 0.5)},
            "But it finds cats, whose key is longer, 0.59, and cats finds itself, 0.92.",
        ),
        # What cats gives back is more than what purr gives: nothing to call "only".
        (
            {"q": (-1, 1.5, -1.25, 1.5), "k": (1, 0.75, 0.25, -1.5)},
            "It finds cats, 0.33, and gets 0.50 from it, but cats finds",
        ),
        ({"m": "one", "q": (1, 0, 0, 0)}, "cats / purr fit equally well, 0.44 each."),
    ],
)
def test_summary_says_whom_the_word_finds_and_why(settings, says):
    assert says in PROJECTIONS.sentences(view(**settings))


def test_only_is_said_of_less():
    choose, said = random.Random(3), set()
    for _ in range(300):
        q, k = (tuple(choose.randrange(-6, 7) / 4 for _ in range(4)) for _ in "qk")
        shown = view(q=q, k=k)
        said.add(shown.summary)
        if shown.summary == ("oneway",):
            assert float(shown.slots["back"]) < float(shown.slots["w"])
    assert {("oneway",), ("pair",), ("itself",)} <= said


def test_the_figure_speaks_the_language_of_the_reader():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        assert data()["words"][0] in PROJECTIONS.sentences(view())
        assert data()["things"]["cat noun"] in PROJECTIONS.sentences(view())
    attn_lib.set_language("en")
