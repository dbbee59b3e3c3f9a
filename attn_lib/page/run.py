"""Runs a reader's code on the page and has it judged, or lets it weigh a figure's numbers."""

import builtins
import io
import json
import math
import sys

import torch

from attn_lib.check.judging import numbers, raised, shape
from attn_lib.page.tensor import Lacking, Tensor

FILE = "your code"  # as tracebacks name what the reader wrote


def number(x=0.0):
    """Stand for `float`, which MicroPython does not make of a tensor."""
    return builtins.float(x.item() if isinstance(x, Tensor) else x)


def is_a(x, kinds):
    """Stand for `isinstance`, as `float` is a function here."""
    named = kinds if isinstance(kinds, tuple) else (kinds,)
    return isinstance(x, tuple(builtins.float if kind is number else kind for kind in named))


def _best(builtin, beats):
    def best(*given, **named):
        items = list(given[0]) if len(given) == 1 else given
        if not any(isinstance(item, Tensor) for item in items):
            return builtin(*given, **named)
        found = items[0]
        for item in items[1:]:
            if beats(item - found):
                found = item
        return found

    return best


class _Math:
    """The module `math` of numbers in tensors too."""

    def __getattr__(self, name):
        own = getattr(math, name)
        return (lambda *given: own(*map(number, given))) if callable(own) else own


# What a reader's code finds in place of what does not know tensors.
STAND_IN = {
    "float": number,
    "isinstance": is_a,
    "max": _best(max, lambda apart: apart > 0),
    "min": _best(min, lambda apart: apart < 0),
}


def line_of(error):
    """Return the last line of the reader's code that an error went through, 0 if none."""
    text = io.StringIO()
    sys.print_exception(error, text)
    found = 0
    for line in text.getvalue().split("\n"):
        start = '  File "' + FILE + '", line '
        if line[: len(start)] == start:
            found = int(line[len(start) :].split(",")[0])
    return found


def names(thing):
    return dict(thing.__dict__)


def run(text, function, judge):
    """Return the finding on a text that defines a function, as JSON."""
    note = {"line": 0, "columns": None}
    try:
        found = judged(text, function, judge, note)
    except BaseException as error:  # the reader's code may raise whatever there is
        keep(note, error)
        kind = "syntax" if isinstance(error, SyntaxError) else "stopped"
        found = (kind, {"error": type(error).__name__ + ": " + str(error)}, None)
    name, slots, shown = found
    if "lacks" in note:
        name, slots, shown = "lacks", {"name": note["lacks"]}, None
    if "changed" in note:
        name, slots, shown = "redefined", {"name": note["changed"]}, None
    slots = {slot: str(value) for slot, value in slots.items()}  # shapes as Python writes them
    return json.dumps({"name": name, "slots": slots, "shown": shown, "line": note["line"]})


def weigh(text, function, given):
    """Return what a reader's function makes of a figure's numbers, as JSON.

    `given` has arguments, whose lists are float64, and a shape.
    """
    arguments, wanted = json.loads(given)

    def judge(answer):
        if not callable(answer):
            return "function", {"got": type(answer).__name__}, None
        try:
            answered = answer(*map(_argument, arguments))
        except Exception as error:
            return "stopped", {"error": raised(error)}, None
        weights = numbers(answered)
        if weights is not None and not wanted and weights.numel() == 1:
            weights = weights.reshape(())
        if weights is None or list(weights.shape) != wanted:
            return "figure_shape", {"wanted": tuple(wanted), "got": shape(answered)}, None
        if not torch.isfinite(weights).all():
            return "figure_nan", {}, None
        return "weights", {}, weights.tolist()

    return run(text, function, judge)


def _argument(given):
    if isinstance(given, dict):
        if "whole" in given:
            return torch.tensor(given["whole"])
        return (tuple(map(_argument, pair)) for pair in given["blocks"])
    if isinstance(given, list):  # JSON has no -inf
        return torch.tensor([-torch.inf if x is None else x for x in given]).double()
    return given


def judged(text, function, judge, note):
    before = (torch, names(torch)), (torch.Tensor, names(torch.Tensor))

    def restore():
        for thing, own in before:
            for name, value in own.items():
                if thing.__dict__.get(name) is not value:
                    note["changed"] = "torch" if thing is torch else "torch.Tensor"
                    note["changed"] += "." + name
                    setattr(thing, name, value)

    space = dict(STAND_IN, torch=torch, __name__="__main__")
    sys.modules["math"] = _Math()
    try:
        exec(compile(text, FILE, "exec"), space)
    finally:
        restore()
    if function not in space:
        return "undefined", {"name": function}, None
    answer = space[function]
    if not callable(answer):
        return judge(answer)

    def watched(*given, **named):
        try:
            return answer(*given, **named)
        except BaseException as error:
            keep(note, error)
            raise
        finally:
            restore()

    return judge(watched)


def keep(note, error):
    note["line"] = line_of(error)
    if isinstance(error, Lacking):
        note["lacks"] = error.args[0].split(" has no ")[1].split(":")[0]
