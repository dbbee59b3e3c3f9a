"""How figures write numbers. `front/numbers.js` does the same in the browser."""

import json
import math
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from importlib.resources import files

import torch
from torch import Tensor

from attn_lib.typography import NO_BREAK_SPACE

MINUS = "\u2212"
TINY = 0.00005  # in four decimals, what is below reads as 0
UNDEFINED = "\u2014"
# A half may have lost its last bits on the way: what is so little below one is rounded up with it,
# in Python and in the browser, whose last bits differ.
HALF_LOST = 1e-9
# The digits of a greater count stand apart by thousands.
MOST_JOINED = 9999
SEVEN_FIGURES = Context(prec=7, rounding=ROUND_HALF_UP)

# The browser reads this file, too. A cell's text turns to black on dark pages from `middle` on, and
# to white on light pages from `high` on, so that it keeps a contrast of 4.5 in both; CSS picks by
# the tone. What the browser paints has as many shades as `steps` says.
SHADES: Mapping[str, float] = json.loads(
    files("attn_lib.live").joinpath("front/shades.json").read_text(encoding="utf-8")
)


def format_number(value: float | None, digits: int | None) -> str:
    """Write `value` with `digits` decimals, a real minus, and a dash for None and for NaN.

    Halves are rounded away from zero. Without `digits`, it shows as many decimals as it has, at
    most nine.

    >>> format_number(-3.8561, 1), format_number(float("-inf"), 1), format_number(-3e6, 1)
    ('−3.9', '−∞', '−3e6')
    >>> format_number(5.374999999999999, 2), format_number(0.1 + 0.2, None)
    ('5.38', '0.3')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    sign = MINUS if value < 0 else ""
    size = abs(value)
    if math.isinf(size):
        return sign + "∞"
    if size + HALF_LOST >= 1e5:
        mantissa, exponent = f"{SEVEN_FIGURES.create_decimal(size):e}".split("e")
        return f"{sign}{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    if digits is None:
        text = _fixed(size, 9).rstrip("0").rstrip(".")
    else:
        text = _fixed(size + HALF_LOST, digits)
    return sign + text if any(digit in "123456789" for digit in text) else text


def format_point(numbers: Iterable[float], digits: int | None) -> str:
    r"""Write a point that no line parts.

    >>> format_point([0.5, -1.0], 2)
    '(0.50,\xa0−1.00)'
    """
    return f"({f',{NO_BREAK_SPACE}'.join(format_number(number, digits) for number in numbers)})"


def _fixed(size: float, digits: int) -> str:
    """Write with so many decimals, as toFixed in JavaScript does; f"{0.5:.0f}" would be 0."""
    return f"{Decimal(size).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"


def never_exact(weights: Tensor, masked: Tensor | None = None) -> Tensor:
    """Keep the weights of a softmax off 0 and 1, which it only comes near to.

    A float may not be able to say how near; then a rounded weight would read as an exact one. The
    weight of a masked key is exactly 0. A row's only key may have exactly 1, but not exactly 0.

    >>> never_exact(torch.tensor([1e-30, 1.0, 0.0]), torch.tensor([False, False, True]))[1] == 1
    tensor(False)
    """
    exact = torch.zeros_like(weights, dtype=torch.bool) if masked is None else masked
    limits = torch.finfo(weights.dtype)
    some = weights.clamp(min=limits.tiny)
    is_only = (~exact).sum(-1, keepdim=True) == 1
    return weights.where(exact, some.where(is_only, some.clamp(max=1 - limits.eps)))


def format_weight(weight: float, digits: int = 2) -> str:
    """Write a weight: a bare 0 or 1 is exact, 0.00 and 1.00 are rounded.

    >>> format_weight(0.0), format_weight(0.0004), format_weight(0.125), format_weight(1.0)
    ('0', '0.00', '0.13', '1')
    """
    return f"{weight:.0f}" if weight in (0, 1) else format_number(weight, digits)


def relation(value: float, digits: int) -> str:
    """Return what stands before a number written with so many decimals: = only if it is exact.

    >>> relation(1.25, 3), relation(1.82421875, 3)
    ('=', '≈')
    """
    return "=" if abs(value - round(value, digits)) < HALF_LOST else "≈"


def format_count(number: float) -> str:
    r"""Write a whole number; above 9999 its thousands stand apart, in every language alike.

    >>> format_count(5623), format_count(131071)
    ('5623', '131\xa0071')
    """
    return f"{number:,}".replace(",", NO_BREAK_SPACE) if number > MOST_JOINED else str(number)


def format_output(value: float | None) -> str:
    """Write an output number: a bare 0 is exact."""
    return "0" if value == 0 else format_number(value, 2)


def format_small(value: float) -> str:
    """Write a number above 0 in four decimals; one that would read as 0 is said to be less.

    >>> format_small(0.00005), format_small(0.00004) == "<\u00a00.0001"
    ('0.0001', True)
    """
    return "<\u00a00.0001" if value + HALF_LOST < TINY else format_number(value, 4)


def enclosed(number: str) -> str:
    """Put a written number that has a sign in brackets, as what stands behind an operator.

    >>> enclosed(format_number(-2, 0)), enclosed("2")
    ('(−2)', '2')
    """
    return f"({number})" if number.startswith(MINUS) else number


def tone(weight: float) -> str:
    """Name the darkness of a cell with this weight: low, middle or high."""
    return "low" if weight < SHADES["middle"] else "middle" if weight < SHADES["high"] else "high"
