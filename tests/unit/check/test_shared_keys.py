"""Right, wrong and odd answers to the exercise on shared keys."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from attn_lib import check
from tests.unit.check.hints import accepted, answered


def folded(queries, keys, values, *, scaled=True):
    G, D = keys.shape[1], queries.shape[-1]
    more = queries.unflatten(1, (G, -1)).flatten(2, 3)
    scores = more @ keys.transpose(2, 3) / (D**0.5 if scaled else 1)
    outputs = scores.softmax(-1) @ values
    return outputs.unflatten(2, (-1, queries.shape[2])).flatten(1, 2)


def by_einsum(queries, keys, values):
    groups = queries.unflatten(1, (keys.shape[1], -1))
    scores = torch.einsum("bgsqd,bgkd->bgsqk", groups, keys) / queries.shape[-1] ** 0.5
    return torch.einsum("bgsqk,bgkv->bgsqv", scores.softmax(-1), values).flatten(1, 2)


def one_by_one(queries, keys, values):
    share = queries.shape[1] // keys.shape[1]
    heads = []
    for h in range(queries.shape[1]):
        k, v = keys[:, h // share], values[:, h // share]
        scores = queries[:, h] @ k.transpose(1, 2) / queries.shape[-1] ** 0.5
        heads.append(scores.softmax(-1) @ v)
    return torch.stack(heads, dim=1)


def copied(queries, keys, values, order="interleaved"):
    share = queries.shape[1] // keys.shape[1]
    if order == "interleaved":
        keys, values = (x.repeat_interleave(share, 1) for x in (keys, values))
    else:
        keys, values = (x.repeat(1, share, 1, 1) for x in (keys, values))
    return scaled_dot_product_attention(queries, keys, values)


test_grouped_heads_accepts_what_copies_nothing = accepted(
    check.grouped_heads,
    folded,
    by_einsum,
    one_by_one,
    lambda q, k, v: folded(q.double(), k.double(), v.double()).tolist(),
)

test_grouped_heads_says_what_is_wrong = answered(
    check.grouped_heads,
    (copied, "copied"),
    (lambda q, k, v: copied(q, k, v, "tiled"), "repeat"),
    (lambda q, k, v: folded(q, k, v, scaled=False), "scale"),
    (lambda q, k, v: folded(q, k[:, :1], v[:, :1]), "first"),
    (lambda q, k, v: folded(q, k.flip(1), v), "other"),
    (lambda q, k, v: folded(q, k, v)[:, :2], "shape"),
    (lambda q, k, v: None, "shape"),
    (lambda q: q, "raises"),
    (0.5, "function"),
)
