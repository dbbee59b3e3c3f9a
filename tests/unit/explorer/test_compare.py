"""Figure `compare`: the weight of key 1 under six scorers, and the bounds of the additive one."""

import math
import re

import pytest
import torch

import attn_lib
from attn_lib.examples import four_words
from attn_lib.figures import FIGURES, explore
from attn_lib.figures.compare import SCORERS, STEPS

COMPARE = FIGURES["compare"]


def view(**settings):
    return COMPARE.compute(COMPARE.state(**settings))


def weights_of(name, **settings):
    return view(**settings).parts["weights"]["rows"][SCORERS.index(name)]


@pytest.mark.parametrize(
    ("name", "by_factor"),
    [
        ("dot", {1: 0.7758, 2: 0.9624, 8: 1.0000, -8: 0.0000}),
        ("additive", {1: 0.5847, 2: 0.5933, 8: 0.5934, -8: 0.1650}),
        ("gauss", {1: 0.7758, 2: 0.5601, 8: 0.0000, -8: 0.0000}),
        ("scaled", {1: 0.6471, 2: 0.8829, 8: 1.0000, -8: 0.0000}),
        ("cosine", {1: 0.5344, 0: 0.2969, 8: 0.5344, -8: 0.1345}),
        ("sum", {1: 0.7758, 2: 0.9624, 8: 1.0000, -8: 0.0000}),
    ],
)
def test_weights_of_key_1(name, by_factor):
    for s, weight in by_factor.items():
        assert weights_of(name, s=float(s))[0] == pytest.approx(weight, abs=1e-4)


def test_prediction_and_its_replies():
    prediction = COMPARE.prediction
    assert view(**prediction.before).slots["additive"] == "0.58"
    assert view(**prediction.after).slots["additive"] == "0.16"
    W_q, W_k, w_v = four_words.additive_parameters()
    query = torch.tensor([[[1.0, 0.0, 1.0]]])
    for s, unit, score in ((1, 0.96, 1.73), (-8, -1.0, -0.24)):
        key = s * four_words.keys()[None, :1]
        assert torch.tanh(W_q @ query[0, 0] + W_k @ key[0, 0])[0].item() == pytest.approx(
            unit, abs=5e-3
        )
        got = attn_lib.additive_scores(query, key, W_q, W_k, w_v).item()
        assert got == pytest.approx(score, abs=5e-3)


def test_additive_weight_stays_within_its_bounds():
    limits = view().parts["limits"]
    assert limits["floor"] == pytest.approx(0.1650, abs=1e-4)
    assert limits["ceiling"] == pytest.approx(0.5934, abs=1e-4)
    line = view().parts["curves"]["lines"][SCORERS.index("additive")]
    assert line == sorted(line)
    assert limits["floor"] <= line[0]
    assert line[-1] <= limits["ceiling"]


@pytest.mark.parametrize("q", [-2.0, -0.5, 0.0, 1.0, 1.5])
def test_marker_is_on_the_lines(q):
    for s in (-8.0, -2.5, 1.0, 8.0):
        seen = view(s=s, q=q)
        place = round((s + 8) * STEPS / 16)
        for line, row in zip(
            seen.parts["curves"]["lines"], seen.parts["weights"]["rows"], strict=True
        ):
            assert line[place] == pytest.approx(row[0])


def test_cosine_has_no_direction_at_0():
    line = view().parts["curves"]["lines"][SCORERS.index("cosine")]
    assert [place for place, w in enumerate(line) if w is None] == [STEPS // 2]
    assert len({round(w, 9) for w in line if w is not None}) == 2


def test_vector_sum_ignores_the_query_and_looks_right_for_cats():
    rows = {tuple(round(w, 9) for w in weights_of("sum", q=q)) for q in (-2.0, -0.5, 0.0, 1.0)}
    assert len(rows) == 1
    assert weights_of("sum") == pytest.approx(weights_of("dot"))


def test_a_query_of_zeros_makes_products_flat():
    for name in ("dot", "scaled", "cosine"):
        line = view(q=0.0).parts["curves"]["lines"][SCORERS.index(name)]
        assert [w for w in line if w is not None] == pytest.approx(
            [0.25] * (len(line) - line.count(None))
        )


def test_bound_in_reach_is_named_while_the_additive_score_is_in_front():
    assert view().summary == ("at_additive", "most", "agree_all")
    assert "at most 0.59" in COMPARE.sentences(view())
    assert "0.16" not in COMPARE.sentences(view())  # what the question asks
    assert "at least 0.16" in COMPARE.sentences(view(s=-0.5))
    assert view(f="gauss", s=2.0).summary == ("at_gauss", "gauss", "agree_all")


@pytest.mark.parametrize(
    ("settings", "reading"),
    [
        ({"f": "dot", "q": 0.0}, "blind"),
        ({"f": "scaled", "own": ((0.0, 0.0), (2.0, 1.0))}, "blind"),
        ({"f": "cosine", "s": 0.0}, "no_direction"),
        ({"f": "gauss"}, "nearest"),
        ({"f": "gauss", "own": ((1.0, 3.0), (2.0, 1.0)), "s": 1.0}, "nearest"),
        ({"f": "gauss", "own": ((1.0, 3.0), (0.0, 0.0)), "s": 1.0}, "gauss"),
    ],
)
def test_what_is_said_of_the_state_holds(settings, reading):
    seen = view(**settings)
    assert seen.summary[1] == reading
    weights = seen.parts["weights"]["rows"][SCORERS.index(settings["f"])]
    line = seen.parts["curves"]["lines"][SCORERS.index(settings["f"])]
    if reading == "blind":
        assert weights == pytest.approx([0.25] * 4)
    if reading == "nearest":
        assert weights[0] == pytest.approx(max(line))
    if reading == "no_direction":
        q, keys = torch.tensor([1.0, 1.0]), four_words.keys().clone()
        keys[0] = 0
        cosines = torch.nn.functional.cosine_similarity(q, keys, dim=-1)
        assert weights == pytest.approx(cosines.softmax(0).tolist(), abs=1e-6)


@pytest.mark.parametrize("f", SCORERS)
def test_summary_is_about_the_scorer_in_front(f):
    own = ((1.0, 1.0), (2.0, -0.5))
    seen = view(f=f, own=own)
    assert seen.summary == (f"at_{f}", f, "agree_all")
    others = {name: view(f=name, own=own) for name in SCORERS if name != f}
    assert COMPARE.sentences(seen) not in map(COMPARE.sentences, others.values())


@pytest.mark.parametrize(
    ("f", "s", "measure"),
    [
        ("dot", -8.0, "−11.3 × 1.41"),
        ("scaled", 2.0, "2.83 × 1.41 ÷ √2"),
        ("cosine", -8.0, "cos 180°"),
        ("gauss", 8.0, "−9.90² ÷ 2"),
        ("additive", -8.0, "−1.00 + 0.76"),
        ("sum", -8.0, "−7.00 + (−7.00)"),
    ],
)
def test_plane_shows_what_the_score_is_made_of(f, s, measure):
    seen = view(f=f, s=s)
    assert seen.slots["measure"] == measure
    plane = {name: torch.tensor(value) for name, value in seen.parts["plane"].items()}
    query, key, point = plane["query"], plane["key"], plane["points"][0]
    score = {
        "dot": query @ key,
        "scaled": query @ key / 2**0.5,
        "cosine": torch.nn.functional.cosine_similarity(query, key, dim=0),
        "gauss": -((query - key) ** 2).sum() / 2,
    }.get(f, point.sum())
    assert score.item() == pytest.approx(float(seen.slots["score"].replace("−", "-")), abs=0.05)


@pytest.mark.parametrize("f", SCORERS)
def test_no_drag_changes_how_far_the_plane_reaches(f):
    for own in ("", ((1.0, 3.0), (-10.0, 2.0))):
        reaches = {
            view(f=f, own=own, s=s, q=q).parts["plane"]["reach"] for s in (-8, 1) for q in (0, 2)
        }
        assert len(reaches) == 1
        plane = view(f=f, own=own).parts["plane"]
        shown = [plane["query"], plane["key"]]
        assert all(abs(x) < plane["reach"] for arrow in shown for x in arrow)


def test_without_direction_nothing_is_measured():
    for f, settings, measure in (
        ("dot", {"q": 0.0}, "— × 0.00"),
        ("scaled", {"q": 0.0}, "— × 0.00 ÷ √2"),
        ("cosine", {"s": 0.0}, "cos —"),
        ("cosine", {"q": 0.0}, "cos —"),
    ):
        assert view(f=f, **settings).slots["measure"] == measure


@pytest.mark.parametrize("f", SCORERS)
@pytest.mark.parametrize(("s", "q"), [(1, 1), (2, 2), (3, 0.5), (-4, 1.5), (-8, -2)])
def test_the_sum_over_the_plane_ends_in_the_score(f, s, q):
    """As it is written there, from rounded numbers."""
    slots = view(f=f, s=float(s), q=float(q)).slots
    written = slots["measure"].replace("−", "-").replace("×", "*").replace("÷", "/")
    written = re.sub(r"cos (\d+)°", r"math.cos(math.radians(\1))", written)
    written = re.sub(r"([\d.]+)²", r"\1 ** 2", written).replace("√2", "math.sqrt(2)")
    score = float(slots["score"].replace("−", "-"))
    assert eval(written, {"math": math}) == pytest.approx(score, rel=0.01, abs=0.02)


def test_readers_own_scorer_takes_its_place():
    def first_features_only(queries, keys):
        return attn_lib.vector_sum_scores(queries[..., :1], keys[..., :1])

    figure = explore("compare", f="sum", s=2.0, vector_sum_scores=first_features_only)
    expected = torch.softmax(torch.tensor([2.0, 1, -1, -1], dtype=torch.float64), 0)
    got = figure.view.parts["weights"]["rows"][SCORERS.index("sum")]
    assert got == pytest.approx(expected.tolist())


@pytest.mark.parametrize(
    "settings", [{"s": 64}, {"s": 0.25}, {"q": 2.5}, {"f": "bilinear"}, {"f": ("dot", "sum")}]
)
def test_impossible_settings_are_named(settings):
    (key,) = settings
    with pytest.raises(ValueError, match=f"^{key} must "):
        COMPARE.state(**settings)


@pytest.mark.parametrize(("settings", "first"), [({}, 6), ({"s": -8.0}, 0), ({"s": 8.0}, 5)])
def test_summary_says_how_many_scorers_put_key_1_first(settings, first):
    seen = view(**settings)
    rows = seen.parts["weights"]["rows"]
    assert sum(row[0] > max(row[1:]) for row in rows) == first
    assert seen.slots["first"] == str(first)
    assert seen.summary[2] == {0: "agree_none", 6: "agree_all"}.get(first, "agree")
