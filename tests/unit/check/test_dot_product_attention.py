"""Right, wrong and odd answers to the exercises on dot-product attention."""

import math
from itertools import repeat

import torch

import attn_lib
from attn_lib import check
from tests.unit.check.hints import answered


def dot(queries, keys):
    return torch.bmm(queries, keys.transpose(1, 2))


def squares(keys):
    return keys.square().sum(dim=2).unsqueeze(1)


def by_one_more_feature(queries, keys):
    """Give every query a feature of 1, and every key minus half its squared norm."""
    longer_queries = torch.cat([queries, torch.ones_like(queries[..., :1])], dim=2)
    half = -keys.square().sum(dim=2, keepdim=True) / 2
    return dot(longer_queries, torch.cat([keys, half], dim=2))


def in_place(queries, keys):
    scores = dot(queries, keys) - squares(keys) / 2
    queries.zero_()
    return scores


test_gaussian_from_dot = answered(
    check.gaussian_from_dot,
    (lambda q, k: dot(q, k) - squares(k) / 2, "right"),
    (lambda q, k: dot(q, k) - squares(k) / 2 + 7, "right"),
    (by_one_more_feature, "right"),
    (in_place, "right"),
    (lambda q, k: (dot(q, k) - squares(k) / 2).tolist(), "right"),
    (lambda q, k: -torch.cdist(q, k).square() / 2, "distance"),
    (attn_lib.gaussian_scores, "distance"),
    (lambda q, k: dot(q, k) - squares(k) / 2 - q.square().sum(2, keepdim=True) / 2, "distance"),
    (lambda q, k: dot(q, k), "plain"),
    (lambda q, k: dot(q, k) - q.square().sum(2, keepdim=True) / 2, "plain"),
    (attn_lib.dot_product_scores, "scaled"),
    (lambda q, k: dot(q, k) + squares(k) / 2, "plus"),
    (lambda q, k: dot(q, k) - squares(k), "whole"),
    (lambda q, k: dot(q, k) - squares(k).sqrt() / 2, "norm"),
    (lambda q, k: (dot(q, k) - squares(k) / 2) / math.sqrt(5), "shrunk"),
    (lambda q, k: torch.cdist(q, k), "other"),
    (lambda q, k: torch.full((2, 3, 7), torch.nan), "other"),
    (lambda q, k: dot(q, k)[0], "shape"),
    (lambda q, k: None, "shape"),
    (lambda q, k: dot(q, k) - k.square().sum(2), "raises"),
    (lambda q: q, "raises"),
    (torch.ones(2, 3, 7), "function"),
)


test_shifted_keys = answered(
    check.shifted_keys,
    (["dot", "scaled"], "right"),
    ({"scaled", "dot"}, "right"),
    ("Dot, scaled", "right"),
    (iter(["dot", "scaled"]), "right"),
    (repeat("cosine"), "cosine"),
    (("dot",), "both"),
    ("scaled", "both"),
    ([], "none"),
    (["dot", "scaled", "gaussian"], "gaussian"),
    (["cosine"], "cosine"),
    (["additive", "dot"], "additive"),
    (["softmax"], "names"),
    (3, "names"),
    (None, "names"),
)


def test_the_scorers_of_shifted_keys_do_what_the_hints_say():
    torch.manual_seed(0)
    queries, keys, shift = torch.randn(2, 3, 5), torch.randn(2, 7, 5), torch.randn(5)
    W_q, W_k, w_v = torch.randn(4, 5), torch.randn(4, 5), torch.randn(4)
    scorers = {
        "dot": lambda k: attn_lib.dot_product_scores(queries, k, scaled=False),
        "scaled": lambda k: attn_lib.dot_product_scores(queries, k),
        "gaussian": lambda k: attn_lib.gaussian_scores(queries, k),
        "cosine": lambda k: attn_lib.cosine_scores(queries, k),
        "additive": lambda k: attn_lib.additive_scores(queries, k, W_q, W_k, w_v),
    }
    stay = [
        name
        for name, score in scorers.items()
        if torch.allclose(
            attn_lib.masked_softmax(score(keys)),
            attn_lib.masked_softmax(score(keys + shift)),
            atol=1e-5,
        )
    ]
    assert check.shifted_keys(stay)
