"""Runs the lines of a row of the atlas on random numbers, and counts what they cost."""

import math
import zlib

import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

import attn_lib

SIZES = {"Q": 8, "K": 8, "d": 8, "h": 6, "c": 4, "r": 3, "H": 4, "feat": 16}
MODULES = {"torch": torch, "F": F, "math": math, "attn_lib": attn_lib}


def setting(row, seed=0, **sizes):
    """What the code of a row sees, and the parameters among it."""
    sizes = SIZES | sizes
    sizes["e"] = row.key_size or sizes.get("e", sizes["d"])
    random = torch.Generator().manual_seed(zlib.crc32(row.id.encode()) + seed)
    parameters = []

    def draw(*shape):
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    def parameter(*shape):
        parameters.append(draw(*shape) * 0.6)
        return parameters[-1]

    seen = MODULES | sizes | {"P": parameter, "D": lambda *shape: draw(*shape) * 0.6}
    heads = (sizes["H"],) if row.heads else ()
    seen["q"] = draw(*heads, sizes["Q"], sizes["d"])
    seen["k"] = draw(*heads, sizes["K"], sizes["e"])
    seen["i"], seen["j"] = torch.arange(sizes["Q"]), torch.arange(sizes["K"])
    exec(row.given, seen)
    return seen, parameters


def run(row, seen, add=0.0, **changed):
    """Weights, scores and all names of a row; `add` is put between scores and weights."""
    seen = seen | changed
    exec(row.score, seen)
    seen["s"] = seen["s"] + add
    exec(row.weights, seen)
    return seen["w"], seen["s"], seen


def by_library(row, seen):
    """The weights by the row's lines of attn_lib."""
    seen = dict(seen)
    one = (lambda x: x) if row.heads else (lambda x: x[None])
    seen["queries"], seen["keys"] = one(seen["q"]), one(seen["k"])
    exec(row.library, seen)
    return seen["w"] if row.heads else seen["w"][0]


def w_of(row, s, **more):
    """The weights that a row makes of given scores."""
    s = torch.atleast_2d(torch.as_tensor(s, dtype=torch.float64))
    places = {"i": torch.arange(len(s)), "j": torch.arange(s.shape[-1])}
    shapes = {"q": torch.zeros(len(s), 1).double(), "k": torch.zeros(s.shape[-1], 1).double()}
    seen = MODULES | shapes | places | {"s": s} | more
    exec(row.weights, seen)
    return seen["w"]


SPECIAL = {"exp", "log", "log1p", "tanh", "sigmoid", "log_sigmoid_forward", "sin", "cos"}
SPECIAL |= {"sqrt", "rsqrt", "_softmax", "elu"}


class Count(TorchDispatchMode):
    """Counts multiplications in matrix products, special functions and the largest tensor made."""

    def __init__(self):
        super().__init__()
        self.products = self.special = self.largest = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        first = args[0].shape if args and isinstance(args[0], torch.Tensor) else ()
        if name in ("mm", "bmm"):
            self.products += math.prod(first) * args[1].shape[-1]
        elif name in ("mv", "dot"):
            self.products += math.prod(first)
        elif name == "_cdist_forward":
            self.products += math.prod(first) * args[1].shape[-2]
        outs = out if isinstance(out, tuple | list) else (out,)
        if name in SPECIAL:
            self.special += outs[0].numel()
        known = {a.untyped_storage().data_ptr() for a in args if isinstance(a, torch.Tensor)}
        for made in outs:
            if isinstance(made, torch.Tensor):
                storage = made.untyped_storage()
                if storage.data_ptr() not in known:
                    self.largest = max(self.largest, storage.nbytes() // made.element_size())
        return out


def count(row, seen):
    """The costs of a row's lines."""
    with Count() as counted:
        exec(row.score, seen)
        exec(row.weights, seen)
    return counted


# What becomes of the weights under each change of book.atlas.CHANGES: the gap to what ought to be.


def gaps(row, seed):
    """How far the weights are from staying as they are, change by change."""
    seen, _ = setting(row, seed)
    random = torch.Generator().manual_seed(7 + seed)
    q, k, i, j = (seen[name] for name in "qkij")
    d, e, keys = seen["d"], seen["e"], seen["K"]

    def draw(*shape):
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    def weights(**changed):
        return run(row, seen, **changed)[0]

    before = weights()
    stretch = 0.5 + 1.5 * torch.rand(keys, 1, generator=random, dtype=torch.float64)
    shift = draw(e)
    order = torch.roll(torch.randperm(keys, generator=random), 1)
    exchanged = k.clone()
    exchanged[..., 2, :] = 1.7 * draw(*exchanged[..., 2, :].shape)
    after = {
        "moved": weights(i=i + 10_001, j=j + 10_001),
        "shifted": weights(add=3.0),
        "longer-query": weights(q=2 * q),
        "longer-keys": weights(k=k * stretch),
        "keys-plus": weights(k=k + shift),
    }
    if e == d:
        turn = torch.linalg.qr(draw(d, d))[0]
        after["both-plus"] = weights(q=q + shift, k=k + shift)
        after["turned"] = weights(q=q @ turn, k=k @ turn)
    found = {change: float((w - before).abs().nan_to_num(9e9).max()) for change, w in after.items()}
    if before.shape[-1] != keys:  # weights of blocks: none belongs to one key
        return found
    shuffled = weights(k=k[..., order, :]) - before[..., order]
    found["shuffled"] = float(shuffled.abs().nan_to_num(9e9).max())
    rest = [key for key in range(keys) if key != 2]
    a, b = before[..., rest], weights(k=exchanged)[..., rest]
    found["rivals"] = float((b - a).abs().max())
    crossed = a[..., :, None] * b[..., None, :] - b[..., :, None] * a[..., None, :]
    found["ratios"] = float(crossed.abs().max())
    return found
