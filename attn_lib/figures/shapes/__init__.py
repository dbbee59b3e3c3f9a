"""Figure `shapes`: which axis did that line just change?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.explorer.controls import Choice, Count, Range, State
from attn_lib.explorer.figure import Figure, Prediction, View
from attn_lib.explorer.numbers import format_number
from attn_lib.scoring import batched_dot
from attn_lib.validation import check_shape

X = torch.tensor([[[1.0, 2, 3]], [[4, 5, 6]]])  # (B=2, N=1, M=3)
Y = torch.tensor([[1.0, 0], [0, 1], [1, 1]]).repeat(2, 1, 1)  # (B=2, M=3, K=2)
STEPS = {"bmm": 3, "dot": 5, "additive": 8}


@dataclass(frozen=True)
class Step:
    """One line of code and the tensor it makes.

    Args:
        code: the line.
        inputs: the shapes that go in, joined by what the line does with them.
        output: the result; None where the line raises an error.
        axes: the letter of each axis, in the order of the row; "·" is an axis without a meaning.
        changed: the axes of the row that the line made or replaced.
        removed: the axes of the row that the line took away.
    """

    code: str
    inputs: str
    output: Tensor | None
    axes: str
    changed: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()


def bmm_steps() -> list[Step]:
    """Multiply two batches of matrices one by one, then both in one call."""
    return [
        Step("Z[0] = X[0] @ Y[0]", _join(" × ", X[0], Y[0]), X[0] @ Y[0], "NK", (1,)),
        Step("Z[1] = X[1] @ Y[1]", _join(" × ", X[1], Y[1]), X[1] @ Y[1], "NK", (1,)),
        Step("Z = torch.bmm(X, Y)", _join(" × ", X, Y), batched_dot(X, Y), "BNK", (2,)),
    ]


def dot_steps(B: int, Q: int, K: int) -> list[Step]:
    """Take the shapes through scaled dot-product attention."""
    queries, keys, values = torch.zeros(B, Q, 2), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    turned = keys.transpose(1, 2)
    scores = torch.bmm(queries, turned)
    scaled = scores / math.sqrt(2)
    weights = scaled.softmax(-1)
    output = torch.bmm(weights, values)
    return [
        Step("keys_T = keys.transpose(1, 2)", _join("", keys), turned, "BDK", (1, 2)),
        Step("scores = bmm(queries, keys_T)", _join(" × ", queries, turned), scores, "BQK", (2,)),
        Step("scores = scores / sqrt(D)", _join("", scores), scaled, "BQK"),
        Step("weights = softmax(scores, -1)", _join("", scaled), weights, "BQK"),
        Step("output = bmm(weights, values)", _join(" × ", weights, values), output, "BQV", (2,)),
    ]


def additive_steps(B: int, Q: int, K: int, H: int, *, squeeze: str) -> list[Step]:
    """Take the shapes through additive attention, with either way to drop the last axis."""
    queries, keys, values = torch.zeros(B, Q, 20), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    q_projected = F.linear(queries, torch.zeros(H, 20))
    q_opened = q_projected.unsqueeze(2)
    k_opened = F.linear(keys, torch.zeros(H, 2)).unsqueeze(1)
    total = q_opened + k_opened
    features = total.tanh()
    scores = F.linear(features, torch.zeros(1, H))
    weights = (scores.squeeze(-1) if squeeze == "last" else scores.squeeze()).softmax(-1)
    removed = (3,) if squeeze == "last" else _size_one(scores)
    call = "squeeze(-1)" if squeeze == "last" else "squeeze()"
    fits = _misfit(weights, B, Q, K) == ""
    output = torch.bmm(weights, values) if fits else None
    return [
        Step("q = W_q(queries)", _join("", queries), q_projected, "BQH", (2,)),
        Step("q = q.unsqueeze(2)", _join("", q_projected), q_opened, "BQ·H", (2,)),
        Step("k = W_k(keys).unsqueeze(1)", _join("", keys), k_opened, "B·KH", (1, 3)),
        Step("total = q + k", _join(" + ", q_opened, k_opened), total, "BQKH", (1, 2)),
        Step("features = tanh(total)", _join("", total), features, "BQKH"),
        Step("scores = w_v(features)", _join("", features), scores, "BQK·", (3,)),
        Step(f"weights = softmax(scores.{call})", _join("", scores), weights, "BQK·", (), removed),
        Step("output = bmm(weights, values)", _join(" × ", weights, values), output, "BQV", (2,)),
    ]


def compute(state: State) -> View:
    """Compute the figure: real tensors go through the lines, and their shapes are shown."""
    path, i = state["p"], state["i"]
    if path == "bmm":
        steps = bmm_steps()
    elif path == "dot":
        steps = dot_steps(*state["n"])
    else:
        steps = additive_steps(*state["n"], squeeze=state["sq"])
    step = steps[i - 1]
    slots = {"i": str(i), "inputs": step.inputs, "output": "", "count": ""}
    if step.output is not None:
        slots |= {"output": shape_text(step.output), "count": str(step.output.numel())}

    parts: dict[str, Any] = dict.fromkeys(STEPS)
    parts[path] = _ladder(steps, i)
    parts |= _matrices(state, slots)
    return View(parts=parts, slots=slots, summary=_summary(state, steps, slots), main="output")


def shape_text(tensor: Tensor) -> str:
    """Write a shape as Python does: (2, 1, 10), (2,), ()."""
    return str(tuple(tensor.shape))


def _ladder(steps: list[Step], i: int) -> dict[str, Any]:
    """Return the lines up to number i with the sizes of their axes; later lines are only code."""
    rows, marks, letters, counts = [], [], [], []
    for number, step in enumerate(steps, 1):
        reached = number <= i and step.output is not None
        shape = _row_shape(step) if reached else []
        pad = 4 - len(shape)
        rows.append([*shape, *[None] * pad])
        letters.append([*step.axes[: len(shape)], *[""] * pad])
        marks.append(
            [
                "removed" if axis in step.removed else "changed" if axis in step.changed else ""
                for axis in range(len(shape))
            ]
            + [""] * pad
        )
        counts.append(math.prod(shape) if reached else None)
    return {
        "rows": rows,
        "letters": letters,
        "marks": marks,
        "counts": counts,
        "code": [step.code for step in steps],
        "at": i - 1,
        "failed": steps[i - 1].output is None,
    }


def _row_shape(step: Step) -> list[int]:
    """Return the sizes in a row, those of removed axes (1) in their old places."""
    assert step.output is not None
    left = iter(step.output.shape)
    count = step.output.ndim + len(step.removed)
    return [1 if axis in step.removed else next(left) for axis in range(count)]


def _matrices(state: State, slots: dict[str, str]) -> dict[str, Any]:
    """Return the numbers of path bmm, the row and the column behind an output marked."""
    if state["p"] != "bmm":
        return {f"{name}{example}": None for example in (1, 2) for name in "XYZ"}
    i, column = state["i"], int(state["z"]) - 1
    parts: dict[str, Any] = {}
    for example in (1, 2):
        busy = i in (example, 3)
        x, y = X[example - 1], Y[example - 1]
        here = [busy and j == column for j in range(2)]
        parts[f"X{example}"] = {"rows": x.tolist(), "marked": [[busy] * 3]}
        parts[f"Y{example}"] = {"rows": y.tolist(), "marked": [here] * 3}
        known = i >= example
        parts[f"Z{example}"] = {"rows": (x @ y).tolist(), "marked": [here]} if known else None
        slots[f"sum{example}"] = _dot_text(x[0], y[:, column])
    return parts


def _dot_text(row: Tensor, column: Tensor) -> str:
    pairs = zip(row.tolist(), column.tolist(), strict=True)
    terms = " + ".join(f"{format_number(a, 0)} · {format_number(b, 0)}" for a, b in pairs)
    return f"{terms} = {format_number((row @ column).item(), 0)}"


def _summary(state: State, steps: list[Step], slots: dict[str, str]) -> tuple[str, ...]:
    path, i = state["p"], state["i"]
    if steps[i - 1].output is None:
        weights = steps[i - 2].output
        assert weights is not None
        slots["error"] = _misfit(weights, *state["n"][:3])
        return ("failed",)
    name = f"{path}{i}"
    if name == "additive7" and state["sq"] == "all":
        name = "squeezed_one" if len(steps[6].removed) == 1 else "squeezed_more"
    return ("step", name)


def _misfit(weights: Tensor, B: int, Q: int, K: int) -> str:
    """Return what attn_lib says of weights with this shape, or nothing if they are right."""
    try:
        check_shape("weights", weights, B=B, Q=Q, K=K)
    except ValueError as error:
        return str(error)
    return ""


def _size_one(tensor: Tensor) -> tuple[int, ...]:
    return tuple(axis for axis, size in enumerate(tensor.shape) if size == 1)


def _join(sign: str, *tensors: Tensor) -> str:
    return sign.join(map(shape_text, tensors))


def _step_control(path: str) -> Count:
    return Count(
        key="i", min=1, max=STEPS[path], step=1, default=1, when={"p": path}, words=f"i_{path}"
    )


def _sizes_control(path: str, default: Sequence[int]) -> Range:
    return Range(
        key="n", min=1, max=10, step=1, default=tuple(default), when={"p": path}, words=f"n_{path}"
    )


HIDDEN_BUG = {"p": "additive", "i": 8, "n": (2, 3, 10, 8), "sq": "all"}
BUG = {"p": "additive", "i": 8, "sq": "all"}

FIGURE = Figure(
    id="shapes",
    controls=(
        Choice(key="p", options=tuple(STEPS), default="bmm"),
        *(_step_control(path) for path in STEPS),
        Choice(key="z", options=("1", "2"), default="1", when={"p": "bmm"}),
        _sizes_control("dot", (2, 1, 10)),
        _sizes_control("additive", (2, 1, 10, 8)),
        Choice(key="sq", options=("last", "all"), default="last", when={"p": "additive"}),
    ),
    compute=compute,
    prediction=Prediction(right=0, before=HIDDEN_BUG, after=BUG),
    tries=({"i": 3}, {"p": "additive", "i": 4}, BUG),
    surprise=BUG,
)
