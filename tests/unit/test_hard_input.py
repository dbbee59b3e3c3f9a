"""Numbers at the ends of their types, and arguments of other kinds: right values, one by one."""

import math

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import return_and_correct_aliasing

import attn_lib
from attn_lib import flex

HALF = torch.float16


def test_the_entropy_of_weights_has_a_gradient():
    """p = 1/(1+e) and q = 1 - p; dH/ds = -p (ln p + H), whatever else is in the batch."""
    p = 1 / (1 + math.e)
    entropy = -(p * math.log(p) + (1 - p) * math.log(1 - p))
    right = torch.tensor([-p * (math.log(p) + entropy), -(1 - p) * (math.log(1 - p) + entropy)])
    for lens, num_keys in (([2], 4), ([2, 0], 4), ([2], 2**14), ([2, 0], 2**14)):
        X = torch.zeros(len(lens), 1, num_keys)
        X[:, :, 1] = 1
        X.requires_grad_()
        torch.special.entr(attn_lib.masked_softmax(X, torch.tensor(lens))).sum().backward()
        torch.testing.assert_close(X.grad[0, 0, :2], right)
        assert (X.grad[0, 0, 2:] == 0).all()


def test_autocast_leaves_scores_in_full_precision():
    """Scores near 99, which bfloat16 would round to steps of 1/2; right: 1.140731."""
    q = torch.tensor([[[10.0, 1.0]]])
    k = torch.tensor([[[14.0, 0.0], [14.0, 0.3], [14.0, 0.6]]]).bfloat16().float()
    v = torch.tensor([[[0.0], [1.0], [2.0]]])
    attention = attn_lib.DotProductAttention(0.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for need_weights in (True, False):
            output = attention(q, k, v, need_weights=need_weights)
            assert output.dtype == torch.bfloat16
            assert output.item() == pytest.approx(1.140731, abs=2**-8)
        assert attention.scores(q, k).dtype == torch.float32
        assert attn_lib.dot_product_scores(q, k).dtype == torch.float32
        additive = attn_lib.AdditiveAttention(2, 2, 64, 0.0)
        assert additive.scores(q, k).dtype == torch.float32
        double = attention(q.double(), k.double(), v.double(), need_weights=False)
        assert double.dtype == torch.float64


def test_distances_beyond_the_range_of_squares():
    def fit(keys, width, dtype=torch.float32):
        keys = torch.tensor([[[key] for key in keys]], dtype=dtype)
        values = torch.tensor([[[1.0], [2.0]]], dtype=dtype)
        attention = attn_lib.KernelAttention(width=width)
        return attention(torch.zeros(1, 1, 1, dtype=dtype), keys, values).item()

    near, far = math.exp(-0.5), math.exp(-2)
    right = (near + 2 * far) / (near + far)
    assert fit([1e30, 2e30], 1e30) == pytest.approx(right)
    assert fit([1e-30, 2e-30], 1e-30) == pytest.approx(right)
    assert fit([1e200, 2e200], 1e200, torch.float64) == pytest.approx(right)
    assert fit([1e20, 2e20], 1.0) == 1
    width = torch.nn.Parameter(torch.tensor(1e30))
    assert fit([1e30, 2e30], width) == pytest.approx(right)
    far = torch.tensor([[[300.0]]], dtype=HALF)
    assert attn_lib.gaussian_scores(0 * far, far, width=300.0).item() == -0.5
    assert attn_lib.gaussian_scores(0 * far, far * math.inf).item() == -math.inf


@pytest.mark.parametrize(
    ("vector", "dtype"),
    [
        ([1e-20, 0.0], torch.float32),
        ([1e-13, 1e-13], torch.float64),
        ([6e-8, 0.0], HALF),
        ([3e38, 3e38], torch.float32),
        ([1e-45, 0.0], torch.float32),
    ],
)
def test_cosines_of_tiny_and_huge_vectors(vector, dtype):
    X = torch.tensor([[vector]], dtype=dtype)
    unit = torch.tensor([[[float(x > 0) for x in vector]]], dtype=dtype)
    assert attn_lib.cosine_scores(X, unit).item() == pytest.approx(1)
    assert attn_lib.cosine_scores(X, -X).item() == pytest.approx(-1)


def test_sequence_mask_where_there_are_no_numbers():
    X, lens = torch.ones(2, 3), torch.tensor([1, 2])
    compiled = torch.compile(attn_lib.sequence_mask, backend="aot_eager", fullgraph=True)
    assert compiled(X, lens).tolist() == [[1, 0, 0], [1, 1, 0]]
    with torch.device("meta"):
        assert attn_lib.sequence_mask(torch.ones(2, 3), torch.tensor([1, 2])).shape == (2, 3)
        assert attn_lib.sequence_mask(X, lens).tolist() == [[1, 0, 0], [1, 1, 0]]
        assert attn_lib.causal_lens(2, 3, torch.tensor([3, 1], device="cpu")).tolist()[1] == [1] * 3


@pytest.mark.parametrize(
    ("dtype", "value", "fits"),
    [
        (HALF, 65504, True),
        (HALF, 70000, False),
        (torch.bool, 1, True),
        (torch.bool, 2, False),
        (torch.int8, -128, True),
        (torch.int8, -129, False),
        (torch.complex64, 3, True),
    ],
)
def test_what_a_type_can_hold(dtype, value, fits):
    X, lens = torch.ones(1, 2, dtype=dtype), torch.tensor([1])
    if fits:
        assert attn_lib.sequence_mask(X, lens, value=value)[0, 1].item() == value
    else:
        with pytest.raises(ValueError, match="can hold"):
            attn_lib.sequence_mask(X, lens, value=value)


def test_numbers_of_numpy():
    two, half = np.int64(2), np.float32(0.5)
    attention = attn_lib.AdditiveAttention(two, two, two, half)
    assert type(attention.key_size) is int
    assert attn_lib.MultiHeadAttention(two, two, two, two, two, half).num_heads == 2
    assert attn_lib.BilinearAttention(two, two, half, rank=two).rank == 2
    assert attn_lib.KernelAttention(width=half)(*(torch.ones(1, 1, 1),) * 3).item() == 1
    assert attn_lib.causal_lens(two, two).tolist() == [[1, 2], [1, 2]]
    assert torch.equal(attn_lib.normals(np.int64(2**31), two), attn_lib.normals(2**31, 2))
    masked = attn_lib.sequence_mask(torch.ones(1, 2), torch.tensor([1]), np.float32(-1))
    assert masked.tolist() == [[1, -1]]
    assert attn_lib.window_mask(two, two, np.int8(1)).tolist() == [[True, False], [False, True]]
    four, at = np.int64(4), torch.tensor([0, 0, 5, 3])
    for found, expected in (
        (attn_lib.alibi_slopes(four), attn_lib.alibi_slopes(4)),
        (
            attn_lib.alibi_bias(four, two, half + torch.ones(1)),
            attn_lib.alibi_bias(4, 2, torch.tensor([1.5])),
        ),
        (
            attn_lib.bucket_distances(four, two, num_buckets=four, max_distance=four),
            attn_lib.bucket_distances(4, 2, num_buckets=4, max_distance=4),
        ),
        (attn_lib.chunk_mask(four, two, two), attn_lib.chunk_mask(4, 2, 2)),
        (attn_lib.causal_lens(1, 1, first_query=four), torch.tensor([[5]])),
        (
            attn_lib.length_scaled(torch.ones(1, 1, 1), four, trained_keys=two),
            torch.tensor([[[2.0]]]),
        ),
        (flex.window(two)(*at), flex.window(2)(*at)),
        (flex.chunks(four)(*at), flex.chunks(4)(*at)),
        (flex.dot(four)(half, *at), flex.dot(4)(0.5, *at)),
        (flex.length_scaled(four, trained_keys=two)(half, *at), 1.0),
    ):
        torch.testing.assert_close(
            torch.as_tensor(found), torch.as_tensor(expected), check_dtype=False
        )


def test_slopes_are_float32_whatever_the_default():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        assert attn_lib.alibi_slopes(6).dtype == torch.float32
    finally:
        torch.set_default_dtype(before)


@pytest.mark.parametrize(
    ("dtype", "num_keys"), [(torch.float32, 2_000_000), (HALF, 1_000_000), (HALF, 20_000)]
)
def test_long_sums(dtype, num_keys):
    """The mean of equal keys with values 1 is 1, on both paths, and so is that of its gradient."""
    q = torch.zeros(1, 1, 1, dtype=dtype)
    k, v = (torch.full((1, num_keys, 1), x, dtype=dtype) for x in (0.0, 1.0))
    for attention in (attn_lib.DotProductAttention(0.0), attn_lib.KernelAttention()):
        for need_weights in (True, False):
            output = attention(q, k, v.requires_grad_(), need_weights=need_weights)
            assert output.dtype == dtype
            assert abs(output.item() - 1) < 4 * torch.finfo(dtype).eps + 1e-5
    (slope,) = torch.autograd.grad(attention(q, k, v), v)
    assert slope.double().sum().item() == pytest.approx(1, abs=0.02 if dtype == HALF else 1e-5)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert attention(q.float(), k.float(), v.detach().float()).dtype == torch.bfloat16


def test_normals_of_a_uniform_number_of_zero():
    assert attn_lib.mulberry32(2463401483, 1).item() == 0
    assert attn_lib.normals(2463401483, 1).isfinite().all()


def test_another_layer_in_the_place_of_dropout():
    X = torch.randn(1, 3, 2)
    attention = attn_lib.DotProductAttention(0.5)
    attention.dropout = torch.nn.Identity()
    expected = attention(X, X, X)
    assert torch.equal(attention(X, X, X, need_weights=False), expected)
    assert attention.attention_weights is None
    attention = attn_lib.DotProductAttention(0.5)
    attention.dropout.eval()
    torch.testing.assert_close(attention(X, X, X, need_weights=False), expected)


class OnlyForLayers(torch.Tensor):
    """A weight as quantisers make it: a layer may multiply by it, and nothing else is known."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner):
        self.inner = inner

    def __tensor_flatten__(self):
        return ["inner"], None

    @staticmethod
    def __tensor_unflatten__(inner, context, size, stride):
        return OnlyForLayers(inner["inner"])

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.nn.functional.linear:
            return func(args[0], args[1].inner, *args[2:])
        return super().__torch_function__(func, types, args, kwargs or {})

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func is not torch.ops.aten.detach.default:
            raise NotImplementedError(f"OnlyForLayers cannot {func}")
        return return_and_correct_aliasing(func, args, kwargs or {}, cls(args[0].inner))


def test_quantised_weights_are_left_to_their_layers():
    attention = attn_lib.AdditiveAttention(2, 3, 5, 0.0)
    call = torch.randn(1, 2, 3), torch.randn(1, 4, 2), torch.randn(1, 4, 1)
    expected = attention(*call)
    for name in ("W_q", "W_k", "w_v"):
        layer = getattr(attention, name)
        weight = OnlyForLayers(layer.weight.detach())
        layer.weight = torch.nn.Parameter(weight, requires_grad=False)
    torch.testing.assert_close(attention(*call), expected)
