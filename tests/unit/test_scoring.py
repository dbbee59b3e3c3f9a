import math

import pytest
import textbook
import torch
from textbook import DK, DQ, B, H, K, Q

import attn_lib

torch.manual_seed(0)
W_Q, W_K, W_V, M = (
    torch.randn(shape, dtype=torch.float64) for shape in [(H, DQ), (H, DK), (H,), (DQ, DK)]
)

# name: score of tensors, score of one query and one key, key size
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
}
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 0.05, torch.float16: 0.01}


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


def test_compile(scorer):
    score, _, queries, keys = scorer
    compiled = torch.compile(score, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(queries, keys), score(queries, keys))


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
