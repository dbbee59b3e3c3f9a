"""Tensors with gradients, in the part of Python that MicroPython knows too.

A tensor is a list of numbers that views share, the places in it that belong to this tensor, and a
shape. What a function computes is what torch computes, to rounding; tests draw programs at random
and compare values, gradients, shapes and kinds of errors. What is written in place is seen by
views, and what a gradient still needs must not be written over, as with torch.
"""

import math
import sys
from collections import namedtuple

inf, nan = math.inf, math.nan
float32, float64, int64, boolean = "torch.float32", "torch.float64", "torch.int64", "torch.bool"
FLOATS = (float32, float64)
WRITTEN_OVER = (
    "one of the variables needed for gradient computation has been modified by an inplace operation"
)
tracking = [True]  # off inside no_grad


class Lacking(AttributeError):
    """The page's torch has no such function."""


def lack(name):
    raise Lacking(
        f"this page has no {name}: it knows what the book's exercises call, and Jupyter has all"
    )


class Shape(tuple):
    """A shape, written as torch writes it."""

    def __repr__(self):
        return f"torch.Size({list(self)})"

    def numel(self):
        return product(self)


class _Store:
    """Numbers that views share, and how often they have been written over."""

    def __init__(self, values):
        self.values, self.version = values, 0


class _Node:
    """What gave a tensor that has a gradient; a leaf, which nothing gave, keeps its gradient."""

    def __init__(self, parents=(), backward=None, saved=(), leaf=None):
        self.parents, self.backward, self.leaf = parents, backward, leaf
        self.saved = [(t._store, t._store.version) for t in saved]


class _Everything:
    def __getitem__(self, key):
        return key


_ALL = _Everything()[:]  # MicroPython cannot call slice


def product(sizes):
    n = 1
    for size in sizes:
        n *= size
    return n


def _strides(shape):
    strides, n = [], 1
    for size in reversed(shape):
        strides.append(n)
        n *= size
    return strides[::-1]


def broadcast(*shapes):
    """Return the shape that these have together."""
    n = max(len(shape) for shape in shapes)
    together = []
    for i in range(n):
        size = 1
        for shape in shapes:
            own = shape[i - n + len(shape)] if i - n + len(shape) >= 0 else 1
            if own != 1 and size not in (1, own):
                raise RuntimeError(
                    f"The size of tensor a ({size}) must match the size of tensor b ({own}) "
                    f"at non-singleton dimension {i}"
                )
            size = size if own == 1 else own
        together.append(size)
    return tuple(together)


def _expanded(shape, wanted):
    """The place in a tensor of this shape for each number of its expansion."""
    strides, pad, places = _strides(shape), len(wanted) - len(shape), [0]
    for i, size in enumerate(wanted):
        step = 0 if i < pad or shape[i - pad] == 1 else strides[i - pad]
        places = [place + step * k for place in places for k in range(size)]
    return places


def _dim(dim, n):
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise TypeError(f"a dimension must be an int, not {type(dim).__name__}")
    if not -max(n, 1) <= dim < max(n, 1):
        low, high = -max(n, 1), max(n, 1) - 1
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"
        )
    return dim % max(n, 1)


def _sizes(given):
    nested = len(given) == 1 and isinstance(given[0], (tuple, list))
    return tuple(given[0]) if nested else tuple(given)


def made(x, like=None):
    """Return a tensor: x itself, or a number; one beside a tensor of floats is a float."""
    if isinstance(x, Tensor):
        return x
    t = tensor(x)
    floats = like is not None and like.dtype in FLOATS
    if floats and not t.shape:
        return Tensor([float(t.item())], (), like.dtype)
    return t


def _promoted(*tensors):
    """The type of a result; a number alone does not make float32 into float64."""
    kinds = [t.dtype for t in tensors if t.shape] + [
        float32 if t.dtype in FLOATS else t.dtype for t in tensors if not t.shape
    ]
    if len({len(t.shape) > 0 for t in tensors}) == 1:
        kinds = [t.dtype for t in tensors]
    for kind in (float64, float32, int64):
        if kind in kinds:
            return kind
    return boolean


class Tensor:
    """As torch's."""

    def __init__(self, values, shape, dtype=float32, parents=(), backward=None, saved=()):
        self._store, self._places, self._of = _Store(values), None, None
        self.shape, self.dtype, self.grad, self._node = Shape(shape), dtype, None, None
        if backward and tracking[0] and any([p._node for p in parents]):
            self._node = _Node([p._node for p in parents], backward, saved)

    @property
    def requires_grad(self):
        return self._node is not None

    @requires_grad.setter
    def requires_grad(self, on):
        if on and self.dtype not in FLOATS:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if bool(on) != self.requires_grad:
            self._node = _Node(leaf=self) if on else None

    def values(self):
        values = self._store.values
        return values if self._places is None else [values[place] for place in self._places]

    def _view(self, places, shape):
        """What stands at these places, in the same store."""
        n = len(self.values())

        def backward(gradient):
            parts = [0.0] * n
            for place, part in zip(places, gradient):
                parts[place] += part
            return (parts,)

        view = Tensor([], shape, self.dtype, (self,), backward)
        own = self._places
        view._places = places if own is None else [own[place] for place in places]
        view._store, view._of = self._store, self
        return view

    def _saves(self, t):
        """Remember what the gradient will need."""
        if self._node:
            self._node.saved = [(t._store, t._store.version)]
        return self

    # What it is.
    @property
    def ndim(self):
        return len(self.shape)

    @property
    def is_leaf(self):
        return self._node is None or self._node.leaf is not None

    @property
    def T(self):
        return self.permute(*reversed(range(self.ndim)))

    @property
    def mT(self):
        _at_least_2d(self)
        return self.transpose(-2, -1)

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[_dim(dim, self.ndim)]

    def dim(self):
        return self.ndim

    def numel(self):
        return product(self.shape)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[i] for i in range(len(self))])

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.numel()} elements cannot be converted to Scalar"
            )
        return self.values()[0]

    def __float__(self):
        # MicroPython asks for this wherever a number stands before a tensor, and goes on to
        # __rmul__ and its like only if the answer is no number. What `float` is there: see run.py.
        return self if sys.implementation.name == "micropython" else float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        if self.dtype in FLOATS or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __bool__(self):
        if self.numel() != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.item())

    def tolist(self):
        def nested(values, shape):
            if not shape:
                return values[0]
            n = product(shape[1:])
            return [nested(values[i * n : (i + 1) * n], shape[1:]) for i in range(shape[0])]

        return nested(self.values(), self.shape)

    def __repr__(self):
        def written(x):
            if isinstance(x, list):
                return "[" + ", ".join([written(part) for part in x]) + "]"
            return f"{x:.4f}" if isinstance(x, float) else str(x)

        return f"tensor({written(self.tolist())})"

    def __getattr__(self, name):
        """Find what is written in place, such as masked_fill_, under its name without the bar."""
        if name[:1] == "_" or name[-1:] != "_" or not hasattr(Tensor, name[:-1]):
            lack("Tensor." + name)

        return lambda *given, **named: self._over(name[:-1], *given, **named)

    def _over(self, name, *given, **named):
        self._write(getattr(self, name)(*given, **named))
        return self

    # Types and copies.
    def to(self, *given, **named):
        for wanted in list(given) + [named.get("dtype")]:
            if isinstance(wanted, Tensor):
                return self.to(wanted.dtype)
            if wanted in (float32, float64, int64, boolean) and wanted != self.dtype:
                return self._cast(wanted)
        return self

    def _cast(self, dtype):
        cast = float if dtype in FLOATS else int if dtype == int64 else bool
        values = [cast(x) for x in self.values()]
        parents = (self,) if dtype in FLOATS else ()
        return Tensor(values, self.shape, dtype, parents, lambda g: (g,))

    def float(self):
        return self.to(float32)

    def double(self):
        return self.to(float64)

    def long(self):
        return self.to(int64)

    int = long

    def bool(self):
        return self.to(boolean)

    def clone(self):
        return Tensor(list(self.values()), self.shape, self.dtype, (self,), lambda g: (g,))

    def detach(self):
        same = Tensor([], self.shape, self.dtype)
        same._store, same._places = self._store, self._places
        return same

    def contiguous(self):
        return self

    cpu = to_dense = contiguous

    def is_complex(self):
        return False

    def requires_grad_(self, on=True):
        self.requires_grad = on
        return self

    # Gradients.
    def backward(self, gradient=None):
        if not self.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad")
        if gradient is None and self.numel() != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        order, seen, waiting = [], set(), [(self._node, False)]
        while waiting:  # a loop, for the page's stack is small
            node, done = waiting.pop()
            if done:
                order.append(node)
            elif node and id(node) not in seen:
                seen.add(id(node))
                waiting.append((node, True))
                waiting.extend([(parent, False) for parent in node.parents])
        parts = {id(self._node): gradient.values() if gradient else [1.0]}
        for node in reversed(order):
            part, t = parts.get(id(node)), node.leaf
            if part is None:
                continue
            if t is not None:
                before = [0.0] * len(part) if t.grad is None else t.grad.values()
                t.grad = Tensor([a + b for a, b in zip(before, part)], t.shape, t.dtype)
                continue
            if any([store.version != version for store, version in node.saved]):
                raise RuntimeError(WRITTEN_OVER)
            for parent, own in zip(node.parents, node.backward(part)):
                if parent:
                    old = parts.get(id(parent))
                    parts[id(parent)] = own if old is None else [a + b for a, b in zip(old, own)]

    def _write(self, value, places=None, shape=None):
        """Write a value over these places of this tensor, or over all of it."""
        shape = self.shape if shape is None else shape
        places = list(range(self.numel())) if places is None else places
        value = made(value, self)
        if broadcast(value.shape, shape) != tuple(shape):
            raise RuntimeError(
                f"a value of shape {list(value.shape)} does not fit into {list(shape)}"
            )
        new = value if value.shape == shape else value.expand(*shape)
        numbers = list(new.values())
        if self.dtype not in FLOATS:
            numbers = [int(x) if self.dtype == int64 else bool(x) for x in numbers]
        elif value.dtype not in FLOATS:
            numbers = [float(x) for x in numbers]
        if tracking[0] and self._node and self.is_leaf:
            raise RuntimeError(
                "a leaf Variable that requires grad is used in an in-place operation"
            )
        if tracking[0] and (self._node or new._node):
            if self._of is not None:
                lack("writing into a part of a tensor with gradients")
            over = set(places)

            def backward(g):
                kept = [0.0 if i in over else part for i, part in enumerate(g)]
                return kept, [g[place] for place in places]

            self._node = _Node([self._node, new._node], backward)
        store, own = self._store, self._places
        for place, x in zip(places, numbers):
            store.values[place if own is None else own[place]] = x
        store.version += 1

    # Shapes.
    def reshape(self, *shape):
        shape, n = list(_sizes(shape)), self.numel()
        wanted = list(shape)
        if -1 in shape:
            i = shape.index(-1)
            rest = product(shape[:i] + shape[i + 1 :])
            shape[i] = n // rest if rest else 0
        if product(shape) != n or [s for s in shape if s < 0]:
            raise RuntimeError(f"shape '{wanted}' is invalid for input of size {n}")
        return self._view(list(range(n)), shape)

    view = reshape

    def flatten(self, start_dim=0, end_dim=-1):
        start, end = _dim(start_dim, self.ndim), _dim(end_dim, self.ndim)
        return self.reshape(list(self.shape[:start]) + [-1] + list(self.shape[end + 1 :]))

    def unsqueeze(self, dim):
        shape = list(self.shape)
        shape.insert(_dim(dim, self.ndim + 1), 1)
        return self.reshape(*shape)

    def squeeze(self, dim=None):
        gone = range(self.ndim) if dim is None else [_dim(dim, self.ndim)]
        return self.reshape([s for i, s in enumerate(self.shape) if s != 1 or i not in gone])

    def expand(self, *shape):
        shape = _sizes(shape)
        pad = len(shape) - self.ndim
        shape = tuple([self.shape[i - pad] if s == -1 else s for i, s in enumerate(shape)])
        if pad < 0 or broadcast(self.shape, shape) != shape:
            raise RuntimeError(f"cannot expand a tensor of shape {list(self.shape)} to {shape}")
        return self._view(_expanded(self.shape, shape), shape)

    def expand_as(self, other):
        return self.expand(*other.shape)

    def permute(self, *dims):
        dims = [_dim(d, self.ndim) for d in _sizes(dims)]
        if sorted(dims) != list(range(self.ndim)):
            raise RuntimeError("permute: the dimensions must be those of the tensor, each once")
        strides, places = _strides(self.shape), [0]
        for d in dims:
            places = [p + strides[d] * k for p in places for k in range(self.shape[d])]
        return self._view(places, [self.shape[d] for d in dims])

    def transpose(self, dim0, dim1):
        dims, a, b = list(range(self.ndim)), _dim(dim0, self.ndim), _dim(dim1, self.ndim)
        dims[a], dims[b] = b, a
        return self.permute(*dims) if dims else self

    def repeat_interleave(self, repeats, dim=None):
        if dim is None:
            return self.flatten().repeat_interleave(repeats, 0)
        dim = _dim(dim, self.ndim)
        counts = repeats.tolist() if isinstance(repeats, Tensor) else repeats
        if not isinstance(counts, list):
            counts = [counts] * self.shape[dim]
        rows = [i for i, n in enumerate(counts) for _ in range(n)]
        return self[(_ALL,) * dim + (rows,)]

    def tril(self, diagonal=0):
        _at_least_2d(self)
        rows, columns = self.shape[-2:]
        kept = arange(columns) <= arange(rows).unsqueeze(1) + diagonal
        return where(kept, self, Tensor([0.0 if self.dtype in FLOATS else 0], (), self.dtype))

    def gather(self, dim, index):
        dim, strides, places = _dim(dim, self.ndim), _strides(self.shape), [0]
        sizes = [s for d, s in enumerate(self.shape) if d != dim]
        asked = [s for d, s in enumerate(index.shape) if d != dim]
        if len(asked) != len(sizes) or any([a > s for a, s in zip(asked, sizes)]):
            raise RuntimeError("gather: the index must have the tensor's shape but along dim")
        if any([not 0 <= i < self.shape[dim] for i in index.values()]):
            raise RuntimeError("gather: index out of bounds")
        for d, size in enumerate(index.shape):
            step = 0 if d == dim else strides[d]
            places = [place + step * k for place in places for k in range(size)]
        chosen = [p + strides[dim] * i for p, i in zip(places, index.values())]
        return self._view(chosen, index.shape).clone()

    # Parts.
    def _chosen(self, key):
        """The places and the shape of what an index chooses, and whether it is a view."""
        if isinstance(key, list) or (isinstance(key, Tensor) and key.dtype == boolean):
            key = (key,)
        key = list(key) if isinstance(key, tuple) else [key]
        parts, used = [], 0
        for part in key:
            part = tensor(part) if isinstance(part, list) else part
            mask = isinstance(part, Tensor) and part.dtype == boolean
            used += 0 if part is None or part is Ellipsis else part.ndim if mask else 1
            parts.append(part)
        if used > self.ndim:
            raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
        if not any([part is Ellipsis for part in parts]):
            parts.append(Ellipsis)
        strides, places, shape, d, lists, view = _strides(self.shape), [0], [], 0, [], True
        for part in parts:
            if part is None:
                shape.append(1)
            elif part is Ellipsis:
                for _ in range(self.ndim - used):
                    size = self.shape[d]
                    places = [p + strides[d] * k for p in places for k in range(size)]
                    shape.append(size)
                    d += 1
            elif isinstance(part, slice):
                chosen = range(self.shape[d])[part]
                places = [p + strides[d] * k for p in places for k in chosen]
                shape.append(len(chosen))
                d += 1
            elif isinstance(part, Tensor) and part.dtype == boolean:
                own = self.shape[d : d + part.ndim]
                if tuple(part.shape) != tuple(own):
                    raise IndexError(
                        f"The shape of the mask {list(part.shape)} does not match the shape of "
                        f"the indexed tensor {list(self.shape)}"
                    )
                steps = strides[d + part.ndim - 1] if part.ndim else 1
                chosen = [i for i, kept in enumerate(part.values()) if kept]
                places = [p + steps * k for p in places for k in chosen]
                shape.append(len(chosen))
                d, view = d + part.ndim, False
                lists.append(part)
            elif isinstance(part, Tensor) and part.shape:
                chosen = [self._row(i, d) for i in part.values()]
                places = [p + strides[d] * k for p in places for k in chosen]
                shape.extend(part.shape)
                d, view = d + 1, False
                lists.append(part)
            else:
                places = [p + strides[d] * self._row(part, d) for p in places]
                d += 1
        if len(lists) > 1:
            lack("an index of several tensors")
        return places, shape, view

    def _row(self, i, d):
        if isinstance(i, Tensor):
            i = i.__index__()
        if isinstance(i, bool) or not isinstance(i, int):
            raise IndexError(
                "only integers, slices, ellipsis, None and tensors of them are valid indices"
            )
        n = self.shape[d]
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of bounds for dimension {d} with size {n}")
        return i % n

    def __getitem__(self, key):
        places, shape, view = self._chosen(key)
        part = self._view(places, shape)
        return part if view else part.clone()

    def __setitem__(self, key, value):
        places, shape, _ = self._chosen(key)
        self._write(value, places, tuple(shape))

    # One number for many.
    def _reduced(self, dim, keepdim, reduce, backward, dtype=None):
        """Reduce rows: `backward(row, result, part)` is the gradient of a row."""
        given = (
            range(self.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else [dim]
        )
        dims = [_dim(d, self.ndim) for d in given]
        rest = [d for d in range(self.ndim) if d not in dims]
        if not self.ndim:
            dims = []
        moved = self.permute(rest + dims) if self.ndim else self
        n, values = product([self.shape[d] for d in dims]), moved.values()
        rows = [values[i * n : (i + 1) * n] for i in range(product([self.shape[d] for d in rest]))]
        found = [reduce(row) for row in rows]
        kept = [1 if d in dims else s for d, s in enumerate(self.shape)]
        shape = kept if keepdim else [self.shape[d] for d in rest]

        def back(g):
            parts = []
            for row, result, part in zip(rows, found, g):
                parts += backward(row, result, part)
            return (parts,)

        parents = (moved,) if backward else ()
        return Tensor(found, shape, dtype or self.dtype, parents, back)

    def sum(self, dim=None, keepdim=False):
        t = self.long() if self.dtype == boolean else self
        return t._reduced(dim, keepdim, sum, lambda row, y, g: [g] * len(row))

    def mean(self, dim=None, keepdim=False):
        if self.dtype not in FLOATS:
            raise RuntimeError("mean(): input dtype should be either floating point or complex")
        return self._reduced(
            dim,
            keepdim,
            lambda row: sum(row) / len(row) if row else nan,
            lambda row, y, g: [g / len(row)] * len(row),
        )

    def amax(self, dim=None, keepdim=False):
        def shared(row, y, g):
            n = len([x for x in row if x == y]) or 1
            return [g / n if x == y else 0.0 for x in row]

        if not self.numel():
            raise IndexError("max(): Expected reduction dim to have non-zero size.")
        return self._reduced(dim, keepdim, _largest, shared)

    def max(self, dim=None, keepdim=False):
        if isinstance(dim, Tensor):
            return self.maximum(dim)
        if dim is None:
            return self.amax()
        found = self._reduced(dim, keepdim, _largest, _to_the_first)
        return Pair(found, self.argmax(dim, keepdim))

    def argmax(self, dim=None, keepdim=False):
        return self._reduced(dim, keepdim, _argmax, None, int64)

    def all(self, dim=None, keepdim=False):
        return self._reduced(dim, keepdim, lambda row: all(row), None, boolean)

    def any(self, dim=None, keepdim=False):
        return self._reduced(dim, keepdim, lambda row: any(row), None, boolean)

    def norm(self, dim=None, keepdim=False):
        return self.square().sum(dim, keepdim).sqrt()

    def logsumexp(self, dim, keepdim=False):
        top = self.detach().amax(dim, True)
        top = where(top.isfinite(), top, 0.0)
        sums = (self - top).exp().sum(dim, True).log() + top
        return sums if keepdim else sums.squeeze(dim)

    # Rows for rows.
    def _along(self, dim, each, backward):
        """Rows for rows along a dimension."""
        dim, n = _dim(dim, self.ndim), max(self.ndim, 1)
        order = [d for d in range(n) if d != dim] + [dim]
        moved = self.permute(*order) if self.ndim else self.reshape(1)
        size, values, found = moved.shape[-1], moved.values(), []
        rows = [values[i : i + size] for i in range(0, len(values), size or 1)]
        for row in rows:
            found += each(row)

        def back(g):
            parts = []
            for i, row in enumerate(rows):
                here = slice_of(i, size)
                parts += backward(row, found[here], g[here])
            return (parts,)

        t = Tensor(found, moved.shape, self.dtype, (moved,), back)
        return _moved_back(t._saves(t), order) if self.ndim else t.reshape(())

    def softmax(self, dim=None, dtype=None):
        if dim is None:
            raise TypeError(
                "softmax() received an invalid combination of arguments: dim is missing"
            )
        if dtype is None and self.dtype not in FLOATS:
            raise NotImplementedError("softmax: the scores must be floating point numbers")

        def each(row):
            top = _largest(row)
            if top != top or top in (inf, -inf):
                return [nan] * len(row)
            exps = [math.exp(x - top) for x in row]
            total = sum(exps)
            return [e / total for e in exps]

        def back(row, y, g):
            mean = sum([a * b for a, b in zip(y, g)])
            return [a * (b - mean) for a, b in zip(y, g)]

        return (self if dtype is None else self.to(dtype))._along(dim, each, back)

    def log_softmax(self, dim, dtype=None):
        t = self if dtype is None else self.to(dtype)
        return t - t.logsumexp(dim, True)

    def cumsum(self, dim):
        def each(row):
            sums, total = [], 0
            for x in row:
                total = total + x
                sums.append(total)
            return sums

        return self._along(dim, each, lambda row, y, g: each(g[::-1])[::-1])

    def sort(self, dim=-1, descending=False):
        def order(row):
            return sorted(range(len(row)), key=lambda i: row[i], reverse=descending)

        def back(row, y, g):
            parts = [0.0] * len(row)
            for i, part in zip(order(row), g):
                parts[i] = part
            return parts

        places = self.detach()._along(dim, order, back)
        places.dtype = int64
        return Pair(self._along(dim, lambda row: [row[i] for i in order(row)], back), places)

    # Number for number.
    def _each(self, function, slope, saves=None, dtype=None):
        """Apply a function; its slope is that of (x, y)."""
        values = self.values()
        found = [function(x) for x in values]

        def back(g):
            return ([part * slope(x, y) for part, x, y in zip(g, values, found)],)

        dtype = dtype or (self.dtype if self.dtype in FLOATS else float32)
        t = Tensor(found, self.shape, dtype, (self,), back)
        return t._saves(self if saves == "x" else t) if saves else t

    def masked_fill(self, mask, value):
        if mask.dtype != boolean:
            raise RuntimeError("masked_fill_ only supports boolean masks")
        return where(mask, made(value, self), self)

    def where(self, condition, other):
        return where(condition, self, other)

    def abs(self):
        return self._each(abs, lambda x, y: (x > 0) - (x < 0), "x", self.dtype)

    def square(self):
        return self * self

    def relu(self):
        return self._each(
            lambda x: max(x, 0.0), lambda x, y: 1.0 if y > 0 else 0.0, "y", self.dtype
        )

    def clamp(self, min=None, max=None):
        low, high = -inf if min is None else min, inf if max is None else max
        if isinstance(low, Tensor) or isinstance(high, Tensor):
            lack("clamp with tensors")

        def cut(x):
            return low if x < low else high if x > high else x

        return self._each(cut, lambda x, y: 1.0 if low <= x <= high else 0.0, "x", self.dtype)

    clip = clamp

    def isnan(self):
        return Tensor([x != x for x in self.values()], self.shape, boolean)

    def isinf(self):
        return Tensor([x in (inf, -inf) for x in self.values()], self.shape, boolean)

    def isfinite(self):
        finite = [x == x and x not in (inf, -inf) for x in self.values()]
        return Tensor(finite, self.shape, boolean)

    def nan_to_num(self, nan=0.0):
        return where(self.isnan(), made(nan, self), self)

    # Two tensors.
    def maximum(self, other):
        return where(self > other, self, other)

    def minimum(self, other):
        return where(self < other, self, other)

    def __neg__(self):
        return self * -1

    def __add__(self, other):
        return _two(self, other, lambda a, b: a + b, lambda a, b: (1.0, 1.0))

    def __sub__(self, other):
        return _two(self, other, lambda a, b: a - b, lambda a, b: (1.0, -1.0))

    def __rsub__(self, other):
        return made(other, self) - self

    def __mul__(self, other):
        return _two(self, other, lambda a, b: a * b, lambda a, b: (b, a), True)

    def __truediv__(self, other):
        def slopes(a, b):
            return _divided(1.0, b), _divided(-a, b * b)

        return _two(self, other, _divided, slopes, True, float32)

    def __rtruediv__(self, other):
        return made(other, self) / self

    def __pow__(self, other):
        def slopes(a, b):
            return b * _power(a, b - 1) if b else 0.0, _power(a, b) * _log(a) if a else 0.0

        return _two(self, other, _power, slopes, True)

    __radd__, __rmul__ = __add__, __mul__
    add, sub, mul, div, pow = __add__, __sub__, __mul__, __truediv__, __pow__

    def fill(self, value):
        return full(self.shape, value, dtype=self.dtype)

    def zero(self):
        return self.fill(0)

    def copy(self, other):
        return made(other, self).expand(*self.shape)

    def __hash__(self):
        return id(self)

    def __invert__(self):
        if self.dtype != boolean:
            lack("~ of numbers")
        return Tensor([not x for x in self.values()], self.shape, boolean)

    def __matmul__(self, other):
        a, b = self, made(other)
        if not (a.ndim and b.ndim):
            raise RuntimeError("both arguments to matmul need to be at least 1D")
        if a.dtype != b.dtype:
            raise RuntimeError(f"expected both tensors to have one dtype, got {a.dtype}, {b.dtype}")
        if a.ndim == 1:
            return (a.unsqueeze(0) @ b).squeeze(-2 if b.ndim > 1 else 0)
        if b.ndim == 1:
            return (a @ b.unsqueeze(1)).squeeze(-1)
        (n, k), (rows, m) = a.shape[-2:], b.shape[-2:]
        if k != rows:
            raise RuntimeError(
                f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {rows}x{m})"
            )
        batch = broadcast(a.shape[:-2], b.shape[:-2])
        a, b = a.expand(batch + (n, k)), b.expand(batch + (k, m)).transpose(-2, -1)
        x, y, found = a.values(), b.values(), []
        for q in range(product(batch)):
            columns = [y[(q * m + j) * k : (q * m + j + 1) * k] for j in range(m)]
            for i in range(q * n, (q + 1) * n):
                row = x[i * k : (i + 1) * k]
                found += [sum([u * v for u, v in zip(row, column)]) for column in columns]

        def back(g):
            of_a, of_b = [0.0] * len(x), [0.0] * len(y)
            for p, part in enumerate(g):
                i, j = p // m, (p // (m * n)) * m + p % m
                for c in range(k):
                    of_a[i * k + c] += part * y[j * k + c]
                    of_b[j * k + c] += part * x[i * k + c]
            return of_a, of_b

        return Tensor(found, batch + (n, m), a.dtype, (a, b), back, (a, b))

    matmul = __matmul__

    def bmm(self, other):
        if self.ndim != 3 or other.ndim != 3:
            raise RuntimeError("batch1 and batch2 must be 3D tensors")
        if self.shape[0] != other.shape[0]:
            raise RuntimeError("batch1 and batch2 must have same number of batches")
        return self @ other


for _name, _function in (
    ("__lt__", lambda a, b: a < b),
    ("__le__", lambda a, b: a <= b),
    ("__gt__", lambda a, b: a > b),
    ("__ge__", lambda a, b: a >= b),
    ("__eq__", lambda a, b: a == b),
    ("__ne__", lambda a, b: a != b),
    ("__and__", lambda a, b: a and b),
    ("__or__", lambda a, b: a or b),
):
    setattr(Tensor, _name, (lambda f: lambda a, b: _compared(a, b, f))(_function))

# Functions of one number, the slope of each from (x, y), and which of the two it needs.
for _name, *_parts in (
    ("exp", lambda x: inf if x > 709.7 else math.exp(x), lambda x, y: y, "y"),
    ("log", lambda x: _log(x), lambda x, y: _divided(1.0, x), "x"),
    ("tanh", math.tanh, lambda x, y: 1 - y * y, "y"),
    ("sigmoid", lambda x: 0.5 + 0.5 * math.tanh(x / 2), lambda x, y: y * (1 - y), "y"),
    ("sqrt", lambda x: math.sqrt(x) if x >= 0 else nan, lambda x, y: _divided(0.5, y), "y"),
    ("sin", math.sin, lambda x, y: math.cos(x), "x"),
    ("cos", math.cos, lambda x, y: -math.sin(x), "x"),
):
    setattr(Tensor, _name, (lambda parts: lambda t: t._each(*parts))(_parts))

for _name in ("add", "sub", "mul", "truediv"):
    setattr(Tensor, f"__i{_name}__", (lambda name: lambda a, b: a._over(name, b))(f"__{_name}__"))


# Values and their places, as max and sort return them.
Pair = namedtuple("Pair", ("values", "indices"))


def _at_least_2d(t):
    if t.ndim < 2:
        raise RuntimeError("expected a tensor of at least 2 dimensions")


def _moved_back(t, order):
    """Undo a permutation; what comes is no view, as it is none in torch."""
    if order == sorted(order):
        return t
    return t.permute([order.index(d) for d in range(len(order))]).clone()


def slice_of(i, size):
    return _Everything()[i * size : (i + 1) * size]


def _largest(row):
    return row[_argmax(row)]


def _argmax(row):
    best = 0
    for i, x in enumerate(row):
        if x != x:
            return i
        if x > row[best]:
            best = i
    return best


def _to_the_first(row, y, g):
    best = _argmax(row)
    return [g if i == best else 0.0 for i in range(len(row))]


def _log(x):
    return math.log(x) if x > 0 else -inf if x == 0 else nan


def _divided(a, b):
    if b:
        return a / b
    return nan if not a or a != a else math.copysign(inf, a) * math.copysign(1.0, b)


def _power(a, b):
    if a == 0 and b < 0:
        return math.copysign(inf, a) if b % 2 == 1 else inf
    return nan if a < 0 and b != int(b) else a**b


def _two(a, b, function, slopes, saves=False, least=None):
    """Apply a function to two tensors; its slopes are those of (a, b)."""
    a, b = made(a), made(b, a if isinstance(a, Tensor) else None)
    dtype = _promoted(a, b)
    if least and dtype not in FLOATS:
        dtype = least
    shape = broadcast(a.shape, b.shape)
    a = a if tuple(a.shape) == shape else a.expand(*shape)
    b = b if tuple(b.shape) == shape else b.expand(*shape)
    x, y = a.values(), b.values()
    found = [function(u, v) for u, v in zip(x, y)]
    if dtype in FLOATS:
        found = [float(z) for z in found]

    def back(g):
        both = [slopes(u, v) for u, v in zip(x, y)]
        return [p * s[0] for p, s in zip(g, both)], [p * s[1] for p, s in zip(g, both)]

    # A factor is needed for the gradient of the other one.
    needed = [t for t, o in ((a, b), (b, a)) if saves and o.requires_grad]
    return Tensor(found, shape, dtype, (a, b), back, needed)


def _compared(a, b, function):
    a, b = made(a), made(b)
    shape = broadcast(a.shape, b.shape)
    x, y = a.expand(*shape).values(), b.expand(*shape).values()
    return Tensor([bool(function(u, v)) for u, v in zip(x, y)], shape, boolean)


def tensor(values, dtype=None, requires_grad=False, device=None):
    """Make a tensor of numbers in lists."""
    if isinstance(values, Tensor):
        values = values.tolist()

    def sizes(part):
        if isinstance(part, Tensor):
            return list(part.shape)
        if not isinstance(part, (list, tuple)):
            return []
        found = [sizes(inner) for inner in part]
        if found and any([own != found[0] for own in found]):
            raise ValueError("expected sequences of equal length at each level")
        return [len(part)] + (found[0] if found else [])

    def flat(part):
        if isinstance(part, Tensor):
            return part.values()
        if isinstance(part, (list, tuple)):
            return [x for inner in part for x in flat(inner)]
        if isinstance(part, (bool, int, float)):
            return [part]
        raise TypeError(f"a tensor holds numbers, not {type(part).__name__}")

    shape, numbers = sizes(values), flat(values)
    if dtype is None:
        kinds = {type(x) for x in numbers}
        dtype = float32 if float in kinds or not kinds else int64 if int in kinds else boolean
    cast = float if dtype in FLOATS else int if dtype == int64 else bool
    t = Tensor([cast(x) for x in numbers], shape, dtype)
    return t.requires_grad_() if requires_grad else t


def full(size, fill_value, dtype=None, device=None, requires_grad=False):
    """Make a tensor of one number."""
    shape = (size,) if isinstance(size, int) else tuple(size)
    one = tensor(fill_value, dtype)
    t = Tensor([one.item()] * product(shape), shape, one.dtype)
    return t.requires_grad_() if requires_grad else t


def arange(start, end=None, step=1, dtype=None, device=None):
    """Make a tensor of numbers in even steps."""
    start, end = (0, start) if end is None else (start, end)
    start, end = [x.item() if isinstance(x, Tensor) else x for x in (start, end)]
    n = max(0, math.ceil((end - start) / step))
    return tensor([start + i * step for i in range(n)], dtype or _kind(start, end, step))


def _kind(*numbers):
    return float32 if any([isinstance(x, float) for x in numbers]) else int64


def where(condition, a, b):
    """Choose, number for number."""
    if condition.dtype != boolean:
        raise RuntimeError("where expected condition to be a boolean tensor")
    a, b = (
        made(a, b if isinstance(b, Tensor) else None),
        made(b, a if isinstance(a, Tensor) else None),
    )
    shape = broadcast(condition.shape, a.shape, b.shape)
    dtype = _promoted(a, b)
    kept = condition.expand(*shape).values()
    a, b = a.expand(*shape), b.expand(*shape)
    found = [u if k else v for k, u, v in zip(kept, a.values(), b.values())]
    if dtype in FLOATS:
        found = [float(x) for x in found]

    def back(g):
        return (
            [part if k else 0.0 for k, part in zip(kept, g)],
            [0.0 if k else part for k, part in zip(kept, g)],
        )

    return Tensor(found, shape, dtype, (a, b), back)


def cat(tensors, dim=0):
    """Join tensors along a dimension."""
    tensors = list(tensors)
    n, dtype = tensors[0].ndim, _promoted(*tensors)
    dim = _dim(dim, n)
    rests = [t.shape[:dim] + t.shape[dim + 1 :] for t in tensors]
    if any([t.ndim != n or rest != rests[0] for t, rest in zip(tensors, rests)]):
        raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}")
    order = [dim] + [d for d in range(n) if d != dim]
    moved = [t.permute(order) for t in tensors]
    numbers, ends = [], [0]
    for m in moved:
        numbers += m.values()
        ends.append(len(numbers))
    shape = (sum([m.shape[0] for m in moved]),) + tuple(moved[0].shape[1:])

    def back(g):
        return [g[a:b] for a, b in zip(ends, ends[1:])]

    joined = Tensor(numbers, shape, dtype, tuple(moved), back)
    return _moved_back(joined, order)


def stack(tensors, dim=0):
    """Join tensors along a new dimension."""
    tensors = list(tensors)
    if any([t.shape != tensors[0].shape for t in tensors]):
        raise RuntimeError("stack expects each tensor to be equal size")
    return cat([t.unsqueeze(dim) for t in tensors], dim)


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Say whether two tensors agree, to rounding."""
    shape = broadcast(a.shape, b.shape)
    pairs = zip(a.expand(*shape).values(), b.expand(*shape).values())
    return all(
        [
            x == y or (equal_nan and x != x and y != y) or abs(x - y) <= atol + rtol * abs(y)
            for x, y in pairs
        ]
    )


def equal(a, b):
    """Say whether two tensors are the same."""
    return tuple(a.shape) == tuple(b.shape) and list(a.values()) == list(b.values())
