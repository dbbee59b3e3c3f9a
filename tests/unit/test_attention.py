"""The contract that all attention modules keep, and what is particular to some of them."""

import copy
import importlib
import math

import pytest
import textbook
import torch
from hypothesis import given
from hypothesis import strategies as st
from textbook import DK, DQ, B, H, K, Q, V

import attn_lib
from attn_lib.fast import additive

MODULES = {
    "dot product": (lambda: attn_lib.DotProductAttention(0.0), DQ),
    "additive": (lambda: attn_lib.AdditiveAttention(DK, DQ, H, 0.0), DK),
    "additive in blocks": (lambda: attn_lib.AdditiveAttention(DK, DQ, H, 0.0), DK),
    "bilinear": (lambda: attn_lib.BilinearAttention(DK, DQ, 0.0), DK),
    "low rank": (lambda: attn_lib.BilinearAttention(DK, DQ, 0.0, rank=3), DK),
    "multi-head": (lambda: attn_lib.MultiHeadAttention(DK, DQ, V, 6, 2, 0.0, bias=True), DK),
    "gaussian": (lambda: attn_lib.KernelAttention(width=2.0), DQ),
    "boxcar": (lambda: attn_lib.KernelAttention("boxcar", width=4.0), DQ),
    "triangular": (lambda: attn_lib.KernelAttention("triangular", width=4.0), DQ),
    "epanechnikov": (lambda: attn_lib.KernelAttention("epanechnikov", width=4.0), DQ),
}
SOFTMAX = [name for name in MODULES if name not in ("boxcar", "triangular", "epanechnikov")]
LENGTHS = {
    "per example": torch.tensor([3, 0]),
    "per query": torch.tensor([[2, 0, 4], [0, 1, 3]]),
}


class Case:
    """A module with queries, keys and values that fit it."""

    def __init__(self, name, dtype=torch.float64):
        make, key_size = MODULES[name]
        torch.manual_seed(5)
        self.name, self.module = name, make().to(dtype)
        shapes = (B, Q, DQ), (B, K, key_size), (B, K, V)
        self.inputs = [torch.randn(shape, dtype=torch.float64).to(dtype) for shape in shapes]

    def run(self, inputs, lens):
        """Output, weights and the gradients of everything that can have one."""
        inputs = [X.detach().clone().requires_grad_() for X in inputs]
        output = self.module(*inputs, lens)
        upstream = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
        wanted = [*inputs, *self.module.parameters()]
        gradients = torch.autograd.grad(output, wanted, upstream, materialize_grads=True)
        return [output, self.module.attention_weights, *gradients]


@pytest.fixture(params=MODULES)
def case(request, monkeypatch):
    if request.param == "additive in blocks":
        monkeypatch.setattr(additive, "_DIRECT", 0)
        monkeypatch.setattr(additive, "_CPU_BLOCK", 2 * K * H)
    return Case(request.param)


@pytest.mark.parametrize("garbage", [torch.nan, torch.inf, -torch.inf, 1e200])
@pytest.mark.parametrize("lens", [*LENGTHS.values(), torch.tensor([K, K - 1])])
def test_padding_reaches_nothing(case, lens, garbage):
    """Bit for bit: outputs, weights, and the gradients of inputs and parameters."""
    queries, keys, values = case.inputs
    clean = case.run(case.inputs, lens)
    unseen = torch.arange(K) >= lens.reshape(B, -1).amax(1, keepdim=True)  # (B, K)
    blind = (lens.reshape(B, -1) == 0).expand(B, Q)
    dirty = case.run(
        [
            queries.masked_fill(blind.unsqueeze(2), garbage),
            keys.masked_fill(unseen.unsqueeze(2), garbage),
            values.masked_fill(unseen.unsqueeze(2), garbage),
        ],
        lens,
    )
    for before, after in zip(clean, dirty, strict=True):
        assert before.isfinite().all()
        assert torch.equal(before, after)


@pytest.mark.parametrize("lens", LENGTHS.values(), ids=LENGTHS)
def test_without_keys_weights_and_output_are_zero(case, lens):
    output, weights, *gradients = case.run(case.inputs, lens)
    blind = (lens.reshape(B, -1) == 0).expand(B, Q)
    nothing = torch.zeros(V)
    if case.name == "multi-head":
        weights, nothing = weights.transpose(1, 2), case.module.W_o.bias
    assert (weights[blind] == 0).all()
    assert (output[blind] == nothing).all()
    assert all(gradient.isfinite().all() for gradient in gradients)


def test_rows_sum_to_one_or_are_zero(case):
    _, weights, *_ = case.run(case.inputs, LENGTHS["per query"])
    sums = weights.sum(-1)
    assert torch.logical_or((sums - 1).abs() < 1e-12, sums == 0).all()
    assert (weights >= 0).all()


@given(order=st.permutations(range(K)), name=st.sampled_from(list(MODULES)))
def test_the_order_of_keys_with_their_values_does_not_matter(order, name):
    case = Case(name)
    queries, keys, values = case.inputs
    output = case.module(queries, keys, values)
    permuted = case.module(queries, keys[:, order], values[:, order])
    torch.testing.assert_close(permuted, output, rtol=0, atol=1e-12)


@given(seed=st.integers(0, 2**32), name=st.sampled_from(SOFTMAX))
def test_a_shorter_sequence_is_a_masked_longer_one(seed, name):
    case = Case(name)
    queries, keys, values = case.inputs
    generator = torch.Generator().manual_seed(seed)
    lens = torch.randint(1, K + 1, (B,), generator=generator)
    output = case.module(queries, keys, values, lens)
    for b, length in enumerate(lens.tolist()):
        alone = case.module(
            queries[b : b + 1], keys[b : b + 1, :length], values[b : b + 1, :length]
        )
        torch.testing.assert_close(output[b : b + 1], alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("lens", [None, *LENGTHS.values()], ids=["all", *LENGTHS])
def test_gradients(case, lens):
    inputs = [X.requires_grad_() for X in case.inputs]
    assert torch.autograd.gradcheck(
        lambda *inputs: case.module(*inputs, lens), inputs, fast_mode=True
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(case, dtype):
    half = Case(case.name, dtype)
    output, weights, *gradients = half.run(half.inputs, LENGTHS["per query"])
    exact = Case(case.name)
    exact.module.load_state_dict(half.module.state_dict())
    reference = exact.run([X.double() for X in half.inputs], LENGTHS["per query"])
    tolerance = 16 * torch.finfo(dtype).eps
    assert output.dtype == weights.dtype == dtype
    torch.testing.assert_close(output.double(), reference[0], rtol=0, atol=tolerance)
    torch.testing.assert_close(weights.double(), reference[1], rtol=0, atol=tolerance)
    assert all(gradient.dtype == dtype and gradient.isfinite().all() for gradient in gradients)


def test_half_precision_with_large_scores():
    """The dot products reach 4e8; in float16 all of them would be infinite."""
    attention = attn_lib.DotProductAttention(0.0)
    keys = torch.tensor([[[20000.0], [19000.0]]], dtype=torch.float16)
    values = torch.tensor([[[3.0], [5.0]]], dtype=torch.float16)
    assert attention(keys[:, :1], keys, values).item() == 3
    assert attention(keys[:, :1], keys, values, need_weights=False).item() == 3


@pytest.mark.parametrize("shape", [(0, Q, K), (B, 0, K), (B, Q, 0)])
@pytest.mark.parametrize("lens_axes", [0, 1, 2])
def test_empty(case, shape, lens_axes):
    batch, num_queries, num_keys = shape
    queries, keys, values = case.inputs
    lens = torch.zeros(shape[:lens_axes], dtype=torch.int64) if lens_axes else None
    output = case.module(
        queries[:batch, :num_queries], keys[:batch, :num_keys], values[:batch, :num_keys], lens
    )
    assert output.shape[:2] == (batch, num_queries)
    if num_keys == 0 and case.name != "multi-head":
        assert (output == 0).all()


def test_strides_and_inputs_are_left_alone(case):
    lens = LENGTHS["per query"]
    before = [X.clone() for X in (*case.inputs, lens)]
    output = case.module(*case.inputs, lens)
    turned = [X.transpose(0, 2).contiguous().transpose(0, 2) for X in case.inputs]
    torch.testing.assert_close(case.module(*turned, lens.T.contiguous().T), output)
    for now, then in zip((*case.inputs, lens), before, strict=True):
        assert torch.equal(now, then)
    queries, keys, values = (X[:1].expand_as(X) for X in case.inputs)
    expanded = case.module(queries, keys, values)
    torch.testing.assert_close(expanded[0], expanded[1])


def test_dropout_acts_on_weights_and_is_not_shown(case):
    everything_dropped = copy.deepcopy(case.module)
    for module in everything_dropped.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 1.0
    output = everything_dropped(*case.inputs)
    case.module(*case.inputs)
    nothing = case.module.W_o.bias if case.name == "multi-head" else torch.zeros(V)
    assert (output == nothing).all()
    torch.testing.assert_close(everything_dropped.attention_weights, case.module.attention_weights)
    torch.testing.assert_close(
        everything_dropped.eval()(*case.inputs), case.module.eval()(*case.inputs)
    )


def test_weights_are_detached_and_belong_to_the_last_call(case):
    assert case.module.attention_weights is None
    case.run(case.inputs, None)
    first = case.module.attention_weights
    assert not first.requires_grad
    case.run(case.inputs, LENGTHS["per example"])
    assert not torch.equal(case.module.attention_weights, first)


def test_state_dict_round_trip(case):
    other = MODULES[case.name][0]().double()
    other.load_state_dict(case.module.state_dict())
    lens = LENGTHS["per query"]
    assert torch.equal(other(*case.inputs, lens), case.module(*case.inputs, lens))
    copied = copy.deepcopy(other)
    assert torch.equal(copied(*case.inputs, lens), other(*case.inputs, lens))


@pytest.mark.parametrize("lens", [None, *LENGTHS.values()], ids=["all", *LENGTHS])
@pytest.mark.parametrize("name", ["dot product", "multi-head"])
def test_weights_are_optional(name, lens):
    case = Case(name)
    with_weights = case.run(case.inputs, lens)
    inputs = [X.requires_grad_() for X in case.inputs]
    output = case.module(*inputs, lens, need_weights=False)
    assert case.module.attention_weights is None
    torch.testing.assert_close(output, with_weights[0], rtol=0, atol=1e-12)
    upstream = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
    gradients = torch.autograd.grad(output, [*inputs, *case.module.parameters()], upstream)
    for fused, plain in zip(gradients, with_weights[2:], strict=True):
        torch.testing.assert_close(fused, plain, rtol=0, atol=1e-12)


def test_fused_dropout_only_in_training():
    attention = attn_lib.DotProductAttention(1.0)
    call = torch.ones(1, 2, 3), torch.ones(1, 4, 3), torch.ones(1, 4, 5)
    assert (attention(*call, need_weights=False) == 0).all()
    assert (attention.eval()(*call, need_weights=False) == 1).all()


def test_every_parameter_learns(case):
    gradients = case.run(case.inputs, None)[5:]
    names = [name for name, _ in case.module.named_parameters()]
    for name, gradient in zip(names, gradients, strict=True):
        # A bias of the keys adds one number to all scores of a query: softmax takes it out.
        assert name == "W_k.bias" or gradient.abs().max() > 1e-6


def test_dot_product_by_hand():
    """Scores ln 4 and 0 after the division by sqrt(4): weights 4/5 and 1/5."""
    attention = attn_lib.DotProductAttention(dropout=0.5).eval()
    queries = torch.tensor([[[2 * math.log(4), 0.0, 0.0, 0.0]]])
    keys = torch.tensor([[[1.0, 5.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0]]])
    output = attention(queries, keys, torch.tensor([[[10.0], [20.0]]]))
    torch.testing.assert_close(attention.attention_weights, torch.tensor([[[0.8, 0.2]]]))
    torch.testing.assert_close(output, torch.tensor([[[12.0]]]))


def test_additive_by_definition():
    case = Case("additive")
    W_q, W_k, w_v = (getattr(case.module, name).weight for name in ("W_q", "W_k", "w_v"))
    queries, keys, values = case.inputs
    scores = textbook.pairwise(
        lambda q, k: (w_v[0] * torch.tanh(W_q @ q + W_k @ k)).sum(), queries, keys
    )
    lens = LENGTHS["per query"]
    output = case.module(queries, keys, values, lens)
    torch.testing.assert_close(output, textbook.weights(scores, lens) @ values)


def test_bilinear_low_rank_is_a_full_matrix_of_that_rank():
    low, full = Case("low rank"), Case("bilinear")
    with torch.no_grad():
        full.module.M.weight.copy_(low.module.W_q.weight.T @ low.module.W_k.weight)
    torch.testing.assert_close(full.module(*low.inputs), low.module(*low.inputs))


def test_state_dicts_of_d2l_load():
    """The names and shapes that D2L's classes save."""
    additive = {"W_k.weight": (8, 2), "W_q.weight": (8, 20), "w_v.weight": (1, 8)}
    heads = {f"{name}.weight": (6, 6) for name in ("W_q", "W_k", "W_v", "W_o")}
    for module, shapes in [
        (attn_lib.AdditiveAttention(2, 20, 8, 0.1), additive),
        (attn_lib.DotProductAttention(0.5), {}),
        (attn_lib.MultiHeadAttention(6, 6, 6, 6, 3, 0.5), heads),
    ]:
        state = {name: torch.randn(shape) for name, shape in shapes.items()}
        module.load_state_dict(state, strict=True)
        assert module.state_dict().keys() == state.keys()


HOOKED = {
    "additive": ("W_q", "W_k", "w_v"),
    "low rank": ("W_q", "W_k"),
    "bilinear": ("M",),
    "multi-head": ("W_q", "W_k", "W_v", "W_o", "attention"),
}


@pytest.mark.parametrize("name", HOOKED)
@pytest.mark.parametrize("blocks", [False, True])
def test_layers_are_called(name, blocks, monkeypatch):
    """Hooks of every kind see each layer once a call."""
    monkeypatch.setattr(additive, "_DIRECT", 0 if blocks else math.inf)
    case = Case(name)
    seen = []
    for part in HOOKED[name]:
        layer = getattr(case.module, part)
        layer.register_forward_hook(lambda *_, part=part: seen.append(part))
        layer.register_forward_pre_hook(lambda *_, part=part: seen.append(part))
        layer.register_full_backward_hook(lambda *_, part=part: seen.append(part))
    expected = Case(name).run(case.inputs, LENGTHS["per query"])
    found = case.run(case.inputs, LENGTHS["per query"])
    torch.testing.assert_close(found, expected)
    assert sorted(seen) == sorted(3 * HOOKED[name])


class Adapter(torch.nn.Module):
    """A layer with a correction of low rank, as adapters have it: no weight, no in_features."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.down = torch.nn.Linear(layer.in_features, 1).double()
        self.up = torch.nn.Linear(1, layer.out_features, bias=False).double()

    def forward(self, X):
        return self.layer(X) + self.up(self.down(X))


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize(
    ("name", "part"), [(n, p) for n, parts in HOOKED.items() for p in parts if p != "attention"]
)
def test_layers_may_be_replaced(name, part, blocks, monkeypatch):
    monkeypatch.setattr(additive, "_DIRECT", 0 if blocks else math.inf)
    case = Case(name)
    layer = getattr(case.module, part)
    adapter = Adapter(layer)
    merged = torch.nn.Linear(layer.in_features, layer.out_features).double()
    with torch.no_grad():
        merged.weight.copy_(layer.weight + adapter.up.weight @ adapter.down.weight)
        merged.bias.copy_(adapter.up.weight @ adapter.down.bias)
        if layer.bias is not None:
            merged.bias += layer.bias
    before = case.module(*case.inputs)
    setattr(case.module, part, adapter)
    adapted = case.module(*case.inputs)
    setattr(case.module, part, merged)
    output = case.module(*case.inputs)
    torch.testing.assert_close(output, adapted)
    torch.autograd.grad(output.sum(), merged.bias)  # raises where the bias takes no part
    assert part == "w_v" or (adapted - before).abs().max() > 1e-3


@pytest.mark.parametrize("name", HOOKED)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_quantised(name):
    case = Case(name, torch.float32)
    expected = case.module(*case.inputs, LENGTHS["per query"])
    linear = {torch.nn.Linear}
    quantised = torch.ao.quantization.quantize_dynamic(case.module.eval(), linear)
    output = quantised(*case.inputs, LENGTHS["per query"])
    assert not torch.equal(output, expected)
    torch.testing.assert_close(output, expected, rtol=0, atol=0.1)


@pytest.mark.parametrize("lens", [torch.tensor([K, K - 1]), *LENGTHS.values()])
def test_keys_that_are_values_are_cleared_once(lens):
    case = Case("additive")
    queries, keys, _ = case.inputs
    dirty = keys.masked_fill(
        torch.arange(K)[:, None] >= lens.reshape(B, -1).amax(1)[:, None, None], torch.nan
    )
    apart = case.module(queries, dirty, dirty.clone(), lens)
    assert apart.isfinite().all()
    assert torch.equal(case.module(queries, dirty, dirty, lens), apart)
    assert torch.equal(case.module(queries, keys, keys, lens), apart)


def test_heads_may_attend_in_another_way():
    case = Case("multi-head")
    expected = case.module(*case.inputs, LENGTHS["per query"])
    case.module.attention = attn_lib.DotProductAttention(0.0)
    assert torch.equal(case.module(*case.inputs, LENGTHS["per query"]), expected)


@pytest.mark.parametrize("name", MODULES)
def test_arguments_are_checked_once(name, monkeypatch):
    case, checked = Case(name), []

    def noting(name, check):
        def noted(*arguments, **more):
            checked.append(name)
            return check(*arguments, **more)

        return noted

    for module in ("attention", "multihead", "kernels", "scoring", "masking"):
        module = importlib.import_module(f"attn_lib.{module}")
        for check in ("check_queries_keys", "check_equal_features", "check_values", "check_lens"):
            if hasattr(module, check):
                monkeypatch.setattr(module, check, noting(check, getattr(module, check)))
    case.module(*case.inputs, LENGTHS["per query"])
    assert len(checked) == len(set(checked)) == 3
