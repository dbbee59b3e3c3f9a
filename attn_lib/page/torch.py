"""The names of torch that the page knows: what `import torch` brings in the reader's browser."""

from math import e, inf, nan, pi

from attn_lib.page import tensor as _own

Tensor, Size = _own.Tensor, _own.Shape
float32, float64, int64, bool = _own.float32, _own.float64, _own.int64, _own.boolean
float, double, long = float32, float64, int64
tensor = as_tensor = _own.tensor
full, arange, where, cat, stack = _own.full, _own.arange, _own.where, _own.cat, _own.stack
concat, allclose, equal = cat, _own.allclose, _own.equal

# Functions that are methods too.
_METHODS = """
abs add all amax any argmax bmm clamp clone cos cumsum div exp expand_as flatten gather isfinite
isinf isnan log log_softmax logsumexp masked_fill matmul max maximum mean minimum mul nan_to_num
norm numel permute pow relu repeat_interleave reshape sigmoid sin softmax sort sqrt square squeeze
sub sum tanh transpose tril unsqueeze
"""


def _function(name):
    def function(t, *given, **named):
        t = named.pop("input", t) if t is None else t
        if not isinstance(t, Tensor):
            raise TypeError(f"{name}(): argument 'input' must be Tensor, not {type(t).__name__}")
        return getattr(t, name)(*given, **named)

    return function


for _name in _METHODS.split():
    globals()[_name] = _function(_name)


def zeros(*size, **named):
    return full(_own._sizes(size), 0.0, **named)


def ones(*size, **named):
    return full(_own._sizes(size), 1.0, **named)


def zeros_like(t, dtype=None):
    return full(t.shape, 0, dtype or t.dtype)


def ones_like(t, dtype=None):
    return full(t.shape, 1, dtype or t.dtype)


def full_like(t, value, dtype=None):
    return full(t.shape, value, dtype or t.dtype)


def empty_like(t):
    return zeros_like(t)


def eye(n, m=None):
    return (arange(n).unsqueeze(1) == arange(n if m is None else m)).float()


def linspace(start, end, steps):
    return start + (end - start) / ((steps - 1) or 1) * arange(steps)


def outer(a, b):
    return a.unsqueeze(1) * b


def cdist(a, b):
    return (a.unsqueeze(-2) - b.unsqueeze(-3)).norm(-1)


def is_tensor(t):
    return isinstance(t, Tensor)


def is_grad_enabled():
    return _own.tracking[0]


class _Tracking:
    """Switches gradients on or off inside its block."""

    def __init__(self, on):
        self.on = on

    def __enter__(self):
        self.before, _own.tracking[0] = _own.tracking[0], self.on

    def __exit__(self, *error):
        _own.tracking[0] = self.before


def no_grad():
    return _Tracking(False)


def enable_grad():
    return _Tracking(True)


class finfo:
    """The limits of a type."""

    def __init__(self, dtype=float32):
        single = dtype == float32
        self.max = 3.4028234663852886e38 if single else 1.7976931348623157e308
        self.eps = 2.0**-23 if single else 2.0**-52
        self.tiny, self.min = 2.0**-126 if single else 2.0**-1022, -self.max


class nn:
    """The functions of torch.nn.functional."""

    class functional:
        """The functions of torch.nn.functional."""

        softmax, log_softmax = _function("softmax"), _function("log_softmax")
        relu, sigmoid, tanh = _function("relu"), _function("sigmoid"), _function("tanh")


def __getattr__(name):
    _own.lack("torch." + name)
