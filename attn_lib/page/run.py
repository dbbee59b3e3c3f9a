"""Runs a reader's code on the page and has it judged: the interpreter's side of `judge.js`."""

import io
import json
import sys

import torch

from attn_lib.page.tensor import Lacking

FILE = "your code"  # as tracebacks name what the reader wrote


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
    return json.dumps({"name": name, "slots": slots, "shown": shown, "line": note["line"]})


def judged(text, function, judge, note):
    before = (torch, names(torch)), (torch.Tensor, names(torch.Tensor))

    def restore():
        for thing, own in before:
            for name, value in own.items():
                if thing.__dict__.get(name) is not value:
                    note["changed"] = "torch" if thing is torch else "torch.Tensor"
                    note["changed"] += "." + name
                    setattr(thing, name, value)

    space = {"torch": torch, "__name__": "__main__"}
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
