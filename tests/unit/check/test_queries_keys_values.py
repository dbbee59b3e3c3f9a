"""Right, wrong and odd answers to the exercises on queries, keys and values."""

import math

import pytest
import torch

from attn_lib import check
from attn_lib.examples import four_words
from attn_lib.examples.surnames import levenshtein
from tests.unit.check.hints import accepted, hint_of, refused


def equal(query, keys):
    return [query.lower() == key.lower() for key in keys]


def shared(query, keys):
    hits = torch.tensor(equal(query, keys)).double()
    return hits / hits.sum().clamp(min=1)


def soft(temperature):
    def weights(query, keys):
        distances = [levenshtein(query.lower(), key.lower()) for key in keys]
        return torch.softmax(-torch.tensor(distances).float() / temperature, 0)

    return weights


def by_dictionary(query, keys):
    hit = {key.lower(): i for i, key in enumerate(keys)}[query.lower()]
    return torch.eye(len(keys))[hit]


def nearest(query, keys):
    distances = [levenshtein(query.lower(), key.lower()) for key in keys]
    ties = torch.tensor([d == min(distances) for d in distances]).float()
    return ties / ties.sum()


def plain_list(query, keys):
    hits = equal(query, keys)
    return [hit / sum(hits) if any(hits) else 0 for hit in hits]


def clears_keys(query, keys):
    weights = plain_list(query, keys)
    keys.clear()
    return weights


def capitalised(query, keys):
    hits = [query.capitalize() == key for key in keys]
    return [hit / max(1, sum(hits)) for hit in hits]


test_exact_lookup_accepts_every_right_function = accepted(
    check.exact_lookup,
    shared,
    clears_keys,
    plain_list,
    lambda query, keys: shared(query, keys).reshape(1, 1, -1),
    lambda query, keys: shared(query, keys).float().requires_grad_(),
)


test_exact_lookup_names_the_misconception = refused(
    check.exact_lookup,
    ([0, 0, 1, 0, 0, 0], "Hand over the function itself"),
    (lambda query, keys: 1.0, "one weight per key, here 6"),
    (lambda query, keys: 2, "returned 2, the place of the key, counted from 0"),
    (lambda query, keys: torch.tensor([2]), "returned 2, the place of the key"),
    (lambda query, keys: "Mu", "one weight per key"),
    (lambda query, keys: None, "one weight per key"),
    (lambda query: query, "stopped at the query Li"),
    (soft(1.0), "does not reach it"),
    (soft(0.01), "yet your weights sum to 1.00"),
    (nearest, "yet your weights sum to 1.00"),
    (by_dictionary, "matches no key, and your function stopped: KeyError"),
    (lambda query, keys: [query == key for key in keys], "only by its capital letter"),
    (lambda query, keys: torch.tensor(equal(query, keys)) / sum(equal(query, keys)), "NaN"),
    (capitalised, "this time those of the key"),
    (lambda query, keys: keys.clear() or [], "here 6 numbers. Got []."),
    (equal, "Yours sum to 2.00"),
    (lambda query, keys: [0, 0, 1, 0, 0, 0][: len(keys)], "the last key"),
)


def words_by_softmax(query):
    return torch.softmax(four_words.keys() @ query, 0) @ four_words.keys()


def words_by_exponentials(query):
    exps = (four_words.keys() @ query).exp()
    return exps @ four_words.keys() / exps.sum()


test_words_output_accepts_every_right_function = accepted(
    check.words_output,
    torch.tanh,
    lambda query: [math.tanh(entry) for entry in query],
    lambda query: query.double().tanh_().reshape(1, 2).requires_grad_(),
    lambda query: 2 * torch.sigmoid(2 * query) - 1,
)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([0.7616, 0.7616], "function"),
        (lambda query: query["first"], "raises"),
        (lambda query: [0, 0, 0], "count"),
        (lambda query: torch.softmax(four_words.keys() @ query, 0), "weights"),
        (lambda query: 25 - 10 * query[0].tanh() - 5 * query[1].tanh(), "page"),
        (lambda query: query, "query"),
        (lambda query: query.flip(0).tanh(), "exchanged"),
        (torch.sign, "nearest"),
        (torch.sigmoid, "sigmoid"),
        (lambda query: (query / 2).tanh(), "values"),
        (lambda query: query.tanh() + math.nan, "values"),
        (words_by_softmax, "softmax"),
        (words_by_exponentials, "overflow"),
        (lambda query: [math.sinh(entry) / math.cosh(entry) for entry in query], "overflow"),
    ],
)
def test_words_output_names_the_misconception(answer, says):
    assert hint_of(check.words_output(answer), "words_output") == says


test_halved_weight_accepts_every_tie_of_two = accepted(check.halved_weight, "Hi", "hi", "Nguyen")


test_halved_weight_names_the_misconception = refused(
    check.halved_weight,
    ("Li", "Li is nearer (distance 0) than Hu (distance 2)"),
    ("Le", "Li is nearer (distance 1)"),
    ("qqqqqqqqqqqq", "keys are equally near"),
    ("", "1 to 12 letters"),
    ("abcdefghijklm", "1 to 12 letters"),
    ("H i", "1 to 12 letters"),
    (0.5, "1 to 12 letters"),
    (None, "1 to 12 letters"),
)


@pytest.mark.parametrize(
    ("W_q", "wanted"),
    [
        ([[1, 0], [0, -1]], [2, 1, 4, 3]),
        (torch.tensor([[-1.0, 0.0], [0.0, 1.0]]), [3, 4, 1, 2]),
        ([[-0.1, 0], [0, -0.1]], (4, 3, 2, 1)),
        ([[3, -1], [-1, 2]], [1, 2, 3, 4]),
    ],
)
def test_projection_accepts_any_matrix_that_finds_the_words(W_q, wanted):
    assert check.projection(W_q, wanted)


@pytest.mark.parametrize(
    ("W_q", "wanted", "says"),
    [
        ([[1, 0], [0, 1]], [3, 4, 1, 2], "itself"),
        ([[0, -1], [1, 0]], [2, 4, 1, 3], "transposed"),
        ([[0, 0], [0, 1]], [3, 4, 1, 2], "tie"),
        ([[-1, 0], [0, -1]], [3, 4, 1, 2], "other"),
        ([[1, 0], [0, float("nan")]], [3, 4, 1, 2], "infinite"),
        ([1, 0, 0, 1], [3, 4, 1, 2], "matrix"),
        ("W_q", [3, 4, 1, 2], "matrix"),
        ([[1, 0], [0, 1]], [0, 1, 2, 3], "wanted"),
        ([[1, 0], [0, 1]], 3, "wanted"),
    ],
)
def test_projection_names_the_misconception(W_q, wanted, says):
    assert hint_of(check.projection(W_q, wanted), "projection") == says
