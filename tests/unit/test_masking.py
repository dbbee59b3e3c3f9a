import pytest
import textbook
import torch
from hypothesis import given
from hypothesis import strategies as st
from textbook import B, K, Q

import attn_lib

INTEGERS = [getattr(torch, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
HEADS = 7


def random_case(seed, *, per_query):
    """Scores (B, Q, K) with lengths from 0 to K."""
    generator = torch.Generator().manual_seed(seed)
    scores = 5 * torch.randn(B, Q, K, generator=generator, dtype=torch.float64)
    shape = (B, Q) if per_query else (B,)
    return scores, torch.randint(0, K + 1, shape, generator=generator)


cases = st.builds(random_case, st.integers(0, 2**32), per_query=st.booleans())


@given(cases)
def test_masked_softmax_is_softmax_of_the_visible_part(case):
    scores, lens = case
    expected = textbook.weights(scores, lens)
    torch.testing.assert_close(attn_lib.masked_softmax(scores, lens), expected)


@given(cases)
def test_rows_sum_to_one_or_are_zero(case):
    scores, lens = case
    sums = attn_lib.masked_softmax(scores, lens).sum(2)
    visible = (lens > 0).double().reshape(B, -1).expand(B, Q)
    torch.testing.assert_close(sums, visible)


@given(cases, st.floats(-100, 100))
def test_a_constant_added_to_a_row_changes_nothing(case, constant):
    scores, lens = case
    shifted = attn_lib.masked_softmax(scores + constant, lens)
    torch.testing.assert_close(shifted, attn_lib.masked_softmax(scores, lens))


@given(cases, st.sampled_from([torch.nan, torch.inf, -torch.inf, 1e300]))
def test_hidden_scores_reach_neither_weights_nor_gradients(case, garbage):
    scores, lens = case
    hidden = ~(torch.arange(K) < lens.reshape(B, -1, 1)).expand(B, Q, K)
    upstream = torch.arange(B * Q * K).double().reshape(B, Q, K)

    def run(X):
        X = X.clone().requires_grad_()
        weights = attn_lib.masked_softmax(X, lens)
        return weights, torch.autograd.grad(weights, X, upstream)[0]

    clean, dirty = run(scores), run(scores.masked_fill(hidden, garbage))
    assert torch.equal(clean[0], dirty[0])
    assert torch.equal(clean[1], dirty[1])
    assert (clean[0][hidden] == 0).all()
    assert (clean[1][hidden] == 0).all()


def test_a_visible_score_of_minus_infinity_gets_no_weight():
    scores = torch.zeros(3, 40, 150)
    scores[:, :, 0] = -torch.inf
    weights = attn_lib.masked_softmax(scores, torch.tensor([150, 2, 100]))
    assert (weights[:, :, 0] == 0).all()
    assert (weights[1, :, 1] == 1).all()


@given(cases)
def test_heads_share_the_lengths(case):
    scores, lens = case
    per_head = torch.stack([scores * h for h in range(HEADS)], 1)  # (B, H, Q, K)
    weights = attn_lib.masked_softmax(per_head, lens)
    for h in range(HEADS):
        assert torch.equal(weights[:, h], attn_lib.masked_softmax(scores * h, lens))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_lengths_of_any_width(dtype):
    scores, lens = random_case(1, per_query=True)
    expected = attn_lib.masked_softmax(scores, lens)
    assert torch.equal(attn_lib.masked_softmax(scores, lens.to(dtype)), expected)
    short = lens.clamp(max=Q)
    causal = attn_lib.causal_lens(B, Q, short.to(dtype))
    assert torch.equal(causal, attn_lib.causal_lens(B, Q, short))
    masked = attn_lib.sequence_mask(scores, short[:, 0].to(dtype))
    assert torch.equal(masked, attn_lib.sequence_mask(scores, short[:, 0]))


def test_int8_lengths_of_long_sequences():
    weights = attn_lib.masked_softmax(torch.zeros(1, 1, 300), torch.tensor([100], dtype=torch.int8))
    assert (weights > 0).sum() == 100


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_normalised_in_float32(dtype):
    scores = (3 * torch.randn(B, Q, 1000)).to(dtype)
    lens = torch.tensor([1000, 0])
    weights = attn_lib.masked_softmax(scores, lens)
    assert weights.dtype == dtype
    assert torch.equal(weights, attn_lib.masked_softmax(scores.float(), lens).to(dtype))
    large = torch.full((1, 1, 2), torch.finfo(dtype).max, dtype=dtype)
    assert attn_lib.masked_softmax(large).tolist() == [[[0.5, 0.5]]]


@pytest.mark.parametrize("lens", [torch.tensor([2, 0]), torch.tensor([[1, 3, 0], [5, 0, 2]])])
def test_gradients(lens):
    scores = torch.randn(B, Q, K, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda X: attn_lib.masked_softmax(X, lens), scores)
    assert torch.autograd.gradgradcheck(lambda X: attn_lib.masked_softmax(X, lens), scores)


def test_forward_mode_and_vmap():
    lens = torch.tensor([[1, 3, 0], [5, 0, 2]])
    many = torch.randn(4, B, Q, K, dtype=torch.float64)

    def weights(X):
        return attn_lib.masked_softmax(X, lens)

    stacked = torch.stack([weights(X) for X in many])
    torch.testing.assert_close(torch.vmap(weights)(many), stacked)
    last = torch.vmap(weights, in_dims=3)(many.movedim(0, 3))
    torch.testing.assert_close(last, stacked)
    forward_mode = torch.func.jacfwd(weights)(many[0])
    torch.testing.assert_close(forward_mode, torch.func.jacrev(weights)(many[0]))


@pytest.mark.parametrize("num_keys", [1, 7, 64, 1000, 5000])
def test_weights_written_over_the_scores_are_those_of_a_second_tensor(num_keys):
    scores = 5 * torch.randn(B, Q, num_keys)
    lens = torch.tensor([num_keys, (num_keys + 1) // 2])
    hidden = torch.arange(num_keys) >= lens[:, None, None]
    expected = torch.softmax(scores.masked_fill(hidden, -torch.inf), -1)
    assert torch.equal(attn_lib.masked_softmax(scores, lens), expected)


def test_anomaly_detection_finds_nothing_in_a_row_without_keys():
    scores = torch.randn(B, Q, K, requires_grad=True)
    with torch.autograd.detect_anomaly(check_nan=True):
        attn_lib.masked_softmax(scores, torch.tensor([0, 2])).square().sum().backward()
    assert (scores.grad[0] == 0).all()


@pytest.mark.parametrize("shape", [(0, Q, K), (B, 0, K), (B, Q, 0), (0, 0, 0)])
@pytest.mark.parametrize("per_query", [False, True])
def test_empty(shape, per_query):
    lens = torch.zeros(shape[: 1 + per_query], dtype=torch.int64)
    assert attn_lib.masked_softmax(torch.zeros(shape), lens).shape == shape
    assert attn_lib.masked_softmax(torch.zeros(shape)).shape == shape


def test_strides_and_input_are_left_alone():
    scores, lens = random_case(3, per_query=False)
    before = scores.clone()
    turned = scores.transpose(1, 2).contiguous().transpose(1, 2)
    expected = attn_lib.masked_softmax(scores, lens)
    assert torch.equal(attn_lib.masked_softmax(turned, lens), expected)
    one = scores[:1, :1].expand(B, Q, K)
    weights = attn_lib.masked_softmax(one, torch.tensor([4, 4]))
    assert torch.equal(weights[0, 0], weights[1, 2])
    assert torch.equal(scores, before)


def test_no_score_is_too_low_to_be_seen():
    """A fill of -1e6 would give the padding all the weight here."""
    scores = torch.tensor([[[-3e6, -3e6, 0.0, 0.0]]])
    weights = attn_lib.masked_softmax(scores, torch.tensor([2]))
    assert weights.tolist() == [[[0.5, 0.5, 0.0, 0.0]]]


@pytest.mark.parametrize("trailing", [(), (3,), (3, 5)])
def test_sequence_mask(trailing):
    X = torch.randn(2, 7, *trailing)
    before = X.clone()
    masked = attn_lib.sequence_mask(X, torch.tensor([4, 0]), value=-1)
    assert torch.equal(masked[0, :4], X[0, :4])
    assert (masked[0, 4:] == -1).all()
    assert (masked[1] == -1).all()
    assert torch.equal(X, before)


def test_sequence_mask_keeps_integers():
    masked = attn_lib.sequence_mask(torch.tensor([[3, 4]]), torch.tensor([1], dtype=torch.int8))
    assert masked.tolist() == [[3, 0]]
    assert masked.dtype == torch.int64


@pytest.mark.parametrize("value", [torch.inf, torch.nan, -1e6, 0.1])
def test_sequence_mask_fills_with_any_number_of_the_type(value):
    masked = attn_lib.sequence_mask(torch.ones(1, 2), torch.tensor([1]), value=value)
    torch.testing.assert_close(masked[0, 1], torch.tensor(value), equal_nan=True)


def test_causal_lens():
    assert attn_lib.causal_lens(2, 3).tolist() == [[1, 2, 3], [1, 2, 3]]
    per_query = torch.tensor([[3, 3, 3], [0, 1, 2]], dtype=torch.int8)
    assert attn_lib.causal_lens(2, 3, per_query).tolist() == [[1, 2, 3], [0, 1, 2]]
    weights = attn_lib.masked_softmax(torch.zeros(1, 4, 4), attn_lib.causal_lens(1, 4))
    torch.testing.assert_close(weights[0], torch.ones(4, 4).tril() / torch.arange(1, 5)[:, None])
