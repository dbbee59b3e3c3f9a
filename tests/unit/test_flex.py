"""FlexAttention with our score_mods and mask_mods computes what attn_lib computes, on the CPU."""

import math
import re
import sys

import pytest
import torch
from textbook import B, K, Q
from torch.nn.attention import flex_attention as torch_flex

import attn_lib
from attn_lib import flex

H, D, V, U = 3, 8, 5, 4

torch.manual_seed(0)
QUERIES, KEYS, VALUES = (
    torch.randn(B, H, n, d, dtype=torch.float64) for n, d in [(Q, D), (K, D), (K, V)]
)
W_Q, W_K, W_V, TABLE, HEAD_TABLE = (
    torch.randn(shape, dtype=torch.float64) for shape in [(U, D), (U, D), (U,), (5, D), (32, H)]
)
SLOPES = attn_lib.alibi_slopes(H).double()
DISTANCES = attn_lib.bucket_distances(Q, K)
LENS = torch.tensor([[4, 0, 5], [1, 2, 3]])


def by_head(score):
    """Score each head by a function of (B, Q, D) and (B, K, D): (B, H, Q, K)."""
    return torch.stack([score(QUERIES[:, h], KEYS[:, h]) for h in range(H)], 1)


SCALED = by_head(attn_lib.dot_product_scores)
# name: score_mod, the scores (B, H, Q, K) by attn_lib
SCORES = {
    "none": (None, SCALED),
    "scaled": (flex.scaled(), SCALED),
    "dot": (flex.dot(D), SCALED * math.sqrt(D)),
    "additive": (
        flex.additive(QUERIES, KEYS, W_Q, W_K, W_V),
        by_head(lambda q, k: attn_lib.additive_scores(q, k, W_Q, W_K, W_V)),
    ),
    "gaussian": (
        flex.gaussian(QUERIES, KEYS, width=1.5),
        by_head(lambda q, k: attn_lib.gaussian_scores(q, k, width=1.5)),
    ),
    "cosine": (flex.cosine(QUERIES, KEYS), by_head(attn_lib.cosine_scores)),
    "normed": (
        flex.normed(QUERIES, KEYS, 1.5),
        by_head(lambda q, k: attn_lib.normed_scores(q, k, 1.5)),
    ),
    "capped": (flex.capped(0.7), attn_lib.soft_cap(SCALED, 0.7)),
    "scaled by length": (
        flex.length_scaled(1000, trained_keys=10),
        attn_lib.length_scaled(SCALED, 1000, trained_keys=10),
    ),
    "scaled by lengths": (
        flex.length_scaled(LENS, trained_keys=3),
        attn_lib.length_scaled(SCALED, LENS, trained_keys=3),
    ),
    "scaled by lengths of examples": (
        flex.length_scaled(LENS[:, 2], trained_keys=3),
        attn_lib.length_scaled(SCALED, LENS[:, 2], trained_keys=3),
    ),
    "alibi": (flex.alibi(SLOPES), SCALED + attn_lib.alibi_bias(Q, K, SLOPES)),
    "t5": (
        flex.chain(flex.dot(D), flex.buckets(DISTANCES, HEAD_TABLE)),
        SCALED * math.sqrt(D) + attn_lib.bucket_bias(DISTANCES, HEAD_TABLE),
    ),
    "relative": (
        flex.relative(QUERIES, TABLE),
        by_head(lambda q, k: attn_lib.relative_scores(q, k, TABLE)),
    ),
    "capped, then alibi": (
        flex.chain(flex.capped(0.7), flex.alibi(SLOPES)),
        attn_lib.soft_cap(SCALED, 0.7) + attn_lib.alibi_bias(Q, K, SLOPES),
    ),
}
i, j = torch.arange(Q)[:, None], torch.arange(K)
TEXTS = torch.tensor([0, 0, 1, 1, 1]), torch.tensor([0, 0, 0, 0, 1])
# name: mask_mod, the mask that it stands for
MASKS = {
    "lengths": (flex.within(LENS[:, 2]), j < LENS[:, None, 2:, None]),
    "lengths of queries": (flex.within(LENS), j < LENS[:, None, :, None]),
    "causal": (flex.causal(), j <= i),
    "window": (flex.window(2), attn_lib.window_mask(Q, K, 2)),
    "open window": (flex.window(2, causal=False), attn_lib.window_mask(Q, K, 2, causal=False)),
    "chunks": (flex.chunks(2), attn_lib.chunk_mask(Q, K, 2)),
    "documents": (flex.documents(torch.tensor([2, 3])), TEXTS[0][:Q, None] == TEXTS[0]),
    "documents of examples": (
        flex.documents(torch.tensor([[2, 3], [4, 1]])),
        torch.stack([T[:Q, None] == T for T in TEXTS]).unsqueeze(1),
    ),
    "causal and lengths": (
        flex.both(flex.causal(), flex.within(LENS)),
        (j <= i) & (j < LENS[:, None, :, None]),
    ),
}


@pytest.fixture
def uncompiled(monkeypatch):
    """Run FlexAttention's formula as it is; else torch traces it anew for every function."""
    monkeypatch.setattr(torch_flex, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", True)


def expected(scores, mask):
    visible = mask.expand(B, H, Q, K)
    weights = torch.softmax(scores.where(visible, -torch.inf), -1).where(visible, 0)
    return weights @ VALUES


def test_scores(uncompiled):
    for name, (score_mod, scores) in SCORES.items():
        for mask_mod, mask in (MASKS["lengths of queries"], MASKS["window"]):
            found = flex.attend(QUERIES, KEYS, VALUES, score_mod=score_mod, mask_mod=mask_mod)
            torch.testing.assert_close(found, expected(scores, mask), msg=lambda m, n=name: n + m)


def test_masks(uncompiled):
    for name, (mask_mod, mask) in MASKS.items():
        found = flex.attend(QUERIES, KEYS, VALUES, mask_mod=mask_mod)
        torch.testing.assert_close(found, expected(SCALED, mask), msg=lambda m, n=name: n + m)


def test_a_zero_vector_scores_zero_by_its_direction(uncompiled):
    zeros = torch.zeros_like(QUERIES)
    for score_mod in (flex.cosine(zeros, KEYS), flex.normed(zeros, KEYS)):
        found = flex.attend(zeros, KEYS, VALUES, score_mod=score_mod)
        torch.testing.assert_close(found, VALUES.mean(2, keepdim=True).expand_as(found))


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("sink", [0.5, torch.tensor([0.5, -1.0, 3.0], dtype=torch.float64)])
def test_a_sink_is_one_more_key_with_a_value_of_zero(uncompiled, monkeypatch, sink, old):
    if old:  # torch 2.7 knows no other way to ask for the log-sum-exp
        monkeypatch.delattr(torch_flex, "AuxRequest")
    per_head = torch.as_tensor(sink, dtype=torch.float64).expand(H)[:, None, None]
    column = per_head.expand(B, H, Q, 1)
    weights = torch.cat([SCALED.masked_fill(j > i, -torch.inf), column], -1).softmax(-1)[..., :-1]
    found = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.causal(), sink=sink)
    torch.testing.assert_close(found, weights @ VALUES)
    nothing = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.within(0 * LENS), sink=sink)
    assert (nothing == 0).all()


def test_what_no_query_sees_does_not_reach_the_outputs(uncompiled):
    lens = torch.tensor([3, 0])
    hidden = (j >= lens[:, None])[:, None, :, None]
    clean = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.within(lens))
    for garbage in (torch.nan, torch.inf, 1e300):
        dirty = [X.masked_fill(hidden, garbage) for X in (KEYS, VALUES)]
        assert torch.equal(flex.attend(QUERIES, *dirty, mask_mod=flex.within(lens)), clean)


def test_as_torch_runs_it():
    """Not by the formula alone: FlexAttention traced by torch, as a reader calls it."""
    score_mod, scores = SCORES["capped, then alibi"]
    mask_mod, mask = MASKS["causal and lengths"]
    found = flex.attend(QUERIES, KEYS, VALUES, score_mod=score_mod, mask_mod=mask_mod)
    torch.testing.assert_close(found, expected(scores, mask))


def test_a_torch_without_flexattention_says_so_when_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.nn.attention.flex_attention", None)
    monkeypatch.delattr(torch.nn.attention, "flex_attention")
    assert flex.causal()(0, 0, 3, 2)
    with pytest.raises(ImportError, match=r"attend needs FlexAttention, and torch .* has none"):
        flex.attend(QUERIES, KEYS, VALUES)


def test_nan_that_some_queries_see_stays_with_them(uncompiled):
    for which in (1, 2):
        inputs = [X.clone() for X in (QUERIES, KEYS, VALUES)]
        inputs[which][:, :, 2] = torch.nan
        for sink in (None, 0.5):
            clean = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.causal(), sink=sink)
            found = flex.attend(*inputs, mask_mod=flex.causal(), sink=sink)
            torch.testing.assert_close(found[:, :, :2], clean[:, :, :2])
            assert found[:, :, 2].isnan().all()


@pytest.mark.parametrize("sizes", [(0, H, Q, K), (B, 0, Q, K), (B, H, 0, K), (B, H, Q, 0)])
def test_empty(sizes):
    batch, heads, queries, keys = sizes
    inputs = [torch.ones(batch, heads, n, d) for n, d in ((queries, D), (keys, D), (keys, V))]
    output = flex.attend(*inputs, mask_mod=flex.causal(), sink=0.5)
    assert torch.equal(output, torch.zeros(batch, heads, queries, V))


def test_a_sink_of_minus_infinity_takes_nothing(uncompiled):
    sink = torch.tensor([-torch.inf, 0.5, -torch.inf], dtype=torch.float64)
    for lens in (LENS, 0 * LENS):
        found = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.within(lens), sink=sink)
        without = flex.attend(QUERIES, KEYS, VALUES, mask_mod=flex.within(lens))
        assert torch.equal(found[:, ::2], without[:, ::2])
        assert found.isfinite().all()


def test_first_query(uncompiled):
    """Two queries from place 1 on get what they get among all three."""
    for make in (
        lambda first: (None, flex.causal(first_query=first)),
        lambda first: (None, flex.window(2, first_query=first)),
        lambda first: (None, flex.window(2, causal=False, first_query=first)),
        lambda first: (None, flex.chunks(2, first_query=first)),
        lambda first: (flex.alibi(SLOPES, first_query=first), None),
        lambda first: (flex.relative(QUERIES[:, :, first:], TABLE, first_query=first), None),
    ):
        whole, some = (
            flex.attend(
                QUERIES[:, :, first:], KEYS, VALUES, score_mod=score, mask_mod=mask, sink=0.0
            )
            for first in (0, 1)
            for score, mask in (make(first),)
        )
        torch.testing.assert_close(some, whole[:, :, 1:])


def test_what_was_made_for_another_call():
    chained = flex.chain(flex.capped(2.0), flex.alibi(torch.ones(H + 1)))
    more = torch.cat([QUERIES, QUERIES], 2)
    for mods, message in (
        (
            {"mask_mod": flex.within(torch.tensor([1, 2, 3]))},
            "valid_lens must fit a call with (B=2,). Got (B=3,).",
        ),
        (
            {"mask_mod": flex.both(flex.causal(), flex.within(LENS[:, :2]))},
            "valid_lens must fit a call with (B=2, Q=3). Got (B=2, Q=2).",
        ),
        (
            {"mask_mod": flex.documents(torch.tensor([2, 2]))},
            "lens must fit a call with (K=5,). Got (K=4,).",
        ),
        ({"score_mod": chained}, "slopes must fit a call with (H=3,). Got (H=4,)."),
        (
            {"score_mod": flex.buckets(DISTANCES.T, HEAD_TABLE)},
            "distances must fit a call with (Q=3, K=5). Got (Q=5, K=3).",
        ),
        (
            {"score_mod": flex.buckets(DISTANCES, HEAD_TABLE[:, :2])},
            "table must fit a call with (H=3,). Got (H=2,).",
        ),
        (
            {"score_mod": flex.length_scaled(LENS[:1], trained_keys=3)},
            "num_keys must fit a call with (B=2, Q=3). Got (B=1, Q=3).",
        ),
        (
            {"score_mod": flex.cosine(QUERIES, KEYS[:, :, :4])},
            "keys must fit a call with (B=2, H=3, K=5). Got (B=2, H=3, K=4).",
        ),
        (
            {"score_mod": flex.relative(more, TABLE)},
            "queries must fit a call with (B=2, H=3, Q=3). Got (B=2, H=3, Q=6).",
        ),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            flex.attend(QUERIES, KEYS, VALUES, **mods)
    with pytest.raises(
        ValueError, match=r"lens must fit a call with \(K=5, Q=6\). Got \(K=5, Q=5\)"
    ):
        flex.attend(more, KEYS, VALUES, mask_mod=flex.documents(torch.tensor([2, 3])))


def test_refuses():
    text = torch.tensor([1.5])
    for call, error, message in (
        (lambda: flex.attend(QUERIES[0], KEYS, VALUES), ValueError, "queries must have shape"),
        (lambda: flex.attend(QUERIES, KEYS[:, :2], VALUES), ValueError, "keys must have shape"),
        (lambda: flex.attend(QUERIES, KEYS, VALUES[:, :, :4]), ValueError, "values must have"),
        (lambda: flex.attend(QUERIES, KEYS.float(), VALUES), TypeError, "keys must have dtype"),
        (lambda: flex.attend(QUERIES, KEYS, VALUES.float()), TypeError, "values must have dtype"),
        (lambda: flex.documents(LENS), ValueError, "lens must have one sum in all rows. Got 6 and"),
        (lambda: flex.causal(first_query=-1), ValueError, "first_query must be at least 0. Got -1"),
        (lambda: flex.dot(0), ValueError, "size must be at least 1. Got 0."),
        (lambda: flex.capped(0.0), ValueError, "cap must be finite and above 0. Got 0.0."),
        (lambda: flex.window(2.5), TypeError, "width must be an int. Got float."),
        (lambda: flex.chunks(-1), ValueError, "size must be at least 1. Got -1."),
        (lambda: flex.within(text), TypeError, "valid_lens must have an integer dtype."),
        (lambda: flex.within(-LENS), ValueError, "valid_lens must lie between 0 and"),
        (lambda: flex.documents(text), TypeError, "lens must have an integer dtype."),
        (lambda: flex.length_scaled(5, trained_keys=1), ValueError, "trained_keys must be finite"),
        (lambda: flex.buckets(DISTANCES, HEAD_TABLE[:9]), ValueError, "distances must lie"),
        (lambda: flex.relative(QUERIES, TABLE[:4]), ValueError, "table must have an odd number"),
        (lambda: flex.normed(QUERIES, KEYS, math.nan), ValueError, "gain must be finite. Got nan."),
        (lambda: flex.gaussian(QUERIES, KEYS, width=0), ValueError, "width must be finite"),
        (lambda: flex.cosine(QUERIES, KEYS[:1]), ValueError, "keys must have shape"),
        (lambda: flex.alibi(SLOPES[:, None]), ValueError, "slopes must have shape"),
    ):
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value).startswith(message)
