"""The promise: what an example gets depends on that example alone.

Not on its neighbours in the batch, the size of the call or the path taken. What may not be seen
reaches neither output nor any gradient; and NaN that some queries hold or may see reaches no
gradient of a loss that leaves those queries out. Each test changes one of these and compares; right
values stand in other modules. A test goes through all cases and names those that fail.
"""

import copy
import math
from functools import partial

import pytest
import torch

import attn_lib
from attn_lib.fast import additive, softmax

B, H, Q, K, D, V = 3, 2, 4, 5, 6, 3
DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
HARD = (math.nan, math.inf, -math.inf, 1e30, 1e-40)

MODULES = {
    "dot": lambda: attn_lib.DotProductAttention(0.0),
    "dot with a sink": lambda: attn_lib.DotProductAttention(0.0, sink=0.5),
    "additive": lambda: attn_lib.AdditiveAttention(D, D, 7, 0.0),
    "bilinear": lambda: attn_lib.BilinearAttention(D, D, 0.0),
    "gaussian": lambda: attn_lib.KernelAttention(width=2.0),
    "triangular": lambda: attn_lib.KernelAttention("triangular", width=6.0),
    "heads": lambda: attn_lib.MultiHeadAttention(D, D, V, 4, H, 0.0, bias=True),
    "shared heads": lambda: attn_lib.MultiHeadAttention(
        D, D, V, 4, H, 0.0, num_kv_heads=1, sink="learned"
    ),
}

# What hides keys: lengths, masks and biases of a batch, with 0, 1 and all keys visible.
GAPS = torch.tensor([[True, False, True, True, False]])  # no lengths can say this
HIDING = {
    "nothing": {},
    "lengths": {"valid_lens": torch.tensor([2, 0, K])},
    "causal": {"valid_lens": torch.tensor([[1, 2, 3, 4], [0, 0, 1, 1], [2, 3, 4, 5]])},
    "gaps": {"mask": GAPS.expand(B, Q, K)},
    "windows": {"mask": attn_lib.window_mask(Q, K, 2).expand(B, Q, K)},
    "both": {"valid_lens": torch.tensor([3, 1, 5]), "mask": GAPS.expand(B, Q, K)},
    "bias": {"score_bias": torch.linspace(-2, 2, B * Q * K).reshape(B, Q, K)},
}


class Call:
    """A module and the arguments of a batch; one relation changes one of them."""

    def __init__(self, name, dtype, hiding):
        torch.manual_seed(3)
        self.module = MODULES[name]().to(dtype)
        shapes = (B, Q, D), (B, K, D), (B, K, V)
        self.inputs = [torch.randn(shape, dtype=torch.float64).to(dtype) for shape in shapes]
        self.hiding = dict(HIDING[hiding])
        self.heads = isinstance(self.module, attn_lib.MultiHeadAttention)
        self.need_weights = True

    def changed(self, **changes):
        other = copy.copy(self)
        vars(other).update(changes)
        return other

    def take(self, rows):
        """The same call for some examples, or one of them several times."""
        hiding = {name: X[rows] for name, X in self.hiding.items()}
        return self.changed(inputs=[X[rows] for X in self.inputs], hiding=hiding)

    def visible(self):
        """Which query may see which key, counted one by one: (B, Q, K)."""
        seen = torch.ones(len(self.inputs[0]), *(X.shape[1] for X in self.inputs[:2])).bool()
        if (lens := self.hiding.get("valid_lens")) is not None:
            seen &= torch.arange(seen.shape[2]) < lens.reshape(len(lens), -1, 1)
        return seen & self.hiding.get("mask", torch.tensor(True))

    def output(self, inputs=None):
        hiding = {
            n: X.unsqueeze(1) if self.heads and n != "valid_lens" else X
            for n, X in self.hiding.items()
        }
        return self.module(*(inputs or self.inputs), **hiding, need_weights=self.need_weights)

    def run(self, second=True):
        """Output, weights, gradients and gradients of gradients, all by example."""
        inputs = [X.detach().clone().requires_grad_() for X in self.inputs]
        output = self.output(inputs)
        upstream = torch.linspace(-1, 1, output[0].numel()).reshape(output.shape[1:])
        loss = (output.float() * upstream).sum()
        first = torch.autograd.grad(loss, inputs, create_graph=second, materialize_grads=True)
        result = [output, self.module.attention_weights, *first]
        if second:
            again = sum(g.double().square().sum() for g in first)
            if again.requires_grad:
                result += torch.autograd.grad(again, inputs, materialize_grads=True)
        return [X for X in result if X is not None]


def differ(found, expected, dtype, size=8):
    """The parts, by number, that are apart by more than rounding."""
    eps = torch.finfo(dtype).eps
    apart = []
    for part, (one, other) in enumerate(zip(found, expected, strict=True)):
        scale = max(1.0, other.double().nan_to_num(0, 0, 0).abs().max().item())
        close = torch.allclose(
            one.double(), other.double(), rtol=0, atol=size * eps * scale, equal_nan=True
        )
        if not close:
            apart.append(part)
    return apart


def calls(dtypes=DTYPES, hiding=HIDING):
    for name in MODULES:
        for dtype in dtypes:
            for kind in hiding:
                yield f"{name}, {str(dtype)[6:]}, {kind}", Call(name, dtype, kind), dtype


def check(relation, **which):
    """Compare both sides of a relation in every case, and name the cases in which they differ."""
    wrong = {}
    for name, call, dtype in calls(**which):
        for what, found, expected in relation(call):
            if apart := differ(found, expected, dtype):
                wrong[f"{name}: {what}"] = apart
    assert not wrong


@pytest.mark.parametrize("form", ["readable", "fast"])
def test_neighbours(form, monkeypatch):
    """Rows appended, dropped and permuted: those of an example stay."""
    if form == "fast":
        monkeypatch.setattr(softmax, "_WORTHWHILE", 0)
        monkeypatch.setattr(additive, "_DIRECT", 0)

    def relation(call):
        whole = call.run()
        for rows in ([2], [2, 0, 1], [1, 0, 0, 2]):
            yield rows, call.take(rows).run(), [X[rows] for X in whole]
        spoilt = call.changed(inputs=[X.clone() for X in call.inputs])
        for X in spoilt.inputs:
            X[1] = math.nan
        yield "beside NaN", [X[[0, 2]] for X in spoilt.run()], [X[[0, 2]] for X in whole]

    check(relation, dtypes=DTYPES[:2] if form == "readable" else DTYPES[2:3])


def test_size_of_the_call():
    """Queries asked in two calls; one more key, which nobody sees; one more row without keys."""

    def relation(call):
        whole = call.run(second=False)
        parts = []
        for some in (slice(0, 1), slice(1, Q)):
            hiding = {n: X[:, some] if X.ndim > 1 else X for n, X in call.hiding.items()}
            queries = call.inputs[0][:, some]
            part = call.changed(inputs=[queries, *call.inputs[1:]], hiding=hiding)
            parts.append(part.run(second=False))
        yield "output", [torch.cat([part[0] for part in parts], 1)], whole[:1]
        weights = [part[1] for part in parts]
        yield "weights", [torch.cat(weights, -2)], whole[1:2]
        for garbage in (0.0, *HARD):
            longer = [
                call.inputs[0],
                *(torch.cat([X, X[:, :1] * 0 + garbage], 1) for X in call.inputs[1:]),
            ]
            hiding = {n: padded(X, n) for n, X in call.hiding.items()}
            if "mask" not in hiding and "valid_lens" not in hiding:
                hiding["valid_lens"] = torch.full((B,), K)
            found = call.changed(inputs=longer, hiding=hiding).run(second=False)
            found[1] = found[1][..., :K]
            found[3:] = [X[:, :K] for X in found[3:]]
            yield f"padding of {garbage}", found, whole

    check(relation, dtypes=(torch.float32, torch.float16))


def padded(X, name):
    return X if name == "valid_lens" else torch.nn.functional.pad(X, (0, 1))


def test_path():
    """Weights kept or not, lengths or the equal mask, and every form of the formulas."""

    def relation(call):
        whole = call.run()
        lean = call.changed(need_weights=False).run(second=False)  # the kernel has no second one
        yield "need_weights", lean, [whole[0], *whole[2:5]]
        if "valid_lens" in call.hiding:
            hiding = {**call.hiding, "mask": call.visible()}
            del hiding["valid_lens"]
            yield "mask", call.changed(hiding=hiding).run(), whole
        with torch.inference_mode():
            yield "inference", [call.output()], whole[:1]

    check(relation, dtypes=(torch.float64, torch.bfloat16))


def test_forms(monkeypatch):
    """Blocks and one buffer, which large calls take, against the readable formulas."""
    some = DTYPES[1:3]
    expected = {name: call.run() for name, call, _ in calls(some)}
    monkeypatch.setattr(softmax, "_WORTHWHILE", 0)
    monkeypatch.setattr(additive, "_DIRECT", 0)
    found = {name: differ(call.run(), expected[name], dtype) for name, call, dtype in calls(some)}
    assert {name: apart for name, apart in found.items() if apart} == {}


def test_autocast_or_explicit_dtype():
    """Half-precision numbers, with a type of their own or under autocast, and large scores."""
    for dtype in (torch.bfloat16, torch.float16):
        for name in ("dot", "dot with a sink", "gaussian", "additive"):
            for need_weights in (True, False):
                call = Call(name, dtype, "causal")
                call.inputs[0] = 8 * call.inputs[0]
                call.need_weights = need_weights
                explicit = call.run(second=False)
                wide = call.changed(
                    inputs=[X.float() for X in call.inputs],
                    module=copy.deepcopy(call.module).float(),
                )
                with torch.autocast("cpu", dtype=dtype):
                    found = wide.run(second=False)
                assert not differ(found, explicit, dtype), (name, dtype, need_weights)


@pytest.mark.no_cover
def test_compiled():
    """With lengths, masks, sinks and biases, as one graph."""
    for name, kind in (("dot with a sink", "both"), ("shared heads", "bias"), ("gaussian", "gaps")):
        call = Call(name, torch.float64, kind)
        expected = call.run(second=False)
        torch._dynamo.reset()
        module = torch.compile(call.module, backend="aot_eager", fullgraph=True)
        hiding = dict(call.hiding)
        if name == "shared heads":
            hiding = {"score_bias": hiding["score_bias"].unsqueeze(1)}
        found = module(*call.inputs, **hiding)
        assert not differ([found], expected[:1], torch.float64), name


def test_hidden_numbers():
    """Whatever a key or a value holds, it is nothing to the queries that may not see it."""

    def unseeing(call, place, which, number):
        """Output, slope and curvature of the queries that may not see this key."""
        sees = call.visible()[:, :, place].unsqueeze(-1)  # (B, Q, 1)
        inputs = [X.clone().requires_grad_() for X in call.inputs]
        inputs[which].data[:, place] = number
        output = call.output(inputs).masked_fill(sees, 0)
        loss = output.float().square().sum()
        (slope,) = torch.autograd.grad(loss, inputs[0], create_graph=True)
        slope = slope.masked_fill(sees, 0)
        bend = torch.autograd.grad(slope.float().square().sum(), inputs[0])[0].masked_fill(sees, 0)
        return output, slope, bend

    def relation(call):
        for which in (1, 2):
            for place in (1, K - 1):
                clean = unseeing(call, place, which, 0.0)
                for number in HARD:
                    yield f"{number} in {which}", unseeing(call, place, which, number), clean

    check(relation, dtypes=(torch.float32,), hiding=("lengths", "causal", "both"))


def test_a_loss_that_leaves_the_spoilt_queries_out(monkeypatch):
    """NaN in a key, a value or a query: all gradients of the others' loss are those beside 0."""

    def gradients(call, which, example, place, number):
        inputs = [X.clone() for X in call.inputs]
        inputs[which][example, place] = number
        spoilt = torch.zeros(B, Q, 1).bool()
        spoilt[example] = call.visible()[example, :, place, None] if which else False
        if which == 0:
            spoilt[example, place] = True
        inputs = [X.requires_grad_() for X in inputs]
        wanted = [*inputs, *call.module.parameters()]
        output = call.output(inputs).masked_fill(spoilt, 0)
        loss = output.square().sum()
        if call.need_weights and not call.heads:
            weights = call.module.weights(*inputs[:2], **call.hiding)
            loss = loss + weights.masked_fill(spoilt, 0).square().sum()
        with torch.inference_mode():
            output = [output, call.output(inputs).masked_fill(spoilt, 0)]
        first = torch.autograd.grad(
            loss, wanted, create_graph=call.need_weights, materialize_grads=True
        )
        again = sum(g.square().sum() for g in first)
        second = (
            torch.autograd.grad(again, wanted, materialize_grads=True) if call.need_weights else ()
        )
        return [*output, *first, *second]

    def relation(call):
        for need_weights in (True, False):
            call = call.changed(need_weights=need_weights)
            for which, example, place in ((0, 2, 1), (1, 0, K - 1), (1, 2, 3), (2, 2, 3)):
                clean = gradients(call, which, example, place, 0.0)
                for number in (math.nan, math.inf):
                    found = gradients(call, which, example, place, number)
                    yield f"{number} in {which}, {place}, {need_weights}", found, clean

    check(relation, dtypes=(torch.float64,), hiding=("lengths", "causal", "both"))
    monkeypatch.setattr(softmax, "_WORTHWHILE", 0)
    monkeypatch.setattr(additive, "_DIRECT", 0)
    check(relation, dtypes=(torch.float64,), hiding=("causal",))


def test_padding_of_self_attention():
    """Padding of NaN is in the queries, too: a loss of the tokens trains as beside zeros."""
    lens = torch.tensor([2, 3, 5])
    real = torch.arange(5) < lens[:, None]
    for name in ("dot", "additive", "bilinear", "gaussian", "heads"):
        found = []
        for number in (0.0, math.nan):
            torch.manual_seed(3)
            module = (
                MODULES[name]()
                if name != "heads"
                else attn_lib.MultiHeadAttention(D, D, D, 4, H, 0.0, bias=True)
            )
            x = torch.randn(3, 5, D)[real]
            x = torch.full((3, 5, D), number).masked_scatter(real[..., None], x).requires_grad_()
            loss = module(x, x, x, lens)[real].square().sum()
            found.append(torch.autograd.grad(loss, [x, *module.parameters()]))
        for one, other in zip(*found, strict=True):
            assert other.isfinite().all()
            torch.testing.assert_close(one, other)


def test_hidden_and_visible_scores():
    """Scores may be anything: hidden ones have weight 0, and visible ones spoil their row alone."""
    lens = HIDING["causal"]["valid_lens"]
    hidden = torch.arange(K) >= lens.unsqueeze(-1)
    upstream = torch.linspace(-1, 1, B * Q * K).reshape(B, Q, K)
    for worthwhile in (0, math.inf):
        for dtype in DTYPES:
            scores = torch.randn(B, Q, K).to(dtype)

            def run(scores):
                X = scores.clone().requires_grad_()
                weights = attn_lib.masked_softmax(X, lens)
                loss = (upstream * weights.float()).sum() + torch.special.entr(
                    weights.float()
                ).sum()
                (slope,) = torch.autograd.grad(loss, X, create_graph=True)
                (bend,) = torch.autograd.grad(slope.float().square().sum(), X)
                return weights, slope, bend

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(softmax, "_WORTHWHILE", worthwhile)
                expected = run(scores)
                for number in torch.tensor(HARD).to(dtype).tolist():
                    filled = run(scores.masked_fill(hidden, number))
                    assert all(map(torch.equal, filled, expected)), (number, dtype)
                    assert all((X[hidden] == 0).all() for X in filled)
                    spoilt = scores.clone()
                    spoilt[0, 2, 1] = number
                    for found, before in zip(run(spoilt), expected, strict=True):
                        assert (found[hidden] == 0).all(), (number, dtype)
                        assert torch.equal(found[1:], before[1:]), (number, dtype)
                        assert torch.equal(found[0, [0, 1, 3]], before[0, [0, 1, 3]]), number


def test_across_the_switch():
    """2^14 - 1 scores are normalised in one way, 2^14 in another: a hidden one more is nothing."""
    X = torch.randn(1, 1, 2**14 - 1, dtype=torch.float64)
    lens = torch.tensor([5000])

    def run(X):
        X = X.clone().requires_grad_()
        weights = attn_lib.masked_softmax(X, lens)
        (slope,) = torch.autograd.grad(torch.special.entr(weights).sum(), X)
        return weights[..., :-1], slope[..., :-1]

    short, long = run(X), run(torch.nn.functional.pad(X, (0, 1), value=math.nan))
    assert not differ(short, [Y[..., :-1] for Y in long], torch.float64)


def test_vmap():
    masks = torch.stack([HIDING[name]["mask"] for name in ("gaps", "windows")])
    for name in ("dot", "gaussian", "additive"):
        call = Call(name, torch.float64, "nothing")
        attend = partial(call.module, *call.inputs, None)
        found = torch.vmap(lambda mask, attend=attend: attend(mask=mask))(masks)
        expected = torch.stack([attend(mask=mask) for mask in masks])
        assert not differ([found], [expected], torch.float64), name
