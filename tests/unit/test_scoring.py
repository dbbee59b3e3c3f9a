import math

import pytest
import textbook
import torch
from textbook import DK, DQ, B, H, K, Q
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional as F

import attn_lib

torch.manual_seed(0)
W_Q, W_K, W_V, M = (
    torch.randn(shape, dtype=torch.float64) for shape in [(H, DQ), (H, DK), (H,), (DQ, DK)]
)
GAINS, TABLE, INDEX = (torch.randn(shape, dtype=torch.float64) for shape in [DQ, (5, DQ), 2])
FIVES = torch.tensor([3.0, -1.0, 2.0, 0.5, -2.0], dtype=torch.float64)


def even(X):
    """Seven features and a zero."""
    return F.pad(X, (0, 1))


def turn(x, place, layout):
    """One vector (8,), pair by pair, as complex numbers."""
    first, second = (x[:4], x[4:]) if layout == "halves" else (x[0::2], x[1::2])
    speeds = torch.tensor([1.0, 1e-1, 1e-2, 1e-3], dtype=torch.float64)
    return torch.complex(first, second) * torch.exp(1j * place * speeds)


def rotary(layout):
    return (
        lambda q, k: attn_lib.rotary_scores(even(q), even(k), layout=layout),
        lambda q, k, i, j: (
            (turn(even(q), i, layout) * turn(even(k), j, layout).conj()).real.sum() / math.sqrt(8)
        ),
        DQ,
    )


def bucket(i, j):
    """Buckets 0 and 1 before the query, 2 or 3 and 4 after it: T5 with 6 of them, up to 3 away."""
    return min(abs(j - i), 2) + (3 if j > i else 0)


def in_heads(q):
    return torch.stack([q, 1 - q], 1)  # (B, 2, Q, D)


# name: score of tensors, score of one query and one key (and of their places), key size
SCORERS = {
    "dot": (
        lambda q, k: attn_lib.dot_product_scores(q, k, scaled=False),
        lambda q, k: (q * k).sum(),
        DQ,
    ),
    "scaled dot": (
        attn_lib.dot_product_scores,
        lambda q, k: (q * k).sum() / math.sqrt(DQ),
        DQ,
    ),
    "additive": (
        lambda q, k: attn_lib.additive_scores(
            q, k, W_Q.to(q.dtype), W_K.to(q.dtype), W_V.to(q.dtype)
        ),
        lambda q, k: (W_V * torch.tanh(W_Q @ q + W_K @ k)).sum(),
        DK,
    ),
    "bilinear": (
        lambda q, k: attn_lib.bilinear_scores(q, k, M.to(q.dtype)),
        lambda q, k: (q[:, None] * M * k).sum(),
        DK,
    ),
    "gaussian": (
        lambda q, k: attn_lib.gaussian_scores(q, k, width=1.5),
        lambda q, k: -((q - k) ** 2).sum() / (2 * 1.5**2),
        DQ,
    ),
    "cosine": (
        attn_lib.cosine_scores,
        lambda q, k: (q * k).sum() / (q.norm() * k.norm()),
        DQ,
    ),
    "vector sum": (attn_lib.vector_sum_scores, lambda q, k: (q + k).sum(), DQ),
    "normed": (
        lambda q, k: attn_lib.normed_scores(q, k, GAINS.to(q.dtype)),
        lambda q, k: (
            (q / q.square().mean().sqrt() * GAINS * k / k.square().mean().sqrt()).sum()
            / math.sqrt(DQ)
        ),
        DQ,
    ),
    "indexer": (
        lambda q, k: attn_lib.indexer_scores(in_heads(q), k, INDEX.to(q.dtype)),
        lambda q, k: INDEX[0] * (q @ k).relu() + INDEX[1] * ((1 - q) @ k).relu(),
        DQ,
    ),
    "indexer, weights of each query": (
        lambda q, k: attn_lib.indexer_scores(in_heads(q), k, q[:, :, 3:5]),
        lambda q, k: q[3] * (q @ k).relu() + q[4] * ((1 - q) @ k).relu(),
        DQ,
    ),
    "rotary, halves": rotary("halves"),
    "rotary, interleaved": rotary("interleaved"),
    "relative": (
        lambda q, k: attn_lib.relative_scores(q, k, TABLE.to(q.dtype)),
        lambda q, k, i, j: q @ (k + TABLE[2 + max(-2, min(2, j - i))]) / math.sqrt(DQ),
        DQ,
    ),
    "dot with linear biases": (
        lambda q, k: (
            attn_lib.dot_product_scores(q, k)
            + attn_lib.alibi_bias(q.shape[1], k.shape[1], FIVES.to(q.dtype))[1]
        ),
        lambda q, k, i, j: q @ k / math.sqrt(DQ) - FIVES[1] * (i - j),
        DQ,
    ),
    "dot with biases of buckets": (
        lambda q, k: (
            attn_lib.dot_product_scores(q, k)
            + attn_lib.bucket_bias(
                attn_lib.bucket_distances(q.shape[1], k.shape[1], num_buckets=6, max_distance=3),
                TABLE.flatten().to(q.dtype),
            )
        ),
        lambda q, k, i, j: q @ k / math.sqrt(DQ) + TABLE.flatten()[bucket(i, j)],
        DQ,
    ),
    "capped": (
        lambda q, k: attn_lib.soft_cap(attn_lib.dot_product_scores(q, k), 1.5),
        lambda q, k: 1.5 * torch.tanh(q @ k / math.sqrt(DQ) / 1.5),
        DQ,
    ),
    "scaled by length": (
        lambda q, k: attn_lib.length_scaled(
            attn_lib.dot_product_scores(q, k), 1000, trained_keys=10
        ),
        lambda q, k: 3 * q @ k / math.sqrt(DQ),
        DQ,
    ),
}
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 0.05, torch.float16: 0.01}


def test_every_public_score_has_a_row():
    """A row brings all tests below; a score is whatever the library exports under such a name."""
    called = {name for score, *_ in SCORERS.values() for name in names_in(score)}
    scores = {name for name in attn_lib.__all__ if name.endswith("_scores")}
    assert scores - called == set()


def names_in(score):
    return {score.__name__, *score.__code__.co_names}


@pytest.fixture(params=SCORERS)
def scorer(request):
    score, one_score, key_size = SCORERS[request.param]
    queries = torch.randn(B, Q, DQ, dtype=torch.float64)
    keys = torch.randn(B, K, key_size, dtype=torch.float64)
    return score, one_score, queries, keys


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_definition(scorer, dtype):
    score, one_score, queries, keys = scorer
    queries, keys = queries.to(dtype), keys.to(dtype)
    scores = score(queries, keys)
    assert scores.dtype == dtype
    expected = textbook.pairwise(one_score, queries, keys)
    tolerance = TOLERANCE[dtype] * max(1.0, expected.abs().max().item())
    torch.testing.assert_close(scores.double(), expected, rtol=0, atol=tolerance)


def test_gradients(scorer):
    score, _, queries, keys = scorer
    inputs = queries[:, :, :].requires_grad_(), keys.requires_grad_()
    assert torch.autograd.gradcheck(score, inputs)
    assert torch.autograd.gradgradcheck(score, inputs)


def test_vmap(scorer):
    score, _, queries, keys = scorer
    many_queries, many_keys = torch.stack([queries, -queries]), torch.stack([keys, 2 * keys])
    scores = torch.vmap(score)(many_queries, many_keys)
    torch.testing.assert_close(scores[0], score(queries, keys))
    torch.testing.assert_close(scores[1], score(-queries, 2 * keys))
    one_key_set = torch.vmap(score, in_dims=(0, None))(many_queries, keys)
    torch.testing.assert_close(one_key_set[1], score(-queries, keys))


@pytest.mark.slow
@pytest.mark.no_cover
def test_compile(scorer):
    score, _, queries, keys = scorer
    compiled = torch.compile(score, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(queries, keys), score(queries, keys))


@pytest.mark.slow
def test_exported(scorer):
    score, _, queries, keys = scorer

    class Module(torch.nn.Module):
        def forward(self, queries, keys):
            return score(queries, keys)

    exported = torch.export.export(Module(), (queries, keys), strict=False).module()
    torch.testing.assert_close(exported(-queries, 2 * keys), score(-queries, 2 * keys))


def test_fake_tensors(scorer):
    """Parameters of a row are real tensors, so they are let in."""
    score, _, queries, keys = scorer
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        scores = score(mode.from_tensor(queries), mode.from_tensor(keys))
    assert scores.shape == (B, Q, K)
    assert scores.dtype == queries.dtype


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf, 1e30, 1e-310])
def test_a_key_reaches_no_score_but_its_own(scorer, garbage):
    score, _, queries, keys = scorer
    clean = score(queries, keys)
    keys[:, 2] = garbage
    keys[0, 4] = garbage
    dirty = score(queries, keys)
    torch.testing.assert_close(dirty[:, :, [0, 1, 3]], clean[:, :, [0, 1, 3]])
    torch.testing.assert_close(dirty[1, :, 4], clean[1, :, 4])


@pytest.mark.parametrize("shape", [(0, Q, K), (B, 0, K), (B, Q, 0)])
def test_empty(scorer, shape):
    score, _, queries, keys = scorer
    batch, num_queries, num_keys = shape
    empty = score(queries[:batch, :num_queries], keys[:batch, :num_keys])
    assert empty.shape == shape


def test_strides_and_input_are_left_alone(scorer):
    score, _, queries, keys = scorer
    before = queries.clone(), keys.clone()
    turned = [X.transpose(0, 2).contiguous().transpose(0, 2) for X in (queries, keys)]
    torch.testing.assert_close(score(*turned), score(queries, keys))
    expanded = queries[:1].expand(B, Q, DQ)
    torch.testing.assert_close(score(expanded, keys), score(expanded.contiguous(), keys))
    assert torch.equal(queries, before[0])
    assert torch.equal(keys, before[1])


def test_scaled_dot_product_keeps_half_precision_in_range():
    """The products reach 102400, beyond float16, but the scaled scores do not."""
    queries = torch.full((1, 1, 1024), 10.0, dtype=torch.float16)
    assert attn_lib.dot_product_scores(queries, queries).item() == 3200


def test_gaussian_scores_far_from_the_origin():
    queries = torch.tensor([[[10000.0]]])
    keys = torch.tensor([[[10000.0], [10001.0], [10003.0]]])
    assert attn_lib.gaussian_scores(queries, keys).tolist() == [[[0.0, -0.5, -4.5]]]


def test_gaussian_width_can_be_learned():
    width = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    queries, keys = torch.randn(B, Q, DQ).double(), torch.randn(B, K, DQ).double()
    assert torch.autograd.gradcheck(
        lambda w: attn_lib.gaussian_scores(queries, keys, width=w), width
    )


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1, 1)])
def test_a_width_lends_the_scores_neither_axes_nor_dtype(shape):
    queries, keys = torch.randn(B, Q, DQ), torch.randn(B, K, DQ)
    width = torch.full(shape, 2.0, dtype=torch.float64)
    expected = attn_lib.gaussian_scores(queries, keys, width=2.0)
    torch.testing.assert_close(attn_lib.gaussian_scores(queries, keys, width=width), expected)


def test_cosine_of_a_long_vector_in_half_precision():
    """Its length, 480000, is beyond float16."""
    queries = torch.full((1, 1, 64), 60000.0, dtype=torch.float16)
    assert attn_lib.cosine_scores(queries, -queries).item() == -1


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_cosine_of_a_zero_vector_is_zero(dtype):
    keys = torch.zeros(1, 2, 3, dtype=dtype, requires_grad=True)
    scores = attn_lib.cosine_scores(torch.ones(1, 1, 3, dtype=dtype), keys)
    scores.sum().backward()
    assert scores.tolist() == [[[0.0, 0.0]]]
    assert keys.grad.isfinite().all()


def test_vector_sum_ignores_the_query():
    queries, keys = torch.randn(B, Q, DQ).double(), torch.randn(B, K, DQ).double()
    weights = attn_lib.masked_softmax(attn_lib.vector_sum_scores(queries, keys))
    torch.testing.assert_close(weights, weights[:, :1].expand(B, Q, K))


def test_additive_takes_w_v_as_linear_stores_it():
    queries, keys = torch.randn(B, Q, DQ).double(), torch.randn(B, K, DK).double()
    row = attn_lib.additive_scores(queries, keys, W_Q, W_K, W_V.reshape(1, H))
    assert torch.equal(row, attn_lib.additive_scores(queries, keys, W_Q, W_K, W_V))


def test_batched_dot_is_a_product_per_example():
    X, Y = torch.randn(B, Q, K), torch.randn(B, K, DQ)
    torch.testing.assert_close(attn_lib.batched_dot(X, Y), torch.stack([X[0] @ Y[0], X[1] @ Y[1]]))


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200])
def test_normed_scores_of_tiny_and_huge_vectors(size):
    queries, keys = torch.randn(B, Q, DQ).double(), torch.randn(B, K, DQ).double()
    expected = attn_lib.normed_scores(queries, keys)
    tolerance = {"rtol": 0, "atol": 1e-2 if size < 1e-300 else 1e-12}  # subnormals have few digits
    torch.testing.assert_close(attn_lib.normed_scores(queries * size, keys), expected, **tolerance)


def test_normed_scores_are_those_of_normed_vectors():
    """torch's own normalisation, and one gain for queries and another for keys."""
    queries, keys = torch.randn(B, Q, DQ).double(), torch.randn(B, K, DQ).double()
    gains = torch.rand(2, DQ).double() + 0.5
    normed = [
        F.rms_norm(X, [DQ], weight, eps=0) for X, weight in zip((queries, keys), gains, strict=True)
    ]
    torch.testing.assert_close(
        attn_lib.normed_scores(queries, keys, gains[0] * gains[1]),
        attn_lib.dot_product_scores(*normed),
    )
    zero = torch.zeros(1, 1, DQ, requires_grad=True)
    scores = attn_lib.normed_scores(zero, torch.ones(1, 1, DQ))
    scores.sum().backward()
    assert scores.item() == 0
    assert zero.grad.isfinite().all()


def test_two_heads_of_an_indexer_prefer_both_ends():
    queries = torch.tensor([[[[1.0]], [[-1.0]]]])
    keys = torch.tensor([[[-2.0], [-1.0], [0.0], [1.0], [2.0]]])
    weights = torch.tensor([[[1.0, -0.5]]])
    assert attn_lib.indexer_scores(queries, keys, weights).tolist() == [[[-1, -0.5, 0, 1, 2]]]


def test_a_learned_cap_and_a_cap_of_infinite_scores():
    scores = torch.randn(B, Q, K, dtype=torch.float64)
    cap = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda c: attn_lib.soft_cap(scores, c), cap)
    far = torch.tensor([torch.inf, -torch.inf, 1e38, 300.0, 0.0], requires_grad=True)
    capped = attn_lib.soft_cap(far, 50.0)
    capped.sum().backward()
    torch.testing.assert_close(capped, torch.tensor([50.0, -50.0, 50.0, 49.9994, 0.0]))
    assert far.grad.isfinite().all()
    half = torch.linspace(-90, 90, 500).half()  # computed in float32, and rounded once
    assert torch.equal(attn_lib.soft_cap(half, 50.0), attn_lib.soft_cap(half.float(), 50.0).half())


def test_scores_are_scaled_by_the_keys_that_a_query_sees():
    scores = torch.randn(B, Q, K, dtype=torch.float64)
    lens = torch.tensor([[4, 1, 0], [2, 5, 4]])
    scaled = attn_lib.length_scaled(scores, lens, trained_keys=2)
    for b in range(B):
        for q in range(Q):
            n = lens[b, q].item()
            factor = math.log(n) / math.log(2) if n else 0
            torch.testing.assert_close(scaled[b, q], scores[b, q] * factor)
    per_head = torch.stack([scores, -scores], 1)
    by_head = attn_lib.length_scaled(per_head, lens, trained_keys=2)
    torch.testing.assert_close(by_head, torch.stack([scaled, -scaled], 1))
    whole = attn_lib.length_scaled(scores, torch.tensor([5, 4]), trained_keys=2)
    torch.testing.assert_close(whole[0], attn_lib.length_scaled(scores, 5, trained_keys=2)[0])
    half = torch.tensor([[[60000.0]]], dtype=torch.float16)
    assert attn_lib.length_scaled(half, 2, trained_keys=4).item() == 30000
