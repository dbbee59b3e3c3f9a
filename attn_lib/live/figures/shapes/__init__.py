"""Figure `shapes`: which axis did that line just change?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attn_lib.examples import four_words
from attn_lib.live.host.controls import Choice, Count, Range, State
from attn_lib.live.host.figure import Figure, Prediction, View
from attn_lib.live.host.numbers import enclosed, format_number
from attn_lib.scoring import batched_dot
from attn_lib.typography import NO_BREAK_SPACE

STEPS = {"bmm": 3, "dot": 5, "additive": 8}
MOST_AXES = 4


@dataclass(frozen=True)
class Step:
    """One line of code and the tensor it makes.

    An axis is a letter; "·" is one without a meaning, and "=" one that queries and keys share.

    Args:
        code: the line.
        operands: what goes in: name, axes and tensor.
        output: the result; None where the line raises an error.
        name: the name of the result.
        axes: the result's axes, with those that the line removes.
        sign: what the line does with two operands.
        changed: the axes that the line made or replaced, by their numbers.
        removed: the axes that the line took away, by their numbers.
        lost: the axes that the line takes away by mistake, or that its first operand lacks because
            an earlier line has done so.
    """

    code: str
    operands: tuple[tuple[str, str, Tensor], ...]
    output: Tensor | None
    name: str
    axes: str
    sign: str = ""
    changed: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    lost: str = ""

    @property
    def inputs(self) -> str:
        """The shapes that go in, joined by what the line does with them."""
        return f"{NO_BREAK_SPACE}{self.sign} ".join(
            shape_text(tensor) for *_, tensor in self.operands
        )


def data() -> dict[str, Any]:
    """Return the numbers of path bmm: the queries cats and bark, and their sentences' keys."""
    return {"X": _queries().tolist(), "Y": _turned_keys().tolist()}


def bmm_steps() -> list[Step]:
    """Multiply two batches of matrices one by one, then both in one call."""
    X, Y = _queries(), _turned_keys()
    steps = [
        Step(
            f"Z[{b}] = X[{b}] @ Y[{b}]",
            ((f"X[{b}]", "QD", X[b]), (f"Y[{b}]", "DK", Y[b])),
            X[b] @ Y[b],
            f"Z[{b}]",
            "QK",
            "×",
            (1,),
        )
        for b in range(2)
    ]
    operands = (("X", "BQD", X), ("Y", "BDK", Y))
    return [
        *steps,
        Step("Z = torch.bmm(X, Y)", operands, batched_dot(X, Y), "Z", "BQK", "×", (2,)),
    ]


def dot_steps(B: int, Q: int, K: int) -> list[Step]:
    """Take the shapes through scaled dot-product attention."""
    queries, keys, values = torch.zeros(B, Q, 2), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    turned = keys.transpose(1, 2)
    scores = torch.bmm(queries, turned)
    scaled = scores / math.sqrt(2)
    weights = scaled.softmax(-1)
    output = torch.bmm(weights, values)
    pair = (("queries", "BQD", queries), ("keys_T", "BDK", turned))
    made = ("scores", "BQK", scores)
    both = (("weights", "BQK", weights), ("values", "BKV", values))
    return [
        Step(
            "keys_T = keys.transpose(1, 2)",
            (("keys", "BKD", keys),),
            turned,
            "keys_T",
            "BDK",
            changed=(1, 2),
        ),
        Step("scores = bmm(queries, keys_T)", pair, scores, "scores", "BQK", "×", (2,)),
        Step("scores = scores / sqrt(D)", (made,), scaled, "scores", "BQK"),
        Step("weights = softmax(scores, -1)", (made,), weights, "weights", "BQK"),
        Step("output = bmm(weights, values)", both, output, "output", "BQV", "×", (2,)),
    ]


def additive_steps(B: int, Q: int, K: int, U: int, *, unsqueeze: bool, squeeze: str) -> list[Step]:
    """Take the shapes through additive attention, with or without its two `unsqueeze`."""
    queries, keys, values = torch.zeros(B, Q, 20), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    projected = F.linear(queries, torch.zeros(U, 20))
    q = projected.unsqueeze(2) if unsqueeze else projected
    k = F.linear(keys, torch.zeros(U, 2))
    k = k.unsqueeze(1) if unsqueeze else k
    q_axes, k_axes = ("BQ·U", "B·KU") if unsqueeze else ("BQU", "BKU")
    line_2 = "q = q.unsqueeze(2)" if unsqueeze else "# q = q.unsqueeze(2)"
    line_3 = "k = W_k(keys).unsqueeze(1)" if unsqueeze else "k = W_k(keys)  # .unsqueeze(1)"
    pair = (("q", q_axes, q), ("k", k_axes, k))
    new_q, new_k = ((2,), (1, 3)) if unsqueeze else ((), (2,))
    steps = [
        Step("q = W_q(queries)", (("queries", "BQD", queries),), projected, "q", "BQU", "", (2,)),
        Step(line_2, (("q", "BQU", projected),), q, "q", q_axes, "", new_q),
        Step(line_3, (("keys", "BKD", keys),), k, "k", k_axes, "", new_k),
    ]
    call = "squeeze(-1)" if squeeze == "last" else "squeeze()"
    codes = [
        "total = q + k",
        "features = tanh(total)",
        "scores = w_v(features)",
        f"weights = softmax(scores.{call})",
        "output = bmm(weights, values)",
    ]
    shared = "=" if Q == K else "K" if Q == 1 else "Q"
    axes = "BQKU" if unsqueeze else f"B{shared}U"
    try:
        total = q + k
    except RuntimeError:
        return [*steps, *(Step(code, pair, None, "total", axes, "+") for code in codes)]
    features = total.tanh()
    scores = F.linear(features, torch.zeros(1, U))
    flat = axes[:-1] + "·"
    weights = (scores.squeeze(-1) if squeeze == "last" else scores.squeeze()).softmax(-1)
    last = (scores.ndim - 1,)
    removed = last if squeeze == "last" else _size_one(scores)
    output = torch.bmm(weights, values) if weights.ndim == 3 else None
    left = "".join(letter for axis, letter in enumerate(flat) if axis not in removed)
    lost = "".join(flat[axis] for axis in removed if axis not in last)
    both = (("weights", left, weights), ("values", "BKV", values))
    # An axis that comes in as long as it goes out was not made here.
    changed = tuple(axis for axis, size in ((1, Q), (2, K)) if size > 1) if unsqueeze else (1,)
    made = ("scores", flat, scores)
    return [
        *steps,
        Step(codes[0], pair, total, "total", axes, "+", changed),
        Step(codes[1], (("total", axes, total),), features, "features", axes),
        Step(codes[2], (("features", axes, features),), scores, "scores", flat, "", last),
        Step(codes[3], (made,), weights, "weights", flat, removed=removed, lost=lost),
        Step(codes[4], both, output, "output", "BQV", "×", (2,), lost=lost),
    ]


def compute(state: State) -> View:
    """Compute the figure: real tensors go through the lines, and their shapes are shown."""
    path, i = state["p"], state["i"]
    if path == "bmm":
        steps = bmm_steps()
    elif path == "dot":
        steps = dot_steps(*state["n"])
    else:
        steps = additive_steps(*state["n"], unsqueeze=state["un"] == "1", squeeze=state["sq"])
    # A program stops at its first error, whatever line the reader asks for.
    i = min([i, *(number for number, step in enumerate(steps, 1) if step.output is None)])
    step = steps[i - 1]
    slots = {"i": str(i), "inputs": step.inputs, "output": "", "count": ""}
    if step.output is not None:
        slots |= {"output": shape_text(step.output), "count": str(step.output.numel())}

    summary = _summary(state, i, steps, slots)
    parts: dict[str, Any] = dict.fromkeys(STEPS)
    parts[path] = _ladder(steps, i)
    parts |= _matrices(state, slots)
    parts["line"] = _line(step)
    return View(parts=parts, slots=slots, summary=summary)


def shape_text(tensor: Tensor) -> str:
    """Write a shape as Python does, in one piece: (2, 1, 10), (2,), ()."""
    return str(tuple(tensor.shape)).replace(" ", NO_BREAK_SPACE)


def _queries() -> Tensor:
    """Return cats for the first sentence and bark for the second, shape (B, Q, D)."""
    return four_words.keys()[[0, 3]].unsqueeze(1)


def _turned_keys() -> Tensor:
    return four_words.padded_keys().transpose(1, 2)


def _line(step: Step) -> dict[str, Any]:
    """Return what a line takes and makes, and which axes it makes and loses, for the drawing."""
    result = None
    if step.output is not None:
        left = "".join(axis for i, axis in enumerate(step.axes) if i not in step.removed)
        result = _tensor(step.name, left, step.output)
    return {
        "operands": [_tensor(*operand) for operand in step.operands],
        "sign": step.sign,
        "result": result,
        "made": [_letter(step.axes[axis]) for axis in step.changed],
        "lost": [_letter(letter) for letter in step.lost],
    }


def _tensor(name: str, axes: str, tensor: Tensor) -> dict[str, Any]:
    return {"name": name, "letters": [_letter(axis) for axis in axes], "sizes": list(tensor.shape)}


def _letter(letter: str) -> str:
    """Name an axis as the table and the drawing show it."""
    return "Q,K" if letter == "=" else letter


def _ladder(steps: list[Step], i: int) -> dict[str, Any]:
    """Return the lines up to number i with the sizes of their axes; later lines are only code."""
    rows, marks, letters, counts = [], [], [], []
    for number, step in enumerate(steps, 1):
        output = step.output if number <= i else None
        cells = _cells(step, output.shape) if output is not None else []
        cells += [("", None, "")] * (MOST_AXES - len(cells))
        letters.append([letter for letter, _, _ in cells])
        rows.append([size for _, size, _ in cells])
        marks.append([mark for *_, mark in cells])
        counts.append(None if output is None else output.numel())
    return {
        "rows": rows,
        "letters": letters,
        "marks": marks,
        "counts": counts,
        "code": [step.code for step in steps],
        "at": i - 1,
        "failed": steps[i - 1].output is None,
    }


def _cells(step: Step, shape: Sequence[int]) -> list[tuple[str, int | None, str]]:
    """Return letter, size and mark of each axis of the result, and behind them those that are gone.

    An axis behind one that is gone has a smaller number now, and stands below it.
    """
    kept: list[tuple[str, int | None, str]] = []
    gone: list[tuple[str, int | None, str]] = []
    sizes = iter(shape)
    for axis, letter in enumerate(step.axes):
        if axis not in step.removed:
            kept.append((_letter(letter), next(sizes), "changed" if axis in step.changed else ""))
        elif letter in step.lost:
            gone.append((_letter(letter), 1, "lost"))
        else:
            gone.append(("", 1, "removed"))
    return kept + gone


def _matrices(state: State, slots: dict[str, str]) -> dict[str, Any]:
    """Return the numbers of path bmm, the row and the column behind an output marked."""
    if state["p"] != "bmm":
        return {f"{name}{example}": None for example in (1, 2) for name in "XYZ"}
    i, column = state["i"], int(state["z"]) - 1
    parts: dict[str, Any] = {}
    for example, (x, y) in enumerate(zip(_queries(), _turned_keys(), strict=True), 1):
        busy = i in (example, 3)
        here = [busy and j == column for j in range(y.shape[1])]
        parts[f"X{example}"] = {"rows": x.tolist(), "marked": [[busy] * x.shape[1]]}
        parts[f"Y{example}"] = {"rows": y.tolist(), "marked": [here] * y.shape[0]}
        known = i >= example
        parts[f"Z{example}"] = {"rows": (x @ y).tolist(), "marked": [here]} if known else None
        slots["z"] = state["z"]
        slots[f"sum{example}"] = _dot_text(x[0], y[:, column])
    return parts


def _dot_text(row: Tensor, column: Tensor) -> str:
    pairs = zip(row.tolist(), column.tolist(), strict=True)
    factors = ([enclosed(format_number(x, 0)) for x in pair] for pair in pairs)
    terms = " + ".join(" · ".join(pair) for pair in factors)
    return f"{terms} = {format_number((row @ column).item(), 0)}".replace(" ", NO_BREAK_SPACE)


def _summary(state: State, i: int, steps: list[Step], slots: dict[str, str]) -> tuple[str, ...]:
    path, step = state["p"], steps[i - 1]
    if step.output is None:
        slots["error"] = _error(step)
        if step.sign == "+":
            Q, K = state["n"][1:3]
            slots |= {"sums": "0", "wanted": str(Q * K)}
            return ("failed", "mismatch")
        slots["got"] = shape_text(step.operands[0][2])
        if state["un"] == "0":
            return ("failed", "shared")
        slots["lost"] = _lost(step)
        return ("failed", "lost")
    name = f"{path}{i}"
    if path == "additive":
        Q, K = state["n"][1:3]
        unsqueeze = state["un"] == "1"
        slots |= {"sums": str(Q * K if unsqueeze else max(Q, K)), "wanted": str(Q * K)}
        if not unsqueeze and i in (2, 3):
            name = "forgotten"
        if i == 4:
            # An axis of size 1 is stretched only where it meets a larger one.
            slots["stretched"] = "q" if K > Q else "k"
            cases = (
                ("stretched_none", "stretched_one", name)
                if unsqueeze
                else ("short_none", "short_one", "diagonal")
            )
            name = cases[(Q > 1) + (K > 1)]
        if i == 7 and state["sq"] == "all":
            slots["lost"] = _lost(step)
            name = "squeezed_more" if slots["lost"] else "squeezed_one"
    one = "" if step.output.numel() > 1 else "_one" if step.output.ndim else "_scalar"
    return (f"step{one}", name)


def _lost(step: Step) -> str:
    return ", ".join(map(_letter, step.lost))


def _error(step: Step) -> str:
    """Return what PyTorch says where a line stops."""
    (_, _, first), (_, _, second) = step.operands
    call = torch.add if step.sign == "+" else torch.bmm
    try:
        call(first, second)
    except RuntimeError as error:
        return str(error)
    return ""


def _size_one(tensor: Tensor) -> tuple[int, ...]:
    return tuple(axis for axis, size in enumerate(tensor.shape) if size == 1)


def _step_control(path: str) -> Count:
    return Count(
        key="i",
        min=1,
        max=STEPS[path],
        step=1,
        default=4 if path == "additive" else 1,
        when={"p": path},
        words="" if path == "additive" else f"i_{path}",
    )


def _sizes_control(path: str, default: Sequence[int], words: str = "") -> Range:
    return Range(
        key="n", min=1, max=10, step=1, default=tuple(default), when={"p": path}, words=words
    )


SELF = {"n": (2, 10, 10, 8)}  # as many queries as keys, as in self-attention
FORGOTTEN = SELF | {"un": "0"}
ONE_QUERY = {"i": 8, "n": (2, 1, 10, 8), "sq": "all"}

FIGURE = Figure(
    id="shapes",
    chapter="batched-products",
    controls=(
        Choice(key="p", options=("additive", "dot", "bmm"), default="additive"),
        *(_step_control(path) for path in STEPS),
        Choice(key="un", options=("0", "1"), default="1", look="checkbox", when={"p": "additive"}),
        Choice(key="sq", options=("last", "all"), default="last", when={"p": "additive"}),
        Choice(key="z", options=("1", "2", "3", "4"), default="1", when={"p": "bmm"}),
        _sizes_control("dot", (2, 3, 10), "n_dot"),
        _sizes_control("additive", (2, 3, 10, 8)),
    ),
    compute=compute,
    prediction=Prediction(
        right=1,
        before={"un": "0"},
        after=FORGOTTEN,
        # By query, key and hidden unit: a pair that only a full square has, one of the diagonal,
        # and the first column.
        places=((2, 7, 4), (6, 6, 4), (9, 1, 4)),
        ms=2400,
    ),
    tries=(SELF, ONE_QUERY, {"p": "bmm", "i": 3, "z": "3"}),
    surprise=FORGOTTEN,
    data=data,
)
