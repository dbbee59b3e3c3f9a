"""Right, wrong and odd answers to the exercises on choosing a scoring function."""

import torch
from torch.nn import functional as F

import attn_lib
from attn_lib import check
from attn_lib.examples import four_words
from tests.unit.check.hints import answered

GENERATOR = torch.Generator().manual_seed(1)
M = torch.randn(20, 2, generator=GENERATOR)
W_Q = torch.randn(3, 20, generator=GENERATOR)
W_K = torch.randn(3, 2, generator=GENERATOR)


def low_rank(queries, keys):
    return attn_lib.dot_product_scores(F.linear(queries, W_Q), F.linear(keys, W_K))


def einsum(queries, keys):
    return torch.einsum("bqd,de,bke->bqk", queries, M, keys)


def by_list(queries, keys):
    pairs = zip(queries, keys, strict=True)
    return [[[(q @ M @ k).item() for k in ks] for q in qs] for qs, ks in pairs]


def module(queries, keys):
    torch.manual_seed(0)
    attention = attn_lib.BilinearAttention(key_size=2, query_size=20, dropout=0.0)
    return attention.scores(queries, keys)


def additive(queries, keys):
    return attn_lib.additive_scores(queries, keys, W_Q, W_K, torch.ones(3))


def projected_sum(queries, keys):
    return F.linear(queries, W_Q).sum(2).unsqueeze(2) + F.linear(keys, W_K).sum(2).unsqueeze(1)


def cut_off(queries, keys):
    return attn_lib.dot_product_scores(queries[..., :2], keys)


def normalised_query(queries, keys):
    return attn_lib.bilinear_scores(F.normalize(queries, dim=2), keys, M)


def squared_keys(queries, keys):
    return attn_lib.bilinear_scores(queries, keys.square(), M)


def crossed_examples(queries, keys):
    return attn_lib.bilinear_scores(queries + queries.flip(0), keys, M)


def matrix_for_each_example(queries, keys):
    return queries @ torch.stack([M, M + 1]) @ keys.transpose(1, 2)


def first_keys(queries, keys):
    return queries @ M @ keys[0].T


def drawn_anew(queries, keys):
    return attn_lib.bilinear_scores(queries, keys, torch.randn(20, 2))


test_matmul_scorer = answered(
    check.matmul_scorer,
    (lambda q, k: attn_lib.bilinear_scores(q, k, M), "right"),
    (lambda q, k: q @ M @ k.transpose(1, 2) / 7, "right"),
    (low_rank, "right"),
    (einsum, "right"),
    (by_list, "right"),
    (lambda q, k: q @ (1e-6 * M) @ k.transpose(1, 2), "right"),
    (lambda q, k: q.numpy() @ M.numpy() @ k.numpy().transpose(0, 2, 1), "right"),
    (matrix_for_each_example, "alone"),
    (first_keys, "alone"),
    (module, "right"),
    (projected_sum, "query_ignored"),
    (lambda q, k: torch.zeros(2, 4, 5), "query_ignored"),
    (additive, "query_linear"),
    (normalised_query, "query_linear"),
    (drawn_anew, "query_linear"),
    (squared_keys, "key_linear"),
    (crossed_examples, "mixed"),
    (cut_off, "blind"),
    (lambda q, k: (q @ M @ k.transpose(1, 2)).transpose(1, 2), "shape"),
    (lambda q, k: None, "shape"),
    (lambda q, k: torch.full((2, 4, 5), torch.nan), "not_finite"),
    (lambda q, k: q @ k.transpose(1, 2), "raises"),
    (lambda q: q, "raises"),
    (M, "function"),
)


test_vector_sum = answered(
    check.vector_sum,
    ([0.7758, 0.1050, 0.1050, 0.0142], "right"),
    (torch.softmax(torch.tensor([[0.0, -2, -2, -4]]), 1), "right"),
    ([0.78, 0.11, 0.10, 0.01], "right"),
    (torch.tensor([0, -2, -2, -4]), "scores"),
    ([0.0142, 0.1050, 0.1050, 0.7758], "dot"),
    (torch.softmax(torch.tensor([-2.0, 0, 0, 2]) / 2**0.5, 0), "scaled"),
    ([1 / 4] * 4, "uniform"),
    ([0.5, 0.4, 0.4, 0.1], "total"),
    ([0.2, 0.3, 0.4, 0.1], "other"),
    ([0.5, 0.3, 0.2], "number"),
    ("no", "number"),
    (None, "number"),
)


def test_the_library_agrees_with_vector_sum_for_every_query():
    keys = four_words.keys()
    for query in keys:
        scores = attn_lib.vector_sum_scores(query[None, None], keys[None])
        assert check.vector_sum(attn_lib.masked_softmax(scores))
