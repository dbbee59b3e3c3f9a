"""Every module where torch follows a computation instead of running it: results as in eager."""

import copy
import math
import pickle

import pytest
import torch
from test_attention import LENGTHS, MODULES, Case
from textbook import B, K, Q
from torch._subclasses.fake_tensor import FakeTensorMode

import attn_lib
from attn_lib.fast import additive, softmax

pytestmark = pytest.mark.slow

WITH = {"all": None, "per query": LENGTHS["per query"]}


NAMES = [name for name in MODULES if name != "additive in blocks"]


@pytest.fixture(params=NAMES)
def case(request, monkeypatch):
    # Where a call is followed, no size may lead to a custom gradient.
    monkeypatch.setattr(additive, "_DIRECT", 0)
    monkeypatch.setattr(softmax, "_WORTHWHILE", 0)
    case = Case(request.param)
    case.module.eval()
    return case


@pytest.fixture(params=WITH)
def lens(request):
    return WITH[request.param]


def call_of(case, lens):
    return [*case.inputs, *([] if lens is None else [lens])]


def another(call):
    """Other numbers and other lengths of the same shapes."""
    return [X + 0.5 if X.is_floating_point() else X.flip(0) for X in call]


# The hardest of the compact kernels, with a root; `test_exported` follows each.
COMPILED = [
    *((name, "per query") for name in NAMES if name not in ("boxcar", "epanechnikov")),
    ("dot product", "all"),
    ("multi-head", "all"),
]


@pytest.mark.no_cover  # a trace doubles the time of dynamo, which reads code and does not run it
@pytest.mark.parametrize(("case", "lens"), COMPILED, indirect=True)
def test_compiled_as_one_graph(case, lens):
    """aot_eager follows modules and gradients as inductor does, without a C++ compiler."""
    expected = case.run(case.inputs, lens)
    module = case.module
    torch._dynamo.reset()
    case.module = torch.compile(module, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(case.run(case.inputs, lens), expected)
    call = another(call_of(case, lens))
    torch.testing.assert_close(case.module(*call), module(*call))


def test_exported(case, lens):
    call = call_of(case, lens)
    exported = torch.export.export(case.module, tuple(call), strict=False).module()
    for arguments in (call, another(call)):
        torch.testing.assert_close(exported(*arguments), case.module(*arguments))


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore::DeprecationWarning")
def test_jit_traced(case, lens):
    call = call_of(case, lens)
    traced = torch.jit.trace(case.module, tuple(call))
    for arguments in (call, another(call)):
        torch.testing.assert_close(traced(*arguments), case.module(*arguments))


def test_without_numbers(case, lens):
    """On the meta device and with fake tensors: shapes and nothing else."""
    make = MODULES[case.name][0]
    call = [X.float() if X.is_floating_point() else X for X in call_of(case, lens)]
    shape = make()(*call).shape
    assert make().to("meta")(*(X.to("meta") for X in call)).shape == shape
    with FakeTensorMode() as mode:
        assert make()(*map(mode.from_tensor, call)).shape == shape


def test_shapes_are_checked_without_numbers():
    lens = torch.ones(B + 1, dtype=torch.int64, device="meta")
    with pytest.raises(ValueError, match="valid_lens must have shape"):
        attn_lib.masked_softmax(torch.zeros(B, Q, K, device="meta"), lens)


MULTI = {
    "multi-head": lambda: attn_lib.MultiHeadAttention(8, 8, 8, 8, 2, 0.0),
    "additive": lambda: attn_lib.AdditiveAttention(8, 8, 8, 0.0),
    "bilinear": lambda: attn_lib.BilinearAttention(8, 8, 0.0),
}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", MULTI)
def test_compiled_with_open_sizes_that_are_equal(name):
    """A batch or a sequence as large as the features: torch then has one symbol for both."""
    module = MULTI[name]()

    def each_way(x, mask, bias, *lens):
        ways = [{"mask": mask}, {"score_bias": bias}, *({"valid_lens": some} for some in lens)]
        return [module(x, x, x, **way) for way in ways]

    for batch, size in ((3, 8), (8, 5)):
        torch._dynamo.reset()
        compiled = torch.compile(each_way, backend="eager", fullgraph=True, dynamic=True)
        pairs = torch.ones(size, size).tril().bool(), torch.randn(size, size)
        lens = torch.arange(batch) % size, attn_lib.causal_lens(batch, size)
        call = torch.randn(batch, size, 8), *pairs, *lens
        torch.testing.assert_close(compiled(*call), each_way(*call))


@pytest.mark.no_cover
def test_compiled_with_open_sizes_and_sinks():
    torch._dynamo.reset()
    module = attn_lib.DotProductAttention(0.0, sink=torch.tensor([0.5, 0.0, 1.0, -1.0]))
    compiled = torch.compile(module, backend="eager", fullgraph=True, dynamic=True)
    x = torch.randn(2, 4, 5, 8)
    torch.testing.assert_close(compiled(x, x, x), module(x, x, x))
    turned = torch.compile(attn_lib.rotate, backend="eager", fullgraph=True, dynamic=True)
    x, places = torch.randn(3, 8, 8), torch.arange(24).reshape(3, 8)
    torch.testing.assert_close(turned(x, places), attn_lib.rotate(x, places))


class Causal(torch.nn.Module):
    """A model that makes its own lengths, masks and biases from the sizes that it meets."""

    def __init__(self):
        super().__init__()
        self.attention = attn_lib.MultiHeadAttention(8, 8, 8, 8, 2, 0.0)

    def forward(self, x):
        batch, size = x.shape[:2]
        outputs = [
            self.attention(x, x, x, attn_lib.causal_lens(batch, size)),
            self.attention(x, x, x, mask=attn_lib.window_mask(size, size, 3)),
            self.attention(x, x, x, mask=attn_lib.chunk_mask(size, size, 3)),
            self.attention(x[:, -1:], x, x, attn_lib.causal_lens(batch, 1, first_query=size - 1)),
            attn_lib.length_scaled(x @ x.mT, size, trained_keys=4),
            attn_lib.alibi_bias(size, size, torch.ones(2)),
            attn_lib.bucket_distances(size, size),
        ]
        return tuple(outputs)


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("way", ["exported", "traced"])
def test_a_causal_model_with_open_sizes(way):
    model, x = Causal(), torch.randn(2, 5, 8)
    if way == "exported":
        sizes = {0: torch.export.Dim("B"), 1: torch.export.Dim("N", min=2)}
        followed = torch.export.export(model, (x,), dynamic_shapes=(sizes,), strict=False).module()
    else:
        followed = torch.jit.trace(model, (x,), check_trace=False)
    for shape in ((2, 5, 8), (3, 7, 8)):
        x = torch.randn(shape)
        torch.testing.assert_close(followed(x), model(x))


def test_vmap_over_lengths(case):
    lens = LENGTHS["per query"]
    many = torch.stack([lens, lens.flip(0), 0 * lens])
    stacked = torch.stack([case.module(*case.inputs, lens) for lens in many])
    result = torch.vmap(lambda lens: case.module(*case.inputs, lens))(many)
    torch.testing.assert_close(result, stacked)


def test_copies_after_transforms(case):
    """A tensor that vmap or grad has left behind can be neither copied nor pickled."""
    queries, keys, values = case.inputs

    def loss(queries):
        return case.module(queries, keys, values, LENGTHS["per example"]).square().sum()

    torch.vmap(torch.func.grad(loss))(torch.stack([queries, -queries]))
    assert case.module.attention_weights is None
    again = pickle.loads(pickle.dumps(copy.deepcopy(case.module)))
    torch.testing.assert_close(again(*case.inputs), case.module(*case.inputs))
    assert case.module.attention_weights is not None


def test_gradients_of_gradients_by_functions(case):
    """torch.func differentiates the readable form; autograd's own gradient agrees."""
    queries, keys, values = case.inputs
    lens = LENGTHS["per query"]

    def loss(queries):
        return case.module(queries, keys, values, lens).square().sum()

    asked = queries.clone().requires_grad_()
    (expected,) = torch.autograd.grad(loss(asked) + 0 * asked.sum(), asked)  # boxcar has no slope
    torch.testing.assert_close(torch.func.grad(loss)(queries), expected)
    tangent = torch.linspace(-1, 1, math.prod(queries.shape)).double().reshape(queries.shape)
    _, found = torch.func.jvp(loss, (queries,), (tangent,))
    torch.testing.assert_close(found, (expected * tangent).sum())
