"""Figure `lookup`: the states of its specification."""

import pytest

import attn_lib
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.figures.lookup import DESKS, KEYS, changes, levenshtein
from attn_lib.live.host import page
from attn_lib.live.host.controls import idle

LOOKUP = FIGURES["lookup"]


def numbers(**settings):
    """Return the distances, the weights and the desk."""
    parts = LOOKUP.compute(LOOKUP.state(**settings)).parts
    distances, scaled, weights = zip(*parts["records"]["rows"], strict=True)
    state = LOOKUP.state(**settings)
    if state["how"] == "soft":
        assert scaled == pytest.approx([-distance / state["t"] for distance in distances])
    else:
        assert set(scaled) == {None}
    return list(distances), list(weights), parts["output"]["rows"][0][0]


@pytest.mark.parametrize(
    ("settings", "distances", "weights", "desk"),
    [
        ({}, [5, 4, 0, 4, 2, 7], [0.0057, 0.0155, 0.8477, 0.0155, 0.1147, 0.0008], 32.2035),
        (
            {"q": "Le"},
            [5, 5, 1, 4, 2, 6],
            [0.0125, 0.0125, 0.6844, 0.0341, 0.2518, 0.0046],
            35.1389,
        ),
        (
            {"t": 100},
            [5, 4, 0, 4, 2, 7],
            [0.1644, 0.1661, 0.1728, 0.1661, 0.1694, 0.1612],
            34.9350,
        ),
        ({"t": 10}, [5, 4, 0, 4, 2, 7], [0.1423, 0.1573, 0.2346, 0.1573, 0.1921, 0.1165], 34.4907),
        ({"q": "Hi", "t": 0.1}, [4, 5, 1, 5, 1, 7], [0, 0, 0.5, 0, 0.5, 0], 40.0),
        (
            {"q": "Wang"},
            [2, 6, 4, 5, 4, 5],
            [0.7202, 0.0132, 0.0975, 0.0359, 0.0975, 0.0359],
            18.8482,
        ),
        (
            {"q": "Attention"},
            [8, 6, 8, 9, 9, 8],
            [0.0899, 0.6642, 0.0899, 0.0331, 0.0331, 0.0899],
            25.2490,
        ),
    ],
)
def test_states_of_the_specification(settings, distances, weights, desk):
    shown = numbers(**settings)
    assert shown[0] == distances
    assert shown[1] == pytest.approx(weights, abs=1e-4)
    assert shown[2] == pytest.approx(desk, abs=1e-4)


def test_exact_lookup_of_an_absent_key_has_no_weight_and_no_output():
    # The distances stay in view: none of them is 0.
    assert numbers(q="Le", how="exact") == ([5, 5, 1, 4, 2, 6], [0] * 6, None)
    assert explore("lookup", q="Le", how="exact")._repr_mimebundle_()["text/plain"].count("—") == 7


@pytest.mark.parametrize("query", ["Le", "li", "Werner"])
def test_both_look_ups_show_the_same_distances_and_letters(query):
    soft, exact = (
        LOOKUP.compute(LOOKUP.state(q=query, how=how)).parts for how in ("soft", "exact")
    )
    assert soft["letters"] == exact["letters"]
    for one, other in zip(soft["records"]["rows"], exact["records"]["rows"], strict=True):
        assert one[0] == other[0]
        assert other[2] == (one[0] == 0)


def test_only_an_exact_weight_reads_as_exact():
    for settings in ({"q": "Werness", "t": 0.1}, {"q": "Abcdefghijkl", "t": 0.1}, {"q": "Hi"}):
        view = LOOKUP.compute(LOOKUP.state(**settings))
        assert all(len(view.slots[w]) == len("0.00") for w in ("w1", "w2", "w3"))
    # A weight that a softmax in float64 gives as 1 is a rounded one.
    assert 1 - 1e-15 < numbers(q="Werness", t=0.1)[1][5] < 1
    html = drawn(q="Werness", t=0.1)
    assert ">1.00</span>" in html
    html = drawn(how="exact")
    assert ">1</span>" in html
    assert ">1.00</span>" not in html


def drawn(**settings):
    state = LOOKUP.state(**settings)
    return page.render(LOOKUP, state, LOOKUP.compute(state))


@pytest.mark.parametrize("i", range(6))
def test_exact_lookup_finds_each_key_in_any_case(i):
    for query in (KEYS[i], KEYS[i].upper(), KEYS[i].lower()):
        _, weights, desk = numbers(q=query, how="exact")
        assert weights == [float(j == i) for j in range(6)]
        assert desk == DESKS[i]


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("김", "이", 1)],
)
def test_levenshtein(a, b, distance):
    assert levenshtein(a, b) == levenshtein(b, a) == distance


def test_summary_names_both_leaders_and_says_when_nothing_is_found():
    def summary(**settings):
        return LOOKUP.sentences(LOOKUP.compute(LOOKUP.state(**settings)))

    assert summary(q="Le").startswith("Asked for Le: Li 0.68, then Hu 0.25. The output is 35.14")
    # Equal weights have no order.
    assert summary(q="Hi", t=0.1) == (
        "Asked for Hi: Li and Hu are equally near, 0.50 each. "
        "The output is desk 40.00: that is Smola’s, whose weight is 0.00."
    )
    # Who reads 0.00 is no runner-up.
    for settings, said in (({"q": "Werness"}, "Werness 0.99"), ({"t": 0.1}, "Li 1.00")):
        assert f"{said}, all others below 0.01." in summary(**settings)
    assert summary(q="Abcdefghijkl", t=0.1).startswith(
        "Asked for Abcdefghijkl: 4 names tie with 0.25"
    )
    assert summary(q="Wang").startswith("Asked for Wang: Zhang 0.72, then 2 names with 0.10 each.")
    assert summary(t=100).startswith("Asked for Li: all six weights are nearly equal.")
    assert "no key matches, the smallest distance is 1." in summary(q="Le", how="exact")
    assert "Li matches and has weight 1. The output is desk 30.00" in summary(how="exact")


def test_a_desk_is_one_whose_number_the_output_has():
    for settings, said in (
        ({}, "between"),
        ({"q": "Le"}, "between"),
        ({"t": 0.1}, "desk"),
        ({"q": "Hi", "t": 0.1}, "others_desk"),
        ({"how": "exact"}, "desk"),
    ):
        view = LOOKUP.compute(LOOKUP.state(**settings))
        assert view.summary[-1] == said
        desk = float(view.slots["desk"])
        assert (desk in (10, 20, 30, 40, 50, 60)) == (said != "between")


@pytest.mark.parametrize(
    "query", ["Li", "Le", "hi", "Attention", "Werner", "notpil", "Łukasz", "김"]
)
def test_letters_spell_the_distance_out(query):
    for key, distance in zip(KEYS, numbers(q=query)[0], strict=True):
        found = changes(query.lower(), key)
        assert sum(fate != "kept" for _, fate in found) == distance
        # What is not gone is the key, and what is kept or gone comes from the query, in its order.
        assert "".join(letter for letter, fate in found if fate != "gone") == key
        left = iter(query.lower())
        assert all(letter.lower() in left for letter, fate in found if fate != "new")


def test_changes_of_le():
    assert changes("le", "Li") == [("L", "kept"), ("i", "new")]
    assert changes("lie", "Li") == [("L", "kept"), ("i", "kept"), ("e", "gone")]


@pytest.mark.parametrize("query", ["", "a b", "Li3", "Le--Van", "-Le", "O'", "abcdefghijklm"])
def test_a_query_is_one_to_twelve_letters(query):
    with pytest.raises(ValueError, match="q must be 1 to 12 letters"):
        explore("lookup", q=query)


@pytest.mark.parametrize("query", ["  smola ", "O'Neil", "O’Neil", "Lipton-Hu"])
def test_spaces_around_a_name_are_dropped_and_signs_within_are_kept(query):
    assert LOOKUP.state(q=query)["q"] == query.strip()


def test_temperature_moves_nothing_in_an_exact_look_up():
    temperature = LOOKUP.controls[2]
    assert idle(temperature, LOOKUP.state(how="exact"))
    assert not idle(temperature, LOOKUP.state())
    assert numbers(q="Le", how="exact", t=100) == numbers(q="Le", how="exact")


def test_a_name_of_any_script_survives_the_link():
    # The é is typed as two code points; a link carries it composed and percent-encoded.
    assert LOOKUP.fragment({"q": "Ne\u0301el"}) == "#lookup?q=N%C3%A9el"
    assert LOOKUP.fragment({"q": "이순신"}) == "#lookup?q=%EC%9D%B4%EC%88%9C%EC%8B%A0"


def test_a_temperature_outside_the_list_is_refused():
    with pytest.raises(ValueError, match="t must be one of"):
        explore("lookup", t=3)


def test_the_reader_may_bring_another_distance():
    explorer = explore("lookup", edit_distance=lambda a, b: abs(len(a) - len(b)))
    assert explorer.view.parts["letters"] == [[]] * 6  # they would not be those of this distance
    assert [row[0] for row in explorer.view.parts["records"]["rows"]] == [3, 4, 0, 3, 0, 5]


def test_in_jupyter_a_query_that_is_no_word_counts_as_the_default_and_a_note_says_so():
    explorer = explore("lookup", q="Wang")
    (field,) = explorer.controls[0].items
    field.value = "4!"
    assert explorer.state["q"] == field.value == "Li"
    assert "1 to 12 letters" in explorer.children[1].view["note"]
    field.value = "Le"
    assert explorer.children[1].view["note"] is None


def test_prediction_of_the_plan_is_a_tie_at_every_temperature():
    for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 100):
        _, weights, _ = numbers(q="Hi", t=t)
        assert weights[2] == weights[4] == max(weights)
    assert numbers(q="Hi", t=0.1)[1][2] == pytest.approx(0.5, abs=1e-3)
    assert numbers(q="Hi", t=1)[1][2] == pytest.approx(0.48, abs=0.005)


def test_prediction_starts_from_a_desk_and_ends_at_one_of_no_weight():
    asked = LOOKUP.prediction
    assert LOOKUP.compute(LOOKUP.state(**asked.before)).slots["desk"] == "30.00"
    view = LOOKUP.compute(LOOKUP.state(**asked.after))
    assert view.summary == ("tie", "others_desk")
    assert [view.slots[slot] for slot in ("desk", "owner", "w3")] == ["40.00", "Smola", "0.00"]
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        told = words("lookup")
        for option, (desk,) in zip(told["options"], asked.places, strict=True):
            assert f"{desk:g}" in option
        assert asked.places[asked.right] == (40,)
        # The question leaves the reader to find the tie.
        assert "30" in told["predict"]
        assert "Hu" not in told["predict"]
    attn_lib.set_language("en")


def test_every_edition_names_the_records_as_they_are_computed():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        assert tuple(words("lookup")["names"]) == KEYS
        for answer, desk in zip(words("lookup")["answers"], DESKS, strict=True):
            assert f"{desk:.0f}" in answer
    attn_lib.set_language("en")
