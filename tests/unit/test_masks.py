"""Masks, biases, sinks, shared keys and a heads axis, against the formulas and torch's own."""

import math
import warnings

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import attn_lib

B, H, Q, K, D, V = 2, 3, 4, 5, 6, 7


def random_mask(*shape):
    mask = torch.rand(shape) < 0.5
    mask[..., 0, :], mask[..., 1, :], mask[..., 1, 2] = False, False, True
    return mask


def formula(X, mask, sink=None):
    """exp(s) / (exp(sink) + sum of exp(s)), over what is visible; 0 where there is nothing."""
    heights = X.exp() * mask
    total = heights.sum(-1, keepdim=True)
    if sink is not None:
        total = total + torch.as_tensor(sink, dtype=X.dtype).exp().unsqueeze(-1)
    return torch.where(total > 0, heights / total.where(total > 0, 1), 0)


@pytest.mark.parametrize("heads", [(), (H,)])
def test_masked_softmax(heads):
    X = torch.randn(B, *heads, Q, K, dtype=torch.float64)
    lens = torch.tensor([3, 0])
    within = (torch.arange(K) < lens[:, None, None]).reshape(B, *(1 for _ in heads), 1, K)
    sinks = [None, 0.7, torch.randn(B, *heads, 1).double(), torch.randn(1, Q).double()]
    sinks += [torch.randn(H, 1).double()] if heads else []
    masks = [torch.ones((), dtype=torch.bool), random_mask(Q, K), random_mask(*X.shape)]
    masks += [random_mask(1, Q, K)[..., :1]]
    for sink in sinks:
        for mask in masks:
            found = attn_lib.masked_softmax(X, mask=mask, sink=sink)
            torch.testing.assert_close(found, formula(X, mask, sink))
            found = attn_lib.masked_softmax(X, lens, mask=mask, sink=sink)
            torch.testing.assert_close(found, formula(X, mask & within, sink))
    if heads:
        sink = torch.randn(H).double()
        expected = formula(X, torch.tensor(True), sink.reshape(H, 1))
        torch.testing.assert_close(attn_lib.masked_softmax(X, sink=sink), expected)


def test_derivatives_of_masks_and_sinks():
    X = torch.randn(B, Q, K, dtype=torch.float64, requires_grad=True)
    sink = torch.randn(B, Q, dtype=torch.float64, requires_grad=True)
    mask = random_mask(B, Q, K)

    def weights(X, sink):
        return attn_lib.masked_softmax(X, torch.tensor([3, 5]), mask=mask, sink=sink)

    assert torch.autograd.gradcheck(weights, (X, sink))
    assert torch.autograd.gradgradcheck(weights, (X, sink))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.parametrize("need_weights", [True, False])
def test_dot_products_of_heads_against_torch(need_weights, dtype):
    q, k, v = (torch.randn(B, H, n, d).to(dtype) for n, d in ((Q, D), (K, D), (K, V)))
    mask, bias = random_mask(B, 1, Q, K), torch.randn(H, Q, K)
    mask[:, :, 0, 1] = True
    lens = torch.tensor([3, 5])
    both = mask & (torch.arange(K) < lens.reshape(B, 1, 1, 1))
    both[:, :, 0, 1] = True
    added = bias.to(dtype).masked_fill(~both, -math.inf)
    expected = scaled_dot_product_attention(
        *(X.double() for X in (q, k, v)), attn_mask=bias.double().masked_fill(~both, -math.inf)
    )
    attention = attn_lib.DotProductAttention(0.0)
    output = attention(q, k, v, lens, mask=mask, score_bias=bias, need_weights=need_weights)
    assert output.dtype == dtype
    tolerance = 8 * torch.finfo(dtype).eps
    torch.testing.assert_close(output.double(), expected, rtol=0, atol=tolerance)
    output = attention(q, k, v, score_bias=added, need_weights=need_weights)
    tolerance = 1e-12 if dtype == torch.float64 else 0.05  # the bias itself has been rounded
    torch.testing.assert_close(output.double(), expected, rtol=0, atol=tolerance)
    if need_weights:
        assert attention.attention_weights.shape == (B, H, Q, K)


@pytest.mark.parametrize("need_weights", [True, False])
def test_sinks_in_modules(need_weights):
    q, k, v = (torch.randn(B, n, D, dtype=torch.float64) for n in (Q, K, K))
    lens = torch.tensor([3, 0])
    for sink in (1.5, torch.tensor(1.5).double()):
        attention = attn_lib.DotProductAttention(0.0, sink=sink)
        weights = attn_lib.masked_softmax(attn_lib.dot_product_scores(q, k), lens, sink=1.5)
        output = attention(q, k, v, lens, need_weights=need_weights)
        torch.testing.assert_close(output, weights @ v)
    learned = attn_lib.DotProductAttention(0.0, sink="learned").double()
    assert dict(learned.named_parameters())["sink"].item() == 0
    learned(q, k, v, lens, need_weights=need_weights).square().sum().backward()
    assert learned.sink.grad.abs() > 1e-6
    heads = attn_lib.MultiHeadAttention(D, D, D, 6, H, 0.0, sink="learned").double()
    assert heads.sink.shape == (H,)
    with torch.no_grad():
        heads.sink.copy_(torch.randn(H))
    output = heads(q, k, v, lens, need_weights=need_weights)
    split = [
        X.unflatten(2, (H, -1)).transpose(1, 2) for X in (heads.W_q(q), heads.W_k(k), heads.W_v(v))
    ]
    scores = split[0] @ split[1].transpose(2, 3) / math.sqrt(2)
    weights = attn_lib.masked_softmax(scores, lens, sink=heads.sink)
    torch.testing.assert_close(output, heads.W_o((weights @ split[2]).transpose(1, 2).flatten(2)))


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("shared", [1, 2])
def test_shared_keys_and_values_against_torch(need_weights, shared):
    heads = 4
    attention = attn_lib.MultiHeadAttention(5, D, V, 8, heads, 0.0, num_kv_heads=shared).double()
    assert attention.W_k.weight.shape == (2 * shared, 5)
    q, k, v = (torch.randn(B, n, d).double() for n, d in ((Q, D), (K, 5), (K, V)))
    mask, bias = random_mask(B, heads, Q, K), torch.randn(heads, Q, K).double()
    mask[..., 0, 1] = True
    split = [
        X.unflatten(2, (-1, 2)).transpose(1, 2)
        for X in (attention.W_q(q), attention.W_k(k), attention.W_v(v))
    ]
    added = bias.masked_fill(~mask, -math.inf)
    expected = scaled_dot_product_attention(*split, attn_mask=added, enable_gqa=True)
    output = attention(q, k, v, mask=mask, score_bias=bias, need_weights=need_weights)
    torch.testing.assert_close(output, attention.W_o(expected.transpose(1, 2).flatten(2)))


def test_windows_chunks_and_documents():
    i, j = torch.arange(8)[:, None], torch.arange(8)
    window = attn_lib.window_mask(8, 8, 4)
    assert torch.equal(window, (j <= i) & (i - j < 4))
    assert torch.equal(attn_lib.window_mask(8, 8, 3, causal=False), (i - j).abs() < 3)
    assert attn_lib.window_mask(2, 3, 1).tolist() == [[True, False, False], [False, True, False]]
    assert torch.equal(attn_lib.chunk_mask(8, 8, 3), i // 3 == j // 3)
    weights = attn_lib.masked_softmax(
        torch.zeros(1, 8, 8), attn_lib.causal_lens(1, 8), mask=attn_lib.chunk_mask(8, 8, 4)
    )
    assert (weights[0] > 0).sum(1).tolist() == [1, 2, 3, 4, 1, 2, 3, 4]
    documents = attn_lib.document_mask(torch.tensor([[2, 0, 3], [1, 4, 0]], dtype=torch.uint8))
    for mask, names in zip(documents, ("aabbb", "abbbb"), strict=True):
        assert mask.tolist() == [[one == other for other in names] for one in names]
    assert torch.equal(attn_lib.document_mask(torch.tensor([2, 0, 3])), documents[0])
    assert attn_lib.document_mask(torch.tensor([0])).shape == (0, 0)


def test_a_mask_of_numbers_is_not_lengths():
    x = torch.ones(2, 3, 4)
    attention = attn_lib.DotProductAttention(0.0)
    with pytest.warns(UserWarning, match=r"mask\.sum\(1\)"):
        attention(x, x, x, torch.tensor([[1, 1, 0], [1, 1, 1]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attention(x, x, x, torch.tensor([1, 0]))
        attention(x, x, x, attn_lib.causal_lens(2, 3))
        attention(x, x, x, attn_lib.causal_lens(2, 3, torch.tensor([1, 0])))
        attention(x[:, :1], x[:, :1], x[:, :1], torch.tensor([[1], [0]]))
        attention(x[:, :2], x, x, torch.tensor([[1, 0], [1, 1]]))


def test_a_mask_of_examples_that_might_be_one_of_heads():
    """B = H: (B, Q, K) fits as (H, Q, K), and is taken so. With another batch it is refused."""
    x, mask = torch.randn(H, Q, D), random_mask(H, Q, Q)
    attention = attn_lib.MultiHeadAttention(D, D, D, 6, H, 0.0)
    with pytest.warns(UserWarning, match=r"one \(Q, K\) for each head.*mask\[:, None\]") as caught:
        output = attention(x, x, x, mask=mask)
    assert caught[0].filename == __file__  # not a line of the library or of torch
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.equal(attention(x, x, x, mask=mask[None]), output)
        assert not torch.equal(attention(x, x, x, mask=mask[:, None]), output)
        attention(x[:1], x[:1], x[:1], mask=mask)
        attention(x, x, x, score_bias=torch.zeros(H, Q, Q))  # biases of heads are common


def test_first_query_is_the_rest_of_a_longer_call():
    """Step by step: what the queries from place 3 on see is the last rows of the whole."""
    slopes, table = torch.tensor([0.5, 2.0]), torch.randn(5, D)
    q, k = torch.randn(B, 7, D), torch.randn(B, 7, D)
    for whole, some in (
        (attn_lib.causal_lens(B, 7)[:, 3:5], attn_lib.causal_lens(B, 2, first_query=3)),
        (attn_lib.window_mask(7, 7, 3)[3:5], attn_lib.window_mask(2, 7, 3, first_query=3)),
        (
            attn_lib.window_mask(7, 7, 2, causal=False)[3:],
            attn_lib.window_mask(4, 7, 2, causal=False, first_query=3),
        ),
        (attn_lib.chunk_mask(7, 7, 3)[3:], attn_lib.chunk_mask(4, 7, 3, first_query=3)),
        (
            attn_lib.alibi_bias(7, 7, slopes)[:, 3:],
            attn_lib.alibi_bias(4, 7, slopes, first_query=3),
        ),
        (
            attn_lib.bucket_distances(7, 7, num_buckets=4, max_distance=3)[3:],
            attn_lib.bucket_distances(4, 7, num_buckets=4, max_distance=3, first_query=3),
        ),
        (
            attn_lib.relative_scores(q, k, table)[:, 3:],
            attn_lib.relative_scores(q[:, 3:], k, table, first_query=3),
        ),
    ):
        torch.testing.assert_close(some, whole)
    padded = torch.tensor([5, 2])
    lens = attn_lib.causal_lens(B, 4, padded, first_query=3)
    assert torch.equal(lens, attn_lib.causal_lens(B, 7, padded)[:, 3:])
    attention = attn_lib.DotProductAttention(0.0)
    whole = attention(q, k, k, attn_lib.causal_lens(B, 7))
    step = attention(q[:, 6:], k, k, attn_lib.causal_lens(B, 1, first_query=6))
    torch.testing.assert_close(step, whole[:, 6:])


REFUSED = {
    "mask of numbers": (
        lambda: attn_lib.masked_softmax(torch.zeros(B, Q, K), mask=torch.ones(Q, K)),
        TypeError,
        "mask must have dtype torch.bool, True where seen. Got torch.float32.",
    ),
    "mask shape": (
        lambda: attn_lib.masked_softmax(torch.zeros(B, Q, K), mask=torch.ones(B, K).bool()),
        ValueError,
        "mask must be broadcastable to (B=2, Q=4, K=5). Got (2, 5). With all axes: mask[:, None].",
    ),
    "mask without heads": (
        lambda: attn_lib.MultiHeadAttention(D, D, D, 6, H, 0.0)(
            *(torch.ones(B, Q, D),) * 3, mask=torch.ones(B, Q, Q).bool()
        ),
        ValueError,
        "mask must be broadcastable to (B=2, H=3, Q=4, K=4). Got (2, 4, 4). "
        "With all axes: mask[:, None].",
    ),
    "bias of words": (
        lambda: attn_lib.DotProductAttention(0.0)(*(torch.ones(B, Q, D),) * 3, score_bias="0"),
        TypeError,
        "score_bias must be a torch.Tensor. Got str.",
    ),
    "bias elsewhere": (
        lambda: attn_lib.DotProductAttention(0.0)(
            *(torch.ones(B, Q, D),) * 3, score_bias=torch.ones((), device="meta")
        ),
        ValueError,
        "score_bias must be on cpu. Got meta.",
    ),
    "sink shape": (
        lambda: attn_lib.masked_softmax(torch.zeros(B, H, Q, K), sink=torch.zeros(Q)),
        ValueError,
        "sink must be broadcastable to (H=3,). Got (4,).",
    ),
    "sink nan": (
        lambda: attn_lib.masked_softmax(torch.zeros(B, Q, K), sink=math.nan),
        ValueError,
        "sink must be finite. Got nan.",
    ),
    "sink word": (
        lambda: attn_lib.DotProductAttention(0.0, sink="learnt"),
        ValueError,
        "sink must be a number, a tensor or 'learned'. Got 'learnt'.",
    ),
    "key heads": (
        lambda: attn_lib.MultiHeadAttention(D, D, D, 12, 4, 0.0, num_kv_heads=3),
        ValueError,
        "num_kv_heads must divide num_heads=4. Got 3.",
    ),
    "heads of keys": (
        lambda: attn_lib.DotProductAttention(0.0)(
            torch.ones(B, H, Q, D), *(torch.ones(B, 1, K, D),) * 2
        ),
        ValueError,
        "keys must have shape (B=2, H=3, K, D). Got (2, 1, 5, 6).",
    ),
    "window": (
        lambda: attn_lib.window_mask(2, 3, 0),
        ValueError,
        "width must be at least 1. Got 0.",
    ),
    "document sums": (
        lambda: attn_lib.document_mask(torch.tensor([[1, 2], [1, 1]])),
        ValueError,
        "lens must have one sum in all rows. Got 2 and 3.",
    ),
    "document negative": (
        lambda: attn_lib.document_mask(torch.tensor([3, -1])),
        ValueError,
        "lens must be at least 0. Got -1.",
    ),
    "document floats": (
        lambda: attn_lib.document_mask(torch.tensor([3.0])),
        ValueError,
        "lens must have an integer dtype. Got torch.float32.",
    ),
    "document axes": (
        lambda: attn_lib.document_mask(torch.tensor(3)),
        ValueError,
        "lens must have shape (N,) or (B, N). Got ().",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name):
    call, error, message = REFUSED[name]
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
