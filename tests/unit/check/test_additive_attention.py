"""Right, wrong and odd answers to the exercises on additive attention."""

import pytest
import torch

import attn_lib
from attn_lib import check
from attn_lib.language import LANGUAGES, words
from tests.unit.check.hints import accepted, refused

W_q, W_k = torch.randn(2, 8, 3, generator=torch.Generator().manual_seed(3))
w_v = torch.ones(8)


def tanh_before(queries, keys):
    projected = torch.tanh(queries @ W_q.T).unsqueeze(2) + torch.tanh(keys @ W_k.T).unsqueeze(1)
    return projected @ w_v


test_query_cancels_accepts_every_right_scorer = accepted(
    check.query_cancels,
    tanh_before,
    attn_lib.vector_sum_scores,
    lambda queries, keys: attn_lib.vector_sum_scores(queries, keys).double().requires_grad_(),
    lambda queries, keys: queries[:, :, :1] ** 2 + keys[:, :, 0].unsqueeze(1),
    lambda queries, keys: 1e4 * queries[:, :, :1] + keys[:, :, 0].unsqueeze(1),
    lambda queries, keys: attn_lib.vector_sum_scores(queries, keys).numpy(),
    lambda queries, keys: list(attn_lib.vector_sum_scores(queries, keys)),
)


test_query_cancels_names_the_misconception = refused(
    check.query_cancels,
    (0.0, "Hand over the function itself"),
    (lambda queries, keys: queries @ keys, "your function stopped: RuntimeError"),
    (lambda queries, keys: queries.sum(2), "the scores must have shape (2, 5, 7). Got (2, 5)"),
    (lambda queries, keys: None, "Got None"),
    (lambda queries, keys: (queries, keys), "Got tuple"),
    (lambda q, k: 1e6 * attn_lib.dot_product_scores(q, k), "changes by up to 1"),
    (
        lambda q, k: torch.arange(5.0)[:, None] + torch.arange(7.0).expand(len(q), 1, 7),
        "places",
    ),
    (lambda q, k: torch.rand(len(q), 5, 1) + torch.rand(len(q), 1, 7), "chance"),
    (lambda q, k: q.sum(2, keepdim=True) + k[0].sum(1), "other rows"),
    (lambda q, k: q.sum(2, keepdim=True) + k.sum((0, 2)), "other rows"),
    (lambda q, k: attn_lib.vector_sum_scores(q, k) / 0, "NaN or infinite"),
    (lambda q, k: k.sum(2).unsqueeze(1).expand(2, 5, 7), "do not change with the query"),
    (lambda q, k: q.sum(2, keepdim=True).expand(2, 5, 7), "All keys get the same score"),
    (attn_lib.dot_product_scores, "changes by up to 0."),
    (lambda q, k: attn_lib.additive_scores(q, k, W_q, W_k, w_v), "bends their sum"),
    (attn_lib.gaussian_scores, "not of the form f(q) + g(k)"),
)


def published(example=None, key=None, value=(3.0, 1.0)):
    keys = torch.ones(2, 10, 2)
    if key is not None:
        keys[example, key] = torch.tensor(value)
    return keys


@pytest.mark.parametrize("seed", range(5))
def test_modified_keys_accepts_random_keys(seed):
    assert check.modified_keys(torch.randn(2, 10, 2, generator=torch.Generator().manual_seed(seed)))


def test_modified_keys_accepts_one_moved_key_and_lists():
    assert check.modified_keys(published(slice(None), 1))
    assert check.modified_keys(published(slice(None), 1).tolist())


test_modified_keys_names_the_misconception = refused(
    check.modified_keys,
    ("random", "finite numbers. Got 'random'."),
    (torch.full((2, 10, 2), torch.nan), "finite numbers. Got nan."),
    (torch.randn(10, 2), "Got (10, 2)"),
    (published(), "In example 1 all keys that count are equal"),
    (published(1, 3), "In example 1 all keys that count are equal"),
    (published(0, 1), "In example 2 all keys that count are equal"),
    (published(slice(None), 8), "only keys beyond the valid lengths"),
    (torch.randn(2, 1, 2).expand(2, 10, 2), "In example 1 all keys that count are equal"),
    (published(slice(None), 1, (1.0, 1.0001)), "the keys differ so little"),
)


def in_language(lang):
    attn_lib.set_language(lang)
    try:
        return words("check")
    finally:
        attn_lib.set_language("en")


# A language that has begun says everything in English.
TRANSLATED = [lang for lang in LANGUAGES[1:] if in_language(lang) != in_language("en")]


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_hints_come_in_the_language_that_is_set(language):
    attn_lib.set_language(language)
    try:
        texts = {check.modified_keys("random").text, check.query_cancels(tanh_before).text}
    finally:
        attn_lib.set_language("en")
    english = {check.modified_keys("random").text, check.query_cancels(tanh_before).text}
    assert (texts == english) == (language == "en")
