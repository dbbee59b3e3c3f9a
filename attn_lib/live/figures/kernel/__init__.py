"""Figure `kernel`: what does the width do, and what happens in a gap?"""

import math
from collections.abc import Callable
from typing import Any, cast

import torch

from attn_lib import kernels
from attn_lib.attention import Attention
from attn_lib.examples.six_points import POINTS, WIDTHS
from attn_lib.live.host.controls import Choice, Listed, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import format_number, format_output, format_weight, never_exact
from attn_lib.typography import NO_BREAK_SPACE

AXES = {"left": -1, "right": 9, "bottom": 0, "top": 6.5}

# How far the bump at the query is drawn: so many widths of a bell, one width of the others, which
# end there; at most so far, and in so many steps to each side.
REACH = {"widths": 4, "most": 10, "steps": 60}

# Places that differ by less are equal, and shorter stems are not seen.
SAME, SHORT = 1e-9, 0.01
APART = 1e-4  # weights that differ by less are equal

# A bell is narrow where one key's weight rounds to 1.00, and wide where each has this share of the
# largest.
ALL, ALIKE = 0.995, 0.8

# The curve has 100 steps to a unit: the steps of a narrow bell are steep. Distances are counted in
# these steps, as whole numbers, so that a key exactly one width away is outside a compact kernel in
# every host.
STEPS = 100
KEYS = torch.tensor([[[STEPS * x] for x, _ in POINTS]], dtype=torch.float64)  # (1, K, 1)
VALUES = torch.tensor([[[y] for _, y in POINTS]], dtype=torch.float64)  # (1, K, 1)
# A reader's function is asked at one step in so many: the page's Python takes its time.
SPARED = 10
GRID = torch.arange(STEPS * AXES["left"], STEPS * AXES["right"] + 1, dtype=torch.float64)


def compute(
    state: State,
    KernelAttention: Callable[..., Attention] = kernels.KernelAttention,
    kernel_gap: Callable[[torch.Tensor, torch.Tensor, float], torch.Tensor] | None = None,
) -> View:
    """Compute the figure; `KernelAttention` may be the reader's own class.

    `kernel_gap` answers the chapter's exercise: from queries, keys and a width, a boxcar's weights.
    """
    query, width = torch.tensor([STEPS * state["x"]], dtype=torch.float64), STEPS * state["s"]
    queries = torch.cat([query, GRID]).reshape(1, -1, 1)  # (1, Q, 1)
    attention = KernelAttention(state["k"], width=width)
    outputs = attention(queries, KEYS, VALUES)[0, :, 0].tolist()
    weights = cast(torch.Tensor, attention.attention_weights)[0]  # (Q, K)
    is_own = is_other = False
    if kernel_gap and state["k"] == "boxcar":
        asked = (query, GRID[::SPARED])
        own = torch.cat([kernel_gap(q, KEYS.flatten(), width).double() for q in asked])
        book = torch.cat([weights[:1], weights[1::SPARED]])
        unlike = ((own - book).abs() > APART).any(1)
        is_own, is_other = bool(unlike[0]), bool(unlike.any())
        if is_other:
            nearest = (torch.arange(len(GRID)) + SPARED // 2) // SPARED
            # Where it gives the book's weights, the curve is the book's.
            rows = torch.where(unlike[1:][nearest, None], own[1:][nearest], weights[1:])
            weights = torch.cat([own[:1], rows])
            outputs = (weights @ VALUES[0]).flatten().tolist()
    # The library answers 0 where no key has weight. There is nothing to draw, so the curve breaks.
    found = weights.any(1).tolist()
    fit, *curve = [y if any_key else None for y, any_key in zip(outputs, found, strict=True)]

    own = weights[0]
    # The bell is nowhere 0.
    row = (never_exact(own) if state["k"] == "gaussian" else own).tolist()
    shares = [(format_weight(w), y) for w, (_, y) in zip(row, POINTS, strict=True)]
    # Of shares that are whole hundredths, and no bell has them, the sum is exact.
    whole = all(abs(100 * w - round(100 * w)) < SAME for w in row)
    bump = _bump(state)
    tallest = max(bump["heights"])
    seen = fit is None or tallest > SHORT or is_own
    slots = {
        "x": format_number(state["x"], 2),
        "s": format_number(state["s"], None),
        "y": format_output(fit),
        "w": format_weight(max(row)),
        "sum": " + ".join(
            f"{share}{NO_BREAK_SPACE}·{NO_BREAK_SPACE}{y}"
            for share, y in shares
            if share not in ("0", "0.00")
        ),
        "equals": "" if fit is None else "=" if whole and state["k"] != "gaussian" else "≈",
        "times": "" if seen else _power(tallest),
        "total": format_number(sum(row), 2),
    }
    return View(
        parts={
            # As numbers the fit at whole x, as a line at every step.
            "curve": {
                "rows": [curve[::STEPS]],
                "line": curve,
                "query": state["x"],
                "fit": fit,
                # Nobody knows where another curve jumps.
                "jumps": [] if is_other else _jumps(state),
            },
            "bump": {**bump, "seen": seen},
            "weights": {"rows": [row]},
        },
        slots=slots,
        summary=_told("own" if is_own else _shape(state["k"], row), fit, seen),
    )


def _told(shape: str, fit: float | None, seen: bool) -> tuple[str, ...]:
    """Return which sentences say what the query finds."""
    if fit is None:
        return ("own",) if shape == "own" else ("gap",)
    return (shape, "fit") if seen else ("unseen",)


def _shape(kernel: str, row: list[float]) -> str:
    """Return which sentence says how the kernel makes these weights."""
    if kernel == "gaussian" and max(row) >= ALL:
        return "narrow"
    return "wide" if kernel == "gaussian" and min(row) >= ALIKE * max(row) else kernel


def _power(tallest: float) -> str:
    """Write the power of ten that makes the tallest stem about as tall as the kernel."""
    digits = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return f"10{str(round(-math.log10(tallest))).translate(digits)}"


def _jumps(state: State) -> list[int]:
    """Return the steps at which the curve jumps: only a boxcar takes a key in all at once."""
    if state["k"] != "boxcar":
        return []
    away = (GRID.reshape(-1, 1) - KEYS.flatten()).abs()
    at_edge = (away - STEPS * state["s"]).abs() < SAME
    return at_edge.any(1).nonzero().flatten().tolist()


def _bump(state: State) -> dict[str, Any]:
    """Return the kernel around the query as a line, and its height at each key."""
    widths = REACH["widths"] if state["k"] == "gaussian" else 1
    reach = min(REACH["most"], widths * state["s"])
    steps = torch.arange(-REACH["steps"], REACH["steps"] + 1, dtype=torch.float64)
    distances = STEPS * state["x"] - KEYS.flatten()
    return {
        "reach": reach,
        "line": _heights(state["k"], steps * reach / REACH["steps"] / state["s"]),
        "heights": _heights(state["k"], distances / (STEPS * state["s"])),
    }


def _heights(kernel: str, distances: torch.Tensor) -> list[float]:
    """Return the kernel at distances counted in widths; it is 1 at 0."""
    squared = distances.square()
    if kernel == "gaussian":
        return (-squared / 2).exp().tolist()
    return kernels.COMPACT_KERNELS[kernel](squared).tolist()


def data() -> dict[str, Any]:
    """Return the points, and the axes of the drawing."""
    return {"points": POINTS, "axes": AXES}


FIGURE = Figure(
    id="kernel",
    chapter="kernel-regression",
    controls=(
        Range(key="x", min=-1, max=9, step=0.25, default=1.5, hue="query"),
        Listed(key="s", values=WIDTHS, default=1),
        Choice(key="k", options=kernels.KERNELS, default="gaussian"),
    ),
    compute=compute,
    prediction=Prediction(
        right=2,
        before={},
        after={"x": 5, "s": 0.1},
        # Where the ring would stand: a key and a value; down at the axis there is none.
        places=((5, 0.7), (5, 3.5), (5, 5)),
        ms=2400,
    ),
    tries=({"x": 2}, {"x": 5.25, "s": 0.1}, {"x": 5, "k": "boxcar"}, {"s": 10}),
    surprise={"x": 5, "s": 0.1},
    data=data,
    hues={"x": "query", "y": "value"},
)
