"""The page's torch is held to torch: values, shapes, gradients, kinds of errors, views."""

import ast
import gzip
import json
import math
import random
import re
from pathlib import Path

import pytest
import torch

import attn_lib.page.torch as small
from tests.unit.page.interpreter import judged

# Of x (4, 6), y (4, 6) and lengths (4,), with `t` either torch.
FUNCTIONS = {
    "add": lambda t, x, y, n: x + y[:, :1] + 2,
    "sub": lambda t, x, y, n: 1 - x - y[0],
    "mul": lambda t, x, y, n: 0.5 * x * y[:1] * n.unsqueeze(1),
    "div": lambda t, x, y, n: x / (y.square() + 1) + 1 / (x * x + 2) + n[:, None] / 2,
    "pow": lambda t, x, y, n: (x**2 + 1) ** 0.5 + y**3,
    "neg": lambda t, x, y, n: -x,
    "exp": lambda t, x, y, n: t.exp(x) * y.exp(),
    "log": lambda t, x, y, n: t.log(x.square() + 0.1) + y.square().log(),
    "tanh": lambda t, x, y, n: t.tanh(x[:, None] + y[None]).sum(-1),
    "sigmoid": lambda t, x, y, n: t.sigmoid(x) * t.nn.functional.sigmoid(y),
    "sqrt": lambda t, x, y, n: (x.square() + 1).sqrt(),
    "circle": lambda t, x, y, n: t.cos(x) * t.sin(y),
    "abs": lambda t, x, y, n: x.abs() + t.abs(y),
    "relu": lambda t, x, y, n: t.relu(x) - y.relu(),
    "clamp": lambda t, x, y, n: x.clamp(min=0) + y.clamp(-1, 0.5),
    "maximum": lambda t, x, y, n: t.maximum(x, y) - t.minimum(x, y),
    "sum": lambda t, x, y, n: x.sum(0) + y.sum(1, keepdim=True) + x.sum(),
    "sums": lambda t, x, y, n: t.stack([x, y]).sum((0, -1)),
    "mean": lambda t, x, y, n: x.mean(-1, keepdim=True) * y.mean() + x.mean(dim=0),
    "amax": lambda t, x, y, n: (x - x.amax(-1, keepdim=True)).exp() + y.amax((0, 1)),
    "max": lambda t, x, y, n: x.max(-1, keepdim=True).values * y.max(0)[0] + x.max(),
    "argmax": lambda t, x, y, n: x.argmax(-1) + y.argmax(0)[:4] + x.max(1).indices,
    "norm": lambda t, x, y, n: x.norm(dim=-1) / y.norm(),
    "logsumexp": lambda t, x, y, n: x.logsumexp(-1) + t.logsumexp(y, 1, keepdim=True),
    "softmax": lambda t, x, y, n: t.softmax(x, dim=-1) * y.softmax(0),
    "log_softmax": lambda t, x, y, n: x.log_softmax(-1) * y,
    "cumsum": lambda t, x, y, n: x.cumsum(1) * y.cumsum(0),
    "sort": lambda t, x, y, n: x.sort(-1, descending=True).values * y + y.sort(0)[0],
    "order": lambda t, x, y, n: x.sort(-1).indices + t.sort(y, descending=True)[1],
    "gather": lambda t, x, y, n: x.gather(1, n.unsqueeze(1)) * y.gather(0, n.unsqueeze(0)),
    "matmul": lambda t, x, y, n: (x @ y.mT) @ x + x @ y[0].unsqueeze(1),
    "vectors": lambda t, x, y, n: (x @ y[0]) * (x[0] @ y.T) + x[1] @ y[1],
    "bmm": lambda t, x, y, n: t.bmm(x[None].expand(2, -1, -1), y.mT.expand(2, 6, 4)),
    "batches": lambda t, x, y, n: x.reshape(2, 1, 2, 6) @ y.reshape(1, 2, 6, 2),
    "where": lambda t, x, y, n: t.where(x > y, x, 0.0) + t.where(y <= 0, 1, y),
    "masked": lambda t, x, y, n: x.masked_fill(t.arange(6) >= n[:, None] + 1, -math.inf).softmax(
        -1
    ),
    "cat": lambda t, x, y, n: t.cat([x, y * 2, x], dim=1) + t.cat((x, y), -1).sum(),
    "stack": lambda t, x, y, n: t.stack([x, y], dim=1) * t.stack([y, x], -1).mean(),
    "permute": lambda t, x, y, n: x.reshape(2, 2, 6).permute(2, 0, 1) * y.view(6, -1, 2),
    "transpose": lambda t, x, y, n: x.transpose(0, 1) * y.T + x.transpose(-1, -2),
    "squeeze": lambda t, x, y, n: x.unsqueeze(1).squeeze(1) * y.unsqueeze(-1).squeeze(),
    "flatten": lambda t, x, y, n: x.flatten() * y.reshape(-1) + x.reshape(2, 2, 6).flatten(1).sum(),
    "expand": lambda t, x, y, n: x[:, None].expand(-1, 3, 6) * y[:1].expand_as(x).unsqueeze(1),
    "items": lambda t, x, y, n: x[1] * y[-1] + x[2, 1] + y[..., -2].sum() + x[1:3, ::2].sum(),
    "lists": lambda t, x, y, n: x[[2, 0]] * y[n[:2]] + x[:, [5, 0]].sum(),
    "mask": lambda t, x, y, n: x[x > 0].sum() * y[y[:, 0] > -9] + x[:, y[0] < 9],
    "repeat": lambda t, x, y, n: x.repeat_interleave(2, dim=0).sum(0) * y,
    "tril": lambda t, x, y, n: x.tril() + t.tril(y, -1),
    "rows": lambda t, x, y, n: t.stack([row * i for i, row in enumerate(x)]) * y,
    "made": lambda t, x, y, n: x * t.ones(6) + t.full((4, 1), 2.0) - t.zeros(4, 6) + t.eye(6)[:4],
    "alike": lambda t, x, y, n: x * t.ones_like(x) + t.full_like(y, 3) + t.zeros_like(n)[:, None],
    "spaced": lambda t, x, y, n: x * t.linspace(0, 5, 6) + t.outer(y[:, 0], x[0]),
    "cdist": lambda t, x, y, n: t.cdist(x, y + 9),
    "detached": lambda t, x, y, n: x * y.detach() + x.clone(),
    "unused": lambda t, x, y, n: t.where(x > 99, 0 * y, x),
    "nan": lambda t, x, y, n: (x / 0 * 0).nan_to_num(2.0) + y,
    "infinite": lambda t, x, y, n: x.isfinite() & ~(y / 0).isinf() | x.isnan(),
    "types": lambda t, x, y, n: (x > 0).float() * y + (y < 0).long() + n.unsqueeze(1).double(),
    "whole": lambda t, x, y, n: n * 2 + t.arange(4) - t.arange(2, 10, 2),
    "steps": lambda t, x, y, n: t.arange(0, 1, 0.25) + t.arange(4.0),
    "bools": lambda t, x, y, n: (x > 0).all(1) | (y > 0).any(-1) & (n == 2) | (n != n),
    "counts": lambda t, x, y, n: (x > 0).sum(1) + (y > 0).sum(),
}

# What no program drawn at random is made of.
RARE = {
    "max of two": lambda t, x, y, n: x.max(y) + x.where(x > 0, y),
    "each twice": lambda t, x, y, n: x.repeat_interleave(2).reshape(4, 12)[:, ::2] * y,
    "each as often": lambda t, x, y, n: x.repeat_interleave(n + 1, 0).sum(0) * y,
    "an empty row": lambda t, x, y, n: t.where(x > 9, x, -math.inf).softmax(-1).nan_to_num(0.0) + y,
    "nan among them": lambda t, x, y, n: (x.detach() / 0 * 0).amax(-1).nan_to_num(1.0) * y.sum(1),
    "root of nothing": lambda t, x, y, n: ((x.detach() * 0) ** -1).clamp(max=1.0) + y,
    "a row by a number": lambda t, x, y, n: x[n[0]] * y[n[1], n[2]],
    "of numbers": lambda t, x, y, n: t.tensor([n[0], n[1], n[2], n[3]])[:, None] * x + y,
    "of a tensor": lambda t, x, y, n: t.as_tensor(n)[:, None] * x.contiguous().cpu() + y,
    "as another": lambda t, x, y, n: n.to(x)[:, None] * x + y.to(t.float64) + y.to(dtype=None),
    "whole ones": lambda t, x, y, n: t.where(n > 1, n, 0) + t.empty_like(n) * 0,
    "bools": lambda t, x, y, n: (
        t.cat([n.bool(), n > 1]) & t.cat([n < 9, t.where(n > 1, n > 0, n < 2)])
    ),
}


def both(seed):
    """The same x, y and lengths for both."""
    draw = random.Random(seed)
    x, y = ([[draw.gauss(0, 1) for _ in range(6)] for _ in range(4)] for _ in range(2))
    lens = [draw.randrange(4) for _ in range(4)]
    for t in (torch, small):
        leaves = [t.tensor(z, dtype=t.float64, requires_grad=True) for z in (x, y)]
        yield t, *leaves, t.tensor(lens)


def same(ours, theirs):
    assert tuple(ours.shape) == tuple(theirs.shape)
    assert str(ours.dtype) == str(theirs.dtype)
    theirs = theirs.detach().double()
    got = torch.tensor(ours.tolist(), dtype=torch.float64).reshape(theirs.shape)
    assert torch.allclose(got, theirs, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("name", [*FUNCTIONS, *(f"rare: {name}" for name in RARE)])
def test_values_and_gradients_are_those_of_torch(name):
    function = RARE[name[6:]] if name.startswith("rare: ") else FUNCTIONS[name]
    for seed in range(20):
        found = []
        for t, x, y, n in both(seed):
            value = function(t, x, y, n)
            if value.requires_grad:
                (value * value).sum().backward()
            found.append((value, x.grad, y.grad))
        (theirs, *wanted), (ours, *got) = found
        same(ours, theirs)
        assert ours.requires_grad == theirs.requires_grad
        for own, other in zip(got, wanted, strict=True):
            assert (own is None) == (other is None)
            if other is not None:
                same(own, other)


ON_THE_PAGE = """
import json
inf = float("inf")
def f(given): return given
x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)
y = torch.tensor({y}, dtype=torch.float64, requires_grad=True)
n = torch.tensor({n})
value = ({program})(torch, x, y, n)
if value.requires_grad:
    (value * value).sum().backward()
for z in (value, x.grad, y.grad):
    print(json.dumps(None if z is None else [f"{{float(a):.9g}}" for a in z.flatten()][:60]))
"""


def programs():
    """The texts of the functions above, by their names."""
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    for table in (FUNCTIONS, RARE):
        (found,) = (
            node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and {ast.literal_eval(key) for key in node.value.keys} == table.keys()
        )
        for key, value in zip(found.keys, found.values, strict=True):
            yield ast.literal_eval(key), table, ast.unparse(value)


def test_micropython_computes_the_same():
    """What CPython makes of the page's torch above, the page's own interpreter makes too."""
    (t, x, y, n), _ = both(1)
    names, tables, texts = zip(*programs(), strict=True)
    plain = {"x": x.tolist(), "y": y.tolist(), "n": n.tolist()}
    codes = [ON_THE_PAGE.format(program=text.replace("math.inf", "inf"), **plain) for text in texts]
    for name, table, found in zip(names, tables, judged("masked_softmax", codes, "f"), strict=True):
        (_, x, y, n), _ = both(1)
        value = table[name](t, x, y, n)
        if value.requires_grad:
            (value * value).sum().backward()
        lines = found["printed"].splitlines()
        assert len(lines) == 3, (name, found)
        for line, wanted in zip(lines, (value, x.grad, y.grad), strict=True):
            got = json.loads(line)
            assert (got is None) == (wanted is None), name
            if got is not None:
                own = torch.tensor([float(a) for a in got], dtype=torch.float64)
                other = wanted.detach().double().flatten()[:60]
                assert torch.allclose(own, other, rtol=1e-6, equal_nan=True), name


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("x = torch.tensor(2.0)\nprint(float(x), isinstance(float(x), float))", "2.0 True"),
        ("import math\nprint(math.sqrt(torch.tensor(4.0)), math.pi > 3)", "2.0 True"),
        ("print(max(-math.inf, torch.tensor(3.0)).item(), max(1, 2))", "3.0 2"),
        ("print(min([torch.tensor(3.0), torch.tensor(1.0)]).item(), min(2, 1))", "1.0 1"),
    ],
)
def test_what_python_brings_takes_tensors_too(program, printed):
    code = f"import math\ndef f(given): return given\n{program}\n"
    (found,) = judged("masked_softmax", [code], "f")
    assert found["printed"].strip() == printed


UNARY = ["exp", "tanh", "sigmoid", "neg", "abs", "relu", "softmax", "transpose", "flatten", "clamp"]


@pytest.mark.parametrize("seed", range(60))
def test_programs_drawn_at_random_agree(seed):
    """Functions upon functions: each takes what others gave, if shapes allow."""
    results = []
    for t, x, y, n in both(seed):
        draw = random.Random(seed)
        pool = [x, y]
        for _ in range(6):
            a, b = draw.choice(pool), draw.choice(pool)
            names = list(FUNCTIONS)
            draw.shuffle(names)
            for name in names:
                try:
                    value = FUNCTIONS[name](t, a, b, n)
                except (RuntimeError, IndexError, TypeError, ValueError) as error:
                    results.append((t, name, type(error)))
                    continue
                if value.requires_grad and value.numel() < 500:
                    pool.append(value.clamp(-5, 5))
                    break
        total = sum((p * p).sum() for p in pool)
        total.backward()
        results.append((t, total, x.grad, y.grad))
    ours = [row[1:] for row in results if row[0] is small]
    theirs = [row[1:] for row in results if row[0] is torch]
    assert ours[:-1] == theirs[:-1]
    for own, other in zip(ours[-1], theirs[-1], strict=True):
        same(own, other)


ERRORS = {
    "shapes": lambda t, x, y, n: x + y[:, :5],
    "matmul": lambda t, x, y, n: x @ y,
    "bmm": lambda t, x, y, n: t.bmm(x, y),
    "reshape": lambda t, x, y, n: x.reshape(5, 5),
    "view": lambda t, x, y, n: x.view(-1, 5),
    "expand": lambda t, x, y, n: x.expand(4, 7),
    "dim": lambda t, x, y, n: x.sum(2),
    "softmax": lambda t, x, y, n: x.softmax(-3),
    "whole softmax": lambda t, x, y, n: n.softmax(0),
    "no dim": lambda t, x, y, n: x.softmax(),
    "index": lambda t, x, y, n: x[4],
    "indices": lambda t, x, y, n: x[0, 0, 0],
    "float index": lambda t, x, y, n: x[1.0],
    "mask": lambda t, x, y, n: x[y[:3] > 0],
    "permute": lambda t, x, y, n: x.permute(0, 0),
    "cat": lambda t, x, y, n: t.cat([x, y[:, :5]], 0),
    "item": lambda t, x, y, n: x.item(),
    "truth": lambda t, x, y, n: bool(x > 0),
    "if": lambda t, x, y, n: 1 if n else 0,
    "len": lambda t, x, y, n: len(x.sum()),
    "for": lambda t, x, y, n: list(x.sum()),
    "fill": lambda t, x, y, n: x.masked_fill(n, 0.0),
    "where": lambda t, x, y, n: t.where(n, x, y),
    "mean": lambda t, x, y, n: n.mean(),
    "ragged": lambda t, x, y, n: t.tensor([[1], [1, 2]]),
    "text": lambda t, x, y, n: t.tensor("a"),
    "a list": lambda t, x, y, n: t.softmax([1.0], 0),
    "backward": lambda t, x, y, n: x.backward(),
    "no gradient": lambda t, x, y, n: n.sum().backward(),
    "whole gradient": lambda t, x, y, n: n.requires_grad_(),
    "leaf": lambda t, x, y, n: x.__setitem__(0, 1.0),
    "written over": lambda t, x, y, n: over(t, x).sum().backward(),
    "assigned": lambda t, x, y, n: y.detach().__setitem__(0, x.detach()),
    "half a dimension": lambda t, x, y, n: x.softmax(0.5),
    "types": lambda t, x, y, n: x @ y.T.float(),
    "batches": lambda t, x, y, n: t.bmm(x[None], t.stack([y.T, y.T])),
    "no rows": lambda t, x, y, n: x[:0].amax(0),
    "gather": lambda t, x, y, n: x.gather(1, n[:, None] + 9),
    "float as index": lambda t, x, y, n: [1, 2][x[0, 0]],
    "no name": lambda t, x, y, n: t.sofmax(x, -1),
    "no method": lambda t, x, y, n: x.sofmax(-1),
}


def over(t, x):
    weights = x.softmax(-1)
    weights[0] = 0
    return weights


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_the_kind_of_torch(name):
    kinds = []
    for t, *given in both(0):
        with pytest.raises(Exception) as caught:  # noqa: PT011 - the kind is what is compared
            ERRORS[name](t, *given)
        kinds.append(caught.type)
    theirs, ours = kinds
    assert issubclass(ours, theirs)


# Each changes x, a copy that has no gradient, in place.
CHANGES = {
    "a row": lambda t, x, n: x.__setitem__(1, 0.5),
    "a column": lambda t, x, n: x.__setitem__((slice(None), -1), t.arange(4.0)),
    "a mask": lambda t, x, n: x.__setitem__(x > 0, -1e6),
    "rows by a mask": lambda t, x, n: x.__setitem__(n > 1, 7.0),
    "a part of a part": lambda t, x, n: x[1][2:].__setitem__(0, 9.0),
    "through a view": lambda t, x, n: x.reshape(2, 12).__setitem__((0, 11), 4.0),
    "through a transpose": lambda t, x, n: x.mT.__setitem__((0, slice(1, 3)), 8.0),
    "through expand": lambda t, x, n: x.unsqueeze(1).zero_(),
    "masked_fill_": lambda t, x, n: x.masked_fill_(x > 0, 3.0),
    "add_": lambda t, x, n: x.add_(1),
    "clamp_": lambda t, x, n: x[2:].clamp_(min=0),
    "detach": lambda t, x, n: x.detach().mul_(2),
    "a list of rows": lambda t, x, n: x[[0, 1]].zero_(),
    "a clone": lambda t, x, n: x.clone().zero_(),
    "copy_": lambda t, x, n: x[0].copy_(x[1]),
    "a whole number": lambda t, x, n: x.__setitem__(0, n.sum()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_written_in_place_is_seen_where_torch_shows_it(name):
    found = []
    for t, x, _, n in both(1):
        own = x.detach().clone()
        view = own[1:]
        CHANGES[name](t, own, n)
        found.append((own, view))
    for theirs, ours in zip(*found, strict=True):
        same(ours, theirs)


def test_gradients_flow_through_what_is_written():
    found = []
    for _, x, y, n in both(2):
        weights = x * 2
        weights[n > 1] = y[0]
        weights[:, 0] = 3.0
        weights += x
        weights.square().sum().backward()
        found.append((weights, x.grad, y.grad))
    for theirs, ours in zip(*found, strict=True):
        same(ours, theirs)


def test_no_grad_and_shapes_read_as_in_torch():
    for t, x, _, n in both(0):
        with t.no_grad():
            assert not (x * 2).requires_grad
        assert (x * 2).requires_grad
        assert str(x.shape) == "torch.Size([4, 6])"
        assert x.shape == (4, 6)
        assert (x.ndim, x.dim(), x.numel(), len(x), x.size(1)) == (2, 2, 24, 4, 6)
        assert (int(n[0]), float(n[0])) == (n[0].item(), n[0].item())
        assert t.equal(n, n.clone())
        assert t.allclose(x, x + 1e-9)
        assert t.finfo(t.float32).min == torch.finfo(torch.float32).min
        assert [1, 2, 3, 4][n[0]] == n[0].item() + 1
        assert (x.shape.numel(), x.is_complex(), t.is_tensor(x), t.is_tensor(1)) == (
            (24, False, True, False)
        )
        assert bool(n[0] == n[0])
        assert {x: "a leaf"}[x] == "a leaf"
        assert repr(t.tensor([[1.0, 2.5]])) == "tensor([[1.0000, 2.5000]])"
        with t.no_grad(), t.enable_grad():
            assert t.is_grad_enabled()
        n[0] = True
        assert n[0].item() == 1


LACKING = {
    "torch.fft": lambda: small.fft,
    "Tensor.svd": lambda: small.tensor([1.0]).svd(),
    "clamp with tensors": lambda: small.zeros(2).clamp(small.ones(2)),
    "an index of several tensors": lambda: small.zeros(2, 2)[[0], [1]],
    "~ of numbers": lambda: ~small.zeros(2),
    "writing into a part of a tensor with gradients": lambda: parted().zero_(),
}


def parted():
    return (small.tensor([1.0, 2.0], requires_grad=True) * 2)[:1]


@pytest.mark.parametrize("name", LACKING)
def test_what_it_lacks_is_named_with_the_place_that_has_it(name):
    with pytest.raises(AttributeError, match=f"no {re.escape(name)}.*Jupyter"):
        LACKING[name]()


def test_it_stays_small():
    # In the same order on every machine, since that changes the size.
    paths = sorted(Path(small.__file__).parent.glob("*.py"))
    sources = [path.read_bytes() for path in paths]
    assert len(gzip.compress(b"".join(sources))) < 14_000
