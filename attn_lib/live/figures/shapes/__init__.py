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
COLUMNS = 4


@dataclass(frozen=True)
class Step:
    """One line of code and the tensor it makes.

    A layout has a letter for each axis, in the column where the drawing shows it; a space is an
    empty column, "·" is an axis without a meaning, and "=" one that queries and keys share.

    Args:
        code: the line.
        operands: what goes in: name, layout and tensor.
        output: the result; None where the line raises an error.
        name: the name of the result.
        layout: the result's layout, with the axes that the line removes.
        sign: what the line does with two operands.
        changed: the axes of the row that the line made or replaced.
        removed: the axes of the row that the line took away.
        lost: the letters, in their columns, of the axes that the line takes away by mistake, or
            that its first operand lacks because an earlier line has done so.
    """

    code: str
    operands: tuple[tuple[str, str, Tensor], ...]
    output: Tensor | None
    name: str
    layout: str
    sign: str = ""
    changed: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    lost: str = ""

    @property
    def axes(self) -> str:
        """The letter of each axis of the result, in order."""
        return self.layout.replace(" ", "")

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
            ((f"X[{b}]", " QD ", X[b]), (f"Y[{b}]", "  DK", Y[b])),
            X[b] @ Y[b],
            f"Z[{b}]",
            " Q K",
            "×",
            (1,),
        )
        for b in range(2)
    ]
    operands = (("X", "BQD ", X), ("Y", "B DK", Y))
    return [
        *steps,
        Step("Z = torch.bmm(X, Y)", operands, batched_dot(X, Y), "Z", "BQ K", "×", (2,)),
    ]


def dot_steps(B: int, Q: int, K: int) -> list[Step]:
    """Take the shapes through scaled dot-product attention."""
    queries, keys, values = torch.zeros(B, Q, 2), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    turned = keys.transpose(1, 2)
    scores = torch.bmm(queries, turned)
    scaled = scores / math.sqrt(2)
    weights = scaled.softmax(-1)
    output = torch.bmm(weights, values)
    pair = (("queries", "BQD ", queries), ("keys_T", "B DK", turned))
    made = ("scores", "BQ K", scores)
    both = (("weights", "BQK ", weights), ("values", "B KV", values))
    return [
        Step(
            "keys_T = keys.transpose(1, 2)",
            (("keys", "B KD", keys),),
            turned,
            "keys_T",
            "B DK",
            changed=(1, 2),
        ),
        Step("scores = bmm(queries, keys_T)", pair, scores, "scores", "BQ K", "×", (2,)),
        Step("scores = scores / sqrt(D)", (made,), scaled, "scores", "BQ K"),
        Step("weights = softmax(scores, -1)", (made,), weights, "weights", "BQ K"),
        Step("output = bmm(weights, values)", both, output, "output", "BQ V", "×", (2,)),
    ]


def additive_steps(B: int, Q: int, K: int, U: int, *, unsqueeze: bool, squeeze: str) -> list[Step]:
    """Take the shapes through additive attention, with or without its two `unsqueeze`."""
    queries, keys, values = torch.zeros(B, Q, 20), torch.zeros(B, K, 2), torch.zeros(B, K, 4)
    projected = F.linear(queries, torch.zeros(U, 20))
    q = projected.unsqueeze(2) if unsqueeze else projected
    k = F.linear(keys, torch.zeros(U, 2))
    k = k.unsqueeze(1) if unsqueeze else k
    q_layout, k_layout = ("BQ·U", "B·KU") if unsqueeze else (" BQU", " BKU")
    line_2 = "q = q.unsqueeze(2)" if unsqueeze else "# q = q.unsqueeze(2)"
    line_3 = "k = W_k(keys).unsqueeze(1)" if unsqueeze else "k = W_k(keys)"
    pair = (("q", q_layout, q), ("k", k_layout, k))
    steps = [
        Step("q = W_q(queries)", (("queries", "BQD ", queries),), projected, "q", "BQ U", "", (2,)),
        Step(
            line_2,
            (("q", "BQ U" if unsqueeze else q_layout, projected),),
            q,
            "q",
            q_layout,
            "",
            (2,) if unsqueeze else (),
        ),
        Step(
            line_3,
            (("keys", "B KD" if unsqueeze else " BKD", keys),),
            k,
            "k",
            k_layout,
            "",
            (1, 3) if unsqueeze else (2,),
        ),
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
    layout = "BQKU" if unsqueeze else f" B{shared}U"
    try:
        total = q + k
    except RuntimeError:
        return [*steps, *(Step(code, pair, None, "total", layout, "+") for code in codes)]
    features = total.tanh()
    scores = F.linear(features, torch.zeros(1, U))
    flat = layout[:-1] + "·"
    weights = (scores.squeeze(-1) if squeeze == "last" else scores.squeeze()).softmax(-1)
    removed = (scores.ndim - 1,) if squeeze == "last" else _size_one(scores)
    output = torch.bmm(weights, values) if weights.ndim == 3 else None
    left = "".join(" " if _axis(flat, c) in removed else flat[c] for c in range(COLUMNS))
    lost = "".join(" " if a == b or a == "·" else a for a, b in zip(flat, left, strict=True))
    both = (("weights", left, weights), ("values", "B KV", values))
    # An axis that comes in as long as it goes out was not made here.
    changed = tuple(axis for axis, size in ((1, Q), (2, K)) if size > 1) if unsqueeze else (1,)
    last = (scores.ndim - 1,)
    return [
        *steps,
        Step(codes[0], pair, total, "total", layout, "+", changed),
        Step(codes[1], (("total", layout, total),), features, "features", layout),
        Step(codes[2], (("features", layout, features),), scores, "scores", flat, "", last),
        Step(
            codes[3],
            (("scores", flat, scores),),
            weights,
            "weights",
            flat,
            removed=removed,
            lost=lost,
        ),
        Step(codes[4], both, output, "output", "BQ V", "×", (2,), lost=lost),
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
    parts["blocks"] = _blocks(step)
    return View(parts=parts, slots=slots, summary=summary, main="output")


def shape_text(tensor: Tensor) -> str:
    """Write a shape as Python does, in one piece: (2, 1, 10), (2,), ()."""
    return str(tuple(tensor.shape)).replace(" ", NO_BREAK_SPACE)


def _queries() -> Tensor:
    """Return cats for the first sentence and bark for the second, shape (B, Q, D)."""
    return four_words.keys()[[0, 3]].unsqueeze(1)


def _turned_keys() -> Tensor:
    return four_words.padded_keys().transpose(1, 2)


def _axis(layout: str, column: int) -> int:
    """Return which axis a column of a layout shows."""
    return len(layout[:column].replace(" ", ""))


def _blocks(step: Step) -> dict[str, Any]:
    """Return the axes of what goes in and comes out: name, size, stretched to, column.

    A sum stretches an axis of size 1 to the size that it meets in its column. Two axes that lie on
    top of each other there are wrong, and so is one that is taken away by mistake. The columns are
    named where the line made or replaced the result's axis, and where an axis goes away.
    """
    sizes = [_sizes(layout, list(tensor.shape)) for _, layout, tensor in step.operands]
    met = [max(row[c] or 1 for row in sizes) for c in range(COLUMNS)]
    tensors = []
    lost = [[_letter(letter), c] for c, letter in enumerate(step.lost) if letter != " "]
    # A sum pairs what stands in one column, be it the same axis or not.
    paired = [
        c
        for c in range(COLUMNS)
        if step.sign == "+"
        and len({layout[c] for _, layout, _ in step.operands}) > 1
        and all((row[c] or 1) > 1 for row in sizes)
    ]
    for (name, layout, _), row in zip(step.operands, sizes, strict=True):
        axes = [
            [_letter(layout[c]), size, met[c] if step.sign == "+" and size == 1 else size, c]
            for c, size in enumerate(row)
            if size is not None
        ]
        tensors.append({"name": name, "axes": axes})
    made, gone = [], []
    if step.output is not None:
        shown = _sizes(step.layout, _row_shape(step))
        axis_in = {c: _axis(step.layout, c) for c, size in enumerate(shown) if size is not None}
        kept = [c for c, axis in axis_in.items() if axis not in step.removed]
        made = [c for c, axis in axis_in.items() if axis in step.changed]
        gone = [c for c in range(COLUMNS) if c not in kept and any(row[c] for row in sizes)]
        axes = [[_letter(step.layout[c]), shown[c], shown[c], c] for c in kept]
        tensors.append({"name": step.name, "axes": axes})
    return {
        "tensors": tensors,
        "sign": step.sign,
        "stops": step.output is None,
        "wrong": [c for _, c in lost] if step.removed else paired,
        "made": made,
        "gone": gone,
        "lost": [] if step.removed else lost,
    }


def _letter(letter: str) -> str:
    """Name an axis as the table and the drawing show it."""
    return "Q,K" if letter == "=" else letter


def _sizes(layout: str, shape: list[int]) -> list[int | None]:
    """Return the size in each column of a layout; None where it is empty."""
    left = iter(shape)
    return [None if letter == " " else next(left) for letter in layout]


def _ladder(steps: list[Step], i: int) -> dict[str, Any]:
    """Return the lines up to number i with the sizes of their axes; later lines are only code."""
    rows, marks, letters, counts = [], [], [], []
    for number, step in enumerate(steps, 1):
        reached = number <= i and step.output is not None
        cells = _cells(step) if reached else []
        cells += [("", None, "")] * (COLUMNS - len(cells))
        letters.append([letter for letter, _, _ in cells])
        rows.append([size for _, size, _ in cells])
        marks.append([mark for *_, mark in cells])
        counts.append(math.prod(_row_shape(step)) if reached else None)
    return {
        "rows": rows,
        "letters": letters,
        "marks": marks,
        "counts": counts,
        "code": [step.code for step in steps],
        "at": i - 1,
        "failed": steps[i - 1].output is None,
    }


def _cells(step: Step) -> list[tuple[str, int | None, str]]:
    """Return letter, size and mark of each axis of the result, and behind them those that are gone.

    An axis behind one that is gone has a smaller number now, and stands below it.
    """
    kept: list[tuple[str, int | None, str]] = []
    gone: list[tuple[str, int | None, str]] = []
    for axis, size in enumerate(_row_shape(step)):
        letter = step.axes[axis]
        if axis in step.removed:
            mark = "lost" if letter in step.lost else "removed"
            gone.append((_letter(letter) if mark == "lost" else "", size, mark))
        else:
            kept.append((_letter(letter), size, "changed" if axis in step.changed else ""))
    return kept + gone


def _row_shape(step: Step) -> list[int]:
    """Return the sizes of the result, those of removed axes (1) in their old places."""
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
    return ", ".join(_letter(letter) for letter in step.lost if letter != " ")


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
        words=f"i_{path}",
    )


def _sizes_control(path: str, default: Sequence[int]) -> Range:
    return Range(
        key="n", min=1, max=10, step=1, default=tuple(default), when={"p": path}, words=f"n_{path}"
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
        Choice(key="z", options=("1", "2", "3", "4"), default="1", when={"p": "bmm"}),
        _sizes_control("dot", (2, 3, 10)),
        _sizes_control("additive", (2, 3, 10, 8)),
        Choice(key="sq", options=("last", "all"), default="last", when={"p": "additive"}),
    ),
    compute=compute,
    prediction=Prediction(right=2, before=SELF, after=FORGOTTEN),
    tries=({"un": "0"}, ONE_QUERY, {"p": "bmm", "i": 3, "z": "3"}),
    surprise=FORGOTTEN,
    data=data,
)
