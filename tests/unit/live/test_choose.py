"""Figure `choose`: who wins under four scores, and which keys none of them can find."""

import math
import random

import pytest
import torch
from node import call, run

import attn_lib
from attn_lib.examples import four_words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.figures.choose import SCORES, WINDOW, corners, look_along

CHOOSE = FIGURES["choose"]
NAMES = four_words.more_words()
KEYS = four_words.more_keys().tolist()


def moved(**who):
    """Return the settings of the six keys, some of them moved."""
    keys = [who.get(name, key) for name, key in zip(NAMES, KEYS, strict=True)]
    return {"kx": [x for x, _ in keys], "ky": [y for _, y in keys]}


# Of each state its settings, who wins with which weight under each score, and whom no dot product
# finds. Computed by another program, with NumPy.
SPECIFIED = {
    "cats asks": (
        {},
        ["cats 0.622786", "cats 0.508923", "cats 0.328840", "cats 0.396158"],
        ["fish"],
    ),
    "fish asks": (
        {"x": 0.5, "y": 0.25},
        ["cats 0.328936", "fish 0.398969", "fish 0.329222", "fish 0.299492"],
        ["fish"],
    ),
    "nothing is asked": (
        {"x": 0, "y": 0},
        ["cats 0.166667", "fish 0.349649", "cats 0.166667", "cats 0.306013"],
        ["fish"],
    ),
    "bark asks": (
        {"x": -1, "y": -1},
        ["bark 0.510349", "bark 0.611795", "bark 0.380381", "purr 0.423016"],
        ["fish"],
    ),
    "wolf is loud": (
        {"x": -1, "y": 1, **moved(wolf=(-3.25, 1.25))},
        ["wolf 0.897297", "dogs 0.620671", "dogs 0.327154", "cats 0.405980"],
        ["dogs", "fish"],
    ),
    "wolf is quiet": (
        {"x": -2, "y": 0.5, **moved(wolf=(-0.5, 0.25))},
        ["dogs 0.595241", "dogs 0.485352", "wolf 0.324711", "cats 0.265853"],
        ["fish", "wolf"],
    ),
    "fish is out": (
        {"x": 0.5, "y": 0.25, **moved(fish=(1.5, 0.25))},
        ["fish 0.307751", "cats 0.315261", "fish 0.319531", "fish 0.449113"],
        [],
    ),
    "fish on the outline": (
        {"x": 3, "y": 0, **moved(fish=(1, 0))},
        ["cats 0.332770", "fish 0.451245", "fish 0.333954", "purr 0.359610"],
        ["fish"],
    ),
    "one line": (
        {"x": 0.5, "y": 0.25, "rho": 0},
        ["cats 0.326499", "fish 0.398969", "fish 0.329222", "fish 0.299492"],
        ["purr", "dogs", "fish", "wolf"],
    ),
    "another line": (
        {"x": 0.5, "y": 0.25, "theta": 0, "rho": 0},
        ["cats 0.267545", "fish 0.398969", "fish 0.329222", "fish 0.299492"],
        ["purr", "dogs", "bark", "fish"],
    ),
    "half squashed": (
        {"x": 0.5, "y": 0.25, "rho": 0.5},
        ["cats 0.328828", "fish 0.398969", "fish 0.329222", "fish 0.299492"],
        ["fish"],
    ),
}


@pytest.mark.parametrize("state", SPECIFIED)
def test_specified_numbers(state):
    settings, winners, never = SPECIFIED[state]
    view = CHOOSE.compute(CHOOSE.state(**settings))
    for row, expected in zip(view.parts["weights"]["rows"], winners, strict=True):
        name, weight = expected.split()
        assert row[NAMES.index(name)] == pytest.approx(float(weight), abs=1e-6)
        assert max(row) == pytest.approx(float(weight), abs=1e-6)
    assert never_under("dot", view) == never


def never_under(score, view):
    lost = view.parts["plane"]["never"][SCORES.index(score)]
    return [name for name, is_lost in zip(NAMES, lost, strict=True) if is_lost]


def test_each_other_score_finds_whom_it_can():
    view = CHOOSE.compute(CHOOSE.state())
    assert [never_under(score, view) for score in SCORES] == [
        ["fish"], [], [], ["dogs", "bark", "wolf"]
    ]  # fmt: skip
    on_the_ray = CHOOSE.compute(CHOOSE.state(**moved(fish=(0.5, 0.5))))
    assert never_under("cosine", on_the_ray) == ["fish"]  # cats comes first and always ties
    on_another = CHOOSE.compute(CHOOSE.state(**moved(fish=(1, 1))))
    assert never_under("gauss", on_another) == ["fish"]


def test_a_key_at_0_wins_a_cosine_only_if_all_others_can_be_left_behind():
    around = CHOOSE.compute(CHOOSE.state(**moved(fish=(0, 0))))
    assert "fish" in never_under("cosine", around)
    right = {"kx": [1, 2, 1, 2, 0, 3], "ky": [1, 1, -1, -1, 0, 0]}
    assert "fish" not in never_under("cosine", CHOOSE.compute(CHOOSE.state(**right)))


def test_only_corners_win_a_dot_product_whatever_is_asked():
    choose = random.Random(0)
    for _ in range(20):
        keys = [(choose.randint(-6, 6) / 4, choose.randint(-6, 6) / 4) for _ in range(6)]
        K = torch.tensor(keys, dtype=torch.float64)
        angles = torch.arange(3600, dtype=torch.float64) * (2 * math.pi / 3600) + 0.0003
        scores = torch.stack([angles.cos(), angles.sin()], 1) @ K.T
        won = (scores >= scores.amax(1, keepdim=True) - 1e-9).int().argmax(1)
        assert sorted(corners(keys)) == sorted(set(won.tolist()))


def test_the_matrix_sees_one_direction_and_a_share_of_the_other():
    (a, b), (c, d) = look_along(30, 0.5)
    M = torch.tensor([[a, b], [c, d]], dtype=torch.float64)
    along = torch.tensor([3**0.5 / 2, 0.5], dtype=torch.float64)
    across = torch.tensor([-0.5, 3**0.5 / 2], dtype=torch.float64)
    assert torch.allclose(M @ along, along)
    assert torch.allclose(M @ across, across / 2)
    assert look_along(75, 1) == ((1.0, 0.0), (0.0, 1.0))


@pytest.mark.parametrize(
    ("settings", "summary"),
    [
        ({}, ("all", "inside")),
        ({"x": 1.25}, ("all", "inside")),
        ({"x": 0.5, "y": 0.25}, ("own_dot", "inside")),
        ({"x": 0.5, "y": 0.25, "f": "cosine"}, ("at_cosine", "cosine")),
        ({"x": 0, "y": 0}, ("nobody", "inside")),
        ({"x": 0.5, "y": 0.25, "rho": 0}, ("at_matrix", "line")),
        ({"x": 3, "y": 0, "f": "gauss"}, ("at_gauss", "gauss")),
        ({"x": 0.5, "y": 0.25, **moved(fish=(1.5, 0.25))}, ("at_dot", "corners")),
        ({"x": -1, "y": -1, "f": "additive"}, ("own_additive", "additive_never")),
    ],
)
def test_sentences(settings, summary):
    assert CHOOSE.compute(CHOOSE.state(**settings)).summary == summary


def test_what_was_tried_in_the_map_is_not_said_of_the_whole_plane():
    keys = {"kx": (-1, 1.75, -1.25, -0.25, -2.5, -0.75), "ky": (-1.25, -1, 1.25, -1, 0, 2.25)}
    said = CHOOSE.sentences(CHOOSE.compute(CHOOSE.state(f="additive", **keys)))
    assert "In this map none gets over " in said
    assert "wolf" in said  # it wins at (−4.28, −3.05), which no map shows
    K = torch.tensor([list(zip(keys["kx"], keys["ky"], strict=True))], dtype=torch.float64)
    W_q, W_k, w_v = (W.double() for W in four_words.additive_parameters())
    far = torch.tensor([[[-4.28, 0, -3.05]]], dtype=torch.float64)
    assert attn_lib.additive_scores(far, K, W_q, W_k, w_v).argmax() == 5


def test_the_bet_is_on_the_first_of_three_places_where_fish_can_be_found():
    asked = CHOOSE.prediction
    before = CHOOSE.state(**asked.before)
    assert never_under("dot", CHOOSE.compute(before)) == ["fish"]
    lost = []
    for place in asked.places:
        view = CHOOSE.compute(CHOOSE.state(**asked.before, **moved(fish=place)))
        lost.append("fish" in never_under("dot", view))
    assert lost == [True, False, False]
    after = CHOOSE.state(**asked.after)
    assert (after["kx"][4], after["ky"][4]) == asked.places[asked.right]
    # What the replies say: shorter than all, and the third place is as far from 0 as wolf.
    lengths = [math.hypot(*key) for key in zip(after["kx"], after["ky"], strict=True)]
    assert min(lengths) == lengths[4]
    assert math.hypot(*asked.places[2]) == pytest.approx(lengths[5])
    # The first lies on the ground of purr.
    there = CHOOSE.compute(CHOOSE.state(x=asked.places[0][0], y=asked.places[0][1]))
    assert there.slots["dot"].startswith("purr")


def test_ties_are_named():
    tied = CHOOSE.compute(CHOOSE.state(x=3, y=0)).slots
    assert (tied["dot"], tied["who"]) == ("cats = purr 0.45", "cats, purr")
    assert CHOOSE.compute(CHOOSE.state(x=0, y=0)).slots["dot"] == "– 0.17"


def test_a_score_of_the_readers_own():
    def loudest(queries, keys):
        return keys.norm(dim=2).unsqueeze(1).expand(-1, queries.shape[1], -1)

    figure = explore("choose", gaussian_scores=loudest)
    assert figure.view.slots["gauss"].startswith("wolf")


FIELDS = """async ([data, views, width, height]) => {
  const { fieldOf } = await import("./figures/choose/field.js");
  return views.map((view) => ["dot", "gauss", "cosine", "additive"].map((name) => {
    const { winners, weights } = fieldOf(name, view, data, width, height);
    return [[...winners], [...weights]];
  }));
}"""


def test_the_painted_grounds_are_those_of_the_library():
    width, height = 36, 25
    settings = [{}, {"rho": 0.3, "theta": 75, **moved(wolf=(-3.25, 1.25), fish=(1.5, 0.25))}]
    views = [CHOOSE.compute(CHOOSE.state(**one)) for one in settings]
    plain = [{"parts": {"plane": view.parts["plane"]}} for view in views]
    painted = run(FIELDS, [CHOOSE.data(), plain, width, height])
    x = (torch.arange(width, dtype=torch.float64) + 0.5) / width * 2 * WINDOW[0] - WINDOW[0]
    y = WINDOW[1] - (torch.arange(height, dtype=torch.float64) + 0.5) / height * 2 * WINDOW[1]
    queries = torch.stack(torch.meshgrid(x, y, indexing="xy"), -1).reshape(1, -1, 2)
    three = torch.stack([queries[..., 0], 0 * queries[..., 0], queries[..., 1]], 2)
    parameters = [W.double() for W in four_words.additive_parameters()]
    for view, maps in zip(views, painted, strict=True):
        plane = view.parts["plane"]
        K, seen = (torch.tensor([plane[n]], dtype=torch.float64) for n in ("keys", "seen"))
        for scores, (winners, weights) in zip(
            (
                attn_lib.dot_product_scores(queries, seen, scaled=False),
                attn_lib.gaussian_scores(queries, K),
                attn_lib.cosine_scores(queries, K),
                attn_lib.additive_scores(three, K, *parameters),
            ),
            maps,
            strict=True,
        ):
            best, first = attn_lib.masked_softmax(scores)[0].max(1)
            # The cosine and tanh are looked up in tables.
            assert torch.allclose(torch.tensor(weights).double(), best, atol=5e-3)
            assert (torch.tensor(winners) == first).double().mean() > 0.99


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#compare", "#choose"),
        (
            "#compare?s=-8",
            "#choose?f=additive&x=1&y=1&kx=-2.25,1,-1,-1,0.5,-2&ky=-2.25,-1,1,-1,0.25,0.5",
        ),
        (
            "#compare?s=2&f=scaled&q=-1.5",
            "#choose?f=dot&x=-1.5&y=-1.5&kx=2,1,-1,-1,0.5,-2&ky=2,-1,1,-1,0.25,0.5",
        ),
        (
            "#compare?f=gauss&own=1,1;2,-0.5",
            "#choose?f=gauss&x=1&y=1&kx=2,1,-1,-1,0.5,-2&ky=-0.5,-1,1,-1,0.25,0.5",
        ),
        ("#choose?x=1", None),
        ("#comparer", None),
    ],
)
def test_links_to_the_figure_that_stood_here_lead_to_the_nearest_state(old, new):
    assert call("figures/choose/compute", "formerly", [old]) == [new]
    if new:
        declaration = CHOOSE.declaration()
        (read,) = call("front/state", "parseFragment", [new, declaration])
        assert not read["misunderstood"]
