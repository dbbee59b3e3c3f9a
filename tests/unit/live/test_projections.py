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


def test_prediction_of_the_specification():
    after = PROJECTIONS.prediction.after
    assert view().parts["weights"]["rows"][1] == pytest.approx(PARTNERS[1], abs=1e-4)
    assert view(**after).parts["weights"]["rows"][1] == pytest.approx(PLAIN[1], abs=1e-4)
    assert PROJECTIONS.prediction.right == 2


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {},
            "purr looks for a cat noun and shows a cat verb. "
            "It finds cats, 0.78, and cats finds purr, 0.78.",
        ),
        ({"w": "dogs"}, "dogs looks for a dog verb and shows a dog noun. It finds bark, 0.78, and"),
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
            "vector, (1,\u00a01), as query and as key. It finds itself, 0.78. No matrix",
        ),
        (
            {"m": "one", "q": (1.5, 0, 0.5, 0.5)},
            "the key of cats is longer, so purr finds cats, 0.59, and cats finds itself, 0.92.",
        ),
        # The lines above say what its key asks for and shows: here a cat noun and a cat verb.
        (
            {"m": "one", "q": (1.5, 0, 0.5, 0.5)},
            "With one matrix purr has the same vector, (1,\u00a0−0.5), as query and as key. But",
        ),
        # What cats gives back is more than what purr gives: nothing to call "only".
        (
            {"q": (-1, 1.5, -1.25, 1.5), "k": (1, 0.75, 0.25, -1.5)},
            "It finds cats, 0.33, and gets 0.50 from it, but cats finds",
        ),
        ({"m": "one", "q": (1, 0, 0, 0)}, "cats / purr fit equally well, 0.44 each. No matrix"),
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


def test_the_axes_have_names_only_where_the_keys_are_the_words():
    assert view().parts["plane"]["plain"]
    assert not view(m="one").parts["plane"]["plain"]
    assert not view(k=(1, 0, 0, -1)).parts["plane"]["plain"]


def test_the_figure_speaks_the_language_of_the_reader():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        assert data()["words"][0] in PROJECTIONS.sentences(view())
        assert data()["things"]["cat noun"] in PROJECTIONS.sentences(view())
    attn_lib.set_language("en")
