"""Figure `cache`: its maps and movements by loops, its bytes by the tensors of a cache."""

import math
from pathlib import Path

import pytest
import torch

import attn_lib
from attn_lib.examples import e5
from attn_lib.live.figures.cache import FIGURE, GROUPS, MODELS
from attn_lib.live.figures.cache.record import LAYER, queries_and_keys, read, record, unpacked
from attn_lib.live.figures.model.record import SENTENCE

WEIGHTS = Path(__file__).parents[3] / "book/models" / e5.excerpt.NAME
MIB = 2**20


def view(lang="en", **settings):
    attn_lib.set_language(lang)
    return FIGURE.compute(FIGURE.state(**settings))


def shares(**settings):
    return [share for share, _ in view(**settings).parts["moved"]["rows"]]


def softmax(scores):
    exps = [math.exp(score - max(scores)) for score in scores]
    return [e / sum(exps) for e in exps]


def moved(head, group, lang="en"):
    """How much weight moves if a head reads the mean key of a group, of nobody a key of zeros."""
    Q, K = (numbers.tolist() for numbers in unpacked(lang))
    words = range(len(Q[head]))
    own = [K[head][j] for j in words]
    read = [[K[h][j] for h in group] or [[0.0] * 32] for j in words]
    means = [[sum(x) / len(keys) for x in zip(*keys, strict=True)] for keys in read]
    total = 0.0
    for query in Q[head]:
        before, after = (
            softmax(
                [
                    sum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(32)
                    for key in keys
                ]
            )
            for keys in (own, means)
        )
        # Of two shares of one whole, what one has more the other has less.
        total += sum(max(0, a - b) for a, b in zip(before, after, strict=True))
    return total / len(words)


@pytest.mark.parametrize(
    ("groups", "head", "members"),
    [(12, 0, [0]), (6, 5, [4, 5]), (4, 6, [6, 7, 8]), (2, 10, range(6, 12)), (1, 5, range(12))],
)
def test_neighbours_share_the_mean_of_their_keys(groups, head, members):
    assert shares(g=groups)[head] == pytest.approx(moved(head, list(members)), abs=1e-9)


@pytest.mark.parametrize("lang", e5.LANGUAGES)
def test_one_key_for_all_is_nearly_as_bad_as_none(lang):
    one, bare = (view(lang, g=1).parts["tank"][name] for name in ("mean", "bare"))
    assert 0.65 < one < bare < 1.1 * one
    # The ghost of the right option is no farther away than a reader sees.
    assert abs(one - FIGURE.prediction.places[2][1]) < 0.04
    rows = view(lang, g=1).parts["moved"]["rows"]
    assert rows[3][1] == pytest.approx(moved(3, [], lang), abs=1e-9)


@pytest.mark.parametrize("groups", [6, 4, 3, 2])
def test_repeat_gives_heads_the_keys_of_others(groups):
    each = 12 // groups
    keys = torch.arange(groups).reshape(1, groups, 1, 1)
    right = keys.repeat_interleave(each, dim=1).flatten().tolist()
    wrong = keys.repeat(1, each, 1, 1).flatten().tolist()
    seen = view(g=groups, how="repeat")
    assert seen.slots["astray"] == str(sum(a != b for a, b in zip(right, wrong, strict=True)))
    assert [place // each for place in seen.parts["tank"]["places"]] == wrong
    group = wrong[7]
    expected = moved(7, list(range(group * each, group * each + each)))
    assert shares(g=groups, how="repeat")[7] == pytest.approx(expected, abs=1e-9)
    assert seen.slots["plain"] == view(g=groups).slots["mean"]


@pytest.mark.parametrize("groups", [12, 1])
def test_a_test_with_these_sizes_does_not_see_the_bug(groups):
    assert shares(g=groups, how="repeat") == shares(g=groups)
    assert view(g=groups, how="repeat").summary == ("blind",)


def test_look_alikes_are_those_whose_maps_differ_least():
    places = view(g=6, how="alike").parts["tank"]["places"]
    assert sorted(places) == list(range(12))
    (partner,) = [head for head in range(1, 12) if places[head] // 2 == places[0] // 2]
    Q, K = unpacked("en")
    own = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(15).double())
    far = (own - own[0]).abs().sum(dim=(1, 2))
    assert partner == far[1:].argmin().item() + 1
    assert shares(g=6, how="alike")[0] == pytest.approx(moved(0, [0, partner]), abs=1e-9)


def test_to_choose_look_alikes_helps_little():
    for groups in (6, 4, 3, 2):
        alike, near = (view(g=groups, how=how).parts["tank"]["mean"] for how in ("alike", "near"))
        assert abs(alike - near) < 0.05


@pytest.mark.parametrize("name", MODELS)
def test_bytes_are_those_of_a_cache(name):
    model = MODELS[name]
    cache = torch.empty(2, model.layers, 1024, model.kept, model.size, dtype=torch.bfloat16)
    groups = 12 * model.kept // model.heads
    settings = {"g": groups, "model": name, "n": 1024}
    (own,) = [
        mib
        for count, (_, mib) in zip(GROUPS, view(**settings).parts["bytes"]["rows"], strict=True)
        if count == groups
    ]
    assert own * MIB == cache.nbytes
    tank = view(**settings).parts["tank"]
    assert tank["level"] == pytest.approx(tank["real"])
    # With one tensor for both it is half of that, and no longer what the model does.
    both = view(**settings, kv="1")
    assert both.parts["tank"]["level"] == pytest.approx(tank["real"] / 2)
    assert both.summary[0] != "real"


def test_what_is_written_of_the_bytes():
    written = [view(g=groups).slots["bytes"].split("\u00a0") for groups in (12, 6, 2, 1)]
    assert written == [["1.31", "GiB"], ["672", "MiB"], ["224", "MiB"], ["112", "MiB"]]
    assert view(g=2).summary == ("real",)
    assert view(g=1, n=1024, kv="1").slots["bytes"] == "7.0\u00a0MiB"


@pytest.mark.slow
@pytest.mark.parametrize("lang", e5.LANGUAGES)
def test_what_is_stored_gives_the_weights_of_the_model(lang):
    model = e5.load(WEIGHTS)
    model.run([e5.sentences(lang)[SENTENCE]])
    own = model.weights()[LAYER - 1, 0].double()
    queries, keys = unpacked(lang)
    scores = queries @ keys.mT / math.sqrt(32)
    assert (scores.softmax(dim=-1) - own).abs().max() < 0.03
    made, stored = record(model)[lang], read(lang)
    for name in "qk":
        assert made[name]["largest"] == pytest.approx(stored[name]["largest"], abs=1e-3)
        assert len(made[name]["steps"]) == len(stored[name]["steps"])
    # And what moves is right to the two decimals that are shown, or nearly.
    Q, K = (numbers.double() for numbers in queries_and_keys(model, lang))
    mean = (Q @ K.mean(dim=0).mT / math.sqrt(32)).softmax(dim=-1)
    apart = ((own - mean).abs().sum(dim=-1) / 2).mean().item()
    assert apart == pytest.approx(view(lang, g=1).parts["tank"]["mean"], abs=0.003)
